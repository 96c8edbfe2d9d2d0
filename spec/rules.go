package spec

import "slices"

// Rule is one thing that bridgegen refuses. Rules is the whole table; `bridgegen
// explain` prints a row of it, and a test runs the two examples of each.
//
// An example holds top-level keys of a spec, or items of columns, as they would stand
// in a file that is right otherwise. Where it begins with # bridgegen.yaml it is a
// project file, where it has several lines # name.yaml it is several specs.
type Rule struct {
	ID      string
	Purpose string // one line: what must hold
	Why     string // what goes wrong otherwise, and in which system
	Bad     string // an example that breaks exactly this rule
	Good    string // the same, put right

	// A rule without a function is found while reading, or by package expr.
	check   func(t *Table, r reporter)       // one table
	across  func(ts []*Table, r reporter)    // all tables at once
	project func(p *ProjectFile, r reporter) // the project file
}

// Rules is the table of everything that is refused, in the order of `bridgegen explain`.
var Rules = slices.Concat(fileRules, valueRules, nameRules, columnRules, enumRules, nestedRules, expressionRules, orderRules, placeRules, streamRules, projectRules)

// LookupRule finds a rule by its ID.
func LookupRule(id string) (*Rule, bool) {
	for i := range Rules {
		if Rules[i].ID == id {
			return &Rules[i], true
		}
	}
	return nil, false
}
