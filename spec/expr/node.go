package expr

import (
	"github.com/bridgegen/bridgegen/spec/types"
)

type nodeKind int

const (
	literal  nodeKind = iota // lit
	null                     // no operands
	column                   // col
	operator                 // op over args
	isNull                   // args[0] is a column
	notNull                  //
	in                       // args[0] in the literals args[1:]
	cond                     // args[0] ? args[1] : args[2]
)

// node is a part of an expression with its type. Its Type is never int or float but
// where fit has put it: those count as long and double.
type node struct {
	kind  nodeKind
	typ   *types.Type // nil for null
	scale int         // of a decimal
	col   *Var        // of a column; of an enum's value and symbol: the column that declares it
	op    *Operator
	lit   any // bool, int64, float64, string, []byte or what literals makes of them
	args  []*node
	null  bool // may be null; only where the result of the whole expression stands
	at    int  // byte offset
	src   string
}

func (n *node) walk(f func(*node)) {
	f(n)
	for _, a := range n.args {
		a.walk(f)
	}
}

// describe is the type of n in messages.
func (n *node) describe() string {
	if n.typ == nil {
		return "null"
	}
	return n.typ.Word
}

// Operators that no one writes: they fit a value to the type that its place wants.
var (
	enumText  = &Operator{Result: types.String, Go: call("string($1)"), Trino: call("$1"), Flink: call("$1")}
	uuidText  = &Operator{Result: types.String, Go: call("$1.String()"), Trino: call("$1"), Flink: call("$1")}
	toInt     = &Operator{Result: types.Int, Faults: true, Go: call("e.Int($1)"), Trino: call("CAST($1 AS integer)"), Flink: call("CAST($1 AS INT)")}
	toFloat   = &Operator{Result: types.Float, Go: call("float32($1)"), Trino: call("CAST($1 AS real)"), Flink: call("CAST($1 AS FLOAT)")}
	widenings = map[*types.Type]*types.Type{types.Int: types.Long, types.Float: types.Double}
)

// wrap is op over n, which stands where n stands.
func (n *node) wrap(op *Operator) *node {
	return &node{kind: operator, op: op, typ: op.Result, args: []*node{n}, at: n.at, src: n.src}
}

// widest is what CEL knows the type as.
func widest(t *types.Type) *types.Type {
	if w := widenings[t]; w != nil {
		return w
	}
	return t
}

// facts are the optional columns that are known not to be null at a place.
type facts map[*Var]bool

func (f facts) and(g facts) facts {
	if len(g) == 0 {
		return f
	}
	sum := facts{}
	for _, of := range []facts{f, g} {
		for v := range of {
			sum[v] = true
		}
	}
	return sum
}

// learn is what is known if n is true, or false.
func (n *node) learn(value bool) facts {
	switch {
	case n.kind == notNull && value, n.kind == isNull && !value:
		return facts{n.args[0].col: true}
	case n.kind != operator:
		return nil
	case n.op.Name == "!_":
		return n.args[0].learn(!value)
	case n.op.Name == "_&&_" && value, n.op.Name == "_||_" && !value:
		return n.args[0].learn(value).and(n.args[1].learn(value))
	}
	return nil
}
