package expr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	celtypes "cel.dev/cel-go/common/types"

	"github.com/bridgegen/bridgegen/spec/didyoumean"
	"github.com/bridgegen/bridgegen/spec/types"
)

type compiler struct {
	src      string
	vars     []Var
	validate bool
	info     *ast.SourceInfo
	problems []Problem
}

// problem adds one at a byte offset.
func (c *compiler) problem(at int, rule, format string, args ...any) *node {
	at = min(max(at, 0), len(c.src))
	before := c.src[:at]
	start := strings.LastIndexByte(before, '\n') + 1
	c.problems = append(c.problems, Problem{
		Offset: at, Line: 1 + strings.Count(before, "\n"), Col: 1 + utf8.RuneCountInString(before[start:]),
		Message: fmt.Sprintf(format, args...), Rule: rule,
	})
	return nil
}

func (c *compiler) compile() *node {
	e := c.parse()
	if e == nil {
		return nil
	}
	root := c.expr(e, nil, !c.validate)
	if c.validate && root != nil && root.typ != types.Boolean {
		return c.problem(root.at, RuleType, "validate must be true or false, but this is a %s", root.describe())
	}
	return root
}

// at is where e stands, as a byte offset: of a call its operator or function name.
func (c *compiler) at(e ast.Expr) int {
	r, ok := c.info.GetOffsetRange(e.ID())
	if !ok {
		return 0
	}
	at := byteOffset(c.src, int(r.Start))
	if e.Kind() == ast.CallKind {
		if before, ok := strings.CutSuffix(c.src[:at], e.AsCall().FunctionName()); ok {
			return len(before)
		}
	}
	return at
}

// byteOffset is where the nth character of s begins.
func byteOffset(s string, n int) int {
	for i := range s {
		if n--; n < 0 {
			return i
		}
	}
	return len(s)
}

// expr checks e, where the columns of f are known not to be null. A null is legal only
// if nullable says so. It is nil if it has reported a problem.
func (c *compiler) expr(e ast.Expr, f facts, nullable bool) *node {
	switch e.Kind() {
	case ast.LiteralKind:
		return c.literal(e, nullable)
	case ast.IdentKind:
		return c.column(e, f, nullable)
	case ast.CallKind:
		return c.call(e, f, nullable)
	case ast.ListKind:
		return c.problem(c.at(e), RuleSubset, "a list stands only behind in: x in [1, 2]")
	case ast.SelectKind:
		return c.problem(c.at(e), RuleSubset, "%q: fields inside a column are out of reach", "."+e.AsSelect().FieldName())
	}
	return c.problem(c.at(e), RuleSubset, "this part of CEL is not supported; see `bridgegen types`")
}

func (c *compiler) literal(e ast.Expr, nullable bool) *node {
	n := &node{kind: literal, at: c.at(e), src: c.src}
	switch v := e.AsLiteral().(type) {
	case celtypes.Bool:
		n.typ, n.lit = types.Boolean, bool(v)
	case celtypes.Int:
		n.typ, n.lit = types.Long, int64(v)
	case celtypes.Double:
		n.typ, n.lit = types.Double, float64(v)
	case celtypes.String:
		if strings.ContainsRune(string(v), 0) {
			return c.problem(n.at, RuleLiteral, "a text with U+0000 cannot stand in SQL")
		}
		n.typ, n.lit = types.String, string(v)
	case celtypes.Bytes:
		n.typ, n.lit = types.Bytes, []byte(v)
	case celtypes.Null:
		if !nullable {
			return c.problem(n.at, RuleNull, "null stands only in a null test: x == null")
		}
		n.kind, n.null = null, true
	case celtypes.Uint:
		return c.problem(n.at, RuleSubset, "there is no unsigned integer; write %d", uint64(v))
	default:
		return c.problem(n.at, RuleSubset, "a literal of this type is not supported")
	}
	return n
}

func (c *compiler) column(e ast.Expr, f facts, nullable bool) *node {
	n := c.named(e)
	if n == nil || !n.col.Optional || f[n.col] {
		return n
	}
	if nullable {
		n.null = true
		return n
	}
	advice := fmt.Sprintf("%s != null && …", n.col.Name)
	if c.validate {
		advice = fmt.Sprintf("%s == null || …", n.col.Name)
	}
	return c.problem(n.at, RuleNull, "column %q is optional; test it for null on every path: %s", n.col.Name, advice)
}

// named is the column that e names.
func (c *compiler) named(e ast.Expr) *node {
	name, names := e.AsIdent(), make([]string, 0, len(c.vars))
	for i := range c.vars {
		v := &c.vars[i]
		if v.Name != name {
			names = append(names, v.Name)
			continue
		}
		if v.Type == nil {
			return nil
		}
		n := &node{kind: column, typ: widest(v.Type), col: v, at: c.at(e), src: c.src}
		if v.Type == types.Decimal {
			n.scale = v.Scale
		}
		return n
	}
	return c.problem(c.at(e), RuleColumn, "there is no column %q%s", name, didyoumean.Hint(didyoumean.Nearest(name, names, nil)))
}

func isNullLiteral(e ast.Expr) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral() == celtypes.NullValue
}

func (c *compiler) call(e ast.Expr, f facts, nullable bool) *node {
	call := e.AsCall()
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	switch name := call.FunctionName(); name {
	case operators.Conditional:
		return c.conditional(e, args, f, nullable)
	case operators.In:
		return c.in(e, args, f)
	case operators.LogicalAnd, operators.LogicalOr:
		return c.logical(e, args, f)
	case operators.Equals, operators.NotEquals:
		if isNullLiteral(args[0]) || isNullLiteral(args[1]) {
			return c.nullTest(e, args)
		}
	case "timestamp", "date":
		return c.instant(e, name, args)
	}
	if !c.known(e, call, len(args)) {
		return nil
	}
	nodes := make([]*node, len(args))
	broken := false
	for i, a := range args {
		nodes[i] = c.expr(a, f, false)
		broken = broken || nodes[i] == nil
	}
	if broken {
		return nil
	}
	return c.apply(c.at(e), call.FunctionName(), nodes)
}

func (c *compiler) logical(e ast.Expr, args []ast.Expr, f facts) *node {
	left := c.expr(args[0], f, false)
	if left != nil {
		f = f.and(left.learn(e.AsCall().FunctionName() == operators.LogicalAnd))
	}
	right := c.expr(args[1], f, false)
	if left == nil || right == nil {
		return nil
	}
	n := c.apply(c.at(e), e.AsCall().FunctionName(), []*node{left, right})
	if n != nil && !c.says(n, right) {
		return nil
	}
	return n
}

func (c *compiler) nullTest(e ast.Expr, args []ast.Expr) *node {
	of := args[0]
	if isNullLiteral(of) {
		of = args[1]
	}
	if of.Kind() != ast.IdentKind {
		return c.problem(c.at(e), RuleNull, "only a column can be tested for null")
	}
	n := c.named(of)
	if n == nil {
		return nil
	}
	if !n.col.Optional {
		return c.problem(n.at, RuleNull, "column %q is not optional, so it is never null", n.col.Name)
	}
	test := &node{kind: isNull, typ: types.Boolean, args: []*node{n}, at: c.at(e), src: c.src}
	if e.AsCall().FunctionName() == operators.NotEquals {
		test.kind = notNull
	}
	return test
}

func (c *compiler) conditional(e ast.Expr, args []ast.Expr, f facts, nullable bool) *node {
	test := c.expr(args[0], f, false)
	yes, no := f, f
	if test != nil {
		yes, no = f.and(test.learn(true)), f.and(test.learn(false))
	}
	a, b := c.expr(args[1], yes, nullable), c.expr(args[2], no, nullable)
	if test == nil || a == nil || b == nil {
		return nil
	}
	if test.typ != types.Boolean {
		return c.problem(test.at, RuleType, "before ? stands true or false, not a %s", test.describe())
	}
	for _, branch := range []*node{a, b} {
		if branch.typ != nil && branch.typ.Shape != types.Scalar {
			return c.problem(branch.at, RuleType, "?: does not take a %s", branch.describe())
		}
	}
	if a, b = c.unify(c.at(e), a, b); a == nil {
		return nil
	}
	return newCond(test, a, b)
}

func (c *compiler) in(e ast.Expr, args []ast.Expr, f facts) *node {
	of := c.expr(args[0], f, false)
	if args[1].Kind() != ast.ListKind || args[1].AsList().Size() == 0 {
		return c.problem(c.at(e), RuleSubset, "behind in stands a list of literals: x in [1, 2]")
	}
	n := &node{kind: in, typ: types.Boolean, args: []*node{of}, at: c.at(e), src: c.src}
	broken := of == nil
	for _, item := range args[1].AsList().Elements() {
		if item.Kind() != ast.LiteralKind {
			return c.problem(c.at(item), RuleSubset, "a list holds literals only")
		}
		l := c.literal(item, false)
		if of != nil && l != nil {
			if of.typ == types.Bytes {
				return c.problem(of.at, RuleType, "in does not take bytes; compare with ==")
			}
			if of.typ.Shape != types.Scalar {
				return c.problem(of.at, RuleType, "in does not take a %s", of.describe())
			}
			l = c.coerce(l.at, l, of)
		}
		broken = broken || l == nil
		n.args = append(n.args, l)
	}
	if broken {
		return nil
	}
	return n
}

func (c *compiler) instant(e ast.Expr, name string, args []ast.Expr) *node {
	if len(args) == 1 && args[0].Kind() == ast.LiteralKind {
		if text, ok := args[0].AsLiteral().(celtypes.String); ok {
			lit, typ, reason := instants[name](string(text))
			if reason != "" {
				return c.problem(c.at(args[0]), RuleLiteral, "%q %s", string(text), reason)
			}
			return &node{kind: literal, typ: typ, lit: lit, at: c.at(e), src: c.src}
		}
	}
	return c.problem(c.at(e), RuleSubset, "%s takes one text in quotes, not a column", name)
}
