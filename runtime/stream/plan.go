package stream

import (
	"errors"
	"fmt"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// reader is the table's own side of schema resolution.
type reader struct {
	s       *bridge.Schema
	columns []column
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
	name   string
	field  int  // position in Schema.Fields; behind them the system columns
	live   bool // null is wrong in a live row
	always bool // null is wrong in every row
	form
}

// lacking says what a writer does not have and the reader cannot do without.
type lacking struct{ what string }

func (e *lacking) Error() string { return "lacks " + e.what }

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
		st, err := r.step(w, at)
		if err != nil {
			return nil, r.misfit(id, err)
		}
		p.own = p.own && at == i && same(w, r.columns[at])
		p.steps = append(p.steps, st)
	}
	if p.own {
		return p, nil
	}
	if err := r.complete(p, writer); err != nil {
		return nil, r.misfit(id, err)
	}
	return p, nil
}

// misfit is the error on a writer schema; one that lacks something is an older one.
func (r *reader) misfit(id int, err error) error {
	var lacks *lacking
	return &UnknownSchema{Subject: r.s.Subject(), ID: id, What: err.Error(), Older: errors.As(err, &lacks)}
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

func (r *reader) step(w column, at int) (step, error) {
	c := r.columns[at]
	st := step{name: c.name, field: at, always: c.null < 0}
	if at < len(r.s.Fields) {
		st.live = !r.s.Fields[at].Optional
	}
	var err error
	st.form, err = newForm(w, c)
	return st, err
}

// missing says what stands for a column that the writer does not have.
func (r *reader) missing(p *plan, c column) error {
	at := r.s.FieldNamed(c.name)
	switch {
	case at < 0 && c.null >= 0:
		return nil
	case at < 0:
		return &lacking{fmt.Sprintf("the system column %q", c.name)}
	}
	f := &r.s.Fields[at]
	switch {
	case f.Derived:
		p.derive = true
	case f.HasDefault:
		p.absent = append(p.absent, at)
	case !f.Optional:
		return &lacking{fmt.Sprintf("column %q, which is required and has no default", c.name)}
	}
	return nil
}
