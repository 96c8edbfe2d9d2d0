package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/cli"
	"github.com/bridgegen/bridgegen/internal/randomspec"
)

// TestRandomSpecs generates BRIDGE_RANDOM_SPECS tables from the seeds 0, 1, ... and vets
// and tests the whole module at once: each record_test.go sends random rows of its table
// through every form. With -short nothing is compiled.
func TestRandomSpecs(t *testing.T) {
	dir, specs := randomModule(t, randomSpecs(t))
	if testing.Short() {
		return
	}
	if out, err := goCommand(dir, "vet", "./...").CombinedOutput(); err != nil {
		t.Fatalf("go vet: %v\n%s\n%s", err, out, blamed(out, specs))
	}
	var out bytes.Buffer
	command := goCommand(dir, "test", "-vet=off", "-json", "./...")
	command.Stdout, command.Stderr = &out, os.Stderr
	failed := command.Run()
	passed, skipped, report := outcome(t, out.Bytes())
	if failed != nil {
		t.Fatalf("go test: %v\n%s\n%s", failed, report, blamed([]byte(report), specs))
	}
	t.Logf("%d tables: random rows of %d went through every form, %d have no valid row", len(specs), passed, skipped)
	// A table whose conditions no random row meets proves nothing of its rows.
	if passed+skipped != len(specs) || passed < len(specs)*3/4 {
		t.Error("that is too few")
	}
}

func randomSpecs(t *testing.T) int {
	n := 6
	if given := os.Getenv("BRIDGE_RANDOM_SPECS"); given != "" {
		var err error
		if n, err = strconv.Atoi(given); err != nil || n < 1 {
			t.Fatalf("BRIDGE_RANDOM_SPECS %q is no number of specs", given)
		}
	}
	return n
}

// randomModule is a module with n random tables, generated; specs are by seed.
func randomModule(t *testing.T, n int) (dir string, specs []string) {
	dir = t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/random\n\ngo 1.26.0\n")
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := require(repo, dir); err != nil {
		t.Fatal(err)
	}
	write("bridgegen.yaml", "bridgegen: v1\nproject: random\n")
	for seed := range n {
		specs = append(specs, randomspec.Spec(uint64(seed)))
		write(fmt.Sprintf("spec_%d.yaml", seed), specs[seed])
	}
	for _, command := range []string{"generate", "check"} {
		var complaints bytes.Buffer
		if code := cli.Main([]string{"-C", dir, command}, nil, io.Discard, &complaints); code != cli.Clean {
			t.Fatalf("%s: exit code %d\n%s\n%s", command, code, complaints.String(), blamed(complaints.Bytes(), specs))
		}
	}
	return dir, specs
}

func goCommand(dir string, args ...string) *exec.Cmd {
	c := exec.Command("go", args...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	return c
}

// outcome reads the events of go test -json: how many tables passed and were skipped,
// and what the tests that failed and the compiler said.
func outcome(t *testing.T, events []byte) (passed, skipped int, report string) {
	said, failed := map[string]string{}, map[string]bool{}
	for dec := json.NewDecoder(bytes.NewReader(events)); dec.More(); {
		var e struct{ Action, Package, ImportPath, Test, Output string }
		if err := dec.Decode(&e); err != nil {
			t.Fatal(err)
		}
		at := e.Package + e.ImportPath
		switch {
		case e.Action == "output" || e.Action == "build-output":
			said[at] += e.Output
		case e.Action == "fail" || e.Action == "build-fail":
			failed[at] = true
		case e.Test == "TestRoundTrips" && e.Action == "pass":
			passed++
		case e.Test == "TestRoundTrips" && e.Action == "skip":
			skipped++
		}
	}
	for _, at := range slices.Sorted(maps.Keys(failed)) {
		report += said[at]
	}
	return passed, skipped, report
}

var seedOf = regexp.MustCompile(`generated/\w+?_([0-9]+)\b|spec_([0-9]+)\.yaml`)

// blamed are the specs that an output names, with their seeds.
func blamed(out []byte, specs []string) string {
	seeds := map[int]bool{}
	for _, m := range seedOf.FindAllSubmatch(out, -1) {
		if seed, err := strconv.Atoi(string(m[1]) + string(m[2])); err == nil && seed < len(specs) {
			seeds[seed] = true
		}
	}
	var b strings.Builder
	for _, seed := range slices.Sorted(maps.Keys(seeds)) {
		fmt.Fprintf(&b, "seed %d:\n%s\n", seed, specs[seed])
	}
	return b.String()
}
