package expr

import (
	"strings"

	"github.com/bridgegen/bridgegen/spec/types"
)

// Dialect is a SQL engine.
type Dialect int

// The engines.
const (
	Trino Dialect = iota
	Flink
)

func (d Dialect) form(o *Operator) Form {
	if d == Flink {
		return o.Flink
	}
	return o.Trino
}

func (d Dialect) literal(n *node) Form {
	if d == Flink {
		return literalForms[n.typ].Flink(n.lit)
	}
	return literalForms[n.typ].Trino(n.lit)
}

// SQL renders e as one SQL expression over normalised columns; quote gives the name of
// a column as the statement knows it. An engine may look at both sides of AND and OR,
// so a divisor of zero gives null instead of an error; what overflows fails in Trino
// and wraps in Flink, but the rows that would do so were rejected when they were written.
func (e *Expr) SQL(quote func(column string) string, d Dialect) string {
	s := &sqlWriter{quote, d}
	return s.form(e.root).Text
}

type sqlWriter struct {
	quote func(column string) string
	d     Dialect
}

func (s *sqlWriter) form(n *node) Form {
	switch n.kind {
	case literal:
		if n.lit == any(int64(minLong)) { // engines read a minus and a number that is too large
			return s.typedLong(n)
		}
		return s.d.literal(n)
	case null:
		return call("NULL")
	case column:
		return call(s.quote(n.col.Name))
	case isNull:
		return Form{s.quote(n.args[0].col.Name) + " IS NULL", Comparison}
	case notNull:
		return Form{s.quote(n.args[0].col.Name) + " IS NOT NULL", Comparison}
	case in:
		var items []string
		for _, a := range n.args[1:] {
			items = append(items, s.form(a).Text)
		}
		return Form{Text: "$1 IN (" + strings.Join(items, ", ") + ")", Prec: Comparison}.around(s.form(n.args[0]))
	case cond:
		return call("CASE WHEN " + s.form(n.args[0]).Text + " THEN " + s.form(n.args[1]).Text + " ELSE " + s.form(n.args[2]).Text + " END")
	}
	return s.operator(n)
}

const minLong = -1 << 63

// around puts one operand into a form whose other text is not to be looked at.
func (f Form) around(arg Form) Form {
	if arg.Prec < Atom {
		arg.Text = "(" + arg.Text + ")"
	}
	return Form{strings.Replace(f.Text, "$1", arg.Text, 1), f.Prec}
}

func (s *sqlWriter) operator(n *node) Form {
	args := make([]Form, len(n.args))
	for i, a := range n.args {
		args[i] = s.form(a)
		if n.op.Arithmetic {
			args[i] = s.widen(a, args[i])
		}
	}
	if n.op.Arithmetic && n.typ == types.Long && constant(n.args) {
		args[0] = s.typedLong(n.args[0])
	}
	if n.op.Divides && (n.args[1].kind != literal || n.args[1].lit == any(int64(0))) {
		args[1] = call("NULLIF(" + args[1].Text + ", 0)")
	}
	return s.d.form(n.op).with(args)
}

// widen casts what the engine would otherwise compute in 32 bits.
func (s *sqlWriter) widen(n *node, f Form) Form {
	narrow := n.kind == column && n.col.Type != n.typ || s.d == Flink && n.op != nil && n.op.Narrow
	branches := n.kind == cond && (n.typ == types.Long || n.typ == types.Double) // columns and literals of 32 bits
	if !narrow && !branches {
		return f
	}
	return call("CAST(" + f.Text + " AS " + s.word(n.typ) + ")")
}

func (s *sqlWriter) word(t *types.Type) string {
	if s.d == Flink {
		return t.Flink(&types.Node{Type: t})
	}
	return t.Trino(&types.Node{Type: t})
}

func (s *sqlWriter) typedLong(n *node) Form {
	digits := integer(n.lit).Text
	if s.d == Flink {
		return call("CAST('" + digits + "' AS BIGINT)")
	}
	return call("BIGINT '" + digits + "'")
}
