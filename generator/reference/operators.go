package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/expr"
	"github.com/bridgegen/bridgegen/spec/types"
)

func operatorsPage() []byte {
	p := newPage("Expressions and normalisers")
	p.text("`derive:` and `validate:` take a subset of CEL, the Common Expression Language. It is what Go, Trino and Flink compute alike: each expression is rendered to all three, and the examples below are executed in tests. Expressions are always quoted, best in single quotes.")
	p.text("An expression sees the columns of its row under their names in the spec, after their normalisers. An int counts as a long and a float as a double. A use of an optional column stands behind a test for null, on every path. An expression without a value (overflow, division by zero) rejects the row.")
	p.text("The examples are over these columns: " + vectorColumns() + ". Those that begin with o are optional. A column that an example does not give is zero or empty, an optional one null.")
	p.section("Syntax")
	var rows [][]string
	for _, s := range expr.Syntax {
		rows = append(rows, []string{code(s.Usage), prose(s.Doc), vector(s.Vectors[0])})
	}
	p.table([]string{"form", "meaning", "example"}, rows)
	p.section("Operators and functions")
	p.text("In the forms of Trino and Flink, a and b are the first and the second operand. Around them, operands of arithmetic are cast to 64 bits where the engine would compute in 32, and a divisor of zero gives null: an engine may look at a part of the expression that Go does not reach.")
	rows = nil
	for _, o := range expr.Operators {
		rows = append(rows, []string{code(o.Usage), Words(o.Over), result(o), meaning(o), vector(o.Vectors[0]), code(operands(o.Trino.Text)), code(operands(o.Flink.Text))})
	}
	p.table([]string{"form", "operands, all of one type", "result", "meaning", "example", "Trino", "Flink"}, rows)
	p.section("Normalisers")
	p.text("They work on strings, on both roads, in the order that `normalize:` gives them, before anything is computed; on the strings in a list or map one by one. White space is Unicode White\\_Space: a no-break space is, a zero width space is not.")
	rows = nil
	for _, n := range spec.Normalizers {
		rows = append(rows, []string{code(n.Word), prose(n.Doc)})
	}
	p.table([]string{"word", "what it does"}, rows)
	return p.bytes()
}

// Words lists types by their words.
func Words(list []*types.Type) string {
	var out []string
	for _, t := range list {
		out = append(out, t.Word)
	}
	return strings.Join(out, ", ")
}

func result(o expr.Operator) string {
	if o.Result != nil {
		return o.Result.Word
	}
	return "as its operands"
}

// meaning is the doc with what an operator refuses.
func meaning(o expr.Operator) string {
	s := prose(o.Doc)
	var flaws []string
	for _, v := range o.Vectors {
		if v.Flaw != "" && !slices.Contains(flaws, v.Flaw) {
			flaws = append(flaws, v.Flaw)
		}
	}
	if len(flaws) > 0 {
		s += "; no value at " + strings.Join(flaws, " and ")
	}
	if o.ValidateOnly {
		s += "; in validate only"
	}
	return s
}

func vectorColumns() string {
	var out []string
	for _, c := range expr.VectorColumns {
		out = append(out, code(c.Name)+" "+c.Type.Word)
	}
	return strings.Join(out, ", ")
}

// vector is a case of the tests in words.
func vector(v expr.Vector) string {
	s := code(v.Expr)
	if v.Row != "" {
		s += " of " + codes(strings.Split(v.Row, "|"))
	}
	if v.Flaw != "" {
		return s + " has no value"
	}
	return fmt.Sprintf("%s is %s", s, code(v.Want))
}

// operands names the operands of a form as its usage does.
func operands(form string) string { return strings.NewReplacer("$1", "a", "$2", "b").Replace(form) }
