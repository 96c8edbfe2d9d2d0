package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/cli"
)

// The README is what a newcomer tries first, so what it shows is run here.

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// commands are the lines that the README shows behind a prompt.
func commands(t *testing.T) []string {
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^\$ (.*)$`).FindAllStringSubmatch(readme(t), -1) {
		out = append(out, m[1])
	}
	if len(out) < 8 {
		t.Fatalf("only %d commands in README.md", len(out))
	}
	return out
}

func bridgegen(t *testing.T, args ...string) (code int, output string) {
	t.Helper()
	var out bytes.Buffer
	code = cli.Main(args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

func TestREADMECommands(t *testing.T) {
	dir := t.TempDir()
	elsewhere := map[string]string{ // how else a command is executed
		"go run ./examples/customers": "examples/customers has its own test",
		"go test ./...":               "this is it",
		"go mod tidy":                 "needs a published module; a script of generator/cli uses a replace",
	}
	for _, command := range commands(t) {
		if _, ok := elsewhere[command]; ok {
			continue
		}
		command = strings.Replace(command, "go run github.com/bridgegen/bridgegen@latest", "go tool bridgegen", 1)
		if args, ok := strings.CutPrefix(command, "go tool bridgegen "); ok {
			if code, out := bridgegen(t, append([]string{"-C", dir}, strings.Fields(args)...)...); code != cli.Clean {
				t.Errorf("%s: exit code %d\n%s", command, code, out)
			}
			continue
		}
		args := strings.Fields(command)
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}

func TestREADMESpecIsTheExample(t *testing.T) {
	m := regexp.MustCompile("(?s)<!-- spec: (\\S+) -->\n```yaml\n(.*?)```").FindStringSubmatch(readme(t))
	if m == nil {
		t.Fatal("README.md shows no spec")
	}
	src, err := os.ReadFile(m[1])
	if err != nil {
		t.Fatal(err)
	}
	_, spec, _ := strings.Cut(string(src), "\n") // the comment on top
	if spec != m[2] {
		t.Errorf("the spec in README.md is not %s", m[1])
	}
}

func TestREADMENamesFilesThatAreGenerated(t *testing.T) {
	for _, m := range regexp.MustCompile("(?m)^\\| ((?:`[^`]+`(?:, )?)+) \\|").FindAllStringSubmatch(readme(t), -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[1], -1) {
			if found, _ := filepath.Glob(filepath.Join("generated", "customers", name[1])); len(found) == 0 {
				t.Errorf("README.md names %s, which is not in generated/customers", name[1])
			}
		}
	}
}

func TestGeneratedIsCurrent(t *testing.T) {
	if code, out := bridgegen(t, "check", "--full"); code != cli.Clean {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
