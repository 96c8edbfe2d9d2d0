package jsonschema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec"
)

// Where the schemas are published. They stay those of v1: a later form of the files gets
// names of its own, so that a line in a file keeps its meaning.
const (
	base       = "https://raw.githubusercontent.com/bridgegen/bridgegen/main/docs/schema/"
	SpecURL    = base + "spec.json"
	ProjectURL = base + "project.json"
)

// schema is the part of JSON Schema that the tables need.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	ID          string             `json:"$id,omitempty"`
	Title       string             `json:"title,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        any                `json:"type,omitempty"` // a word or several
	Enum        []string           `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Default     json.RawMessage    `json:"default,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Others      any                `json:"additionalProperties,omitempty"` // false or a schema
	Items       *schema            `json:"items,omitempty"`
	MaxItems    *int               `json:"maxItems,omitempty"`
	MaxKeys     *int               `json:"maxProperties,omitempty"`
	AllOf       []*schema          `json:"allOf,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Defs        map[string]*schema `json:"$defs,omitempty"`
}

// Spec is the JSON Schema of a spec.
func Spec() []byte {
	return document(SpecURL, "bridgegen spec v1: one table", spec.Keys)
}

// Project is the JSON Schema of a project file.
func Project() []byte {
	return document(ProjectURL, "bridgegen project file v1", spec.AllProjectKeys())
}

func document(url, title string, keys []spec.Key) []byte {
	t := &table{keys: keys, defs: map[string]*schema{}}
	s := t.object("", nil)
	s.Dialect, s.ID, s.Title, s.Defs = "https://json-schema.org/draft/2020-12/schema", url, title, t.defs
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // plain texts and maps of them always encode
	}
	return append(b, '\n')
}

// table turns rows of a key table into schemas.
type table struct {
	keys []spec.Key
	defs map[string]*schema
}

// object is the schema of the keys and values at path; drop leaves keys out.
func (t *table) object(path string, drop func(spec.Key) bool) *schema {
	s := &schema{Type: "object", Properties: map[string]*schema{}, Others: false}
	for _, k := range spec.Children(t.keys, path) {
		if k.Later || drop != nil && drop(k) {
			continue
		}
		v := t.value(k)
		v.Description, v.Default = describe(k), defaultOf(k)
		s.Properties[k.Name()] = v
		if t.required(k) {
			s.Required = append(s.Required, k.Name())
		}
	}
	return s
}

// required holds for keys that the file itself must have: not for those that may stand
// in the project file instead.
func (t *table) required(k spec.Key) bool {
	if k.Kind == spec.KindSection {
		return slices.ContainsFunc(spec.Children(t.keys, k.Path), t.required)
	}
	return k.Required && !k.Shared
}

// value is the schema of a key's value.
func (t *table) value(k spec.Key) *schema {
	switch k.Kind {
	case spec.KindSection:
		return t.object(k.Path, nil)
	case spec.KindSections:
		return t.items(k)
	}
	return forms[k.Kind](k)
}

// items is a list of sections. A key without children of its own holds fields: what its
// parent holds, to any depth, but for the keys of whole columns.
func (t *table) items(k spec.Key) *schema {
	path := k.Path
	drop := func(spec.Key) bool { return false }
	if len(spec.Children(t.keys, k.Path)) == 0 {
		path = strings.TrimSuffix(k.Path, "."+k.Name())
		drop = func(k spec.Key) bool { return k.Whole }
	}
	if _, ok := t.defs[k.Path]; !ok {
		t.defs[k.Path] = nil // an item may hold others of its kind
		t.defs[k.Path] = t.object(path, drop)
	}
	return &schema{Type: "array", Items: &schema{Ref: "#/$defs/" + k.Path}}
}

func describe(k spec.Key) string {
	switch {
	case k.Default != "":
		return fmt.Sprintf("%s (default: %s)", k.Doc, k.Default)
	case k.Computed != "":
		return fmt.Sprintf("%s (default: %s)", k.Doc, k.Computed)
	}
	return k.Doc
}

// defaultOf is the default as JSON: what is none as it stands is a text.
func defaultOf(k spec.Key) json.RawMessage {
	literal := k.Kind == spec.KindBool || k.Kind == spec.KindSize || k.Kind == spec.KindTexts
	switch {
	case k.Default == "":
		return nil
	case literal:
		return json.RawMessage(k.Default)
	}
	b, err := json.Marshal(k.Default)
	if err != nil {
		return nil
	}
	return b
}

// Modeline is the first line of a file, by which editors find its schema.
func Modeline(url string) string { return "# yaml-language-server: $schema=" + url }
