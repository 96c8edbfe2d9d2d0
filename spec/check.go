package spec

import (
	"fmt"

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

// TableColumn is a column whose name and type are known.
type TableColumn struct {
	*Column
	Type     *types.Type
	Derive   *expr.Expr // nil: none, or with errors
	Validate *expr.Expr
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
		v.GoType = c.GoFieldName()
	}
	for _, value := range c.Values.V {
		v.Symbols = append(v.Symbols, value.Symbol.V)
	}
	return v
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
	t := &Table{Spec: s}
	for _, c := range s.Columns.V {
		row, ok := types.Lookup(c.Type.V.Word)
		if !ok || !c.Name.Set || t.Column(c.Name.V) != nil {
			continue
		}
		t.Columns = append(t.Columns, &TableColumn{Column: c, Type: row})
	}
	return t
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
	if !v.Set {
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
