package spec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/spectest"
)

// manyColumns is a right spec with n columns beside its own two.
func manyColumns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  - {name: c%d, type: long}\n", i)
	}
	return strings.Replace(spectest.Spec, "key:", b.String()+"key:", 1)
}

// bomb unfolds into 10 to the power of levels texts.
func bomb(levels int) string {
	b := "doc:\n- &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < levels; i++ {
		b += fmt.Sprintf("- &a%d [%s*a%d]\n", i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	return b
}

// flow is nested brackets as the value of a key.
func flow(depth int) string {
	return "doc: " + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "\n"
}

// What is no spec, as whole files, each with all that is said of it.
var refused = []struct{ name, src, want string }{
	{"empty", "", "x.yaml:1:1: the file is empty; `bridgegen init` writes a first spec (EMPTY)"},
	{"blank", " \n\n", "x.yaml:1:1: the file is empty; `bridgegen init` writes a first spec (EMPTY)"},
	{"comments only", "# a\n# b\n", "x.yaml:1:1: the file is empty; `bridgegen init` writes a first spec (EMPTY)"},
	{"a byte order mark only", "\ufeff", "x.yaml:1:1: the file is empty; `bridgegen init` writes a first spec (EMPTY)"},
	{"no keys and values", "- a\n- b\n", "x.yaml:1:1: the file must be keys and values, not a list (VALUE_TYPE)"},
	{"a text", "orders\n", `x.yaml:1:1: the file must be keys and values, not the text "orders" (VALUE_TYPE)`},
	{"binary", "PAR1\x15\x00\x15", "x.yaml:1:5: control character U+0015; the file must be text (YAML_SYNTAX)"},
	{"gzip", "\x1f\x8b\x08\x00", "x.yaml:1:1: control character U+001F; the file must be text (YAML_SYNTAX)"},
	{"UTF-16", "\xff\xfeb\x00r\x00", "x.yaml:1:1: byte 0xff is no UTF-8; save the file as UTF-8 (YAML_SYNTAX)"},
	{"Latin-1", "table: orders\ndoc: M\xfcller\n", "x.yaml:2:7: byte 0xfc is no UTF-8; save the file as UTF-8 (YAML_SYNTAX)"},
	{"over 4 MiB", "# " + strings.Repeat("x", 4<<20), "x.yaml:1:1: the file has 4194306 bytes; at most 4194304 are read (TOO_LARGE)"},
	{"over 64 deep", flow(64), "x.yaml:1:69: values are nested more than 64 deep (TOO_DEEP)"},
	{"thousands deep", flow(20000), "x.yaml:1:1: this is no YAML: exceeded max depth of 10000 (YAML_SYNTAX)"},
	{"tabs", "lake:\n\tbucket: x\n", "x.yaml:2:1: a tab indents this line; YAML is indented by blanks (YAML_SYNTAX)"},
	{"several documents", "table: a\n---\ntable: b\n", "x.yaml:2:1: a second document begins here; write one table per file and no further --- (ONE_DOCUMENT)"},
	{"an alias bomb", bomb(7), "x.yaml:2:35: the file unfolds into more than 262144 values; do not nest aliases (TOO_LARGE)"},
	{"an alias of itself", "doc: &a [*a]\n", "x.yaml:1:10: values are nested more than 64 deep (TOO_DEEP)"},
}

func TestRefusedFiles(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			s, ds := spec.Parse("x.yaml", []byte(c.src))
			if got := ds.Error(); got != c.want || s != nil {
				t.Errorf("got %v and\n%s\nwant\n%s", s != nil, got, c.want)
			}
			if _, ds := spec.ParseProject("x.yaml", []byte(c.src)); ds.Error() != c.want {
				t.Errorf("as a project file\n%s\nwant\n%s", ds.Error(), c.want)
			}
		})
	}
}

// What stands in a spec that is right otherwise, with all that is said of it. Lines count
// in the merged file: columns stand from line 4 on.
var refusedExamples = []struct{ name, example, want string }{
	{"a key twice", "lake: {bucket: data-lake-shop, dir: a, dir: b}", `
orders.yaml:8:40: key "dir" stands here a second time; the first is in line 8 (DUPLICATE_KEY)`},
	{"a column's key twice", "- {name: a, type: long, type: int}", `
orders.yaml:6:27: key "type" stands here a second time; the first is in line 6 (DUPLICATE_KEY)`},
	{"an unquoted decimal", "- {name: a, type: decimal(10,2)}", `
orders.yaml:6:21: type "decimal(10": a type with a comma must be quoted inside { }: type: "decimal(10,2)" (TYPE_SYNTAX)`},
	{"an unquoted decimal before another key", "- {name: a, type: decimal(10,2), optional: true}", `
orders.yaml:6:21: type "decimal(10": a type with a comma must be quoted inside { }: type: "decimal(10,2)" (TYPE_SYNTAX)`},
	{"an unquoted expression with a comma", "- {name: a, type: boolean, derive: id in [1, 2]}", `
orders.yaml:6:38: an expression must be quoted: derive: '...' (YAML_SYNTAX)`},
	{"an unquoted expression with a quote", "- {name: a, type: string, validate: \"x\" == a}", `
orders.yaml:6:39: an expression must be quoted: validate: '...' (YAML_SYNTAX)`},
	{"an unquoted expression with braces", "- {name: a, type: long, derive: {id}}", `
orders.yaml:6:35: "derive" must be a quoted expression, not keys and values (VALUE_TYPE)`},
	{"unknown keys", "deletes: false\ncolour: red\nlake: {bucket: data-lake-shop, path: x}", `
orders.yaml:9:1: unknown key "colour"; known here are bridgegen, table, record, namespace, doc, columns, key, deletes, dedup, partition, lake, batch, stream, speed, trino, lag (UNKNOWN_KEY)
orders.yaml:10:32: unknown key "path"; did you mean "dir"? (UNKNOWN_KEY)`},
	{"wrong types", "doc: 5\ndeletes: yes please\nkey: id\nlake: x\nspeed: {ttl: 90}\nbatch: {nulls: NULL}", `
orders.yaml:7:6: "doc" must be a text, not the number 5; quote it: "5" (VALUE_TYPE)
orders.yaml:8:10: "deletes" must be true or false, not the text "yes please" (VALUE_TYPE)
orders.yaml:9:6: "key" must be a list, not the text "id": write key: [...] (VALUE_TYPE)
orders.yaml:10:7: "lake" must be keys and values, not the text "x" (VALUE_TYPE)
orders.yaml:11:14: ttl "90" is no duration (a number with a unit: 500ms, 90s, 2m, 26h, 7d) (DURATION)
orders.yaml:12:16: "nulls" must be a list, not nothing: write nulls: [...] (VALUE_TYPE)`},
	{"a wrong type of flush_size", "lake: {bucket: data-lake-shop, flush_size: many}", `
orders.yaml:8:44: "flush_size" must be a whole number, not the text "many" (VALUE_TYPE)`},
	{"a circle", "- {name: a, type: long, derive: 'b + 1'}\n- {name: b, type: long, derive: 'c + 1'}\n- {name: c, type: long, derive: 'a + 1'}", `
orders.yaml:6:35: column "a" is derived from itself (a <- b <- c <- a); let one of them be read from the source (DERIVE_CYCLE)`},
	{"a circle of one", "- {name: a, type: long, derive: 'a + 1'}", `
orders.yaml:6:35: column "a" is derived from itself (a <- a); let one of them be read from the source (DERIVE_CYCLE)`},
	{"two tables of one name", "# a.yaml\nstream: {topic: a}\n# b.yaml\nstream: {topic: b}\nspeed: {key: 'b:{id}'}", `
b.yaml:2:8: table "orders" is taken by the table in a.yaml:2:8 (TABLE_UNIQUE)`},
	{"two tables of one topic, and so of one location", "# a.yaml\ntable: a\n# b.yaml\ntable: b", `
b.yaml:7:17: topic "order-events" is taken by the table in a.yaml:7:17 (TABLE_UNIQUE)`},
	{"two tables of one Redis key", "# a.yaml\ntable: a\nstream: {topic: a}\nspeed: {key: 'x:{id}'}\n# b.yaml\ntable: b\nstream: {topic: b}\nspeed: {key: 'x:{id}'}", `
b.yaml:9:14: Redis key "x:{id}" is taken by the table in a.yaml:9:14 (TABLE_UNIQUE)`},
	{"a Redis key that is another's default", "# a.yaml\ntable: a\nstream: {topic: a}\n# b.yaml\ntable: b\nstream: {topic: b}\nspeed: {key: 'a:{id}'}", `
b.yaml:9:14: Redis key "a:{id}" is taken by the table in a.yaml:7:8 (TABLE_UNIQUE)`},
}

func TestRefusedExamples(t *testing.T) {
	for _, c := range refusedExamples {
		t.Run(c.name, func(t *testing.T) {
			if got := diagnose(c.example).Error(); got != strings.TrimPrefix(c.want, "\n") {
				t.Errorf("got\n%s\nwant%s", got, c.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	if ds := diagnoseFile(manyColumns(1998)); len(ds) > 0 {
		t.Errorf("2000 columns: %v", ds)
	}
	_, ds := spec.Parse("x.yaml", []byte(manyColumns(1999)))
	if want := "x.yaml:4:3: 2001 columns; at most 2000 are read"; !strings.HasPrefix(ds.Error(), want) || ids(ds)[0] != "TOO_LARGE" {
		t.Errorf("2001 columns: %v, want %s", ds, want)
	}
	full := spectest.Spec + "# " + strings.Repeat("x", 4<<20-len(spectest.Spec)-2)
	if ds := diagnoseFile(full); len(ds) > 0 || len(full) != 4<<20 {
		t.Errorf("4 MiB: %v", ds)
	}
}

func diagnoseFile(src string) spec.Diagnostics {
	s, ds := spec.Parse("x.yaml", []byte(src))
	if s == nil {
		return ds
	}
	return append(ds, spec.Check([]*spec.Spec{s}, nil)...)
}

// What a spec may look like: all of these say the same.
func TestAccepted(t *testing.T) {
	want := diagnosed(t, spectest.Spec)
	for name, src := range map[string]string{
		"CRLF":                          strings.ReplaceAll(spectest.Spec, "\n", "\r\n"),
		"a byte order mark":             "\ufeff" + spectest.Spec,
		"both":                          "\ufeff" + strings.ReplaceAll(spectest.Spec, "\n", "\r\n"),
		"comments":                      "# above\n" + strings.ReplaceAll(spectest.Spec, "\n", " # behind\n") + "# below\n",
		"no last line end":              strings.TrimSuffix(spectest.Spec, "\n"),
		"one document, begun and ended": "---\n" + spectest.Spec + "...\n",
		"quotes":                        strings.NewReplacer("orders", `"orders"`, "long", "'long'").Replace(spectest.Spec),
		"anchors":                       strings.NewReplacer("table: orders", "table: &name orders", "name: id", "name: &id id", "[id]", "[*id]").Replace(spectest.Spec),
		"block style":                   strings.NewReplacer("- {name: id, type: long}", "-\n    name: id\n    type: long", "key: [id]", "key:\n- id").Replace(spectest.Spec),
		"JSON":                          `{"bridgegen": "v1", "table": "orders", "columns": [{"name": "id", "type": "long"}, {"name": "updated_at", "type": "timestamp"}], "key": ["id"], "lake": {"bucket": "data-lake-shop"}, "stream": {"topic": "order-events"}}`,
	} {
		if got := diagnosed(t, src); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// diagnosed is what a right spec says.
func diagnosed(t *testing.T, src string) []string {
	t.Helper()
	s, ds := spec.Parse("x.yaml", []byte(src))
	if len(ds) > 0 {
		t.Errorf("%v", ds)
		return nil
	}
	if ds := spec.Check([]*spec.Spec{s}, nil); len(ds) > 0 {
		t.Errorf("%v", ds)
	}
	says := []string{s.Table.V, s.Lake.Bucket.V, s.Stream.Topic.V}
	for _, c := range s.Columns.V {
		says = append(says, c.Name.V, c.Type.V.Word)
	}
	for _, k := range s.Key.V {
		says = append(says, k.V)
	}
	return says
}
