// Package trino parses generated SQL with Trino's own grammar.
package trino

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/cli"
	"github.com/bridgegen/bridgegen/integration/preflight"
	"github.com/bridgegen/bridgegen/internal/randomspec"
	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/expr"
)

// refused is what the grammar says of the files, and how many statements they hold.
func refused(t *testing.T, files []string) (complaints []string, statements int) {
	t.Helper()
	preflight.Need(t, preflight.JDK, preflight.Maven)
	fetch := exec.Command("mvn", "-q", "-B", "dependency:copy-dependencies")
	fetch.Dir = "parser"
	if out, err := fetch.CombinedOutput(); err != nil {
		preflight.Lacks(t, fmt.Sprintf("Maven cannot fetch Trino's parser: %v\n%s", err, out))
	}
	java, err := preflight.Java()
	if err != nil {
		t.Fatal(err)
	}
	parse := exec.Command(java, "-Dstdout.encoding=UTF-8", "-XX:TieredStopAtLevel=1", "-cp", filepath.Join("parser", "target", "lib", "*"), filepath.Join("parser", "Parse.java"))
	parse.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	var stderr bytes.Buffer
	parse.Stderr = &stderr
	out, err := parse.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if _, err := fmt.Sscanf(lines[len(lines)-1], "%d statements", &statements); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return lines[:len(lines)-1], statements
}

// sqlFiles are the generated SQL files below dir.
func sqlFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".sql") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no SQL below %s: %v", dir, err)
	}
	return files
}

func parsesAll(t *testing.T, files []string) {
	t.Helper()
	complaints, statements := refused(t, files)
	for i, c := range complaints {
		if i == 20 {
			t.Fatalf("and %d more", len(complaints)-i)
		}
		t.Error(c)
	}
	if statements < len(files) {
		t.Errorf("%d statements in %d files", statements, len(files))
	}
}

func TestExamples(t *testing.T) { parsesAll(t, sqlFiles(t, filepath.Join("..", "..", "generated"))) }

// TestRandomSpecs takes BRIDGE_RANDOM_SPECS tables from the seeds 0, 1, ...: their SQL, and
// their expressions, which no SQL that is generated today holds.
func TestRandomSpecs(t *testing.T) {
	n := 6
	if given := os.Getenv("BRIDGE_RANDOM_SPECS"); given != "" {
		var err error
		if n, err = strconv.Atoi(given); err != nil {
			t.Fatalf("BRIDGE_RANDOM_SPECS: %v", err)
		}
	}
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/random\n\ngo 1.26.0\n")
	write(t, dir, "bridgegen.yaml", "bridgegen: v1\n")
	for seed := range n {
		text := randomspec.Spec(uint64(seed))
		write(t, dir, fmt.Sprintf("spec_%d.yaml", seed), text)
		write(t, dir, fmt.Sprintf("expressions_%d.sql", seed), expressions(t, text))
	}
	var complaints bytes.Buffer
	if code := cli.Main([]string{"-C", dir, "generate"}, nil, io.Discard, &complaints); code != cli.Clean {
		t.Fatal(complaints.String())
	}
	parsesAll(t, sqlFiles(t, dir))
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func quoted(name string) string { return `"` + name + `"` }

// expressions are the expressions of a spec, a statement each.
func expressions(t *testing.T, text string) string {
	s, _ := spec.Parse("spec.yaml", []byte(text))
	tables, found := spec.Analyse([]*spec.Spec{s}, nil)
	if len(found) > 0 {
		t.Fatal(found)
	}
	var b strings.Builder
	for _, c := range tables[0].Columns {
		for _, e := range []*expr.Expr{c.Derive, c.Validate} {
			if e != nil {
				fmt.Fprintf(&b, "SELECT %s AS %s FROM t;\n", e.SQL(quoted, expr.Trino), quoted(c.Name.V))
			}
		}
	}
	return b.String()
}

// TestVectors parses every operator.
func TestVectors(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	for _, v := range expr.Vectors() {
		e, problems := expr.Compile(v.Expr, expr.VectorColumns, strings.Contains(v.Expr, "matches"))
		if len(problems) > 0 {
			t.Fatalf("%s: %v", v.Expr, problems)
		}
		fmt.Fprintf(&b, "SELECT %s FROM t;\n", e.SQL(quoted, expr.Trino))
	}
	write(t, dir, "vectors.sql", b.String())
	parsesAll(t, sqlFiles(t, dir))
}

// What is no Trino SQL is found, with its place.
func TestTheGrammarRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "bad.sql", "-- a view; with names\nSELECT ';' AS \";\";\nCREATE VIEW v (a, b) AS\nSELECT 1, 2;\nSELECT 1")
	complaints, statements := refused(t, sqlFiles(t, dir))
	if len(complaints) != 2 || statements != 3 || !strings.Contains(complaints[0], "bad.sql:3:15: ") || !strings.HasSuffix(complaints[1], "the statement does not end with ;") {
		t.Errorf("%d statements: %q", statements, complaints)
	}
}
