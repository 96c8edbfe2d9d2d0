package lake

import (
	"fmt"
	"io"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/format"
)

// Foreign is a column of a file, or a part of one, as the file's writer described it.
// Lists and maps are in one form, whichever way the writer nested them.
type Foreign struct {
	Name      string
	Is        Form
	Bits      int         // of an Integer: 8, 16, 32 or 64
	Unsigned  bool        // of an Integer
	Ticks     int64       // of a Moment, per second: 1e3, 1e6 or 1e9; 0: INT96
	Local     bool        // a Moment is a local time, of no zone that the file names
	Precision int         // of a Number
	Scale     int         // of a Number
	Fixed     bool        // all values have one length
	Leaf      int         // position for File.Pages and in Page.Cols; -1: not a scalar
	Kind      bridge.Kind // of a scalar's column
	Levels    int         // position in Page.Levels; -1: none, for it is never null

	Def   uint8 // definition level from which on it is not null
	Rep   uint8 // of a Sequence or Mapping: repetition level of its second and further elements
	Items uint8 // of a Sequence or Mapping: definition level from which on it has an element

	Parts []*Foreign // of a Group its fields, of a Sequence its element, of a Mapping key and value
	node  *fileNode
}

// Form is what a column of a foreign file holds.
type Form uint8

// The forms, and how a page holds them.
const (
	Unknown  Form = iota // what no table reads
	Boolean              // Bool
	Integer              // Int32 or Int64; Unsigned ones by their bits
	Single               // Float
	Real                 // Double
	Number               // decimal; Int32, Int64, or Bytes as two's complement
	Chars                // Bytes: text, also JSON and symbols of enums
	Blob                 // Bytes
	Ident                // Bytes: the 16 bytes of a UUID
	Day                  // Int32: days since 1970
	Moment               // Int64 in Ticks; INT96 as the 12 bytes of a Bytes
	Sequence             // a list
	Mapping              // a map
	Group                // a struct
)

// OpenForeign reads the footer of a file of no table: all that it holds, as its writer
// described it. Pages of the File gives values as they lie there, without a promise
// about nulls; Page.Cols are the scalars in the file's order. The name is for errors.
func OpenForeign(src io.ReaderAt, size int64, name string) (*File, []*Foreign, error) {
	meta, at, err := readFooter(src, size)
	if err != nil {
		return nil, nil, notReadable(name, err)
	}
	root, err := checkFooter(meta, at)
	if err != nil {
		return nil, nil, notReadable(name, err)
	}
	f := &File{src: src, name: name, meta: meta, root: root, footerAt: at, schema: &bridge.Schema{Version: -1, PartitionBy: -1}}
	f.describe(root, nil)
	f.schema.Sys = len(f.schema.Leaves)
	columns := make([]*Foreign, len(root.children))
	for i, n := range root.children {
		columns[i] = foreign(n, false)
		f.bind(columns[i])
	}
	return f, columns, nil
}

// bind tells the scalars where a page has them.
func (f *File) bind(d *Foreign) {
	if d.Leaf >= 0 {
		l := &f.schema.Leaves[d.Leaf]
		d.Kind, d.Levels = l.Kind, l.Levels
	}
	for _, part := range d.Parts {
		f.bind(part)
	}
}

// describe makes leaves of the file's own, each with levels of its own.
func (f *File) describe(n *fileNode, path []string) {
	s := f.schema
	for _, c := range n.children {
		path := append(path[:len(path):len(path)], c.element.Name)
		if c.leaf < 0 {
			f.describe(c, path)
			continue
		}
		l := bridge.Leaf{Path: path, Kind: kindOf(c.element.Type.V), MaxDef: c.maxDef, MaxRep: c.maxRep, Levels: -1, Field: -1}
		if c.maxDef > 0 {
			l.Levels = s.NLevels
			s.NLevels++
		}
		s.Leaves = append(s.Leaves, l)
		f.asWritten = append(f.asWritten, c)
	}
}

func kindOf(t format.Type) bridge.Kind {
	switch t {
	case format.Boolean:
		return bridge.Bool
	case format.Int32:
		return bridge.Int32
	case format.Int64:
		return bridge.Int64
	case format.Float:
		return bridge.Float
	case format.Double:
		return bridge.Double
	}
	return bridge.Bytes
}

// int96Width is the size of an INT96 in bytes.
const int96Width = 12

// planAsWritten reads a column as it lies in the file.
func (f *File) planAsWritten(index int) (*leafPlan, error) {
	n := f.asWritten[index]
	p := &leafPlan{index: index, leaf: &f.schema.Leaves[index], node: n, levels: make([]uint8, int(n.maxDef)+1)}
	for i := range p.levels {
		p.levels[i] = uint8(i)
	}
	switch n.element.Type.V {
	case format.Int96:
		p.width = int96Width
	case format.FixedLenByteArray:
		var err error
		if p.width, err = fixedWidth(n); err != nil {
			return nil, fmt.Errorf("column %q: %w", pathText(p.leaf.Path), err)
		}
	}
	return p, nil
}

// foreign describes a node. An element of a list that is written as a repeated node is
// described without its repetition, which is the list's.
func foreign(n *fileNode, element bool) *Foreign {
	d := &Foreign{Name: n.element.Name, Leaf: n.leaf, Def: n.maxDef, node: n}
	switch {
	case n.rep == format.Repeated && !element:
		d.sequence(n, foreign(n, true))
		d.Def, d.Leaf = n.maxDef-1, -1
	case n.leaf >= 0:
		d.scalar()
	case isList(n):
		d.sequence(n.children[0], elementOfList(n))
	case isMap(n):
		pairs := n.children[0]
		d.Is, d.Rep, d.Items = Mapping, pairs.maxRep, pairs.maxDef
		d.Parts = []*Foreign{foreign(pairs.children[0], false), foreign(pairs.children[1], false)}
	default:
		d.Is = Group
		for _, c := range n.children {
			d.Parts = append(d.Parts, foreign(c, false))
		}
	}
	return d
}

func (d *Foreign) sequence(repeated *fileNode, element *Foreign) {
	d.Is, d.Rep, d.Items, d.Parts = Sequence, repeated.maxRep, repeated.maxDef, []*Foreign{element}
}

// String names the physical type and what the writer said of it, for messages.
func (d *Foreign) String() string {
	if word := map[Form]string{Sequence: "a list", Mapping: "a map", Group: "a group of columns"}[d.Is]; word != "" {
		return word
	}
	return d.node.annotation()
}
