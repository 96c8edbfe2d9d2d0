package cli_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generator/cli"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/mod/modfile"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"bridgegen": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the command line as a user does, one script per story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "age": age, "untouched": untouched, "replace": replace, "crlf": crlf, "requirements": requirements,
		},
		Setup: func(e *testscript.Env) error {
			root, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			for _, name := range []string{"GOPATH", "GOMODCACHE", "GOCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS"} {
				if value, err := exec.Command("go", "env", name).Output(); err == nil {
					e.Setenv(name, string(value[:len(value)-1]))
				}
			}
			e.Setenv("REPO", root)
			return nil
		},
	})
}

// exits runs a command and wants its exit code: exits 2 bridgegen check.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := 0
	var failed *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%v: exit code %d, want %s\n%s%s", args[1:], code, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// age gives every file below the folders a time long ago.
func age(ts *testscript.TestScript, _ bool, args []string) {
	each(ts, args, func(path string, _ os.FileInfo) { ts.Check(os.Chtimes(path, longAgo, longAgo)) })
}

// untouched fails if a file below the folders was written since age.
func untouched(ts *testscript.TestScript, _ bool, args []string) {
	each(ts, args, func(path string, info os.FileInfo) {
		if !info.ModTime().Equal(longAgo) {
			ts.Fatalf("%s was touched", path)
		}
	})
}

func each(ts *testscript.TestScript, args []string, f func(string, os.FileInfo)) {
	for _, arg := range args {
		ts.Check(filepath.Walk(ts.MkAbs(arg), func(path string, info os.FileInfo, err error) error {
			if err == nil && !info.IsDir() {
				f(path, info)
			}
			return err
		}))
	}
}

// replace puts a text in the place of another: replace FILE OLD NEW; \n is a line end.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	content := ts.ReadFile(args[0])
	changed := content
	at := strings.Index(changed, args[1])
	if at < 0 {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	changed = changed[:at] + strings.ReplaceAll(args[2], `\n`, "\n") + changed[at+len(args[1]):]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(changed), 0o666))
}

// crlf gives every file below the folders the line ends of Windows.
func crlf(ts *testscript.TestScript, _ bool, args []string) {
	each(ts, args, func(path string, info os.FileInfo) {
		content, err := os.ReadFile(path)
		ts.Check(err)
		var out []byte
		for _, c := range content {
			if c == '\n' {
				out = append(out, '\r')
			}
			out = append(out, c)
		}
		ts.Check(os.WriteFile(path, out, info.Mode()))
	})
}

// requirements gives the module in the current folder what `go mod tidy` would find.
func requirements(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(require(ts.Getenv("REPO"), ts.MkAbs(".")))
}

// require puts into the go.mod of dir the requirements of this repository's own, so that
// no network is needed beyond what building this repository took.
func require(repo, dir string) error {
	ours, err := parseMod(repo)
	if err != nil {
		return err
	}
	theirs, err := parseMod(dir)
	if err != nil {
		return err
	}
	for _, r := range ours.Require {
		err = errors.Join(err, theirs.AddRequire(r.Mod.Path, r.Mod.Version))
	}
	err = errors.Join(err, theirs.AddReplace(ours.Module.Mod.Path, "", repo, ""))
	out, formatErr := theirs.Format()
	sum, sumErr := os.ReadFile(filepath.Join(repo, "go.sum"))
	if err := errors.Join(err, formatErr, sumErr); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), out, 0o666), os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666))
}

func parseMod(dir string) (*modfile.File, error) {
	name := filepath.Join(dir, "go.mod")
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, content, nil)
}
