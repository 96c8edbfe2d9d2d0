// Command integration runs the integration tests whose tools this machine has, and says
// what the others lack. With BRIDGE_STRICT=1 a missing tool is a failure.
package main

import (
	"fmt"
	"os"
	"os/exec"

	"github.com/bridgegen/bridgegen/integration/preflight"
)

// suites are the packages with tests, and what they need beside Go.
var suites = []struct {
	pkg   string
	what  string
	tools []preflight.Tool
}{
	{"./generated/every_type", "generated code of a table of every type", nil},
	{"./trino", "generated SQL, by Trino's own grammar", []preflight.Tool{preflight.JDK, preflight.Maven}},
	{"./duckdb", "Parquet of every road, read by DuckDB", []preflight.Tool{preflight.CGO}},
}

func main() {
	failed := false
	var packages []string
	for _, s := range suites {
		lacks := false
		for _, tool := range s.tools {
			found, err := tool.Find()
			if err != nil {
				lacks = true
				fmt.Printf("%s: skipped: it needs %s, but %v\n  %s\n", s.what, tool.Name, err, tool.Get)
				continue
			}
			fmt.Printf("%s: %s: %s\n", s.what, tool.Name, found)
		}
		if lacks {
			failed = failed || preflight.Strict()
			continue
		}
		packages = append(packages, s.pkg)
	}
	if len(packages) > 0 {
		test := exec.Command("go", append([]string{"test", "-count=1", "-timeout=30m"}, packages...)...)
		test.Stdout, test.Stderr = os.Stdout, os.Stderr
		failed = test.Run() != nil || failed
	}
	if failed {
		os.Exit(1)
	}
}
