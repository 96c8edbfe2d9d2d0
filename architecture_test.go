package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/bridgegen/bridgegen"

// pkg is what go list says of a package; test files do not count.
type pkg struct {
	ImportPath, Name string
	Standard         bool
	Imports, Deps    []string
}

func list(t *testing.T, patterns ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Name,Standard,Imports,Deps"}, patterns...)...)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func isStandard(path string) bool { return !strings.Contains(strings.SplitN(path, "/", 2)[0], ".") }

// clients are the modules that talk to a system, by what they talk to.
var clients = map[string]string{
	"github.com/twmb/franz-go": "Kafka", "github.com/aws/": "S3", "github.com/redis/": "Redis", "github.com/trinodb/": "Trino",
	"github.com/parquet-go/parquet-go": "Parquet", "github.com/prometheus/": "metrics", "github.com/alicebob/": "embedded Redis", "github.com/jackc/pgx": "PostgreSQL",
}

func clientsOf(p pkg) (found []string) {
	for prefix, system := range clients {
		if slices.ContainsFunc(p.Deps, func(d string) bool { return strings.HasPrefix(d, prefix) }) {
			found = append(found, system)
		}
	}
	slices.Sort(found)
	return found
}

func TestTheRootAndGeneratedTablesStayLight(t *testing.T) {
	for _, p := range list(t, "./runtime") {
		for _, i := range p.Imports {
			if !isStandard(i) && i != "golang.org/x/text/unicode/norm" {
				t.Errorf("runtime imports %s", i)
			}
		}
	}
	for _, p := range list(t, "./generated/...") {
		if p.Name == "main" || p.Name == "tables" || strings.Count(p.ImportPath, "/") != 4 {
			continue
		}
		for _, i := range p.Imports {
			if !isStandard(i) && i != module+"/runtime" {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
	}
}

func TestTypedPackagesImportTheirOwnRoadOnly(t *testing.T) {
	for road, allowed := range map[string][]string{
		"batch":  {"Parquet", "S3"},
		"stream": {"Kafka"},
		"serve":  {"Parquet", "Redis", "S3", "Trino"},
	} {
		for _, p := range list(t, "./generated/customers/"+road) {
			for _, system := range clientsOf(p) {
				if !slices.Contains(allowed, system) {
					t.Errorf("%s compiles the client of %s", p.ImportPath, system)
				}
			}
		}
	}
}

func TestTheGeneratorHasNoClientLibrary(t *testing.T) {
	for _, p := range list(t, ".", "./generator/...", "./spec/...") {
		if found := clientsOf(p); len(found) > 0 {
			t.Errorf("%s compiles clients of %v", p.ImportPath, found)
		}
	}
}

// The random specs are for tests: no package has them but in its test files.
func TestRandomSpecsAreForTestsOnly(t *testing.T) {
	for _, p := range list(t, "./...") {
		if slices.Contains(p.Imports, module+"/internal/randomspec") {
			t.Errorf("%s imports internal/randomspec", p.ImportPath)
		}
	}
}

func TestTheCoreDoesNoIO(t *testing.T) {
	core := []string{"./spec/...", "./generator/model", "./generator/golang", "./generator/avro", "./generator/connect", "./generator/trino", "./generator/reference", "./generator/starter"}
	for _, p := range list(t, core...) {
		for _, i := range p.Imports {
			if slices.Contains([]string{"os", "net", "net/http", "os/exec", "log", "math/rand", "math/rand/v2"}, i) {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
	}
}

// roads may build on lower ones; the arrows are drawn here and nowhere else.
func TestRoadsImportOnlyWhatLiesBelow(t *testing.T) {
	below := map[string][]string{
		"lake": {""}, "batch": {"", "lake"}, "batch/postgres": {"", "batch"}, "stream": {""}, "sink": {"", "lake", "stream"}, "state": {""}, "speed": {"", "state", "stream"},
		"serve": {"", "lake", "state"}, "embedded": {""},
	}
	for road, allowed := range below {
		for _, p := range list(t, "./runtime/"+road) {
			for _, i := range p.Imports {
				rest, ours := strings.CutPrefix(i, module+"/")
				if !ours {
					continue
				}
				rest = strings.TrimPrefix(strings.TrimPrefix(rest, "runtime"), "/")
				if !slices.Contains(allowed, rest) {
					t.Errorf("runtime/%s imports %s", road, i)
				}
			}
		}
	}
}
