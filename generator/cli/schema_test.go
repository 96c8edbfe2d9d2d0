package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/cli"
	"github.com/bridgegen/bridgegen/spec/jsonschema"
)

// Editors look for the schema in the first line.
func TestInitNamesTheSchemas(t *testing.T) {
	dir := t.TempDir()
	if code := cli.Main([]string{"-C", dir, "-q", "init"}, nil, os.Stdout, os.Stderr); code != cli.Clean {
		t.Fatalf("exit code %d", code)
	}
	for file, url := range map[string]string{"customers.yaml": jsonschema.SpecURL, "bridgegen.yaml": jsonschema.ProjectURL} {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(b), "\n")
		if want := "# yaml-language-server: $schema=" + url; first != want {
			t.Errorf("%s begins with %q, want %q", file, first, want)
		}
	}
}
