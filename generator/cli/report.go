package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/didyoumean"
)

// format is a form of diagnostics. One for machines goes to standard output, also when
// there is nothing to say.
type format struct {
	name  string
	print func(s *shell, p *project, diags spec.Diagnostics) error
}

var formats = []format{
	{"text", (*shell).reportText},
	{"json", (*shell).reportJSON},
	{"github", (*shell).reportGitHub},
}

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func formatOf(name string) (format, error) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		names := formatNames()
		return format{}, fmt.Errorf("--format %q is not one of %s%s", name, strings.Join(names, ", "), didyoumean.Hint(didyoumean.Nearest(name, names, nil)))
	}
	return formats[i], nil
}

// report prints diagnostics for people, for commands that need a project without any.
func (s *shell) report(p *project, diags spec.Diagnostics) {
	for _, d := range diags {
		fmt.Fprintln(s.err, d)
	}
	s.count(p, diags)
}

// count says how many diagnostics there are, and in how many files.
func (s *shell) count(p *project, diags spec.Diagnostics) {
	if s.quiet {
		return
	}
	files := map[string]bool{}
	for _, d := range diags {
		if slices.Contains(p.files, d.File) {
			files[d.File] = true
		}
	}
	in := ""
	if len(files) > 0 {
		in = fmt.Sprintf(" in %d of %s", len(files), plural(len(p.files), "table"))
	}
	fmt.Fprintf(s.err, "%s%s; `bridgegen explain RULE` says more\n", plural(len(diags), "error"), in)
}

func (s *shell) reportText(p *project, diags spec.Diagnostics) error {
	if len(diags) > 0 {
		s.report(p, diags)
		return nil
	}
	s.say("%s valid\n", plural(len(p.files), "table"))
	return nil
}

func (s *shell) reportJSON(_ *project, diags spec.Diagnostics) error {
	type finding struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Rule    string `json:"rule"`
		Message string `json:"message"`
	}
	findings := []finding{}
	for _, d := range diags {
		findings = append(findings, finding{d.File, d.Line, d.Col, d.Rule, d.Message})
	}
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(findings)
}

// The characters that end a message or a property of a workflow command.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func (s *shell) reportGitHub(p *project, diags spec.Diagnostics) error {
	for _, d := range diags {
		_, err := fmt.Fprintf(s.out, "::error file=%s,line=%d,col=%d,title=%s::%s\n", githubProperty.Replace(d.File), d.Line, d.Col, githubProperty.Replace(d.Rule), githubMessage.Replace(d.Message))
		if err != nil {
			return err
		}
	}
	if len(diags) > 0 {
		s.count(p, diags)
	}
	return nil
}
