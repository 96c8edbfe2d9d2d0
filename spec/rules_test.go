package spec_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/spectest"
)

// diagnose reads an example as the commands read a project.
func diagnose(example string) spec.Diagnostics {
	var ds, more spec.Diagnostics
	var specs []*spec.Spec
	var project *spec.ProjectFile
	for _, f := range spectest.Files(example) {
		if f.Name == spectest.ProjectName {
			project, more = spec.ParseProject(f.Name, []byte(f.Text))
		} else {
			var s *spec.Spec
			if s, more = spec.Parse(f.Name, []byte(f.Text)); s != nil {
				specs = append(specs, s)
			}
		}
		ds = append(ds, more...)
	}
	return append(ds, spec.Check(specs, project)...).Sorted()
}

func ids(ds spec.Diagnostics) []string {
	var all []string
	for _, d := range ds {
		all = append(all, d.Rule)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestExamplesOfRules(t *testing.T) {
	for _, r := range spec.Rules {
		t.Run(r.ID, func(t *testing.T) {
			if ds := diagnose(r.Bad); !slices.Equal(ids(ds), []string{r.ID}) {
				t.Errorf("the bad example gives\n%v", ds)
			}
			if ds := diagnose(r.Good); len(ds) > 0 {
				t.Errorf("the good example gives\n%v", ds)
			}
		})
	}
}

var (
	sentence = regexp.MustCompile(`[.:;)](?:\s|$)`)
	rowID    = regexp.MustCompile(`^[A-Z]+(?:_[A-Z]+)*$`)
)

func TestRulesAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range spec.Rules {
		switch {
		case seen[r.ID]:
			t.Errorf("%s stands twice", r.ID)
		case !rowID.MatchString(r.ID):
			t.Errorf("%q is no ID", r.ID)
		case r.Purpose == "" || strings.HasSuffix(r.Purpose, ".") || strings.Contains(r.Purpose, "\n"):
			t.Errorf("%s: purpose %q is no line", r.ID, r.Purpose)
		case !strings.HasSuffix(r.Why, ".") || len(sentence.FindAllString(r.Why, -1)) < 2:
			t.Errorf("%s: why %q is not 2 to 4 sentences", r.ID, r.Why)
		case r.Bad == r.Good:
			t.Errorf("%s: the examples are the same", r.ID)
		}
		seen[r.ID] = true
		if found, ok := spec.LookupRule(r.ID); !ok || found.ID != r.ID {
			t.Errorf("%s is not found", r.ID)
		}
	}
}

func TestRightFilesAreRight(t *testing.T) {
	if ds := diagnose(spectest.Spec); len(ds) > 0 {
		t.Error(ds)
	}
	if ds := diagnose("# bridgegen.yaml\n" + spectest.Project); len(ds) > 0 {
		t.Error(ds)
	}
}

// All rules that any path of reading or checking reports are rows of the table.
func known(t *testing.T, ds spec.Diagnostics) {
	t.Helper()
	for _, d := range ds {
		if _, ok := spec.LookupRule(d.Rule); !ok {
			t.Errorf("%v: no such rule", d)
		}
		if d.File == "" || d.Line < 1 || d.Col < 1 || d.Message == "" {
			t.Errorf("%v: no place", d)
		}
	}
	if !slices.IsSortedFunc(ds, func(a, b spec.Diagnostic) int { return a.Pos.Compare(b.Pos) }) {
		t.Errorf("not sorted:\n%v", ds)
	}
}

func lines(ds spec.Diagnostics) string { return fmt.Sprintln(ds.Error()) }
