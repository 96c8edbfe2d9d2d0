package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/spf13/cobra"
)

func validateCommand(s *shell) *cobra.Command {
	var form string
	c := &cobra.Command{
		Use:   "validate [FILE...]",
		Short: "check the specs; files limit what is reported, not what is checked",
		RunE:  func(_ *cobra.Command, files []string) error { return s.validate(files, form) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	c.Flags().StringVar(&form, "format", formats[0].name, "`form` of what is found: text, or for machines json or github (workflow commands)")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (s *shell) validate(files []string, form string) error {
	f, err := formatOf(form)
	if err != nil {
		return err
	}
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
	if err := f.print(s, p, diags); err != nil {
		return err
	}
	if len(diags) > 0 {
		return errReported
	}
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
