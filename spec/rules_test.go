package spec_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/spec"
)

// rightSpec is a spec that breaks no rule. Examples of rules replace keys of it.
const rightSpec = `bridgegen: v1
table: orders
columns:
  - {name: id, type: long}
  - {name: updated_at, type: timestamp}
key: [id]
lake: {bucket: data-lake-shop}
stream: {topic: order-events}
`

const rightProject = "bridgegen: v1\n"

var (
	fileHead = regexp.MustCompile(`(?m)^# (\S+\.yaml)\n`)
	topKey   = regexp.MustCompile(`^([a-z]+):`)
)

// blocks splits a YAML text into its top-level keys with what belongs to them.
func blocks(text string) (keys []string, byKey map[string]string) {
	byKey = map[string]string{}
	key := ""
	for line := range strings.Lines(text) {
		if m := topKey.FindStringSubmatch(line); m != nil {
			key = m[1]
			keys = append(keys, key)
		}
		byKey[key] += line
	}
	return keys, byKey
}

// merge puts an example into the place of the same keys of base.
func merge(base, example string) string {
	if strings.HasPrefix(example, "- ") { // items of columns
		items := "  " + strings.ReplaceAll(strings.TrimSuffix(example, "\n"), "\n", "\n  ") + "\n"
		return strings.Replace(base, "key: ", items+"key: ", 1)
	}
	keys, own := blocks(base)
	_, replaced := blocks(example)
	var b strings.Builder
	for _, k := range keys {
		if _, ok := replaced[k]; !ok {
			b.WriteString(own[k])
		}
	}
	return b.String() + example
}

// diagnose reads an example as the commands read a project.
func diagnose(example string) spec.Diagnostics {
	var ds, more spec.Diagnostics
	var specs []*spec.Spec
	var project *spec.ProjectFile
	heads := fileHead.FindAllStringSubmatchIndex(example, -1)
	if len(heads) == 0 {
		example = "# orders.yaml\n" + example
		heads = fileHead.FindAllStringSubmatchIndex(example, -1)
	}
	for i, h := range heads {
		end := len(example)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		name, text := example[h[2]:h[3]], strings.TrimSuffix(example[h[1]:end], "\n")+"\n"
		switch {
		case name == "bridgegen.yaml":
			project, more = spec.ParseProject(name, []byte(merge(rightProject, text)))
		case strings.HasPrefix(text, "#"):
			_, more = spec.Parse(name, []byte(text))
		default:
			var s *spec.Spec
			if s, more = spec.Parse(name, []byte(merge(rightSpec, text))); s != nil {
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
	if ds := diagnose(rightSpec); len(ds) > 0 {
		t.Error(ds)
	}
	if ds := diagnose("# bridgegen.yaml\n" + rightProject); len(ds) > 0 {
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
