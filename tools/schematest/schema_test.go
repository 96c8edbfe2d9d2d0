package schematest_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/jsonschema"
	"github.com/bridgegen/bridgegen/spec/spectest"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// compile is the schema as the validator reads it; a schema that is none fails here, by
// the meta-schema of its dialect.
func compile(t *testing.T, url string, src []byte) *validator.Schema {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource(url, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(url)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// value is a node as editors see it: by the core schema of YAML 1.2, where a date is a
// text. Of a key that stands twice the last counts.
func value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.AliasNode:
		return value(n.Alias)
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = value(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = value(item)
		}
		return list
	}
	var v any
	if n.ShortTag() == "!!timestamp" || n.Decode(&v) != nil {
		return n.Value
	}
	return v
}

// refused says why the schema refuses a file. A file without a document of YAML, and one
// whose documents are several, has nothing that a schema could refuse.
func refused(s *validator.Schema, text string) error {
	dec := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	var doc, second yaml.Node
	if dec.Decode(&doc) != nil || len(doc.Content) == 0 || dec.Decode(&second) == nil {
		return nil
	}
	return s.Validate(value(doc.Content[0]))
}

// example is what the schemas say of the files of a rule's example.
func example(t *testing.T, text string) error {
	table, project := compile(t, jsonschema.SpecURL, jsonschema.Spec()), compile(t, jsonschema.ProjectURL, jsonschema.Project())
	for _, f := range spectest.Files(text) {
		s := table
		if f.Name == spectest.ProjectName {
			s = project
		}
		if err := refused(s, f.Text); err != nil {
			return err
		}
	}
	return nil
}

func TestExamplesOfRules(t *testing.T) {
	for _, r := range spec.Rules {
		t.Run(r.ID, func(t *testing.T) {
			if err := example(t, r.Good); err != nil {
				t.Errorf("the good example is refused: %v", err)
			}
			switch err := example(t, r.Bad); {
			case err == nil && slices.Contains(jsonschema.Seen, r.ID):
				t.Error("the bad example passes; the rule belongs to Unseen")
			case err != nil && slices.Contains(jsonschema.Unseen, r.ID):
				t.Errorf("the bad example is refused; the rule belongs to Seen: %v", err)
			}
		})
	}
}

// What is committed as an example or written by init passes.
func TestFilesOfTheRepositoryPass(t *testing.T) {
	specs, projects := files(t, "examples/*/*.yaml", "generator/cli/starter/customers.yaml", "generator/trino/testdata/*.yaml"), files(t, "bridgegen.yaml", "generator/cli/starter/bridgegen.yaml")
	for _, c := range []struct {
		schema *validator.Schema
		files  []string
	}{
		{compile(t, jsonschema.SpecURL, jsonschema.Spec()), specs},
		{compile(t, jsonschema.ProjectURL, jsonschema.Project()), projects},
	} {
		for _, f := range c.files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if err := refused(c.schema, string(src)); err != nil {
				t.Errorf("%s: %v", f, err)
			}
		}
	}
}

func files(t *testing.T, globs ...string) []string {
	t.Helper()
	var all []string
	for _, g := range globs {
		found, err := filepath.Glob(filepath.Join("../..", g))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no file, %v", g, err)
		}
		all = append(all, found...)
	}
	return all
}

// Forms that the tables allow and no rule's example has.
func TestFormsOfValues(t *testing.T) {
	nested := "- name: ship_to\n  type: struct\n  fields:\n    - {name: lines, type: list<struct>, fields: [{name: tags, type: \"map<string, enum>\", values: [a, {b: \"b-b\"}]}"
	for _, c := range []struct {
		text string
		good bool
	}{
		{nested + "]}", true},
		{nested + ", {name: x, type: long, nullable: true}]}", false},
		{"- {name: d, type: date, default: 2026-01-31}", true},
		{"- {name: l, type: list<long>, default: []}", true},
		{"- {name: l, type: list<long>, default: [1]}", false},
		{"- {name: m, type: \"map<string,decimal( 10, 2 )>\", default: {}}", true},
		{"- {name: m, type: \"map<long,string>\"}", false},
		{"- {name: s, type: string, optional: \"yes\"}", false},
		{"- {name: s, type: string, normalize: [trim, nfkc]}", false},
		{"- {name: s, type: string, derive: \" \"}", false},
		{"speed: {ttl: 1d12h}", true},
		{"speed: {ttl: 90}", false},
		{"lake: {bucket: data-lake-shop, flush_size: \"10\"}", false},
		{"lake: {codec: none}", true}, // the bucket may stand in the project file
		{"lake:", false},
		{"batch: {nulls: [\"\\\\N\"]}", true},
		{"stream: {}", false},
		{"# bridgegen.yaml\ndefaults: {stream: {topic: x}}", false},
		{"# bridgegen.yaml\ndefaults: {lake: {bucket: b, codec: zstd}}", true},
		{"# bridgegen.yaml\ntable: x", false},
	} {
		if err := example(t, c.text); (err == nil) != c.good {
			t.Errorf("%s\n%v", c.text, err)
		}
	}
}
