package expr

// says reports whether the last of the conditions that && or || joins says something
// beside those before it; else it is a mistake, and `go vet` would find it in the
// generated code.
func (c *compiler) says(n, last *node) bool {
	for _, before := range n.args[0].joined(n.op) {
		for _, added := range last.joined(n.op) {
			switch {
			case before.text() == added.text():
				c.problem(added.at, RuleVain, "%s stands there twice; write it once", added.text())
				return false
			case n.op.Name == "_||_" && contrary(before, added, "_!=_"):
				c.problem(added.at, RuleVain, "%s || %s is always true; write && instead", before.text(), added.text())
				return false
			case n.op.Name == "_&&_" && contrary(before, added, "_==_"):
				c.problem(added.at, RuleVain, "%s && %s is never true; write || instead", before.text(), added.text())
				return false
			}
		}
	}
	return true
}

// joined are the conditions that op joins, from left to right.
func (n *node) joined(op *Operator) []*node {
	if n.op != op {
		return []*node{n}
	}
	return append(n.args[0].joined(op), n.args[1].joined(op)...)
}

// contrary reports whether both compare one value with a literal, by the operator, and the
// literals differ.
func contrary(a, b *node, operator string) bool {
	for _, n := range []*node{a, b} {
		if n.op == nil || n.op.Name != operator || n.args[1].kind != literal {
			return false
		}
	}
	return a.args[0].text() == b.args[0].text()
}

// text is the condition in Go, without the names of records: what vet compares.
func (n *node) text() string {
	g := goWriter{func(column string) string { return column }, func(_, symbol string) string { return `"` + symbol + `"` }}
	return g.form(n).Text
}
