package expr

import (
	"fmt"
	"strings"

	"github.com/bridgegen/bridgegen/spec/types"
)

// Go renders e as one Go expression. field gives the record's field of a column (a
// bridge.Opt where it is optional, of bytes a slice), enumConst the constant of a
// symbol. Beside them it uses the package bridge and, where Faults says so, a
// *bridge.Env named e. Its Go type is that of the column of As, without As int64,
// float64, bool, string and so on, in a bridge.Opt if Optional.
func (e *Expr) Go(field func(column string) string, enumConst func(column, symbol string) string) string {
	g := &goWriter{field, enumConst}
	t := e.root.goType()
	if e.target != nil {
		t = e.target.goType()
	}
	if e.Optional {
		return g.optional(e.root, t)
	}
	text := g.form(e.root).Text
	if e.root.kind == literal && untyped[e.root.typ] {
		return t + "(" + text + ")"
	}
	return text
}

// untyped are the types whose Go literals take the type of their place.
var untyped = map[*types.Type]bool{types.Int: true, types.Long: true, types.Float: true, types.Double: true}

func (n *node) goType() string {
	switch {
	case n.typ == nil:
		return "struct{}"
	case n.typ == types.Enum:
		return n.col.goType()
	}
	return n.typ.Go
}

type goWriter struct {
	field     func(column string) string
	enumConst func(column, symbol string) string
}

// optional renders n, which may be null, as a bridge.Opt of t; bytes have nil.
func (g *goWriter) optional(n *node, t string) string {
	none, opt := "bridge.Opt["+t+"]{}", "bridge.Opt["+t+"]"
	if t == types.Bytes.Go {
		none, opt = t+"(nil)", t
	}
	switch {
	case n.kind == null:
		return none
	case n.kind == cond && n.null:
		return fmt.Sprintf("func() %s { if %s { return %s }; return %s }()", opt, g.form(n.args[0]).Text, g.optional(n.args[1], t), g.optional(n.args[2], t))
	case n.null && n.col.Type == n.typ:
		return g.field(n.col.Name)
	case n.null:
		return fmt.Sprintf("func() %s { if !%s.OK { return %s }; return bridge.Some(%s) }()", opt, g.field(n.col.Name), none, g.form(n).Text)
	case opt == t:
		return g.form(n).Text
	}
	return fmt.Sprintf("bridge.Some[%s](%s)", t, g.form(n).Text)
}

// form renders n, which is not null.
func (g *goWriter) form(n *node) Form {
	switch n.kind {
	case literal:
		if n.typ == types.Enum {
			return call(g.enumConst(n.col.Name, n.lit.(string)))
		}
		return literalForms[n.typ].Go(n.lit)
	case column:
		return call(g.column(n))
	case isNull, notNull:
		return g.nullTest(n)
	case in:
		var items []string
		for _, a := range n.args {
			items = append(items, g.form(a).Text)
		}
		return call("bridge.In(" + strings.Join(items, ", ") + ")")
	case cond:
		return call(fmt.Sprintf("func() %s { if %s { return %s }; return %s }()", n.goType(), g.form(n.args[0]).Text, g.form(n.args[1]).Text, g.form(n.args[2]).Text))
	}
	args := make([]Form, len(n.args))
	for i, a := range n.args {
		args[i] = g.form(a)
	}
	if n.op.Arithmetic && n.typ == types.Double && constant(n.args) {
		args[0] = call("bridge.Float64(" + args[0].Text + ")")
	}
	return n.op.Go.with(args)
}

func (g *goWriter) column(n *node) string {
	value := g.field(n.col.Name)
	if n.col.Optional && !nilable(n.typ) {
		value += ".V"
	}
	if n.col.Type != n.typ { // int as long, float as double
		return n.typ.Go + "(" + value + ")"
	}
	return value
}

// nilable reports whether null is nil in Go, and not an Opt without a value.
func nilable(t *types.Type) bool { return t == types.Bytes || t.Elements() }

func (g *goWriter) nullTest(n *node) Form {
	field := g.field(n.args[0].col.Name)
	switch {
	case nilable(n.args[0].typ) && n.kind == isNull:
		return Form{field + " == nil", Comparison}
	case nilable(n.args[0].typ):
		return Form{field + " != nil", Comparison}
	case n.kind == isNull:
		return Form{"!" + field + ".OK", Unary}
	}
	return call(field + ".OK")
}

// constant reports whether all operands are literals, so that a compiler or an engine
// would compute by its own rules for literals.
func constant(args []*node) bool {
	for _, a := range args {
		if a.kind != literal {
			return false
		}
	}
	return true
}

// with puts operands into the form, in parentheses where they need them.
func (f Form) with(args []Form) Form {
	pairs := make([]string, 0, 4)
	for i, a := range args {
		text := a.Text
		if f.wraps(i, a.Prec) {
			text = "(" + text + ")"
		}
		pairs = append(pairs, fmt.Sprintf("$%d", i+1), text)
	}
	return Form{strings.NewReplacer(pairs...).Replace(f.Text), f.Prec}
}

// wraps reports whether operand i of precedence p needs parentheses.
func (f Form) wraps(i int, p Prec) bool {
	switch {
	case f.Prec == Atom:
		return strings.HasPrefix(f.Text, "$1.") && p < Atom
	case f.Prec == Not, strings.Contains(f.Text, "("): // a call within an infix form
		return p < Atom
	case f.Prec == Or, f.Prec == And:
		return p < f.Prec
	case f.Prec == Comparison, f.Prec == Unary:
		return p <= f.Prec
	}
	return p < f.Prec || p == f.Prec && i > 0
}
