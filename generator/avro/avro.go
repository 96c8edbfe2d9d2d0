// Package avro renders a model as the Avro schema of the table's topic.
package avro

import (
	"bytes"
	"encoding/json"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/spec/types"
)

func schema(t *model.Table) types.AvroRecord {
	r := types.AvroRecord{Type: "record", Name: t.Record, Namespace: t.Namespace}
	for _, p := range t.Physical() {
		f := p.AvroField()
		if p.Column != nil && p.Column.Default != nil && !p.Nullable {
			f.Default = p.Type.AvroDefault(*p.Column.Default, p.Precision, p.Scale)
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
