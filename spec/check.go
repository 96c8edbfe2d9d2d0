package spec

import (
	"fmt"
	"iter"
	"slices"

	"github.com/bridgegen/bridgegen/spec/expr"
	"github.com/bridgegen/bridgegen/spec/types"
)

// Table is a spec with the project's defaults under it, its columns found and its
// expressions compiled.
type Table struct {
	*Spec
	Columns  []*TableColumn
	problems Diagnostics // of expressions
}

// TableColumn is a column, or a field of a struct, whose name and type are known.
type TableColumn struct {
	*Column
	Path     string // names from the column on: ship_to.zip
	Type     *types.Type
	Derive   *expr.Expr // nil: none, or with errors
	Validate *expr.Expr
	Fields   []*TableColumn // of a struct, or of the structs in a list or map
	GoType   string         // what an enum or a struct declares; else empty
	AvroName string         // of the type of an enum or a struct
}

// Held is the type without the list or map around it: its row, and as written.
func (c *TableColumn) Held() (*types.Type, Type) {
	written := c.Column.Type.V
	if written.Elem == nil {
		return c.Type, written
	}
	row, _ := types.Lookup(written.Elem.Word)
	return row, *written.Elem
}

// Every goes over the columns, and behind each over its fields.
func (t *Table) Every() iter.Seq[*TableColumn] {
	return func(yield func(*TableColumn) bool) { every(t.Columns, yield) }
}

func every(cs []*TableColumn, yield func(*TableColumn) bool) bool {
	for _, c := range cs {
		if !yield(c) || !every(c.Fields, yield) {
			return false
		}
	}
	return true
}

// Column finds a column by name; nil if there is none.
func (t *Table) Column(name string) *TableColumn {
	for _, c := range t.Columns {
		if c.Name.V == name {
			return c
		}
	}
	return nil
}

// Var is the column as expressions see it.
func (c *TableColumn) Var() expr.Var {
	v := expr.Var{Name: c.Name.V, Type: c.Type, Precision: c.Column.Type.V.Precision, Scale: c.Column.Type.V.Scale, Optional: c.Optional.V}
	if c.Type == types.Enum {
		v.GoType = c.GoType
		v.Symbols = c.symbols()
	}
	return v
}

func (c *TableColumn) symbols() (list []string) {
	for _, value := range c.Values.V {
		list = append(list, value.Symbol.V)
	}
	return list
}

// Check reports what the tables of a project mean wrongly, by every rule of Rules. The
// specs may lack what Parse has reported; project may be nil.
func Check(specs []*Spec, project *ProjectFile) Diagnostics {
	_, ds := Analyse(specs, project)
	return ds
}

// Analyse is Check, and returns the tables it looked at, in the order of specs.
func Analyse(specs []*Spec, project *ProjectFile) ([]*Table, Diagnostics) {
	var ds Diagnostics
	var tables []*Table
	for _, s := range specs {
		t := newTable(s.Under(project))
		t.compile()
		tables = append(tables, t)
		ds = append(ds, t.problems...)
	}
	for i := range Rules {
		rule := &Rules[i]
		report := reporter{rule.ID, &ds}
		if rule.across != nil {
			rule.across(tables, report)
		}
		if rule.project != nil && project != nil {
			rule.project(project, report)
		}
		if rule.check == nil {
			continue
		}
		for _, t := range tables {
			rule.check(t, report)
		}
	}
	return tables, ds.Sorted()
}

// reporter collects what breaks one rule.
type reporter struct {
	rule string
	ds   *Diagnostics
}

func (r reporter) at(pos Pos, format string, args ...any) {
	*r.ds = append(*r.ds, Diagnostic{pos, fmt.Sprintf(format, args...), r.rule})
}

func newTable(s *Spec) *Table {
	return &Table{Spec: s, Columns: known(s.Columns.V, nil, s.RecordName())}
}

// known are the columns of a table, or the fields of the struct above, that have a name
// of their own and a type. name is the one in Go of what holds them.
func known(cs []*Column, above *TableColumn, name string) (out []*TableColumn) {
	for _, c := range cs {
		row, ok := types.Lookup(c.Type.V.Word)
		if !ok || !c.Name.Set || slices.ContainsFunc(out, func(o *TableColumn) bool { return o.Name.V == c.Name.V }) {
			continue
		}
		k := &TableColumn{Column: c, Path: c.Name.V, Type: row}
		if above != nil {
			k.Path = above.Path + "." + k.Path
		}
		switch held, _ := k.Held(); held {
		case types.Struct:
			k.AvroName = name + c.GoFieldName()
			k.GoType = k.AvroName
			k.Fields = known(c.Fields.V, k, k.AvroName)
		case types.Enum:
			k.AvroName = name + c.GoFieldName()
			k.GoType = k.AvroName
			if above == nil {
				k.GoType = c.GoFieldName()
			}
		}
		out = append(out, k)
	}
	return out
}

// compile compiles all expressions. A column whose type is unknown leaves expressions
// over it uncompiled, for its error would only be repeated.
func (t *Table) compile() {
	var vars []expr.Var
	for _, c := range t.Spec.Columns.V {
		if known := t.Column(c.Name.V); known != nil {
			vars = append(vars, known.Var())
		} else if c.Name.Set {
			vars = append(vars, expr.Var{Name: c.Name.V})
		}
	}
	for _, c := range t.Columns {
		c.Derive = t.derive(c, vars)
		if v := c.Column.Validate; v.Set {
			e, problems := expr.Compile(v.V.Text, vars, true)
			c.Validate = e
			t.report(v, problems)
		}
	}
}

func (t *Table) derive(c *TableColumn, vars []expr.Var) *expr.Expr {
	v := c.Column.Derive
	if !v.Set || c.Type.Shape != types.Scalar {
		return nil
	}
	e, problems := expr.Compile(v.V.Text, vars, false)
	if e != nil {
		e, problems = e.As(c.Var())
	}
	t.report(v, problems)
	return e
}

func (t *Table) report(v Val[Expression], problems []expr.Problem) {
	for _, p := range problems {
		t.problems = append(t.problems, Diagnostic{v.V.At(p.Offset), p.Message, p.Rule})
	}
}
