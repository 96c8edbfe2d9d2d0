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

// The generated packages lie below internal, where they are compiled, vetted and tested as
// all others are.
func TestNestedTablesAreAsCommitted(t *testing.T) {
	for name, deletes := range map[string]bool{"nested": false, "nesteddeletes": true} {
		p := &model.Project{GoPackage: module + "/generator/golang/internal", Tables: []*model.Table{nestedTable(name, deletes)}}
		files, err := Table(p, p.Tables[0])
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
