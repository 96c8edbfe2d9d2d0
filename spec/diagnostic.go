package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a file. Line and Col count from 1; Col counts characters, not bytes.
type Pos struct {
	File      string
	Line, Col int
}

// String is file:line:col, as editors and compilers understand it.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Compare orders places by file, line and column.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(strings.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Diagnostic is one error: where it is, what is wrong and what to write instead, and
// the rule that it breaks.
type Diagnostic struct {
	Pos
	Message string // begins in lower case and has no full stop
	Rule    string // ID of a row of Rules
}

// String is file:line:col: message (RULE_ID).
func (d Diagnostic) String() string { return fmt.Sprintf("%s: %s (%s)", d.Pos, d.Message, d.Rule) }

// Diagnostics are the errors of a run. Functions of this package return them sorted
// and without repetition; an empty list means that all is well.
type Diagnostics []Diagnostic

// Error lists all of them, one a line.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Err is nil if there are none. (A nil Diagnostics in an error would not be nil.)
func (ds Diagnostics) Err() error {
	if len(ds) == 0 {
		return nil
	}
	return ds
}

// Sorted is ds by place, rule and message, without repetitions.
func (ds Diagnostics) Sorted() Diagnostics {
	out := slices.Clone(ds)
	slices.SortFunc(out, func(a, b Diagnostic) int {
		return cmp.Or(a.Pos.Compare(b.Pos), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(out)
}
