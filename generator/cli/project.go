package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/generator/tree"
	"github.com/bridgegen/bridgegen/spec"
	"golang.org/x/mod/modfile"
)

// projectFile is the name of the file that makes a folder a project.
const projectFile = "bridgegen.yaml"

// project is what a command works on: all specs of the nearest project file upward, or
// of the current folder.
type project struct {
	dir    string // of the project file, as the user would name it
	file   *spec.ProjectFile
	specs  []*spec.Spec
	files  []string         // names of the spec files, also of those that cannot be read as one
	diags  spec.Diagnostics // of reading
	module string           // import path of dir; empty: there is no go.mod
}

// load reads the project. What is wrong with specs is in diags, not in the error.
func (s *shell) load() (*project, error) {
	p := &project{}
	var err error
	if p.dir, err = s.projectDir(); err != nil {
		return nil, err
	}
	if err := p.readProjectFile(); err != nil {
		return nil, err
	}
	files, err := p.specFiles()
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		p.add(name, content)
	}
	p.module, err = modulePath(p.dir)
	return p, err
}

// add reads one spec.
func (p *project) add(name string, content []byte) {
	table, diags := spec.Parse(p.shown(name), content)
	p.files = append(p.files, p.shown(name))
	p.diags = append(p.diags, diags...)
	if table == nil {
		return
	}
	p.specs = append(p.specs, table)
}

// shown is a file of the project as the user would name it, for messages.
func (p *project) shown(name string) string {
	return filepath.ToSlash(filepath.Join(p.dir, filepath.FromSlash(name)))
}

// projectDir is the folder of the nearest project file upward, else the current one.
func (s *shell) projectDir() (string, error) {
	info, err := os.Stat(s.dir)
	if err != nil {
		return "", fmt.Errorf("-C: %w", err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("-C %s: no folder", s.dir)
	}
	found, ok, err := upward(s.dir, projectFile)
	if err != nil || !ok {
		return s.dir, err
	}
	return found, nil
}

// upward looks for a file in dir and the folders above it, and names its folder relative
// to the one that dir is relative to.
func upward(dir, name string) (string, bool, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", false, err
	}
	for at, shown := absolute, dir; ; at, shown = filepath.Dir(at), filepath.Join(shown, "..") {
		if info, err := os.Stat(filepath.Join(at, name)); err == nil && !info.IsDir() {
			return shown, true, nil
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", false, err
		}
		if at == filepath.Dir(at) {
			return "", false, nil
		}
	}
}

func (p *project) readProjectFile() error {
	content, err := os.ReadFile(filepath.Join(p.dir, projectFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	p.file, p.diags = spec.ParseProject(p.shown(projectFile), content)
	return nil
}

// specFiles are the specs of the project: those of its globs, else the YAML files beside
// it that have a table. They are slash-separated and relative to it.
func (p *project) specFiles() ([]string, error) {
	var globs []string
	if p.file != nil {
		globs = p.file.Globs()
	}
	given := len(globs) > 0
	if !given {
		globs = []string{"*.yaml", "*.yml"}
	}
	fsys := os.DirFS(p.dir)
	var files []string
	for _, g := range globs {
		found, err := fs.Glob(fsys, path.Clean(g))
		if err != nil {
			return nil, fmt.Errorf("%s: glob %q: %w", p.shown(projectFile), g, err)
		}
		if given && len(found) == 0 && !strings.ContainsAny(g, "*?[") {
			return nil, fmt.Errorf("%s: spec %q does not exist", p.shown(projectFile), g)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	return slices.DeleteFunc(files, func(name string) bool {
		if path.Base(name) == projectFile {
			return true
		}
		content, err := fs.ReadFile(fsys, name)
		return !given && err == nil && !spec.IsSpec(content)
	}), nil
}

// modulePath is the import path of dir by the nearest go.mod upward; empty if there is none.
func modulePath(dir string) (string, error) {
	root, ok, err := upward(dir, "go.mod")
	if err != nil || !ok {
		return "", err
	}
	content, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	module := modfile.ModulePath(content)
	if module == "" {
		return "", fmt.Errorf("%s: no module line", filepath.Join(root, "go.mod"))
	}
	from, err1 := filepath.Abs(root)
	to, err2 := filepath.Abs(dir)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	below, err := filepath.Rel(from, to)
	if err != nil {
		return "", err
	}
	return path.Join(module, filepath.ToSlash(below)), nil
}

// out is the generated tree's folder, as the project file spells it.
func (p *project) out() string {
	key, _ := spec.LookupProject("out")
	if p.file == nil {
		return key.Default
	}
	return p.file.Out.Or(key.Default)
}

func (p *project) tree() tree.Tree {
	return tree.Tree{Dir: filepath.Join(p.dir, filepath.FromSlash(p.out()))}
}

// resolve checks everything and makes the model; nil if there are diagnostics.
func (p *project) resolve() (*model.Project, spec.Diagnostics) {
	goPackage := ""
	if p.module != "" {
		goPackage = path.Join(p.module, p.out())
	}
	name := "bridge"
	if absolute, err := filepath.Abs(p.dir); err == nil {
		name = filepath.Base(absolute)
	}
	if len(p.diags) > 0 {
		return nil, append(p.diags, spec.Check(p.specs, p.file)...).Sorted()
	}
	m, diags := model.Resolve(p.specs, p.file, goPackage, name)
	if m == nil {
		return nil, diags
	}
	for _, t := range m.Tables {
		t.SpecFile = p.relative(t.SpecFile)
	}
	return m, nil
}

// relative is a shown file relative to the project file.
func (p *project) relative(shown string) string {
	rel, err := filepath.Rel(p.dir, filepath.FromSlash(shown))
	if err != nil {
		return shown
	}
	return filepath.ToSlash(rel)
}

// must is resolve for commands that need the model: it reports what is wrong.
func (s *shell) must(p *project) (*model.Project, error) {
	if err := p.noSpec(); err != nil && !p.tree().Exists() {
		return nil, err
	}
	m, diags := p.resolve()
	if m == nil {
		s.report(p, diags)
		return nil, errReported
	}
	if m.GoPackage == "" {
		return nil, fmt.Errorf("no go.mod above %s, and no go: {package: ...} in %s: generated code needs an import path; run `go mod init`, or name the package", p.dir, projectFile)
	}
	return m, nil
}

// noSpec is an error if the project has no spec, unless its own file is wrong.
func (p *project) noSpec() error {
	switch {
	case len(p.files) > 0 || len(p.diags) > 0 || len(spec.Check(nil, p.file)) > 0:
		return nil
	case p.file != nil && p.file.Specs.Set:
		return fmt.Errorf("%s: no file matches its specs", p.file.Specs.Pos)
	}
	return fmt.Errorf("no spec in %s: `bridgegen init` writes a first one", p.dir)
}
