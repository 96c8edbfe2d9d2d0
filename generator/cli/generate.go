package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/bridgegen/bridgegen/generator"
	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/generator/tree"
	"github.com/spf13/cobra"
)

func generateCommand(s *shell) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "generate",
		Short: "write the generated tree; what is current is not touched",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return s.generate(force) },
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite generated files that were edited by hand")
	return c
}

func checkCommand(s *shell) *cobra.Command {
	var full bool
	c := &cobra.Command{
		Use:   "check",
		Short: "exit with 2 unless the generated tree is what the specs say",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return s.check(full) },
	}
	c.Flags().BoolVar(&full, "full", false, "render every table, whatever the manifests say")
	return c
}

// unit is a unit of the tree, compared or known to be current.
type unit struct {
	*tree.Unit
	current int // files of a unit that needed no rendering
}

// comparison is the whole tree beside what the specs say.
type comparison struct {
	project *project
	model   *model.Project
	units   []unit
	foreign *tree.Unit // files of the tree that nobody knows
}

// compare loads the project and compares its tree. full renders units even where their
// manifests agree with everything.
func (s *shell) compare(full bool) (*comparison, error) {
	p, err := s.load()
	if err != nil {
		return nil, err
	}
	m, err := s.must(p)
	if err != nil {
		return nil, err
	}
	units, err := compareUnits(p, m, full)
	if err != nil {
		return nil, err
	}
	foreign, err := foreignFiles(p.tree(), units)
	return &comparison{p, m, units, foreign}, err
}

func foreignFiles(t tree.Tree, units []unit) (*tree.Unit, error) {
	known := map[string]bool{}
	for _, u := range units {
		files, err := t.Known(u.Name)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			known[f] = true
		}
		for _, f := range u.Files {
			known[f.Path] = true
		}
	}
	files, err := t.Foreign(known)
	return &tree.Unit{Files: files}, err
}

func compareUnits(p *project, m *model.Project, full bool) ([]unit, error) {
	t := p.tree()
	var units []unit
	names := []string{generator.ProjectUnit}
	one := func(name string, stamp generator.Stamp, render func() (*generator.Unit, error)) error {
		if !full {
			if n, ok, err := t.Current(name, stamp); err != nil || ok {
				units = append(units, unit{&tree.Unit{Name: name}, n})
				return err
			}
		}
		u, err := render()
		if err != nil {
			return err
		}
		compared, err := t.Compare(u)
		units = append(units, unit{compared, 0})
		return err
	}
	version := release()
	for _, table := range m.Tables {
		names = append(names, table.Name)
		if err := one(table.Name, generator.TableStamp(m, table, version), func() (*generator.Unit, error) { return generator.RenderTable(m, table, version) }); err != nil {
			return nil, err
		}
	}
	if len(m.Tables) == 0 { // all that is left of the last spec is its orphans
		names = nil
	} else if err := one(generator.ProjectUnit, generator.ProjectStamp(m, version), func() (*generator.Unit, error) { return generator.RenderProject(m, version) }); err != nil {
		return nil, err
	}
	gone, err := t.Gone(names)
	for _, u := range gone {
		units = append(units, unit{u, 0})
	}
	return units, err
}

func (s *shell) generate(force bool) error {
	start := time.Now()
	c, err := s.compare(false)
	if err != nil {
		return err
	}
	if !force && s.refuse(c) {
		return errReported
	}
	var write []*tree.Unit
	for _, u := range c.units {
		write = append(write, u.Unit)
	}
	if force {
		write = append(write, c.foreign)
	}
	if err := c.project.tree().Write(write); err != nil {
		return err
	}
	if !force {
		for _, f := range c.foreign.Files {
			fmt.Fprintln(s.err, s.finding(c.project, c.foreign, f))
		}
	}
	for _, u := range c.units {
		s.say("%-*s  %s\n", width(c.units), u.Name, u.summary())
		if s.verbose {
			s.names(c.project, u)
		}
	}
	s.say("%s in %d ms\n", plural(len(c.model.Tables), "table"), time.Since(start).Milliseconds())
	return nil
}

// refuse reports the files that generate would overwrite though a person changed them.
func (s *shell) refuse(c *comparison) bool {
	found := false
	for _, u := range c.units {
		for _, f := range u.Files {
			if f.State == tree.Edited || f.State == tree.EditedOrphan {
				fmt.Fprintln(s.err, s.finding(c.project, u.Unit, f))
				found = true
			}
		}
	}
	if found {
		fmt.Fprintln(s.err, "nothing was written")
	}
	return found
}

func (s *shell) check(full bool) error {
	c, err := s.compare(full)
	if err != nil {
		return err
	}
	differ := len(c.foreign.Files) > 0
	for _, f := range c.foreign.Files {
		fmt.Fprintln(s.out, s.finding(c.project, c.foreign, f))
	}
	for _, u := range c.units {
		for _, line := range s.findings(c.project, u.Unit) {
			fmt.Fprintf(s.out, "%-*s %s\n", width(c.units)+1, u.Name+":", line)
			differ = true
		}
	}
	if differ {
		return errDifferences
	}
	s.say("%s, all current\n", plural(len(c.model.Tables), "table"))
	return nil
}

// findings are the lines that check prints of a unit. A whole unit that is gone, or not
// there yet, is one line.
func (s *shell) findings(p *project, u *tree.Unit) []string {
	folder := filepath.ToSlash(filepath.Join(p.tree().Dir, u.Name)) + "/"
	if u.Gone && u.Count(tree.EditedOrphan) == 0 {
		if u.Name == generator.ProjectUnit {
			return []string{fmt.Sprintf("%s of the project, but it has no spec any more (run: bridgegen generate, which removes them)", plural(len(u.Files), "file"))}
		}
		return []string{fmt.Sprintf("%s has %s, but no spec declares %q (run: bridgegen generate, which removes them)", folder, plural(len(u.Files), "file"), u.Name)}
	}
	if n := u.Count(tree.New); n > 0 && n == len(u.Files) {
		return []string{fmt.Sprintf("not generated yet, %s (run: bridgegen generate)", plural(n, "file"))}
	}
	if u.Settled() {
		return nil
	}
	var out []string
	for _, f := range u.Files {
		if f.State != tree.Same {
			out = append(out, s.finding(p, u, f))
		}
	}
	return out
}

// wording is what check says of a file in each state; %s is where the unit comes from.
var wording = map[tree.State]string{
	tree.New:          "is not generated yet (run: bridgegen generate)",
	tree.Missing:      "is missing (run: bridgegen generate)",
	tree.Stale:        "is stale: %s changed since (run: bridgegen generate)",
	tree.Edited:       "was edited by hand",
	tree.Orphan:       "is generated by nothing any more (run: bridgegen generate, which removes it)",
	tree.Foreign:      "is none of bridgegen's files, but lies in its folder (move it out; generate --force removes it)",
	tree.EditedOrphan: "is generated by nothing any more and was edited by hand (move what you need elsewhere, then generate --force removes it)",
}

func (s *shell) finding(p *project, u *tree.Unit, f tree.File) string {
	path := filepath.ToSlash(filepath.Join(p.tree().Dir, filepath.FromSlash(f.Path)))
	text := strings.Replace(wording[f.State], "%s", u.Spec, 1)
	if f.State == tree.Edited {
		text += fmt.Sprintf(", line %d (bridgegen owns it; move the change into the spec, or generate --force)", f.Line)
	}
	return path + " " + text
}

func width(units []unit) (n int) {
	for _, u := range units {
		n = max(n, len(u.Name))
	}
	return n
}

// summary is the line that generate prints of a unit.
func (u unit) summary() string {
	if u.Gone {
		return plural(len(u.Files), "file") + " removed"
	}
	total := len(u.Files) + u.current
	counts := []struct {
		n    int
		what string
	}{
		{u.Count(tree.New, tree.Missing), "new"},
		{u.Count(tree.Stale, tree.Edited), "changed"},
		{u.Count(tree.Orphan, tree.EditedOrphan), "removed"},
		{u.Count(tree.Same) + u.current, "as they were"},
	}
	var parts []string
	for _, c := range counts {
		if c.n == total {
			if c.what == "as they were" && total == 1 {
				return "1 file as it was"
			}
			return plural(total, "file") + " " + c.what
		}
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return plural(total, "file") + ": " + strings.Join(parts, ", ")
}

// names lists the files of a unit that were written or removed.
func (s *shell) names(p *project, u unit) {
	for _, f := range u.Files {
		if f.State != tree.Same {
			s.say("  %-8s %s\n", f.State, filepath.ToSlash(filepath.Join(p.tree().Dir, filepath.FromSlash(f.Path))))
		}
	}
}
