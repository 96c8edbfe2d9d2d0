// Package preflight finds the tools that integration tests need beside Go, and says how
// to get those that are missing.
package preflight

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Tool is something that a machine may lack.
type Tool struct {
	Name string
	Get  string                 // how to get it
	Find func() (string, error) // what was found; the error says what is missing
}

// The tools.
var (
	CGO   = Tool{"a C and a C++ compiler", "Debian: apt-get install gcc g++; macOS: xcode-select --install; Windows: gcc of mingw-w64 in PATH; and CGO_ENABLED=1", findCGO}
	JDK   = Tool{"a JDK 24 or newer", "Debian: a Temurin JDK 25, or any other; set JAVA_HOME to it, or put its bin first in PATH", Java}
	Maven = Tool{"Maven", "Debian: apt-get install maven; macOS: brew install maven; else unpack it and put its bin in PATH", findMaven}
)

// Strict reports whether a missing tool is a failure, by BRIDGE_STRICT=1.
func Strict() bool { return os.Getenv("BRIDGE_STRICT") == "1" }

// Need skips a test without its tools, and fails it if Strict.
func Need(t testing.TB, tools ...Tool) {
	t.Helper()
	for _, tool := range tools {
		if _, err := tool.Find(); err != nil {
			Lacks(t, fmt.Sprintf("no %s (%v); %s", strings.TrimPrefix(tool.Name, "a "), err, tool.Get))
		}
	}
}

// Lacks skips a test for a reason that lies outside it, and fails it if Strict.
func Lacks(t testing.TB, reason string) {
	t.Helper()
	if Strict() {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// program uses a C++ library too: many machines have a C compiler only.
const program = `package main

// #cgo LDFLAGS: -lstdc++
// static int answer(void) { return 42; }
import "C"
import "fmt"

func main() { fmt.Println(C.answer()) }
`

const library = "#include <string>\nextern \"C\" int unused() { return (int)std::string(\"C++\").size(); }\n"

// findCGO builds and runs a program, for a compiler that cannot link is none.
func findCGO() (string, error) {
	dir, err := os.MkdirTemp("", "bridge-cgo")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{"go.mod": "module example.com/cgo\n", "main.go": program, "library.cc": library} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return "", err
		}
	}
	run := exec.Command("go", "run", ".")
	run.Dir = dir
	run.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := run.CombinedOutput()
	switch {
	case strings.Contains(string(out), "build constraints exclude all Go files"):
		return "", errors.New("CGO_ENABLED is 0, or there is no C compiler")
	case err != nil:
		return "", fmt.Errorf("a small program does not link: %s", lastLine(out))
	}
	version, err := exec.Command("go", "env", "CC").Output()
	return strings.TrimSpace(string(version)), err
}

func lastLine(out []byte) string {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return string(lines[len(lines)-1])
}

// oldestJava is what the classes of Trino's parser need.
const oldestJava = 24

// Java is the java command of a JDK that is new enough: of JAVA_HOME, in PATH, or of a
// JDK that is installed beside the one in PATH.
func Java() (string, error) {
	var candidates []string
	if home := os.Getenv("JAVA_HOME"); home != "" {
		candidates = append(candidates, filepath.Join(home, "bin", "java"))
	}
	if java, err := exec.LookPath("java"); err == nil {
		candidates = append(candidates, java)
		if real, err := filepath.EvalSymlinks(java); err == nil {
			beside, _ := filepath.Glob(filepath.Join(filepath.Dir(real), "..", "..", "*", "bin", filepath.Base(real)))
			candidates = append(candidates, beside...)
		}
	}
	found := "there is no java in JAVA_HOME or PATH"
	for _, java := range candidates {
		major := javaMajor(java)
		if major >= oldestJava {
			return java, nil
		}
		found = fmt.Sprintf("%s is Java %d", java, major)
	}
	return "", errors.New(found)
}

var javaVersion = regexp.MustCompile(`version "([0-9]+)`)

// javaMajor is 0 if the command does not run, or is no JDK.
func javaMajor(java string) int {
	out, err := exec.Command(java, "-version").CombinedOutput()
	m := javaVersion.FindSubmatch(out)
	if err != nil || m == nil {
		return 0
	}
	if modules, err := exec.Command(java, "--list-modules").Output(); err != nil || !bytes.Contains(modules, []byte("jdk.compiler")) {
		return 0
	}
	major, _ := strconv.Atoi(string(m[1]))
	return major
}

func findMaven() (string, error) {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return "", errors.New("there is no mvn in PATH")
	}
	if out, err := exec.Command(mvn, "-version").CombinedOutput(); err != nil {
		return "", fmt.Errorf("mvn does not run: %s", lastLine(out))
	}
	return mvn, nil
}
