package randomspec

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bridgegen/bridgegen/spec/expr"
	"github.com/bridgegen/bridgegen/spec/types"
)

// want is the type of an expression as CEL knows it: long for int, double for float.
type want struct {
	typ    *types.Type
	p, s   int     // of a decimal: the most digits, and how many stand behind the point
	enum   *column // whose symbols an enum has
	text   bool    // of a string: symbols and UUIDs will do
	narrow bool    // a literal must fit 32 bits
}

// scope is what an expression may use.
type scope struct {
	columns  []*column
	there    map[*column]bool // optional columns that are not null here
	validate bool
}

// with is s where c is not null.
func (s scope) with(c *column) scope {
	there := maps.Clone(s.there)
	if there == nil {
		there = map[*column]bool{}
	}
	there[c] = true
	s.there = there
	return s
}

func widest(t *types.Type) *types.Type {
	switch t {
	case types.Int:
		return types.Long
	case types.Float:
		return types.Double
	}
	return t
}

// usable are the columns that may stand where w is wanted.
func (s scope) usable(w want) []*column {
	return slices.DeleteFunc(slices.Clone(s.columns), func(c *column) bool { return c.optional && !s.there[c] || !w.takes(c) })
}

func (w want) takes(c *column) bool {
	switch t := widest(c.typ); {
	case w.text && (t == types.Enum || t == types.UUID):
		return true
	case t != w.typ:
		return false
	case t == types.Decimal:
		return c.s == w.s && c.p <= w.p
	case t == types.Enum:
		return c == w.enum
	}
	return true
}

// optionals are the columns that a null test may name.
func (s scope) optionals() []*column {
	return slices.DeleteFunc(slices.Clone(s.columns), func(c *column) bool { return !c.optional || s.there[c] })
}

func (g *generator) validate() string {
	s := scope{validate: true}
	for _, c := range g.columns {
		if !reserved[c.name] {
			s.columns = append(s.columns, c)
		}
	}
	w := want{typ: types.Boolean}
	condition := g.test(s, 2)
	if g.coin() {
		condition = g.apply(pick(g, g.operators(w, s)), w, s, 2)
	}
	if g.oneIn(6) {
		return condition
	}
	// Most random conditions hold for no random row.
	c := pick(g, slices.DeleteFunc(slices.Clone(s.columns), func(c *column) bool { return c.optional || literals[widest(c.typ)] == nil }))
	w = want{typ: widest(c.typ), p: c.p, s: c.s, enum: c}
	return fmt.Sprintf("%s != %s || %s", c.name, literals[w.typ](g, w), s.apart(c.name, condition))
}

var word = regexp.MustCompile(`[a-z_][a-z0-9_]*`)

// apart is the right operand b of || or && in a form that neither repeats a nor is always
// or never true with it (EXPR_VAIN).
func (s scope) apart(a, b string) string {
	if a == b {
		return "(" + b + " ? true : false)"
	}
	for _, c := range s.columns {
		if slices.Contains(word.FindAllString(a, -1), c.name) && slices.Contains(word.FindAllString(b, -1), c.name) {
			return "(" + b + " ? true : false)"
		}
	}
	return b
}

// derive is an expression for a derived column, over columns that are read and columns
// that were derived before it.
func (g *generator) derive(c *column) string {
	s := scope{}
	before := true
	for _, other := range g.columns {
		before = before && other != c
		if (!other.derived || before) && !reserved[other.name] {
			s.columns = append(s.columns, other)
		}
	}
	w := g.target(c, s)
	if !c.optional {
		return g.expr(w, s, 3)
	}
	switch optionals := s.optionals(); g.IntN(5) {
	case 0:
		g.took["null"] = true
		return "null"
	case 1:
		return fmt.Sprintf("%s ? null : %s", g.expr(want{typ: types.Boolean}, s, 1), g.expr(w, s, 2))
	case 2, 3:
		if len(optionals) > 0 {
			tested := pick(g, optionals)
			if w.takes(tested) && g.coin() {
				return tested.name
			}
			g.took["null test"] = true
			return fmt.Sprintf("%s == null ? null : %s", tested.name, g.expr(w, s.with(tested), 2))
		}
	}
	return g.expr(w, s, 3)
}

// target is the type that an expression for c must have.
func (g *generator) target(c *column, s scope) want {
	w := want{typ: widest(c.typ), p: c.p, s: c.s, enum: c, text: c.typ == types.String && g.oneIn(3), narrow: c.typ != widest(c.typ)}
	if c.typ != types.Enum {
		return w
	}
	for _, other := range s.columns {
		within := func(symbol string) bool { return slices.Contains(c.symbols, symbol) }
		if other.typ == types.Enum && !slices.ContainsFunc(other.symbols, func(s string) bool { return !within(s) }) && g.coin() {
			w.enum = other
		}
	}
	return w
}

// expr is an expression of the type, at most depth operators deep.
func (g *generator) expr(w want, s scope, depth int) string {
	if depth == 0 || g.oneIn(5) {
		return g.leaf(w, s)
	}
	if w.typ == types.Boolean && g.oneIn(3) {
		return g.test(s, depth-1)
	}
	if w.typ.Shape == types.Scalar && g.oneIn(6) {
		return g.choice(w, s, depth-1)
	}
	if ops := g.operators(w, s); len(ops) > 0 {
		return g.apply(pick(g, ops), w, s, depth-1)
	}
	return g.leaf(w, s)
}

// leaf is a column, or a literal.
func (g *generator) leaf(w want, s scope) string {
	usable := s.usable(w)
	if literal := literals[w.typ]; literal != nil && (len(usable) == 0 || g.oneIn(4)) {
		return literal(g, w)
	}
	return pick(g, usable).name
}

// choice is a ternary. Symbols and UUIDs stand for texts only where no branch is
// another type.
func (g *generator) choice(w want, s scope, depth int) string {
	g.took["?:"] = true
	w.text = false
	if optionals := s.optionals(); len(optionals) > 0 && g.coin() {
		c := pick(g, optionals)
		g.took["null test"] = true
		if g.coin() {
			return fmt.Sprintf("(%s == null ? %s : %s)", c.name, g.expr(w, s, depth), g.expr(w, s.with(c), depth))
		}
		return fmt.Sprintf("(%s != null ? %s : %s)", c.name, g.expr(w, s.with(c), depth), g.expr(w, s, depth))
	}
	return fmt.Sprintf("(%s ? %s : %s)", g.expr(want{typ: types.Boolean}, s, depth), g.expr(w, s, depth), g.expr(w, s, depth))
}

// test is a condition that is no operator: a null test with what stands behind it, or in.
func (g *generator) test(s scope, depth int) string {
	boolean := want{typ: types.Boolean}
	if optionals := s.optionals(); len(optionals) > 0 && g.IntN(3) > 0 {
		c := pick(g, optionals)
		g.took["null test"] = true
		switch g.IntN(4) {
		case 0:
			return fmt.Sprintf("(%s == null)", c.name)
		case 1:
			return fmt.Sprintf("(null != %s && %s)", c.name, g.expr(boolean, s.with(c), depth))
		}
		return fmt.Sprintf("(%s == null || %s)", c.name, g.expr(boolean, s.with(c), depth))
	}
	of := slices.DeleteFunc(slices.Clone(s.columns), func(c *column) bool {
		return c.optional && !s.there[c] || literals[widest(c.typ)] == nil || c.typ == types.Bytes || c.typ == types.Date || c.typ == types.Timestamp
	})
	if len(of) == 0 {
		return g.leaf(boolean, s)
	}
	g.took["in"] = true
	c := pick(g, of)
	var items []string
	for range 1 + g.IntN(4) {
		items = append(items, literals[widest(c.typ)](g, want{typ: widest(c.typ), p: 38, s: c.s, enum: c}))
	}
	if depth == 0 || g.IntN(3) > 0 {
		return fmt.Sprintf("(%s in [%s])", c.name, strings.Join(items, ", "))
	}
	return fmt.Sprintf("!(%s in [%s])", c.name, strings.Join(items, ", "))
}

// instance is an operator over one of its types.
type instance struct {
	op   *expr.Operator
	row  int // in expr.Operators
	over *types.Type
}

// operators are those that give w, over types that there is something of.
func (g *generator) operators(w want, s scope) (found []instance) {
	for i := range expr.Operators {
		op := &expr.Operators[i]
		for _, over := range op.Over {
			result := op.Result
			if result == nil {
				result = over
			}
			there := literals[over] != nil && over != types.Enum || slices.ContainsFunc(s.columns, func(c *column) bool {
				return widest(c.typ) == over && (!c.optional || s.there[c])
			})
			if result == w.typ && there && (s.validate || !op.ValidateOnly) {
				found = append(found, instance{op, i, over})
			}
		}
	}
	return found
}

// apply writes an operator as its name says: _+_ and -_ around operands, others called.
func (g *generator) apply(o instance, w want, s scope, depth int) string {
	g.took["operator "+strconv.Itoa(o.row)] = true
	a, b := g.operands(o, w, s, depth)
	symbol := strings.Trim(o.op.Name, "_")
	switch {
	case strings.HasPrefix(o.op.Name, "_"):
		return fmt.Sprintf("(%s %s %s)", a, symbol, b)
	case strings.HasSuffix(o.op.Name, "_"):
		return fmt.Sprintf("%s(%s)", symbol, a)
	case strings.HasPrefix(o.op.Usage, "s."):
		return fmt.Sprintf("(%s).%s(%s)", a, symbol, b)
	}
	return fmt.Sprintf("%s(%s)", symbol, a)
}

func (g *generator) operands(o instance, w want, s scope, depth int) (a, b string) {
	over := want{typ: o.over, p: 38, s: w.s, text: o.over == types.String && len(o.op.Over) == 1}
	switch {
	case o.over == types.Enum:
		return g.enums(s)
	case o.over == types.Decimal:
		over.s = g.scale(s)
	}
	a = g.expr(over, s, depth)
	if o.op.Pattern {
		return a, strconv.Quote(pick(g, patterns))
	}
	b = g.expr(over, s, depth)
	if o.op.Name == "_||_" || o.op.Name == "_&&_" {
		b = s.apart(a, b)
	}
	return a, b
}

// scale is one that a decimal column has, or any.
func (g *generator) scale(s scope) int {
	for _, c := range s.columns {
		if c.typ == types.Decimal && g.coin() {
			return c.s
		}
	}
	return g.IntN(4)
}

// enums are an enum and what it may be compared with: a symbol of it, or an enum.
func (g *generator) enums(s scope) (a, b string) {
	all := slices.DeleteFunc(slices.Clone(s.columns), func(c *column) bool { return c.typ != types.Enum || c.optional && !s.there[c] })
	c := pick(g, all)
	if g.oneIn(3) {
		return c.name, pick(g, all).name
	}
	return c.name, strconv.Quote(pick(g, c.symbols))
}
