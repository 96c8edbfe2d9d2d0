package spec

import (
	"errors"
	"strings"
)

// KeyPart is a part of a Redis key: a literal text, or a column whose text stands there.
type KeyPart struct{ Text, Column string }

// ParseKeyTemplate splits a template such as customer:{id}. {{ and }} are literal
// braces, for the hash tags of a cluster.
func ParseKeyTemplate(template string) ([]KeyPart, error) {
	var parts []KeyPart
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			parts = append(parts, KeyPart{Text: text.String()})
			text.Reset()
		}
	}
	for i := 0; i < len(template); i++ {
		switch c := template[i]; {
		case c != '{' && c != '}':
			text.WriteByte(c)
		case strings.HasPrefix(template[i+1:], string(c)):
			text.WriteByte(c)
			i++
		case c == '}':
			return nil, errors.New("a } without its {; a literal one is written }}")
		default:
			name, _, ok := strings.Cut(template[i+1:], "}")
			if !ok || name == "" || strings.Contains(name, "{") {
				return nil, errors.New("a { without a column and a }; a literal one is written {{")
			}
			flush()
			parts = append(parts, KeyPart{Column: name})
			i += len(name) + 1
		}
	}
	flush()
	return parts, nil
}

// DefaultKeyTemplate is the Redis key of a table that gives none: orders:{id}:{line}.
func DefaultKeyTemplate(table string, key []string) string {
	var b strings.Builder
	b.WriteString(table)
	for _, k := range key {
		b.WriteString(":{" + k + "}")
	}
	return b.String()
}

// KeyTemplate is the table's Redis key, as written or by default.
func (s *Spec) KeyTemplate() string {
	var key []string
	for _, k := range s.Key.V {
		key = append(key, k.V)
	}
	return s.Speed.Key.Or(DefaultKeyTemplate(s.Table.V, key))
}
