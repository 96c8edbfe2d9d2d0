package batch

import (
	"fmt"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// shape says how a column of a Parquet file, or a part of one, is read into one of the
// table's.
type shape struct {
	*lake.Foreign
	parts    []*shape
	first    int    // the first scalar in it
	key      []byte // of a group's field: "name": as JSON
	brackets string // around the JSON of a list or map
	text     func(b []byte, s *shape, c *bridge.Column, k int) (text []byte, reason string)
	wide     bool // a Single becomes a double
	plain    bool // a Blob becomes a text
	bare     bool // JSON has it without quotes
}

// each calls do for the scalars.
func (s *shape) each(do func(*lake.Foreign)) {
	if s.Leaf >= 0 {
		do(s.Foreign)
	}
	for _, part := range s.parts {
		part.each(do)
	}
}

// takesForeign says what a type reads; it is by the first word of a type.
type takesForeign struct {
	want  string
	takes func(d *lake.Foreign) bool
}

// foreignOf is by the first word of a type.
var foreignOf = map[string]takesForeign{
	"boolean":   {"BOOLEAN", is(lake.Boolean)},
	"int":       {"INT32, or an integer of fewer bits", func(d *lake.Foreign) bool { return integer(d, 32) }},
	"long":      {"INT64, or an integer of fewer bits", func(d *lake.Foreign) bool { return integer(d, 64) }},
	"float":     {"FLOAT", is(lake.Single)},
	"double":    {"DOUBLE or FLOAT", is(lake.Real, lake.Single)},
	"decimal":   {"DECIMAL of up to 38 digits", is(lake.Number)},
	"string":    {"BYTE_ARRAY (STRING)", isChars},
	"bytes":     {"BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY without a logical type", is(lake.Blob)},
	"date":      {"INT32 (DATE)", is(lake.Day)},
	"timestamp": {"INT64 (TIMESTAMP) or INT96", is(lake.Moment)},
	"epoch":     {"INT64 (TIMESTAMP), INT96, or an integer", is(lake.Moment, lake.Integer)},
	"uuid":      {"FIXED_LEN_BYTE_ARRAY(16) (UUID), or its text", func(d *lake.Foreign) bool { return d.Is == lake.Ident || isChars(d) }},
	"enum":      {"BYTE_ARRAY (STRING) or (ENUM)", isChars},
	"list":      {"a list", is(lake.Sequence)},
	"map":       {"a map", is(lake.Mapping)},
	"struct":    {"a group of columns", is(lake.Group)},
}

func is(forms ...lake.Form) func(*lake.Foreign) bool {
	return func(d *lake.Foreign) bool {
		for _, f := range forms {
			if d.Is == f {
				return true
			}
		}
		return false
	}
}

// isChars accepts bytes without a logical type too, as old writers left them.
func isChars(d *lake.Foreign) bool { return d.Is == lake.Chars || d.Is == lake.Blob && !d.Fixed }

// integer reports whether a signed integer of the bits holds all values of d.
func integer(d *lake.Foreign, bits int) bool {
	return d.Is == lake.Integer && (d.Bits < bits || d.Bits == bits && !d.Unsigned)
}

// matcher finds how a column is read.
type matcher struct {
	schema *bridge.Schema
	zone   *time.Location
}

// match compares a column with the table's, or says why it cannot be read. In both the
// parts of groups are compared by the names in the source.
func (m *matcher) match(d *lake.Foreign, f *bridge.Field) (s *shape, why string) {
	word := f.Type
	if i := strings.IndexAny(word, "(<"); i >= 0 {
		word = word[:i]
	}
	if f.Epoch != "" {
		word = "epoch"
	}
	takes, known := foreignOf[word]
	if !known || !takes.takes(d) {
		return nil, fmt.Sprintf("is %s, but the column's type %s takes %s; cast it where the file is written", d, f.Type, takes.want)
	}
	if d.Is == lake.Moment && d.Local && m.zone == nil {
		return nil, fmt.Sprintf("is %s, a local time of no zone; declare it, as batch: {zone: UTC}, or write it adjusted to UTC", d)
	}
	s = &shape{Foreign: d, first: d.Leaf, text: textOf[d.Is], wide: word == "double", plain: word != "bytes"}
	s.bare = d.Is == lake.Boolean || d.Is == lake.Integer || d.Is == lake.Single || d.Is == lake.Real
	switch d.Is {
	case lake.Sequence:
		s.brackets = "[]"
		why = m.parts(s, d.Parts, f.Parts)
	case lake.Mapping:
		s.brackets = "{}"
		why = m.parts(s, d.Parts, append([]bridge.Field{mapKey}, f.Parts...))
	case lake.Group:
		why = m.fields(s, f)
	}
	return s, why
}

// mapKey is the key of every map.
var mapKey = bridge.Field{Name: "key", From: "key", Type: "string"}

// parts matches parts by their place.
func (m *matcher) parts(s *shape, parts []*lake.Foreign, fields []bridge.Field) string {
	for i := range fields {
		part, why := m.match(parts[i], &fields[i])
		if why != "" {
			return fmt.Sprintf("has a part %q, which %s", parts[i].Name, why)
		}
		s.add(part)
	}
	return ""
}

// fields matches the fields of a group by their names.
func (m *matcher) fields(s *shape, f *bridge.Field) string {
	byName, seen := map[string]*bridge.Field{}, map[string]bool{}
	var names []string
	for i := range f.Parts {
		byName[f.Parts[i].From] = &f.Parts[i]
		names = append(names, f.Parts[i].From)
	}
	for _, d := range s.Foreign.Parts {
		field := byName[d.Name]
		switch {
		case field == nil && m.schema.Extra == "ignore":
			continue
		case field == nil:
			return fmt.Sprintf("has a field %q, which the table does not have%s", d.Name, hint(d.Name, names))
		case seen[d.Name]:
			return fmt.Sprintf("has two fields %q; rename or remove one", d.Name)
		}
		seen[d.Name] = true
		part, why := m.match(d, field)
		if why != "" {
			return fmt.Sprintf("has a field %q, which %s", d.Name, why)
		}
		part.key = append(bridge.AppendStringJSON(nil, d.Name), ':')
		s.add(part)
	}
	for i := range f.Parts {
		if part := &f.Parts[i]; !seen[part.From] && !part.Optional {
			return fmt.Sprintf("lacks the field %q, which is not optional", part.From)
		}
	}
	if len(s.parts) == 0 {
		return "has no field of the table's"
	}
	return ""
}

func (s *shape) add(part *shape) {
	if len(s.parts) == 0 {
		s.first = part.first
	}
	s.parts = append(s.parts, part)
}

// hint is a did-you-mean, or the way to pass over what is unknown.
func hint(name string, names []string) string {
	if near := closest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; remove it, or say so in the spec: batch: {extra: ignore}"
}
