package stream

import (
	"fmt"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/hamba/avro/v2"
)

// form is how a value of a writer becomes one of the reader.
type form struct {
	null      int  // position of the null branch in the writer; -1: no union
	union     bool // the reader has a union, which begins with null
	wire      avro.Type
	logical   avro.LogicalType
	precision int
	symbols   int // of the writer
	convert   conversion
	numbers   []int    // the reader's position of each of the writer's symbols
	elem      *form    // of an array or a map
	members   []member // of a record, in the writer's order
	order     []int    // of the reader's fields: positions in members; -1: the writer has none, so it is null
}

// member is a field of a record.
type member struct {
	name     string // .qty
	required bool   // null is wrong
	form
}

// nested tells whether the value holds others.
func (f *form) nested() bool { return f.elem != nil || f.order != nil }

// newForm compares a writer's type with the reader's.
func newForm(w, r column) (form, error) {
	f := form{null: w.null, union: r.null >= 0, wire: w.typ, logical: r.logical, precision: r.precision, symbols: len(w.symbols)}
	var err error
	if f.convert, err = promote(w, r); err != nil {
		return f, err
	}
	if r.typ == avro.String || r.typ == avro.Bytes { // what is checked is what the reader makes of it
		f.wire = r.typ
	}
	for _, symbol := range w.symbols {
		f.numbers = append(f.numbers, slices.Index(r.symbols, symbol))
	}
	if r.elem != nil {
		elem, err := newForm(*w.elem, *r.elem)
		f.elem = &elem
		return f, err
	}
	if r.typ == avro.Record {
		err = f.match(w, r)
	}
	return f, err
}

// match finds the fields of the reader's record among those of the writer's.
func (f *form) match(w, r column) error {
	f.order = make([]int, len(r.fields))
	for i := range f.order {
		f.order[i] = -1
	}
	for i, field := range w.fields {
		at := slices.IndexFunc(r.fields, func(c column) bool { return c.name == field.name })
		if at < 0 {
			return fmt.Errorf("has field %q, which this program does not know", field.name)
		}
		inner, err := newForm(field, r.fields[at])
		if err != nil {
			return err
		}
		f.order[at] = i
		f.members = append(f.members, member{field.name[len(w.name):], r.fields[at].null < 0, inner})
	}
	for i, at := range f.order {
		if at < 0 && r.fields[i].null < 0 {
			return &lacking{fmt.Sprintf("field %q, which is required", r.fields[i].name)}
		}
	}
	return nil
}

// same tells whether a value of w has the same bytes as one of c, for all values.
func same(w, c column) bool {
	if w.null != c.null || w.typ != c.typ || w.logical != c.logical || w.scale != c.scale || !slices.Equal(w.symbols, c.symbols) || len(w.fields) != len(c.fields) {
		return false
	}
	for i := range c.fields {
		if w.fields[i].name != c.fields[i].name || !same(w.fields[i], c.fields[i]) {
			return false
		}
	}
	return c.elem == nil || same(*w.elem, *c.elem)
}

// appendTo appends the reader's form of the value at b[i:], which was checked before, and
// returns the position behind it.
func (f *form) appendTo(out, b []byte, i int) ([]byte, int) {
	switch {
	case f.elem != nil:
		return f.appendItems(out, b, i)
	case f.order != nil:
		return f.appendRecord(out, b, i)
	}
	end, _ := f.skip(b, i)
	return f.appendScalar(out, b[i:end]), end
}

// appendBranch is appendTo of a value that may be null.
func (f *form) appendBranch(out, b []byte, i int) ([]byte, int) {
	value, i := f.branch(b, i)
	if !value {
		return append(out, 0), i
	}
	if f.union {
		out = append(out, 2)
	}
	return f.appendTo(out, b, i)
}

func (f *form) appendItems(out, b []byte, i int) ([]byte, int) {
	for {
		n, _, next := bridge.ReadBlock(b, i, 1)
		out, i = appendLong(out, int64(n)), next
		if n == 0 {
			return out, i
		}
		for range n {
			if f.wire == avro.Map {
				key, behind := bridge.ReadBytes(b, i)
				out, i = append(appendLong(out, int64(len(key))), key...), behind
			}
			out, i = f.elem.appendBranch(out, b, i)
		}
	}
}

func (f *form) appendRecord(out, b []byte, i int) ([]byte, int) {
	values := make([][]byte, len(f.members))
	for k := range f.members {
		values[k], i = f.members[k].appendBranch(nil, b, i)
	}
	for _, at := range f.order {
		if at < 0 {
			out = append(out, 0)
			continue
		}
		out = append(out, values[at]...)
	}
	return out, i
}

func appendLong(out []byte, v int64) []byte {
	var to [bridge.MaxVarint]byte
	return append(out, to[:bridge.PutLong(to[:], 0, v)]...)
}

// appendScalar appends a scalar in the reader's form.
func (f *form) appendScalar(out, b []byte) []byte {
	var to [bridge.MaxVarint]byte
	n := 0
	switch {
	case f.convert == asIs:
		return append(out, b...)
	case f.convert == renumber:
		symbol, _ := bridge.ReadEnum(b, 0, f.symbols)
		n = bridge.PutLong(to[:], 0, int64(f.numbers[symbol]))
	case f.convert == toFloat:
		v, _ := bridge.Long(b, 0)
		n = bridge.PutFloat(to[:], 0, float32(v))
	case f.wire == avro.Float:
		v, _ := bridge.ReadFloat(b, 0)
		n = bridge.PutDouble(to[:], 0, float64(v))
	default:
		v, _ := bridge.Long(b, 0)
		n = bridge.PutDouble(to[:], 0, float64(v))
	}
	return append(out, to[:n]...)
}
