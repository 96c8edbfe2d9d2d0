package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/expr"
	"github.com/bridgegen/bridgegen/spec/types"
)

// The tour checks its own numbers; here it is seen to end and to print what it is about.
func TestTour(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, &out, t.TempDir()); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"500 rows", "7 rejected", `items[1] is null`, "ship_to.city is no field", "over 2 legs", "499 live", `"street":"Unter den Linden 1"`, "All checks passed"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
}

// tables are the specs of the example, checked.
func tables(t *testing.T) []*spec.Table {
	t.Helper()
	var specs []*spec.Spec
	for _, name := range []string{"orders.yaml", "shipments.yaml"} {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, diags := spec.Parse(name, src)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		specs = append(specs, s)
	}
	all, diags := spec.Analyse(specs, nil)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return all
}

// spelled is how an operator or a function looks in an expression.
func spelled(o expr.Operator) *regexp.Regexp {
	switch name := strings.Trim(o.Name, "_"); {
	case o.Name == "-_" || o.Name == "!_":
		return regexp.MustCompile(regexp.QuoteMeta(name) + `[a-z(]`)
	case strings.HasPrefix(o.Name, "_"):
		return regexp.MustCompile(` ` + regexp.QuoteMeta(name) + ` `)
	default:
		return regexp.MustCompile(`\b` + name + `\(`)
	}
}

// The example shows everything that a spec can say of a column.
func TestTheExampleShowsEverything(t *testing.T) {
	used, expressions := map[string]bool{}, ""
	for _, table := range tables(t) {
		for c := range table.Every() {
			held, _ := c.Held()
			used[c.Type.Word], used[held.Word] = true, true
			for _, n := range c.Normalize.V {
				used[n.V] = true
			}
			for key, set := range map[string]bool{"optional": c.Optional.V, "default": c.Default.Set, "fallback": c.Fallback.Set, "go_name": c.GoName.Set, "from": c.From.Set,
				"epoch": c.Epoch.Set, "derive": c.Column.Derive.Set, "validate": c.Column.Validate.Set, "doc": c.Column.Doc.Set, "fields": c.Column.Fields.Set, "values": c.Values.Set} {
				used[key] = used[key] || set
			}
			expressions += " " + c.Column.Derive.V.Text + " \n " + c.Column.Validate.V.Text + " \n"
		}
	}
	for _, typ := range types.All {
		if !used[typ.Word] {
			t.Errorf("no column is of type %s", typ.Word)
		}
	}
	for _, n := range spec.Normalizers {
		if !used[n.Word] {
			t.Errorf("no column is normalised by %s", n.Word)
		}
	}
	for _, key := range spec.Children(spec.Keys, "columns") {
		if name := key.Name(); !key.Later && name != "name" && name != "type" && name != "normalize" && !used[name] {
			t.Errorf("no column has the key %s", name)
		}
	}
	for _, o := range expr.Operators {
		if !spelled(o).MatchString(expressions) {
			t.Errorf("no expression uses %s", o.Usage)
		}
	}
	for _, syntax := range []string{" == null", " in [", " ? ", "timestamp(", "date("} {
		if !strings.Contains(expressions, syntax) {
			t.Errorf("no expression uses %q", syntax)
		}
	}
}
