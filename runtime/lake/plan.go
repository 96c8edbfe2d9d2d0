package lake

import (
	"errors"
	"fmt"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// noLevel marks a level of the file that the table's own tree does not have: a null
// where the table has none.
const noLevel = 255

// leafPlan says how a leaf of the table is read from a file.
type leafPlan struct {
	index    int
	leaf     *bridge.Leaf
	node     *fileNode // nil: the file does not have the column
	levels   []uint8   // by definition level of the file, the table's own
	required bool      // a live row has a value
	fill     *bridge.Column
	derived  bool // fill stands for what the reader computes
	filled   bool // such a value was handed out
	ticks    int64
	width    int
	uuid     bool
}

// plan says how a leaf is read from f.
func (f *File) plan(index int) (*leafPlan, error) {
	if f.asWritten != nil {
		return f.planAsWritten(index)
	}
	return planLeaf(f.schema, index, f.root)
}

// planLeaf finds the column of a leaf in the file and checks that it can be read as the
// leaf: the same type, or one that it widens to.
func planLeaf(s *bridge.Schema, index int, root *fileNode) (*leafPlan, error) {
	l := &s.Leaves[index]
	p := &leafPlan{index: index, leaf: l, required: requiredLeaf(s, index)}
	own := ownChain(treeOf(s), index, nil)
	if own == nil {
		return nil, fmt.Errorf("column %q is not in the table's Parquet tree; generate it again", pathText(l.Path))
	}
	err := p.match(own, root)
	if err == nil && p.node != nil {
		err = p.checkType(s)
	}
	if err == nil && p.required && l.Field >= 0 && len(l.Path) == 1 {
		p.fill, err = defaultOf(l, &s.Fields[l.Field])
	}
	if l.Field >= 0 && s.Fields[l.Field].Derived && !s.Fields[l.Field].Key {
		p.derived, p.filled = true, p.node == nil
		if p.required {
			p.fill = zero
		}
	}
	if s.Deletes && index == s.Sys+4 { // files from before the table had deletes
		p.fill = &bridge.Column{U8: []uint8{0}}
	}
	if err == nil && p.node == nil {
		err = p.checkMissing()
	}
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", pathText(l.Path), err)
	}
	return p, nil
}

// requiredLeaf says whether each row, or each live row, has a value in the column.
func requiredLeaf(s *bridge.Schema, index int) bool {
	l := &s.Leaves[index]
	if l.Field < 0 {
		return l.MaxDef == 0
	}
	return !s.Fields[l.Field].Optional
}

// ownChain are the nodes from the root to a leaf.
func ownChain(nodes []bridge.Node, leaf int, above []*bridge.Node) []*bridge.Node {
	for i := range nodes {
		n := &nodes[i]
		if n.Leaf == leaf {
			return append(above, n)
		}
		if n.Leaf < 0 {
			if found := ownChain(n.Children, leaf, append(above[:len(above):len(above)], n)); found != nil {
				return found
			}
		}
	}
	return nil
}

// match walks both trees side by side and maps levels. Columns and fields go by name;
// below a list or map, where writers name nodes as they like, by place.
func (p *leafPlan) match(own []*bridge.Node, root *fileNode) error {
	p.levels = []uint8{0}
	at, def := root, uint8(0)
	for i, n := range own {
		child := at.child(n.Name)
		if child == nil && i > 0 {
			child = byPlace(own[i-1], n, at)
		}
		if child == nil {
			if i == 0 {
				return nil
			}
			return fmt.Errorf("the file has no %q below %q", n.Name, at.element.Name)
		}
		if (n.Rep == uint8(format.Repeated)) != (child.rep == format.Repeated) || (n.Leaf >= 0) != (child.leaf >= 0) {
			return fmt.Errorf("the file nests it in another way at %q", n.Name)
		}
		last := len(p.levels) - 1
		switch {
		case n.Rep == uint8(format.Required) && child.rep == format.Optional:
			p.levels[last] = noLevel
			p.levels = append(p.levels, def)
		case child.rep == format.Required:
			if n.Rep == uint8(format.Optional) {
				def++
			}
			p.levels[last] = def
		default:
			def++
			p.levels = append(p.levels, def)
		}
		at = child
	}
	p.node = at
	return nil
}

// byPlace finds the counterpart of n below a list, a map or their repeated group.
func byPlace(parent, n *bridge.Node, at *fileNode) *fileNode {
	wrapper := parent.Logical == "list" || parent.Logical == "map" || parent.Rep == uint8(format.Repeated)
	if !wrapper || len(parent.Children) != len(at.children) {
		return nil
	}
	for i := range parent.Children {
		if &parent.Children[i] == n {
			return at.children[i]
		}
	}
	return nil
}

// checkMissing says what a column that is not in the file reads as.
func (p *leafPlan) checkMissing() error {
	if !p.required || p.fill != nil {
		return nil
	}
	return errors.New("the file does not have it, and it has no default to read instead; give the column one in the spec, or write the file anew")
}

// checkType compares the file's type with the leaf's.
func (p *leafPlan) checkType(s *bridge.Schema) error {
	e := p.node.element
	ok := false
	switch p.leaf.Kind {
	case bridge.Bool:
		ok = e.Type.V == format.Boolean
	case bridge.Int32:
		ok = e.Type.V == format.Int32 && p.intAnnotation()
	case bridge.Int64:
		ok = p.checkInt64()
	case bridge.Float:
		ok = e.Type.V == format.Float
	case bridge.Double:
		ok = e.Type.V == format.Double || e.Type.V == format.Float
	case bridge.Code:
		ok = e.Type.V == format.ByteArray && isText(e)
	case bridge.Bytes:
		ok = p.checkBytes(s)
	}
	if !ok {
		return fmt.Errorf("the file holds %s, the table %s", p.node.annotation(), p.want(s))
	}
	return nil
}

// want names the type that the table asks for.
func (p *leafPlan) want(s *bridge.Schema) string {
	if p.leaf.Field >= 0 && len(p.leaf.Path) == 1 {
		return s.Fields[p.leaf.Field].Type
	}
	if p.leaf.Logical != "" {
		return p.leaf.Logical
	}
	return map[bridge.Kind]string{bridge.Bool: "a boolean", bridge.Int32: "an int", bridge.Int64: "a long", bridge.Float: "a float",
		bridge.Double: "a double", bridge.Bytes: "bytes", bridge.Code: "an enum"}[p.leaf.Kind]
}

// intAnnotation accepts what the file says of an integer: a date only as a date, and
// nothing that is unsigned or a time of the day.
func (p *leafPlan) intAnnotation() bool {
	e := p.node.element
	date := false
	switch t := e.LogicalType.Value.(type) {
	case nil:
		if e.ConvertedType.Valid {
			switch e.ConvertedType.V {
			case deprecated.Date:
				date = true
			case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
			default:
				return false
			}
		}
	case *format.DateType:
		date = true
	case *format.IntType:
		if !t.IsSigned {
			return false
		}
	default:
		return false
	}
	return date == (p.leaf.Logical == "date")
}

func (p *leafPlan) checkInt64() bool {
	e := p.node.element
	if p.leaf.Logical != "timestamp" {
		return (e.Type.V == format.Int64 || e.Type.V == format.Int32) && p.intAnnotation()
	}
	if e.Type.V == format.Int96 {
		return true
	}
	p.ticks = p.node.unitOf()
	return e.Type.V == format.Int64 && p.ticks >= 1000
}

func isText(e *format.SchemaElement) bool {
	switch e.LogicalType.Value.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		return true
	case nil:
		return !e.ConvertedType.Valid || e.ConvertedType.V == deprecated.UTF8 || e.ConvertedType.V == deprecated.Enum || e.ConvertedType.V == deprecated.Json
	}
	return false
}

func (p *leafPlan) checkBytes(s *bridge.Schema) bool {
	e := p.node.element
	fixed := e.Type.V == format.FixedLenByteArray
	if fixed {
		if p.width = int(e.TypeLength.V); p.width < 1 || p.width > 1<<16 {
			return false
		}
	}
	if isDecimal(p.leaf) {
		return p.checkDecimal()
	}
	if p.leaf.Logical == "string" {
		isUUID := p.leaf.Field >= 0 && strings.TrimSpace(s.Fields[p.leaf.Field].Type) == "uuid"
		p.uuid = fixed && isUUID && p.width == 16
		return p.uuid || e.Type.V == format.ByteArray && isText(e)
	}
	return (fixed || e.Type.V == format.ByteArray) && e.LogicalType.Value == nil && !e.ConvertedType.Valid
}

// checkDecimal accepts a decimal of the same scale and no more digits.
func (p *leafPlan) checkDecimal() bool {
	e := p.node.element
	precision, scale := e.Precision.V, e.Scale.V
	switch t := e.LogicalType.Value.(type) {
	case *format.DecimalType:
		precision, scale = t.Precision, t.Scale
	case nil:
		if !e.ConvertedType.Valid || e.ConvertedType.V != deprecated.Decimal {
			return false
		}
	default:
		return false
	}
	_, params, _ := strings.Cut(strings.TrimSuffix(p.leaf.Logical, ")"), "(")
	ownPrecision, ownScale, err := decimalParams(params)
	if err != nil || scale != ownScale || precision < 1 || precision > ownPrecision {
		return false
	}
	switch e.Type.V {
	case format.Int32, format.Int64, format.ByteArray, format.FixedLenByteArray:
		return true
	}
	return false
}

// reader makes the decoder of the column's values.
func (p *leafPlan) reader() values {
	v := values{leaf: p.leaf, node: p.node, ticks: p.ticks, width: p.width, uuid: p.uuid, copy: p.leaf.MaxRep > 0}
	if p.leaf.Kind == bridge.Code {
		v.symbols = make(map[string]uint8, len(p.leaf.Values))
		for i, s := range p.leaf.Values {
			v.symbols[s] = uint8(i)
		}
	}
	return v
}
