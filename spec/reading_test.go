package spec_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/spectest"
)

// What is wrong with YAML itself, as the first line of what a spec would hold.
var syntaxCases = []struct{ src, want string }{
	{"columns:\n  - {name: a, type: boolean, derive: status == \"active\", x: 1}", ""},
	{"columns:\n  - {name: a, derive: \"x\" == y}", `x.yaml:2:23: an expression must be quoted: derive: '...'`},
	{"a: b\n\tc: d", `x.yaml:2:1: a tab indents this line; YAML is indented by blanks`},
	{"doc: a: b", `x.yaml:1:7: a second ": " on this line; put the text in quotes, or check the indentation`},
	{"doc: @x", `x.yaml:1:6: a text cannot begin with this character; put it in quotes`},
	{"doc: \"x", `x.yaml:1:6: this quote is not closed`},
	{"lake: {bucket: x", `x.yaml:1:7: this brace is not closed, or a text in it needs quotes`},
	{"key: [a", `x.yaml:1:6: this bracket is not closed`},
	{"doc: \"\\d\"", `x.yaml:1:7: unknown escape in double quotes; in single quotes a backslash is plain text`},
	{"doc: *x", `x.yaml:1:6: no anchor &x is declared above; put a text that begins with * in single quotes`},
	{"doc: !!str x", `x.yaml:1:6: tag "!!str": a spec has no tags; put a text that begins with ! in single quotes`},
	{"doc: \xff", `x.yaml:1:6: byte 0xff is no UTF-8; save the file as UTF-8`},
	{"doc: a\x00", `x.yaml:1:7: control character U+0000; the file must be text`},
}

func TestSyntax(t *testing.T) {
	for _, c := range syntaxCases {
		_, ds := spec.Parse("x.yaml", []byte(c.src))
		got := ""
		for _, d := range ds {
			if d.Rule == "YAML_SYNTAX" {
				got += fmt.Sprintf("%v: %s", d.Pos, d.Message)
			}
		}
		if got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

// Problems of expressions stand where they are in the file, whatever the quotes.
func TestPlacesInExpressions(t *testing.T) {
	for _, c := range []struct{ column, want string }{
		{`{name: a, type: boolean, derive: 'id == 1 && x'}`, "6:50"},
		{`{name: a, type: boolean, derive: "id == 1 && x"}`, "6:50"},
		{`{name: a, type: boolean, derive: id == 1 && x}`, "6:49"},
		{`{name: ä, type: string}`, ""},
		{`{doc: ä, name: a, type: boolean, derive: 'id == 1 && x'}`, "6:58"},
		{`{name: a, type: boolean, derive: '"''" == "b" || x'}`, "6:54"},
		{`{name: a, type: boolean, derive: "\"b\" == \"b\" || x"}`, "6:57"},
		{"\n    name: a\n    type: boolean\n    derive: |\n      id == 1 ||\n      x", "9:15"},
	} {
		ds := diagnose("- " + c.column)
		got := ""
		for _, d := range ds {
			if d.Rule == "EXPR_COLUMN" {
				got = fmt.Sprintf("%d:%d", d.Line, d.Col)
			}
		}
		if got != c.want {
			t.Errorf("%s: at %s, want %s\n%v", c.column, got, c.want, ds)
		}
	}
}

func TestAnchorsAndMergeKeys(t *testing.T) {
	src := `bridgegen: v1
table: &name orders
columns:
  - &base {name: id, type: long}
  - {<<: *base, name: other, optional: true}
key: [id]
lake: {bucket: data-lake-shop}
stream: {topic: *name}
`
	s, ds := spec.Parse("x.yaml", []byte(src))
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	other := s.Columns.V[1]
	if s.Stream.Topic.V != "orders" || other.Name.V != "other" || other.Type.V.Word != "long" || !other.Optional.V {
		t.Errorf("%+v", other)
	}
}

// Defaults of the project stand under a spec and are checked where they stand.
func TestDefaultsOfTheProject(t *testing.T) {
	p, ds := spec.ParseProject("bridgegen.yaml", []byte("bridgegen: v1\ndefaults:\n  lake: {bucket: data-lake-shop, codec: zstd}\n  speed: {ttl: -1h}\n"))
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	s, ds := spec.Parse("orders.yaml", []byte(strings.Replace(spectest.Spec, "lake: {bucket: data-lake-shop}", "lake: {codec: none}", 1)))
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	tables, ds := spec.Analyse([]*spec.Spec{s}, p)
	want := "bridgegen.yaml:4:16: speed.ttl must be longer than nothing; write a positive duration, or leave the key out for its default (DURATION)"
	if ds.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", ds, want)
	}
	if lake := tables[0].Lake; lake.Bucket.V != "data-lake-shop" || lake.Codec.V != "none" {
		t.Errorf("%+v", lake)
	}
	if _, ds = spec.Analyse([]*spec.Spec{s}, nil); len(ds) != 1 || ds[0].Rule != "MISSING_KEY" {
		t.Errorf("without the project: %v", ds)
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"500ms": 500 * time.Millisecond, "90s": 90 * time.Second, "26h": 26 * time.Hour, "7d": 7 * 24 * time.Hour, "1d12h": 36 * time.Hour, "1d": 24 * time.Hour, "0s": 0,
	} {
		if got, err := spec.ParseDuration(text); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "5", "0", "d", "1.5d", "-1d", "1d-2h", "1d0", "12h1d", "1 h", "106752d", "1w"} {
		if got, err := spec.ParseDuration(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestParseKeyTemplate(t *testing.T) {
	parts, err := spec.ParseKeyTemplate("{{a}}:{id}:x{n}")
	want := []spec.KeyPart{{Text: "{a}:"}, {Column: "id"}, {Text: ":x"}, {Column: "n"}}
	if err != nil || !slices.Equal(parts, want) {
		t.Errorf("%+v, %v", parts, err)
	}
	for _, bad := range []string{"{", "}", "a{id", "a}b", "{}", "{a{b}}"} {
		if parts, err := spec.ParseKeyTemplate(bad); err == nil {
			t.Errorf("%q is %+v", bad, parts)
		}
	}
	if got := spec.DefaultKeyTemplate("orders", []string{"id", "line"}); got != "orders:{id}:{line}" {
		t.Error(got)
	}
}

// The defaults of the key table are what a spec could write: a spec that writes them
// all is right.
func TestDefaultsOfKeysAreLegal(t *testing.T) {
	sections := map[string]string{}
	for _, k := range spec.Keys {
		section, name, ok := strings.Cut(k.Path, ".")
		if ok && k.Default != "" && section != "columns" {
			value := k.Default
			if k.Kind == spec.KindWord {
				value = strconv.Quote(value)
			}
			sections[section] += fmt.Sprintf("  %s: %s\n", name, value)
		}
		if k.Default != "" && len(k.Words) > 0 && !slices.Contains(k.Words, k.Default) {
			t.Errorf("%s: default %q is none of its words", k.Path, k.Default)
		}
		if k.Kind == spec.KindDuration && k.Default != "" && spec.DefaultDuration(k.Path) <= 0 {
			t.Errorf("%s: default %q is no duration", k.Path, k.Default)
		}
	}
	sections["lake"] += "  bucket: data-lake-shop\n"
	sections["stream"] += "  topic: order-events\n"
	example := "deletes: false\n"
	for name, text := range sections {
		example += name + ":\n" + text
	}
	if ds := diagnose(example); len(ds) > 0 {
		t.Errorf("%s\n%v", example, ds)
	}
}

func TestGoName(t *testing.T) {
	for snake, want := range map[string]string{"id": "ID", "ship_to_url": "ShipToURL", "customer_id": "CustomerID", "a1_b2": "A1B2", "__": "", "http_api": "HTTPAPI"} {
		if got := spec.GoName(snake); got != want {
			t.Errorf("%s is %s, want %s", snake, got, want)
		}
	}
}
