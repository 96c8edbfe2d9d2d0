package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/jsonschema"
	"github.com/bridgegen/bridgegen/spec/spectest"
)

// The module tools/schematest holds the schemas against a validator, by these two lists.
func TestEveryRuleIsSeenOrUnseen(t *testing.T) {
	placed := map[string]int{}
	for _, id := range slices.Concat(jsonschema.Seen, jsonschema.Unseen) {
		if placed[id]++; placed[id] > 1 {
			t.Errorf("%s stands twice", id)
		}
		if _, ok := spec.LookupRule(id); !ok {
			t.Errorf("%s is no rule", id)
		}
	}
	for _, r := range spec.Rules {
		if placed[r.ID] == 0 {
			t.Errorf("%s stands neither in Seen nor in Unseen", r.ID)
		}
	}
}

// at is the part of a schema at a path of keys.
func at(t *testing.T, src []byte, path ...string) map[string]any {
	t.Helper()
	var node map[string]any
	if err := json.Unmarshal(src, &node); err != nil {
		t.Fatal(err)
	}
	for _, name := range path {
		next, ok := node[name].(map[string]any)
		if !ok {
			t.Fatalf("no %s in %v", name, path)
		}
		node = next
	}
	return node
}

// Every key is there under its parent, with its doc; those of later versions are not.
func TestEveryKeyIsInItsSchema(t *testing.T) {
	for _, c := range []struct {
		src  []byte
		keys []spec.Key
	}{{jsonschema.Spec(), spec.Keys}, {jsonschema.Project(), spec.AllProjectKeys()}} {
		for _, k := range c.keys {
			path := []string{}
			if rest, ok := strings.CutPrefix(k.Path, "columns."); ok {
				path = append(path, "$defs", "columns", "properties", rest)
			} else {
				for part := range strings.SplitSeq(k.Path, ".") {
					path = append(path, "properties", part)
				}
			}
			if k.Later {
				if _, ok := at(t, c.src, path[:len(path)-1]...)[k.Name()]; ok {
					t.Errorf("%s comes later, but is there", k.Path)
				}
				continue
			}
			if doc := fmt.Sprint(at(t, c.src, path...)["description"]); !strings.HasPrefix(doc, k.Doc) {
				t.Errorf("%s: %q", k.Path, doc)
			}
		}
	}
}

// The form of durations takes what ParseDuration takes and the rule DURATION allows.
func TestDurationsAreThoseOfTheReader(t *testing.T) {
	node := at(t, jsonschema.Spec(), "properties", "speed", "properties", "ttl")
	form, positive := regexp.MustCompile(node["pattern"].(string)), regexp.MustCompile(node["allOf"].([]any)[0].(map[string]any)["pattern"].(string))
	for _, s := range []string{"500ms", "90s", "2m", "26h", "7d", "1d12h", "1.5h", ".5s", "1.h", "+5m", "1h30m", "3µs", "0h5m",
		"", "0", "0s", "0d", "-5m", "5", "d", "1d-2h", "1dd", "12h1d", "1 h", "h", "1w", ".s", "5m-1s", "1d+2h", "+1d", "5m+1h", "1d0"} {
		d, err := spec.ParseDuration(s)
		if got := form.MatchString(s) && positive.MatchString(s); got != (err == nil && d > 0) {
			t.Errorf("%q: the schema says %v, the reader %v, %v", s, got, d, err)
		}
	}
}

// The form of types takes what the reader takes; numbers are checked by rules.
func TestTypesAreThoseOfTheReader(t *testing.T) {
	forms := at(t, jsonschema.Spec(), "$defs", "columns", "properties", "type")["anyOf"].([]any)
	form := regexp.MustCompile(forms[1].(map[string]any)["pattern"].(string))
	for _, s := range []string{"long", "struct", "decimal(10,2)", "decimal ( 10 , 2 )", "decimal(99,100)", "list<long>", "list < enum >", "map<string,struct>", "map< string , decimal(1,0)>", "list<decimal(10, 2)>",
		"", "Long", "long()", "string(10)", "decimal", "decimal(10)", "decimal(10,2,1)", "list", "list<>", "list<long", "list<list<long>>", "list<map<string,long>>", "map<long,long>", "map<string>", "struct<a>", "bigint", "long<string>"} {
		_, ds := spec.Parse("orders.yaml", []byte(strings.Replace(spectest.Spec, "type: timestamp", fmt.Sprintf("type: %q", s), 1)))
		if got := form.MatchString(s); got != (len(ds) == 0) {
			t.Errorf("%q: the schema says %v, the reader %v", s, got, ds)
		}
	}
}

// A field of a struct takes the keys of a column that FIELD_KEYS leaves it, fields again.
func TestFieldsHaveTheKeysThatTheRuleAllows(t *testing.T) {
	fields := at(t, jsonschema.Spec(), "$defs", "columns.fields", "properties")
	for _, k := range spec.Children(spec.Keys, "columns") {
		if k.Later {
			continue
		}
		example := fmt.Sprintf("columns:\n  - {name: id, type: struct, fields: [{name: a, type: long, %s: x}]}\n", k.Name())
		s, _ := spec.Parse("orders.yaml", []byte(spectest.Merge(spectest.Spec, example)))
		ds := spec.Check([]*spec.Spec{s}, nil)
		refused := slices.ContainsFunc(ds, func(d spec.Diagnostic) bool { return d.Rule == "FIELD_KEYS" })
		if _, has := fields[k.Name()]; has == refused {
			t.Errorf("%s: in the schema of a field %v, refused by the rule %v", k.Name(), has, refused)
		}
	}
}
