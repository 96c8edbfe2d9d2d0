package spec

import (
	"fmt"
	"slices"
	"strings"
)

// expressionRules are about derive and validate. Package expr finds most of them.
var expressionRules = []Rule{
	{ID: "EXPR_QUOTED", Purpose: "an expression stands in quotes",
		Why:  "In { } a comma ends a value, so YAML would cut derive: x in [1, 2] into pieces. Single quotes are best: a text inside the expression stands in double ones.",
		Bad:  "- {name: b, type: boolean, derive: size(name, 1) > 2}",
		Good: "- {name: name, type: string}\n- {name: b, type: boolean, derive: 'size(name) > 2'}"},
	{ID: "EXPR_SYNTAX", Purpose: "an expression is CEL",
		Why:  "derive and validate are written in CEL, the Common Expression Language: == and !=, && and ||, texts in double quotes. Names that CEL reserves (package, namespace, in, ...) are legal columns, but cannot stand in expressions.",
		Bad:  "- {name: amount, type: long, validate: 'amount = 1'}",
		Good: "- {name: amount, type: long, validate: 'amount == 1'}"},
	{ID: "EXPR_SUBSET", Purpose: "an expression uses what Go and SQL can both compute",
		Why:  "Every expression is rendered to Go for the writers and to SQL for Trino and Flink, and must mean the same in all. `bridgegen types` lists the operators and functions. matches stands in validate only.",
		Bad:  "- {name: label, type: string, validate: 'length(label) > 0'}",
		Good: "- {name: label, type: string, validate: 'size(label) > 0'}"},
	{ID: "EXPR_COLUMN", Purpose: "an expression names columns of its table",
		Why:  "It sees the columns of the row under their names in the spec, after their normalisers. It does not see system columns, other tables, or names of the source.",
		Bad:  "- {name: amount, type: long, validate: 'amonut > 0'}",
		Good: "- {name: amount, type: long, validate: 'amount > 0'}"},
	{ID: "EXPR_TYPE", Purpose: "operands and results have types that go together",
		Why:  "CEL converts nothing by itself: a long does not compare with a double, and validate gives true or false. A literal integer may stand for a double or a decimal. A derived column takes what its expression gives.",
		Bad:  "- {name: label, type: string, validate: 'label > 5'}",
		Good: "- {name: label, type: string, validate: 'size(label) > 5'}"},
	{ID: "EXPR_NULL", Purpose: "an optional column is tested for null before its value is used, on every path",
		Why:  "A comparison with null is false in one language, null in SQL and an error in a third. Behind x == null || ... or x != null && ... no operator meets a null, so all engines agree. A column that is not optional is never null, and needs no test.",
		Bad:  "- {name: weight, type: double, optional: true, validate: 'weight > 0'}",
		Good: "- {name: weight, type: double, optional: true, validate: 'weight == null || weight > 0'}"},
	{ID: "EXPR_LITERAL", Purpose: "a literal is a value of the type that its place wants",
		Why:  "A text beside an enum must be one of its symbols, beside a UUID a UUID; instants are written timestamp(\"2026-01-31T00:00:00Z\"), days date(\"2026-01-31\"). A misspelled symbol would make a condition that is never true.",
		Bad:  "- {name: channel, type: enum, values: [web, store], validate: 'channel != \"stroe\"'}",
		Good: "- {name: channel, type: enum, values: [web, store], validate: 'channel != \"store\"'}"},
	{ID: "EXPR_VAIN", Purpose: "each condition that && and || join says something",
		Why:  "A condition that stands twice, or two that are true together always or never, are a slip of the pen. `go vet` would find it in the generated code, and `go test` with it.",
		Bad:  "- {name: amount, type: long, validate: 'amount != 1 || amount != 2'}",
		Good: "- {name: amount, type: long, validate: 'amount != 1 && amount != 2'}"},
	{ID: "DERIVE_CYCLE", Purpose: "derived columns do not need each other in a circle",
		Why:  "A derived column may use another, which is then computed first. In a circle none can be first; a column cannot be computed from itself either.",
		Bad:  "- {name: a, type: long, derive: 'b + 1'}\n- {name: b, type: long, derive: 'a - 1'}",
		Good: "- {name: a, type: long}\n- {name: b, type: long, derive: 'a - 1'}", check: checkCycles},
}

// checkCycles follows the derived columns that a derived column reads.
func checkCycles(t *Table, r reporter) {
	const open, done = 1, 2
	state := map[string]int{}
	var path []string
	var visit func(c *TableColumn)
	visit = func(c *TableColumn) {
		state[c.Name.V] = open
		path = append(path, c.Name.V)
		for _, name := range c.Derive.Columns() {
			next := t.Column(name)
			switch {
			case next == nil || next.Derive == nil || state[name] == done:
			case state[name] == open:
				circle := append(slices.Clone(path[slices.Index(path, name):]), name)
				r.at(next.Column.Derive.Pos, "column %q is derived from itself (%s); let one of them be read from the source", name, strings.Join(circle, " <- "))
			default:
				visit(next)
			}
		}
		path = path[:len(path)-1]
		state[c.Name.V] = done
	}
	for _, c := range t.Columns {
		if c.Derive != nil && state[c.Name.V] == 0 {
			visit(c)
		}
	}
}

// unknownColumn ends the message on a name that is no column.
func (t *Table) unknownColumn(name string) string {
	if s := nearestColumn(name, t.names()); s != "" {
		return s
	}
	return fmt.Sprintf("; the columns are %s", strings.Join(t.names(), ", "))
}
