package tree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator"
	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/generator/tree"
	"github.com/bridgegen/bridgegen/spec"
)

const customers = "../../examples/customers/customers.yaml"

func project(t *testing.T, change func(string) string) *model.Project {
	t.Helper()
	src, err := os.ReadFile(customers)
	if err != nil {
		t.Fatal(err)
	}
	s, diags := spec.Parse("customers.yaml", []byte(change(string(src))))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	p, diags := model.Resolve([]*spec.Spec{s}, nil, "example.com/shop/generated", "shop")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return p
}

func asIs(s string) string { return s }

// written is a tree on disk with the customers table of the version.
func written(t *testing.T, version string) (tree.Tree, *model.Project) {
	t.Helper()
	p, to := project(t, asIs), tree.Tree{Dir: t.TempDir()}
	u, err := generator.RenderTable(p, p.Tables[0], version)
	if err != nil {
		t.Fatal(err)
	}
	c, err := to.Compare(u)
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Write([]*tree.Unit{c}); err != nil {
		t.Fatal(err)
	}
	return to, p
}

// A table is current without being rendered only where everything agrees.
func TestCurrentWithoutRendering(t *testing.T) {
	to, p := written(t, "v1.2.3")
	stamp := generator.TableStamp(p, p.Tables[0], "v1.2.3")
	current := func(stamp generator.Stamp) bool {
		t.Helper()
		_, ok, err := to.Current("customers", stamp)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if !current(stamp) {
		t.Error("what was just written is not current")
	}
	if current(generator.TableStamp(p, p.Tables[0], "v1.2.4")) || current(generator.TableStamp(p, p.Tables[0], "")) {
		t.Error("current for another version of bridgegen, or one without a version")
	}
	for what, change := range map[string][2]string{
		"a normaliser": {"[trim, lower]", "[trim]"}, "an expression": {`"active"'`, `"banned"'`}, "a default": {"ttl: 72h", "ttl: 71h"}, "a doc": {"as last seen", "as seen"},
	} {
		q := project(t, func(s string) string {
			if !strings.Contains(s, change[0]) {
				t.Fatalf("%s: the example lacks %q", what, change[0])
			}
			return strings.Replace(s, change[0], change[1], 1)
		})
		if current(generator.TableStamp(q, q.Tables[0], "v1.2.3")) {
			t.Errorf("current though %s changed", what)
		}
	}
	path := filepath.Join(to.Dir, "customers", "merge.go")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func() error{
		"was changed": func() error { return os.WriteFile(path, append(content, '\n'), 0o666) },
		"is gone":     func() error { return os.Remove(path) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if current(stamp) {
			t.Errorf("current though a file %s", what)
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Another version that generates the same makes nothing stale; generate still notes it.
func TestAnotherVersionSettles(t *testing.T) {
	to, p := written(t, "v1.2.3")
	u, err := generator.RenderTable(p, p.Tables[0], "v1.3.0")
	if err != nil {
		t.Fatal(err)
	}
	c, err := to.Compare(u)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Settled() || c.Count(tree.Stale) != 1 {
		t.Errorf("%+v", c.Files)
	}
}

// A failed write leaves no file half done and none of the others changed.
func TestNothingIsWrittenWhenSomethingFails(t *testing.T) {
	to, _ := written(t, "")
	q := project(t, func(s string) string { return strings.Replace(s, "[trim, lower]", "[trim]", 1) })
	u, err := generator.RenderTable(q, q.Tables[0], "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := to.Compare(u)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(to.Dir, "customers", "record.go"))
	if err != nil {
		t.Fatal(err)
	}
	blocked := &tree.Unit{Name: "blocked", Files: c.Files}
	if err := os.WriteFile(filepath.Join(to.Dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	broken := tree.Tree{Dir: filepath.Join(to.Dir, "file")} // a file where the folder should be
	if err := broken.Write([]*tree.Unit{blocked}); err == nil {
		t.Fatal("no error")
	}
	after, err := os.ReadFile(filepath.Join(to.Dir, "customers", "record.go"))
	if err != nil || string(after) != string(before) {
		t.Errorf("record.go changed: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(to.Dir, "*", ".bridgegen-*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte("{\n  \"generator\": \"\",\n  \"model\": \"x\",\n  \"files\": {\n    \"a/b.go\": \"00\"\n  }\n}\n"))
	f.Add([]byte("<<<<<<< HEAD\r\n  \"model\": \"1\",\n=======\n  \"model\": \"2\",\n>>>>>>> b\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := generator.ParseManifest(b)
		for path, hashes := range m.Hashes {
			if path == "" || len(hashes) == 0 {
				t.Errorf("%q: %v", path, hashes)
			}
		}
	})
}
