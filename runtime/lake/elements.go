package lake

import (
	"fmt"
	"strconv"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// treeOf is the Parquet tree of s; a flat schema's is made from its leaves.
func treeOf(s *bridge.Schema) []bridge.Node {
	if s.Root != nil {
		return s.Root
	}
	root := make([]bridge.Node, len(s.Leaves))
	for i, l := range s.Leaves {
		root[i] = bridge.Node{Name: l.Path[0], Logical: l.Logical, Leaf: i}
		if l.MaxDef > 0 {
			root[i].Rep = uint8(format.Optional)
		}
	}
	return root
}

// elementsOf is the footer's schema, and the leaves in the order of the tree, which is
// that of the column chunks.
func elementsOf(s *bridge.Schema) (elements []format.SchemaElement, order []int, err error) {
	root := treeOf(s)
	elements = []format.SchemaElement{{Name: s.Record, NumChildren: thrift.New(int32(len(root)))}}
	var add func([]bridge.Node) error
	add = func(nodes []bridge.Node) error {
		for i := range nodes {
			e, err := elementOf(s, &nodes[i])
			if err != nil {
				return err
			}
			elements = append(elements, e)
			if leaf := nodes[i].Leaf; leaf >= 0 {
				order = append(order, leaf)
				continue
			}
			if err := add(nodes[i].Children); err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(root); err != nil {
		return nil, nil, err
	}
	if len(order) != len(s.Leaves) {
		return nil, nil, fmt.Errorf("table %q: its Parquet tree has %d leaves, its schema %d; generate it again", s.Table, len(order), len(s.Leaves))
	}
	return elements, order, nil
}

func elementOf(s *bridge.Schema, n *bridge.Node) (format.SchemaElement, error) {
	e := format.SchemaElement{Name: n.Name, RepetitionType: thrift.New(format.FieldRepetitionType(n.Rep))}
	logical := n.Logical
	if n.Leaf < 0 {
		e.NumChildren = thrift.New(int32(len(n.Children)))
	} else {
		e.Type = thrift.New(physical(s.Leaves[n.Leaf].Kind))
		if logical == "" {
			logical = s.Leaves[n.Leaf].Logical
		}
	}
	err := annotate(&e, logical)
	if err != nil {
		err = fmt.Errorf("column %q: %w", n.Name, err)
	}
	return e, err
}

// physical is the type in the file of a kind. Decimals are BINARY of any precision, as
// the S3 sink writes them (traps.md, section 0).
func physical(k bridge.Kind) format.Type {
	switch k {
	case bridge.Bool:
		return format.Boolean
	case bridge.Int32:
		return format.Int32
	case bridge.Int64:
		return format.Int64
	case bridge.Float:
		return format.Float
	case bridge.Double:
		return format.Double
	}
	return format.ByteArray
}

// annotate sets the logical type and, for older readers, the converted type.
func annotate(e *format.SchemaElement, logical string) error {
	convert := func(c deprecated.ConvertedType) { e.ConvertedType = thrift.New(c) }
	word, params, _ := strings.Cut(strings.TrimSuffix(logical, ")"), "(")
	switch word {
	case "":
	case "string":
		e.LogicalType.Value = new(format.StringType)
		convert(deprecated.UTF8)
	case "date":
		e.LogicalType.Value = new(format.DateType)
		convert(deprecated.Date)
	case "timestamp": // milliseconds always: nanoseconds break Spark (T86)
		e.LogicalType.Value = &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: new(format.MilliSeconds)}}
		convert(deprecated.TimestampMillis)
	case "decimal":
		precision, scale, err := decimalParams(params)
		if err != nil {
			return err
		}
		e.LogicalType.Value = &format.DecimalType{Precision: precision, Scale: scale}
		e.Precision, e.Scale = thrift.New(precision), thrift.New(scale)
		convert(deprecated.Decimal)
	case "list":
		e.LogicalType.Value = new(format.ListType)
		convert(deprecated.List)
	case "map":
		e.LogicalType.Value = new(format.MapType)
		convert(deprecated.Map)
	default:
		return fmt.Errorf("logical type %q is not known", logical)
	}
	return nil
}

func decimalParams(params string) (precision, scale int32, err error) {
	p, s, ok := strings.Cut(params, ",")
	a, err1 := strconv.Atoi(strings.TrimSpace(p))
	b, err2 := strconv.Atoi(strings.TrimSpace(s))
	if !ok || err1 != nil || err2 != nil || a < 1 || a > 38 || b < 0 || b > a {
		return 0, 0, fmt.Errorf("decimal(%s) has no precision of 1 to 38 and scale up to it", params)
	}
	return int32(a), int32(b), nil
}
