package stream

import (
	"errors"
	"fmt"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/hamba/avro/v2"
)

// reader is the table's own side of schema resolution.
type reader struct {
	s       *bridge.Schema
	columns []column
	nested  bool // a column that is no leaf: only the own layout can be read
}

func newReader(s *bridge.Schema) (*reader, error) {
	own, err := columns(s.Avro)
	if err != nil {
		return nil, fmt.Errorf("the Avro schema of table %q %w; run bridgegen generate", s.Table, err)
	}
	r := &reader{s: s, columns: own}
	for _, c := range own {
		if c.bad != nil {
			return nil, fmt.Errorf("the Avro schema of table %q %w; run bridgegen generate", s.Table, c.bad)
		}
		r.nested = r.nested || leafOf(s, c.name) < 0
	}
	return r, nil
}

// plan says how the records of one writer schema become rows.
type plan struct {
	own    bool // the table's own layout
	steps  []step
	absent []int // columns (positions in Schema.Fields) that take their default
	derive bool  // a derived column is missing and is computed
}

// step is one field, in the writer's order.
type step struct {
	name      string
	leaf      int  // position in Schema.Leaves; -1: of a nested table, not looked into
	null      int  // position of the null branch; -1: no union
	live      bool // null is wrong in a live row
	always    bool // null is wrong in every row
	wire      avro.Type
	logical   avro.LogicalType
	precision int
	symbols   int // of the writer
	convert   conversion
	numbers   []int // the reader's position of each of the writer's symbols
}

// plan compares a writer schema with the own one. The error is an *UnknownSchema where
// the writer has what the reader lacks or cannot make out, and an *Undecodable where it
// is no schema of a table at all.
func (r *reader) plan(id int, text string) (*plan, error) {
	unknown := func(format string, args ...any) error {
		return &UnknownSchema{Subject: r.s.Subject(), ID: id, What: fmt.Sprintf(format, args...)}
	}
	writer, err := columns(text)
	var other *noRecord
	switch {
	case errors.As(err, &other):
		return nil, &Undecodable{fmt.Sprintf("schema %d %v", id, err)}
	case err != nil:
		return nil, unknown("%v", err)
	}
	p := &plan{own: len(writer) == len(r.columns)}
	for i, w := range writer {
		at := slices.IndexFunc(r.columns, func(c column) bool { return c.name == w.name })
		if at < 0 {
			return nil, unknown("has column %q, which this program does not know", w.name)
		}
		if w.bad != nil {
			return nil, unknown("%v", w.bad)
		}
		st, err := r.step(w, r.columns[at])
		if err != nil {
			return nil, unknown("%v", err)
		}
		p.own = p.own && at == i && r.same(w, r.columns[at])
		p.steps = append(p.steps, st)
	}
	if p.own {
		return p, nil
	}
	if r.nested {
		return nil, unknown("differs from the schema of this program, which holds nested columns")
	}
	if err := r.complete(p, writer); err != nil {
		return nil, &UnknownSchema{Subject: r.s.Subject(), ID: id, What: err.Error(), Older: true}
	}
	return p, nil
}

// complete adds what stands for the columns that the writer does not have.
func (r *reader) complete(p *plan, writer []column) error {
	for _, c := range r.columns {
		if slices.ContainsFunc(writer, func(w column) bool { return w.name == c.name }) {
			continue
		}
		if err := r.missing(p, c); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) step(w, c column) (step, error) {
	st := step{name: c.name, leaf: leafOf(r.s, c.name), null: w.null, always: c.null < 0,
		wire: w.typ, logical: c.logical, precision: c.precision, symbols: len(w.symbols)}
	if at := r.s.FieldNamed(c.name); at >= 0 {
		st.live = !r.s.Fields[at].Optional
	}
	if st.leaf < 0 || !c.scalar() || !w.scalar() {
		st.leaf = -1
		if w.text != c.text {
			return st, fmt.Errorf("has column %q in another form than this program", c.name)
		}
		return st, nil
	}
	var err error
	if st.convert, err = promote(w, c); err != nil {
		return st, err
	}
	if c.typ == avro.String || c.typ == avro.Bytes { // what is checked is what the reader makes of it
		st.wire = c.typ
	}
	for _, symbol := range w.symbols {
		st.numbers = append(st.numbers, slices.Index(c.symbols, symbol))
	}
	return st, nil
}

// same tells whether a value of w has the same bytes as one of c, for all values.
func (r *reader) same(w, c column) bool {
	return w.null == c.null && w.typ == c.typ && w.logical == c.logical && w.scale == c.scale && slices.Equal(w.symbols, c.symbols) &&
		(w.scalar() || w.text == c.text)
}

// missing says what stands for a column that the writer does not have.
func (r *reader) missing(p *plan, c column) error {
	at := r.s.FieldNamed(c.name)
	switch {
	case at < 0 && c.null >= 0:
		return nil
	case at < 0:
		return fmt.Errorf("lacks the system column %q", c.name)
	}
	f := &r.s.Fields[at]
	switch {
	case f.Derived:
		p.derive = true
	case f.HasDefault:
		p.absent = append(p.absent, at)
	case !f.Optional:
		return fmt.Errorf("lacks column %q, which is required and has no default", c.name)
	}
	return nil
}
