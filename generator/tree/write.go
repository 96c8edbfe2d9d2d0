package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// staged is a temporary file that waits for its rename.
type staged struct{ temp, path string }

// Write brings the disk to what the units say. All new content is written beside its
// place first; nothing is renamed or removed before that succeeded. Files that are the
// same are not touched.
func (t Tree) Write(units []*Unit) (err error) {
	var waiting []staged
	defer func() {
		for _, s := range waiting {
			err = errors.Join(err, ignoreAbsent(os.Remove(s.temp)))
		}
	}()
	for _, u := range units {
		for _, f := range u.Files {
			if f.content == nil || f.State == Same {
				continue
			}
			s, err := t.stage(f)
			if err != nil {
				return err
			}
			waiting = append(waiting, s)
		}
	}
	for len(waiting) > 0 {
		if err := os.Rename(waiting[0].temp, waiting[0].path); err != nil {
			return err
		}
		waiting = waiting[1:]
	}
	return t.remove(units)
}

func (t Tree) stage(f File) (staged, error) {
	path := filepath.Join(t.Dir, filepath.FromSlash(f.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return staged{}, err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".bridgegen-*")
	if err != nil {
		return staged{}, err
	}
	_, err = temp.Write(f.content)
	err = errors.Join(err, temp.Chmod(mode(path)), temp.Close())
	if err != nil {
		return staged{}, errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(temp.Name()))
	}
	return staged{temp.Name(), path}, nil
}

// mode keeps what a file has; a new one is as umask would have it for most people.
func mode(path string) fs.FileMode {
	if info, err := os.Stat(path); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

func (t Tree) remove(units []*Unit) error {
	for _, u := range units {
		for _, f := range u.Files {
			if f.State != Orphan && f.State != EditedOrphan && f.State != Foreign {
				continue
			}
			path := filepath.Join(t.Dir, filepath.FromSlash(f.Path))
			if err := ignoreAbsent(os.Remove(path)); err != nil {
				return err
			}
			t.removeEmpty(filepath.Dir(path))
		}
	}
	return nil
}

// removeEmpty removes folders that hold nothing any more, the tree's own
// included. That one is not empty is no error.
func (t Tree) removeEmpty(dir string) {
	for ; len(dir) >= len(t.Dir); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			return
		}
	}
}

func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
