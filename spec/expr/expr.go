package expr

import (
	"slices"

	"github.com/bridgegen/bridgegen/spec/types"
)

// Var is a column as expressions see it.
type Var struct {
	Name             string
	Type             *types.Type // nil: unknown, because of an error reported elsewhere
	Precision, Scale int         // of a decimal
	Optional         bool        // may be null
	Symbols          []string    // of an enum
	GoType           string      // the declared Go type of an enum; otherwise empty: that of Type
}

// goType is the Go type of the column's value, without bridge.Opt.
func (v *Var) goType() string {
	if v.GoType != "" {
		return v.GoType
	}
	return v.Type.Go
}

// Problem is one thing wrong with an expression.
type Problem struct {
	Offset    int // in bytes, from 0
	Line, Col int // from 1; Col counts characters
	Message   string
	Rule      string // ID of a rule of package spec
}

// Rules that problems break.
const (
	RuleSyntax  = "EXPR_SYNTAX"  // not CEL
	RuleSubset  = "EXPR_SUBSET"  // CEL, but not in Operators or Syntax
	RuleColumn  = "EXPR_COLUMN"  // no such column
	RuleType    = "EXPR_TYPE"    // operands or result of a wrong type
	RuleNull    = "EXPR_NULL"    // an optional column without its test
	RuleLiteral = "EXPR_LITERAL" // no symbol, UUID, timestamp, pattern …
	RuleVain    = "EXPR_VAIN"    // a condition that stands twice, or says nothing
)

// Expr is an expression that compiles. It is immutable.
type Expr struct {
	Type     string // word of the result's type; int and float columns give long and double; "" for the mere null
	Optional bool   // the result may be null; never so for validate

	root   *node
	target *Var // of As; nil: the types of CEL
}

// Compile reads src over the columns vars. With validate it is a condition that is true
// or false; without, it computes a derived column, and As fits it to that column. The
// Expr is nil if there are problems, which are sorted by place, and if a column has no
// Type.
func Compile(src string, vars []Var, validate bool) (*Expr, []Problem) {
	c := &compiler{src: src, vars: vars, validate: validate}
	root := c.compile()
	if len(c.problems) > 0 {
		slices.SortStableFunc(c.problems, func(a, b Problem) int { return a.Offset - b.Offset })
		return nil, c.problems
	}
	if root == nil {
		return nil, nil
	}
	e := &Expr{root: root, Optional: root.null}
	if root.typ != nil {
		e.Type = root.typ.Word
	}
	return e, nil
}

// As is e as the value of the derived column target: a string literal becomes a symbol
// of its enum, a long is narrowed to int (what does not fit is a fault), and if target
// is optional, Go gives a bridge.Opt (of bytes: nil).
func (e *Expr) As(target Var) (*Expr, []Problem) {
	c := &compiler{src: e.root.src}
	if target.Type == nil {
		return nil, nil
	}
	root := c.fit(e.root, &target)
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return &Expr{Type: target.Type.Word, Optional: target.Optional, root: root, target: &target}, nil
}

// Source is the expression as written.
func (e *Expr) Source() string { return e.root.src }

// Columns are the columns that the expression reads, in the order in which they first
// stand in it.
func (e *Expr) Columns() []string {
	var names []string
	e.root.walk(func(n *node) {
		if n.col != nil && n.kind == column && !slices.Contains(names, n.col.Name) {
			names = append(names, n.col.Name)
		}
	})
	return names
}

// Faults reports whether the Go rendering may set Env.Fault.
func (e *Expr) Faults() (faults bool) {
	e.root.walk(func(n *node) { faults = faults || n.op != nil && n.op.Faults })
	return faults
}
