package expr

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/spec/types"
)

// source is a literal as messages quote it.
func (n *node) source() string {
	switch v := n.lit.(type) {
	case string:
		return strconv.Quote(v)
	case []byte:
		return fmt.Sprintf("b%q", v)
	}
	return fmt.Sprint(n.lit)
}

// fit makes of n a value of the column target.
func (c *compiler) fit(n *node, target *Var) *node {
	r := lift(n, func(leaf *node) *node { return c.fitLeaf(leaf, target) })
	if r != nil && r.null && !target.Optional {
		return c.problem(n.at, RuleNull, "the expression may be null, but column %q is not optional", target.Name)
	}
	return r
}

func (c *compiler) fitLeaf(n *node, target *Var) *node {
	want := &node{typ: widest(target.Type), scale: target.Scale, col: target}
	if n.kind == literal && (n.typ != want.typ || n.typ == types.Decimal) {
		r, reason, ok := n.become(want)
		if ok && reason != "" {
			return c.problem(n.at, RuleLiteral, "%s %s", n.source(), reason)
		}
		if ok {
			n = r
		}
	}
	switch {
	case n.typ == want.typ:
		return c.narrow(n, target)
	case want.typ == types.String && (n.typ == types.Enum || n.typ == types.UUID):
		return text(n)
	}
	return c.problem(n.at, RuleType, "the expression gives %s, but column %q is %s", n.describe(), target.Name, target.Type.Word)
}

// narrow makes of n, which has the target's type but for its width, precision or
// symbols, a value of the target.
func (c *compiler) narrow(n *node, target *Var) *node {
	if narrow := narrowings[target.Type]; narrow != nil {
		return narrow(c, n, target)
	}
	return n
}

var narrowings = map[*types.Type]func(c *compiler, n *node, target *Var) *node{
	types.Int: func(c *compiler, n *node, target *Var) *node {
		if v, ok := n.lit.(int64); ok && v != int64(int32(v)) {
			return c.problem(n.at, RuleLiteral, "%d does not fit column %q, which is int (32 bit)", v, target.Name)
		}
		return n.retype(types.Int, toInt)
	},
	types.Float: func(c *compiler, n *node, target *Var) *node {
		if v, ok := n.lit.(float64); ok && math.Abs(v) > math.MaxFloat32 {
			return c.problem(n.at, RuleLiteral, "%v does not fit column %q, which is float (32 bit)", v, target.Name)
		}
		return n.retype(types.Float, toFloat)
	},
	types.Decimal: func(c *compiler, n *node, target *Var) *node {
		if v, ok := n.lit.(bridge.Decimal); ok && !v.Fits(target.Precision) {
			return c.problem(n.at, RuleLiteral, "%s has more digits than decimal(%d,%d)", v, target.Precision, target.Scale)
		}
		if n.kind == column && (n.scale != target.Scale || n.col.Precision > target.Precision) {
			return c.problem(n.at, RuleType, "decimal(%d,%d) does not fit column %q, which is decimal(%d,%d)", n.col.Precision, n.scale, target.Name, target.Precision, target.Scale)
		}
		return n
	},
	types.Enum: func(c *compiler, n *node, target *Var) *node {
		if n.kind == literal {
			return n
		}
		for _, s := range n.col.Symbols {
			if !slices.Contains(target.Symbols, s) {
				return c.problem(n.at, RuleType, "column %q may be %q, which is no symbol of column %q", n.col.Name, s, target.Name)
			}
		}
		r := n.wrap(&Operator{Result: types.Enum, Go: call(target.goType() + "($1)"), Trino: call("$1"), Flink: call("$1")})
		r.col = target
		return r
	},
}

// retype is n as a value of 32 bits: a literal and a column of that type are so
// already, the others go through op.
func (n *node) retype(t *types.Type, op *Operator) *node {
	if n.kind != literal && !(n.kind == column && n.col.Type == t) {
		return n.wrap(op)
	}
	r := *n
	r.typ = t
	return &r
}
