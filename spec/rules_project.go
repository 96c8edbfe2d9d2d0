package spec

import (
	"path"
	"regexp"
	"strings"
)

// projectRules are about the project file.
var projectRules = []Rule{
	{ID: "PROJECT_NAME", Purpose: "a project's name is lower case letters, digits, _ and -",
		Why:     "It stands in consumer groups and in names of connectors, where blanks and other characters are refused or must be escaped. Without the key, it is the name of the folder.",
		Bad:     "# bridgegen.yaml\nproject: My Shop",
		Good:    "# bridgegen.yaml\nproject: my-shop",
		project: checkProjectName},
	{ID: "PROJECT_SPECS", Purpose: "specs are globs below the project's folder",
		Why:     "They are relative to bridgegen.yaml, so that the project means the same wherever it is checked out; between folders stands /, and \\ is read as one on every system. * matches within a folder's name, and ? one character of it.",
		Bad:     "# bridgegen.yaml\nspecs: [../tables/*.yaml]",
		Good:    "# bridgegen.yaml\nspecs: [tables/*.yaml]",
		project: checkProjectSpecs},
	{ID: "PROJECT_OUT", Purpose: "out is a folder below the project's",
		Why:     "The output belongs wholly to bridgegen, which removes what no spec declares. So it is a folder of its own, relative to bridgegen.yaml, with / between its parts, and one that Go takes packages from.",
		Bad:     "# bridgegen.yaml\nout: ../generated",
		Good:    "# bridgegen.yaml\nout: generated",
		project: checkProjectOut},
	{ID: "GO_PACKAGE", Purpose: "go.package is an import path",
		Why:     "Generated packages import each other by it: the module's path and the folder, example.com/shop/generated. Without it, it is taken from the nearest go.mod.",
		Bad:     "# bridgegen.yaml\ngo: {package: ./generated}",
		Good:    "# bridgegen.yaml\ngo: {package: example.com/shop/generated}",
		project: checkGoPackage},
}

var (
	projectName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
	ignoredByGo = regexp.MustCompile(`(^|/)([_.]|(vendor|testdata)(/|$))`)
	importPath  = regexp.MustCompile(`^[A-Za-z0-9_~][A-Za-z0-9._~-]*(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)
)

func checkProjectName(p *ProjectFile, r reporter) {
	if p.Project.Set && !projectName.MatchString(p.Project.V) {
		r.at(p.Project.Pos, "project %q must be lower case letters, digits, _ and -, with a letter first", p.Project.V)
	}
}

// slashed is a glob with the separators of every system but Windows.
func slashed(glob string) string { return strings.ReplaceAll(glob, `\`, "/") }

// Globs are the patterns of the specs, with / between folders.
func (p *ProjectFile) Globs() []string {
	var globs []string
	for _, g := range p.Specs.V {
		globs = append(globs, slashed(g.V))
	}
	return globs
}

// outside reports whether a path of a project file leaves its folder, or is none that
// means the same on every system.
func outside(name string) bool {
	return name == "" || strings.ContainsAny(name, "\\:") || path.IsAbs(name) || path.Clean(name) != name || name == ".." || strings.HasPrefix(name, "../")
}

func checkProjectSpecs(p *ProjectFile, r reporter) {
	if p.Specs.Set && len(p.Specs.V) == 0 {
		r.at(p.Specs.Pos, "specs is empty; name the files, or leave it out to take the *.yaml beside this file")
	}
	for _, g := range p.Specs.V {
		glob := slashed(g.V)
		_, err := path.Match(glob, "")
		switch {
		case outside(glob):
			r.at(g.Pos, "specs %q must be a path below this file's folder, with / between its parts", g.V)
		case err != nil:
			r.at(g.Pos, "specs %q is no pattern: a [ must have its ]", g.V)
		case strings.Contains(g.V, "**"):
			r.at(g.Pos, "specs %q: ** is not supported; name the folders with *, one level each", g.V)
		}
	}
}

func checkProjectOut(p *ProjectFile, r reporter) {
	switch o := p.Out; {
	case !o.Set:
	case outside(o.V) || o.V == ".":
		r.at(o.Pos, "out %q must be a folder of its own below this file's folder, with / between its parts", o.V)
	case !importPath.MatchString(o.V) || ignoredByGo.MatchString(o.V):
		r.at(o.Pos, "out %q is no folder that Go takes packages from; write letters and digits, such as generated", o.V)
	}
}

func checkGoPackage(p *ProjectFile, r reporter) {
	if g := p.GoPackage; g.Set && !importPath.MatchString(g.V) {
		r.at(g.Pos, "go.package %q is no import path; write one such as example.com/shop/generated", g.V)
	}
}
