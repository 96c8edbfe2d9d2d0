// Package avro renders a model as the Avro schema of the table's topic.
package avro

import (
	"bytes"
	"encoding/json"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/spec/types"
)

// record is an Avro record. It has no doc: a changed one would rotate the files of the
// S3 sink at every switch (T39). Fields have none either, so that a changed doc is no
// new schema to register.
type record struct {
	Type      string  `json:"type"`
	Name      string  `json:"name"`
	Namespace string  `json:"namespace,omitempty"`
	Fields    []field `json:"fields"`
}

type field struct {
	Name    string          `json:"name"`
	Type    any             `json:"type"`
	Default json.RawMessage `json:"default,omitempty"`
}

type enum struct {
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	Symbols []string `json:"symbols"`
	Default string   `json:"default,omitempty"`
}

func schema(t *model.Table) record {
	r := record{Type: "record", Name: t.Record, Namespace: t.Namespace}
	for _, p := range t.Physical() {
		f := field{Name: p.Name, Type: p.Type.Avro(p.Precision, p.Scale)}
		if p.Type == types.Enum {
			e := enum{Type: "enum", Name: p.AvroName, Symbols: p.Symbols}
			if p.Column != nil {
				e.Default = p.Column.Fallback
			}
			f.Type = e
		}
		if p.Column != nil && p.Column.Default != nil && !p.Nullable {
			f.Default = p.Type.AvroDefault(*p.Column.Default, p.Precision, p.Scale)
		}
		if p.Nullable {
			f.Type, f.Default = []any{"null", f.Type}, json.RawMessage("null")
		}
		r.Fields = append(r.Fields, f)
	}
	return r
}

// Compact is the schema on one line.
func Compact(t *model.Table) string { return string(encode(t, "")) }

// Files is the schema as a file of its own.
func Files(_ *model.Project, t *model.Table) ([]model.File, error) {
	return []model.File{{Path: t.Name + "/" + t.Name + ".avsc", Content: append(encode(t, "  "), '\n')}}, nil
}

// encode cannot fail: the values are texts, numbers and lists of them.
func encode(t *model.Table, indent string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	_ = enc.Encode(schema(t))
	return bytes.TrimRight(b.Bytes(), "\n")
}
