package golang

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/types"
)

func resolved(t *testing.T, src string) *model.Project {
	t.Helper()
	s, diags := spec.Parse("t.yaml", []byte(src))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	p, diags := model.Resolve([]*spec.Spec{s}, nil, "example.com/shop/generated", "shop")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return p
}

func TestEveryNormaliserHasItsFunction(t *testing.T) {
	key, _ := spec.Lookup("columns.normalize")
	for _, word := range key.Words {
		if normalizers[word] == "" && word != nullIfEmpty {
			t.Errorf("normaliser %q has no function of the runtime", word)
		}
	}
}

func TestEveryTypeHasAPageForm(t *testing.T) {
	for _, typ := range types.All {
		if typ.Shape == types.Scalar && pageForms[typ.Kind].size == "" {
			t.Errorf("type %s: no page form for kind %q", typ.Word, typ.Kind)
		}
	}
}

func TestLocalNames(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range [][2]string{
		{"ID", "id"}, {"URLPath", "urlPath"}, {"ShipToURL", "shipToURL"}, {"A", "a"}, {"Type", "type2"}, {"K", "k2"}, {"Rows", "rows2"},
		{"Email", "email"}, {"EmailOff", "emailOff2"}, {"Id", "id2"},
	} {
		if got := local(c[0], taken); got != c[1] {
			t.Errorf("local(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

// What the generator emits is Go with the marker in its first line, and the same for the
// same model.
func TestFilesParseAndRepeat(t *testing.T) {
	src, err := os.ReadFile("../../examples/customers/customers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := resolved(t, string(src))
	first, err := Table(p, p.Tables[0])
	if err != nil {
		t.Fatal(err)
	}
	again, err := Table(p, p.Tables[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range first {
		if string(f.Content) != string(again[i].Content) {
			t.Errorf("%s differs from run to run", f.Path)
		}
		if !strings.HasPrefix(string(f.Content), "// "+Header+"\n") {
			t.Errorf("%s does not begin with the marker", f.Path)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Content, parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
	}
}

// A derived column is computed behind those it uses, in whatever order they stand.
func TestDerivedColumnsInOrder(t *testing.T) {
	p := resolved(t, `bridgegen: v1
table: t
columns:
  - {name: id, type: long}
  - {name: c,  type: boolean, derive: 'b && a'}
  - {name: b,  type: boolean, derive: '!a'}
  - {name: a,  type: boolean, derive: 'id > 1'}
key: [id]
lake: {bucket: data-lake-shop}
stream: {topic: t-events}
`)
	var names []string
	for _, c := range derivedInOrder(newTable(p, p.Tables[0])) {
		names = append(names, c.Name)
	}
	if strings.Join(names, " ") != "a b c" {
		t.Errorf("%v", names)
	}
}
