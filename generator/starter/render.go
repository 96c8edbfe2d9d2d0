package starter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/bridgegen/bridgegen/spec/jsonschema"
)

// Bucket is the placeholder of lake.bucket, as in the starter's project file.
const Bucket = "data-lake-shop"

// Render is the spec as YAML. bucket says that the project's defaults give none.
func (d *Draft) Render(bucket bool) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", jsonschema.Modeline(jsonschema.SpecURL))
	line("# Drafted from %s: put right what is guessed, and set topic and places.", plainText(d.source))
	line("# `bridgegen types` lists all types, keys and defaults. After a change: bridgegen generate.")
	line("bridgegen: v1")
	line("table: %s", quote(d.Table))
	for _, k := range []struct{ key, value string }{{"record", d.Record}, {"namespace", d.Namespace}, {"doc", plainText(d.Doc)}} {
		if k.value != "" {
			line("%s: %s", k.key, quote(k.value))
		}
	}
	line("columns:                     # non-null unless optional: true")
	writeColumns(&b, "  ", d.Columns)
	line("key: %s%s", list(d.Key), comment(d.KeyNote))
	if d.Version != "" {
		line("dedup: {version: %s}%s", d.Version, comment("guessed: the newer version of a row wins"))
	} else {
		line("# dedup: {version: updated_at}   # the column that says which row of a key is newer; without it the stream wins")
	}
	line("partition: {time: _ingested_at, by: hour}")
	if bucket {
		line("lake: {bucket: %s}", Bucket)
	}
	line("batch: {source: csv%s}%s", d.batch(), comment(d.batchNote()))
	line("stream: {topic: %s}%s", d.topic(), comment("always the last folder of the table's location"))
	return []byte(b.String())
}

// topic is a placeholder: customer_orders is customer-orders-events.
func (d *Draft) topic() string {
	name := strings.ReplaceAll(d.Table, "_", "-")
	if strings.HasSuffix(name, "events") {
		return name
	}
	return name + "-events"
}

func (d *Draft) batch() string {
	text := ""
	if d.Delimiter != "" {
		text += ", delimiter: " + quote(d.Delimiter)
	}
	if d.Zone {
		text += ", zone: UTC"
	}
	return text
}

func (d *Draft) batchNote() string {
	if d.Zone {
		return "guessed: the zone of timestamps without an offset"
	}
	return ""
}

func writeColumns(b *strings.Builder, indent string, columns []Column) {
	for _, c := range columns {
		note := comment(plainText(c.Note))
		switch {
		case c.Lost != "":
			fmt.Fprintf(b, "%s# - {name: %s}: left out: %s\n", indent, c.Name, plainText(c.Lost))
		case len(c.Fields) == 0:
			fmt.Fprintf(b, "%s- {%s}%s\n", indent, strings.Join(c.pairs(), ", "), note)
		default:
			for i, p := range c.pairs() {
				lead := "  "
				if i == 0 {
					lead = "- "
				}
				fmt.Fprintf(b, "%s%s%s\n", indent, lead, p)
			}
			fmt.Fprintf(b, "%s  fields:%s\n", indent, note)
			writeColumns(b, indent+"    ", c.Fields)
		}
	}
}

// pairs are the keys of a column without its fields.
func (c *Column) pairs() []string {
	out := []string{"name: " + quote(c.Name), "type: " + quote(c.Type)}
	if len(c.Values) > 0 {
		out = append(out, "values: "+valueList(c.Values))
	}
	if c.Optional {
		out = append(out, "optional: true")
	}
	if c.Default != "" {
		out = append(out, "default: "+c.Default)
	}
	for _, k := range []struct{ key, value string }{{"fallback", c.Fallback}, {"from", c.From}, {"doc", plainText(c.Doc)}} {
		if k.value != "" {
			out = append(out, k.key+": "+quote(k.value))
		}
	}
	return out
}

func valueList(values []Symbol) string {
	var out []string
	for _, v := range values {
		if v.Source == "" {
			out = append(out, quote(v.Name))
		} else {
			out = append(out, fmt.Sprintf("{%s: %s}", quote(v.Name), quote(v.Source)))
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func list(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func comment(note string) string {
	if note == "" {
		return ""
	}
	return "   # " + note
}

var (
	plain     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.<>-]*$`)
	yamlWords = regexp.MustCompile(`(?i)^(?:true|false|null|yes|no|on|off|y|n)$`)
)

// quote is a text as YAML takes it, inside { } too.
func quote(s string) string {
	if plain.MatchString(s) && !yamlWords.MatchString(s) {
		return s
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// plainText is a text on one line that can stand in a doc and in a comment.
func plainText(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\ufeff' || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)), " ")
	return strings.TrimSpace(strings.TrimPrefix(s, "+build"))
}
