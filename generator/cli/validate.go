package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/spf13/cobra"
)

func validateCommand(s *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "validate [FILE...]",
		Short: "check the specs; files limit what is reported, not what is checked",
		RunE:  func(_ *cobra.Command, files []string) error { return s.validate(files) },
	}
}

func (s *shell) validate(files []string) error {
	p, err := s.load()
	if err != nil {
		return err
	}
	if err := p.noSpec(); err != nil {
		return err
	}
	wanted, err := s.wanted(p, files)
	if err != nil {
		return err
	}
	_, diags := p.resolve()
	diags = slices.DeleteFunc(diags, func(d spec.Diagnostic) bool { return !wanted(d.File) })
	if len(diags) > 0 {
		s.report(p, diags)
		return errReported
	}
	s.say("%s valid\n", plural(len(p.files), "table"))
	return nil
}

// wanted tells the files that the command line names; with none, all.
func (s *shell) wanted(p *project, files []string) (func(file string) bool, error) {
	if len(files) == 0 {
		return func(string) bool { return true }, nil
	}
	named := map[string]bool{}
	for _, f := range files {
		i := slices.IndexFunc(append(slices.Clone(p.files), p.shown(projectFile)), func(known string) bool {
			return sameFile(known, s.path(f))
		})
		switch {
		case i < 0:
			return nil, fmt.Errorf("%s is no spec of the project in %s", f, p.dir)
		case i < len(p.files):
			named[p.files[i]] = true
		default:
			named[p.shown(projectFile)] = true
		}
	}
	return func(file string) bool { return named[file] }, nil
}

// sameFile reports whether two names, relative to the folder of the process, are one file.
func sameFile(a, b string) bool {
	x, err1 := filepath.Abs(filepath.FromSlash(a))
	y, err2 := filepath.Abs(b)
	return err1 == nil && err2 == nil && x == y
}

// report prints diagnostics, and how many there are.
func (s *shell) report(p *project, diags spec.Diagnostics) {
	files := map[string]bool{}
	for _, d := range diags {
		fmt.Fprintln(s.err, d)
		if slices.Contains(p.files, d.File) {
			files[d.File] = true
		}
	}
	if !s.quiet {
		in := ""
		if len(files) > 0 {
			in = fmt.Sprintf(" in %d of %s", len(files), plural(len(p.files), "table"))
		}
		fmt.Fprintf(s.err, "%s%s; `bridgegen explain RULE` says more\n", plural(len(diags), "error"), in)
	}
}
