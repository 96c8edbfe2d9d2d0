package cli

import (
	"embed"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed starter
var starterFiles embed.FS

func initCommand(s *shell) *cobra.Command {
	var from string
	c := &cobra.Command{
		Use:   "init",
		Short: "write a first spec, a project file and a go:generate line; never overwrites",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return s.init(from) },
	}
	c.Flags().StringVar(&from, "from", "", "draft the spec from this `file`: a CSV file with a header, an Avro schema (.avsc), or CREATE TABLE statements (.sql)")
	return c
}

// first is a file that init writes if it is not there.
type first struct{ name, content string }

// init writes what is missing, each file on its own, and says what to do next.
func (s *shell) init(from string) error {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return err
	}
	p := &project{dir: s.dir}
	if found, ok, err := upward(filepath.Join(s.dir, ".."), projectFile); err != nil {
		return err
	} else if ok {
		return fmt.Errorf("%s already holds this folder: put the spec there, or name it in its specs", filepath.Join(found, projectFile))
	}
	if err := p.readProjectFile(); err != nil {
		return err
	}
	specs, losses, err := s.firstSpecs(p, from)
	if err != nil {
		return err
	}
	module, err := modulePath(s.dir)
	if err != nil {
		return err
	}
	name, err := packageOf(s.dir)
	if err != nil {
		return err
	}
	files := append([]first{{projectFile, text(projectFile)}}, specs...)
	files = append(files, first{"bridgegen.go", strings.ReplaceAll(text("bridgegen.go.txt"), "PACKAGE", name)})
	if module == "" {
		files = append(files, first{"go.mod", goMod(s.dir)})
	}
	for _, f := range files {
		if err := s.create(f.name, f.content); err != nil {
			return err
		}
	}
	for _, loss := range losses {
		fmt.Fprintln(s.err, loss)
	}
	if err := s.unnamed(p, specs); err != nil {
		return err
	}
	s.next(module != "")
	return nil
}

// unnamed says which of the specs the project file, which was there before, does not name.
func (s *shell) unnamed(p *project, specs []first) error {
	named, err := p.specFiles()
	for _, f := range specs {
		if err == nil && !slices.Contains(named, f.name) {
			fmt.Fprintf(s.err, "%s is none of the specs that %s names; name it there, or move it\n", s.path(f.name), s.path(projectFile))
		}
	}
	return err
}

// firstSpecs are the specs that init writes: those of a file to start from, else the
// example, unless there is a spec already.
func (s *shell) firstSpecs(p *project, from string) (specs []first, losses []string, err error) {
	if from != "" {
		return s.drafts(p, from)
	}
	found, err := p.specFiles()
	if err != nil {
		return nil, nil, err
	}
	if len(found) > 0 {
		s.say("kept     %s (there is a spec already)\n", s.path(found[0]))
		return nil, nil, nil
	}
	return []first{{"customers.yaml", text("customers.yaml")}}, nil, nil
}

func text(name string) string {
	b, err := starterFiles.ReadFile("starter/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// create writes a file that is not there.
func (s *shell) create(name, content string) error {
	path := s.path(name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		s.say("kept     %s\n", path)
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	s.say("created  %s\n", path)
	return nil
}

// next says what the user does now. A build from a working copy has no version that a
// go.mod could require, so it needs a replace.
func (s *shell) next(hadModule bool) {
	s.say("\nNext:\n")
	version := releaseVersion()
	if version == "" {
		s.say("  go mod edit -replace %s=%s   (this build has no version)\n", modulePathOfBridgegen, workingCopy())
		version = "v0.0.0"
	}
	if hadModule {
		s.say("  go mod edit -require %s@%s -tool %s\n", modulePathOfBridgegen, version, modulePathOfBridgegen)
	}
	s.say("  go mod tidy\n  go generate ./...   (after every change of a spec)\n  go mod tidy         (once more: the generated code has imports of its own)\n")
}

// workingCopy is where this program's source lies, if it still lies there.
func workingCopy() string {
	if _, file, _, ok := runtime.Caller(0); ok {
		root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return root
		}
	}
	return "FOLDER-OF-YOUR-CLONE"
}

func goMod(dir string) string {
	version := releaseVersion()
	if version == "" {
		version = "v0.0.0"
	}
	return fmt.Sprintf("module example.com/%s\n\ngo 1.26.0\n\ntool %s\n\nrequire %s %s\n", folderName(dir), modulePathOfBridgegen, modulePathOfBridgegen, version)
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// folderName is the folder's name in letters and digits that a package can have.
func folderName(dir string) string {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		absolute = dir
	}
	name := notInNames.ReplaceAllString(strings.ToLower(filepath.Base(absolute)), "")
	if name == "" || name[0] <= '9' || token.IsKeyword(name) {
		return "shop" + name
	}
	return name
}

// packageOf is the name of the Go package in dir: that of its files, if there are any.
func packageOf(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly)
		if err == nil {
			return parsed.Name.Name, nil
		}
	}
	return folderName(dir), nil
}
