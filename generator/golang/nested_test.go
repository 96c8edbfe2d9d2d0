package golang

import (
	"bytes"
	"flag"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/model"
)

var update = flag.Bool("update", false, "write the generated packages of the tests")

// nestedTables are the spec of every form of nesting, without and with deletes.
func nestedTables(t *testing.T) *model.Project {
	t.Helper()
	src, err := os.ReadFile("testdata/nested.yaml")
	if err != nil {
		t.Fatal(err)
	}
	with := strings.Replace(string(src), "\ntable: nested\n", "\ntable: nesteddeletes\ndeletes: true\n", 1)
	p := resolved(t, string(src))
	p.Tables = append(p.Tables, resolved(t, with).Tables...)
	p.GoPackage = module + "/generator/golang/internal"
	return p
}

// The generated packages lie below internal, where they are compiled, vetted and tested as
// all others are.
func TestNestedTablesAreAsCommitted(t *testing.T) {
	p := nestedTables(t)
	for _, table := range p.Tables {
		files, err := Table(p, table)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.Count(f.Path, "/") > 1 { // a road's, which knows nothing of columns
				continue
			}
			file := path.Join("internal", f.Path)
			if *update {
				if err := os.WriteFile(file, f.Content, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, f.Content) {
				t.Errorf("%s is not what is generated; run go test with -update: %v", file, err)
			}
		}
	}
}
