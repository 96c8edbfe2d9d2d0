// Package tree compares a generated tree with what lies on disk, and writes it.
package tree

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/generator"
)

// State says how a file on disk stands to the one that the spec generates now.
type State string

// The states.
const (
	Same    State = "same"
	New     State = "new"     // nothing is there, and no manifest says that something was
	Missing State = "missing" // a manifest says that it was there
	Stale   State = "stale"   // bridgegen wrote it, from another spec
	Edited  State = "edited"  // somebody else wrote it
	Orphan  State = "orphan"  // bridgegen wrote it, and nothing generates it now
	// EditedOrphan is an orphan that somebody else changed.
	EditedOrphan State = "edited orphan"
	// Foreign is a file that no manifest and no spec knows: Go compiles it all the same.
	Foreign State = "foreign"
)

// File is one file of the comparison.
type File struct {
	Path    string // slash-separated, relative to the tree
	State   State
	Line    int    // of an Edited file: where it first differs
	content []byte // what to write
}

// Unit is the comparison of one unit.
type Unit struct {
	Name, Spec string
	Gone       bool // no spec declares it any more
	Files      []File
}

// Count counts the files of the states.
func (u *Unit) Count(states ...State) (n int) {
	for _, f := range u.Files {
		if slices.Contains(states, f.State) {
			n++
		}
	}
	return n
}

// Tree is a folder that bridgegen owns.
type Tree struct{ Dir string }

// Exists reports whether something was generated here.
func (t Tree) Exists() bool {
	_, err := os.Stat(filepath.Join(t.Dir, filepath.FromSlash(generator.ManifestPath(generator.ProjectUnit))))
	return err == nil
}

// Manifest reads the manifest of a unit; the zero Manifest if there is none.
func (t Tree) Manifest(unit string) (generator.Manifest, error) {
	content, err := t.read(generator.ManifestPath(unit))
	if err != nil || content == nil {
		return generator.Manifest{}, err
	}
	return generator.ParseManifest(content), nil
}

// read is a file's content, nil if there is none.
func (t Tree) read(path string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(t.Dir, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && content == nil {
		content = []byte{}
	}
	return content, err
}

// Current reports whether the manifest of a unit agrees with the stamp and with every
// file on disk, so that the unit needs no rendering; and how many files it has.
func (t Tree) Current(unit string, stamp generator.Stamp) (files int, ok bool, err error) {
	m, err := t.Manifest(unit)
	if err != nil || m.Merged || stamp.Generator == "" || m.Stamp != stamp {
		return 0, false, err
	}
	for path, hashes := range m.Hashes {
		content, err := t.read(path)
		if err != nil || content == nil || generator.Hash(content) != hashes[0] {
			return 0, false, err
		}
	}
	return len(m.Hashes) + 1, true, nil
}

// Compare compares a rendered unit with the disk.
func (t Tree) Compare(u *generator.Unit) (*Unit, error) {
	m, err := t.Manifest(u.Name)
	if err != nil {
		return nil, err
	}
	out := &Unit{Name: u.Name, Spec: u.Spec}
	generated := map[string]bool{}
	for _, f := range u.Files {
		generated[f.Path] = true
		disk, err := t.read(f.Path)
		if err != nil {
			return nil, err
		}
		state, line := compare(disk, f.Content, m.Hashes[f.Path])
		if f.Path == u.Manifest() && state == Edited {
			state = Stale // its own hash stands nowhere
		}
		out.Files = append(out.Files, File{f.Path, state, line, f.Content})
	}
	gone, err := t.orphans(m, generated)
	out.Files = append(out.Files, gone...)
	return out, err
}

// Settled reports whether all but the unit's manifest is the same: a manifest of another
// version of bridgegen, or of both sides of a merge, makes nothing stale.
func (u *Unit) Settled() bool {
	return u.Count(Same) == len(u.Files)-1 && slices.ContainsFunc(u.Files, func(f File) bool {
		return f.State == Stale && f.Path == generator.ManifestPath(u.Name)
	})
}

func compare(disk, want []byte, known []string) (State, int) {
	switch {
	case disk == nil && known == nil:
		return New, 0
	case disk == nil:
		return Missing, 0
	case bytes.Equal(generator.LF(disk), generator.LF(want)):
		return Same, 0
	case slices.Contains(known, generator.Hash(disk)) || conflicted(disk):
		return Stale, 0
	}
	return Edited, firstDifference(generator.LF(disk), generator.LF(want))
}

// conflicted reports whether git left conflict markers in the file.
func conflicted(b []byte) bool {
	var seen int
	for line := range bytes.Lines(b) {
		for i, marker := range []string{"<<<<<<< ", "=======", ">>>>>>> "} {
			if bytes.HasPrefix(line, []byte(marker)) {
				seen |= 1 << i
			}
		}
	}
	return seen == 7
}

func firstDifference(a, b []byte) int {
	line := 1
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			line++
		}
	}
	return line
}

// orphans are the files of a manifest that are there and that nothing generates.
func (t Tree) orphans(m generator.Manifest, generated map[string]bool) ([]File, error) {
	var out []File
	for path, hashes := range m.Hashes {
		if generated[path] || !filepath.IsLocal(filepath.FromSlash(path)) {
			continue
		}
		content, err := t.read(path)
		if err != nil {
			return nil, err
		}
		switch {
		case content == nil:
		case slices.Contains(hashes, generator.Hash(content)) || conflicted(content):
			out = append(out, File{Path: path, State: Orphan})
		default:
			out = append(out, File{Path: path, State: EditedOrphan})
		}
	}
	slices.SortFunc(out, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// Gone lists the units on disk that are not among names.
func (t Tree) Gone(names []string) ([]*Unit, error) {
	found, err := filepath.Glob(filepath.Join(escapeGlob(t.Dir), "*", "manifest.json"))
	if err != nil {
		return nil, err
	}
	var out []*Unit
	for _, path := range found {
		name := filepath.Base(filepath.Dir(path))
		if slices.Contains(names, name) {
			continue
		}
		m, err := t.Manifest(name)
		if err != nil {
			return nil, err
		}
		files, err := t.orphans(m, nil)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: generator.ManifestPath(name), State: Orphan})
		out = append(out, &Unit{Name: name, Gone: true, Files: files})
	}
	return out, nil
}

// Foreign lists the files of the tree that are not known. Names that begin with a dot do
// not count: Go does not compile them.
func (t Tree) Foreign(known map[string]bool) ([]File, error) {
	var out []File
	err := filepath.WalkDir(t.Dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case path != t.Dir && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(t.Dir, path)
		if name := filepath.ToSlash(rel); err == nil && !known[name] {
			out = append(out, File{Path: name, State: Foreign})
		}
		return err
	})
	return out, err
}

// Known are the files of a unit's manifest, and itself.
func (t Tree) Known(unit string) ([]string, error) {
	m, err := t.Manifest(unit)
	files := []string{generator.ManifestPath(unit)}
	for path := range m.Hashes {
		files = append(files, path)
	}
	return files, err
}

// escapeGlob is dir as a pattern that matches itself only.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(dir)
}
