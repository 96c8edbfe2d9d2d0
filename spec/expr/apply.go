package expr

import (
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"

	"github.com/bridgegen/bridgegen/spec/didyoumean"
	"github.com/bridgegen/bridgegen/spec/types"
)

// rows are the operators of one name.
func rows(name string) (found []*Operator) {
	for i := range Operators {
		if Operators[i].Name == name {
			found = append(found, &Operators[i])
		}
	}
	return found
}

// arity is the number of operands.
func (o *Operator) arity() int {
	if strings.Contains(o.Go.Text, "$2") {
		return 2
	}
	return 1
}

// member reports whether the function is written behind its first operand only.
func (o *Operator) member() bool { return strings.HasPrefix(o.Usage, "s.") }

// known reports whether the table has the function in this form.
func (c *compiler) known(e ast.Expr, call ast.CallExpr, args int) bool {
	found := rows(call.FunctionName())
	at, name := c.at(e), call.FunctionName()
	switch {
	case name == "has":
		c.problem(at, RuleSubset, "has() is for messages; test a column with x != null")
	case len(found) == 0:
		var names []string
		for _, o := range Operators {
			names = append(names, o.Name)
		}
		c.problem(at, RuleSubset, "there is no function %q%s", name, didyoumean.Hint(didyoumean.Nearest(name, names, functionSynonyms)))
	case found[0].arity() != args, found[0].member() && !call.IsMemberFunction(), name == "double" && call.IsMemberFunction():
		c.problem(at, RuleSubset, "write %s", found[0].Usage)
	case found[0].ValidateOnly && !c.validate:
		c.problem(at, RuleSubset, "%s stands in validate only", name)
	default:
		return true
	}
	return false
}

var functionSynonyms = map[string]string{
	"length": "size", "len": "size", "char_length": "size", "starts_with": "startsWith", "hasprefix": "startsWith",
	"ends_with": "endsWith", "hassuffix": "endsWith", "like": "matches", "regexp_like": "matches", "match": "matches",
	"includes": "contains", "strpos": "contains", "float": "double", "todouble": "double",
}

// apply finds the row of the operator for its operands.
func (c *compiler) apply(at int, name string, args []*node) *node {
	found := rows(name)
	takes := func(t *types.Type) *Operator {
		for _, o := range found {
			if slices.Contains(o.Over, t) {
				return o
			}
		}
		return nil
	}
	for i, a := range args {
		if takes(a.typ) == nil && takes(types.String) != nil {
			args[i] = text(a)
		}
	}
	if len(args) == 2 {
		if args[0], args[1] = c.unify(at, args[0], args[1]); args[0] == nil {
			return nil
		}
	}
	op := takes(args[0].typ)
	if op == nil {
		var words []string
		for _, o := range found {
			for _, t := range o.Over {
				words = append(words, t.Word)
			}
		}
		return c.problem(at, RuleType, "%q takes %s, not %s", found[0].Usage, strings.Join(words, ", "), args[0].describe())
	}
	if op.Pattern && !c.pattern(args[1]) {
		return nil
	}
	n := &node{kind: operator, op: op, typ: op.Result, args: args, at: at, src: c.src}
	if n.typ == nil {
		n.typ = args[0].typ
	}
	return n
}

func (c *compiler) pattern(n *node) bool {
	s, ok := n.lit.(string)
	if !ok {
		c.problem(n.at, RuleLiteral, "a pattern must be a text in quotes, not computed")
		return false
	}
	if _, err := regexp.Compile(s); err != nil {
		c.problem(n.at, RuleLiteral, "pattern %q is no RE2: %s", s, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		return false
	}
	return true
}

func newCond(test, a, b *node) *node {
	n := &node{kind: cond, typ: a.typ, scale: a.scale, col: a.col, args: []*node{test, a, b}, null: a.null || b.null, at: test.at, src: test.src}
	if n.typ == nil {
		n.typ, n.scale, n.col = b.typ, b.scale, b.col
	}
	return n
}

// lift applies f to each value that n may have, leaving its nulls as they are. It is
// nil if f is nil for one of them.
func lift(n *node, f func(*node) *node) *node {
	switch {
	case n.kind == null:
		return n
	case n.kind == cond:
		a, b := lift(n.args[1], f), lift(n.args[2], f)
		if a == nil || b == nil {
			return nil
		}
		return newCond(n.args[0], a, b)
	case n.null:
		value := *n
		value.null = false
		r := f(&value)
		switch {
		case r == nil:
			return nil
		case r.kind == column && r.col == n.col:
			same := *r
			same.null = true
			return &same
		default:
			test := &node{kind: isNull, typ: types.Boolean, args: []*node{&value}, at: n.at, src: n.src}
			return newCond(test, &node{kind: null, null: true, at: n.at, src: n.src}, r)
		}
	}
	return f(n)
}

// text is n with symbols and UUIDs as the texts that they are.
func text(n *node) *node {
	return lift(n, func(leaf *node) *node {
		switch {
		case leaf.typ == types.Enum && leaf.kind == literal:
			plain := *leaf
			plain.typ, plain.col = types.String, nil
			return &plain
		case leaf.typ == types.Enum:
			return leaf.wrap(enumText)
		case leaf.typ == types.UUID:
			return leaf.wrap(uuidText)
		}
		return leaf
	})
}

// literals reports whether all that n may be is written as literals.
func literals(n *node) bool {
	switch n.kind {
	case cond:
		return literals(n.args[1]) && literals(n.args[2])
	case null:
		return true
	}
	return n.kind == literal
}

// unify gives two values one type, or reports that they have none.
func (c *compiler) unify(at int, a, b *node) (*node, *node) {
	switch {
	case a.typ == nil || b.typ == nil, a.typ == b.typ && a.typ != types.Enum && a.typ != types.Decimal:
		return a, b
	case a.typ == b.typ && a.typ == types.Decimal && a.scale == b.scale, a.typ == types.Enum && b.typ == types.Enum && a.col == b.col:
		return a, b
	case a.typ == types.Enum && b.typ == types.Enum:
		return text(a), text(b)
	case literals(b):
		if b = c.coerce(at, b, a); b == nil {
			return nil, nil
		}
		return a, b
	case literals(a):
		if a = c.coerce(at, a, b); a == nil {
			return nil, nil
		}
		return a, b
	case a.typ == types.String, b.typ == types.String:
		if a, b := text(a), text(b); a.typ == b.typ {
			return a, b
		}
	case a.typ == types.Decimal && b.typ == types.Decimal:
		c.problem(at, RuleType, "decimals with %d and with %d digits behind the point do not go together", a.scale, b.scale)
		return nil, nil
	}
	c.mismatch(at, a, b)
	return nil, nil
}

func (c *compiler) mismatch(at int, a, b *node) {
	advice := ""
	if a.typ == types.Long && b.typ == types.Double || a.typ == types.Double && b.typ == types.Long {
		advice = "; write double(…) around the long"
	}
	c.problem(at, RuleType, "%s and %s do not go together%s", a.describe(), b.describe(), advice)
}

// coerce makes of the literals n values of the type of want.
func (c *compiler) coerce(at int, n, want *node) *node {
	return lift(n, func(leaf *node) *node {
		if leaf.typ == want.typ && leaf.typ != types.Decimal {
			return leaf
		}
		r, reason, ok := leaf.become(want)
		switch {
		case !ok:
			c.mismatch(at, leaf, want)
			return nil
		case reason != "":
			return c.problem(leaf.at, RuleLiteral, "%s %s", leaf.source(), reason)
		}
		return r
	})
}
