package lake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// tempDir is the folder in a local store where objects in the making lie. It is in the
// same file system, so that a rename publishes them, and outside all listings.
const tempDir = ".bridgegen-tmp"

// localStore holds objects as files below dir.
type localStore struct {
	dir      string
	existing bool // dir has to be there
	sweep    sync.Once
}

// NewLocal is a store of the files below dir, which is created when the first object
// is. An object is written to a temporary file in the same file system, synced and
// renamed. Temporary files of processes that have died are removed.
func NewLocal(dir string) Store { return newLocal(dir, false) }

func newLocal(dir string, existing bool) Store {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return &localStore{dir: dir, existing: existing}
}

// checkKey refuses keys that could leave the store or that no other store could hold.
func checkKey(key string) error {
	for part := range strings.SplitSeq(key, "/") {
		if part == "" || part == "." || part == ".." || part == tempDir || strings.ContainsAny(part, "\x00\\") {
			return fmt.Errorf("object key %q: needs names separated by single slashes, none of them empty, . or .., and no backslash", key)
		}
	}
	return nil
}

func (s *localStore) path(key string) string { return filepath.Join(s.dir, filepath.FromSlash(key)) }

func (s *localStore) URL(key string) string { return s.path(key) }

// List walks folder by folder. Names are compared as the keys they are part of, a
// folder with its slash, for "a.x" comes before "a/x" but "a0" after it.
func (s *localStore) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		at := strings.LastIndexByte(prefix, '/') + 1
		if folder := strings.TrimSuffix(prefix[:at], "/"); folder != "" {
			if err := checkKey(folder); err != nil {
				yield(Object{}, err)
				return
			}
		}
		if err := s.checkDir(); err != nil {
			yield(Object{}, err)
			return
		}
		s.walk(ctx, prefix[:at], prefix, yield)
	}
}

// checkDir tells a lake without objects from a path that is none.
func (s *localStore) checkDir() error {
	info, err := os.Stat(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.existing:
		return fmt.Errorf("there is no lake at %s, for there is no such folder; check the path (a load or a sink makes it)", s.dir)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("the lake's folder: %w", err)
	case !info.IsDir():
		return fmt.Errorf("there is no lake at %s, for that is a file; name a folder", s.dir)
	}
	return nil
}

// walk yields the objects of a folder, which is empty or ends in a slash; false ends it.
func (s *localStore) walk(ctx context.Context, folder, prefix string, yield func(Object, error) bool) bool {
	if err := ctx.Err(); err != nil {
		yield(Object{}, err)
		return false
	}
	entries, err := os.ReadDir(s.path(folder))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return true
	}
	if err != nil {
		yield(Object{}, err)
		return false
	}
	keys := make([]string, 0, len(entries))
	for _, e := range entries {
		key := folder + e.Name()
		switch {
		case e.IsDir() && key != tempDir:
			keys = append(keys, key+"/")
		case !e.IsDir():
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		if !strings.HasPrefix(key, prefix) && !strings.HasPrefix(prefix, key) {
			continue
		}
		if strings.HasSuffix(key, "/") {
			if !s.walk(ctx, key, prefix, yield) {
				return false
			}
		} else if strings.HasPrefix(key, prefix) && !s.yieldFile(key, yield) {
			return false
		}
	}
	return true
}

func (s *localStore) yieldFile(key string, yield func(Object, error) bool) bool {
	info, err := os.Stat(s.path(key))
	if errors.Is(err, fs.ErrNotExist) { // deleted since the folder was read
		return true
	}
	if err != nil {
		yield(Object{}, err)
		return false
	}
	if !info.Mode().IsRegular() {
		return true
	}
	return yield(Object{Key: key, Size: info.Size(), Modified: info.ModTime()}, nil)
}

type localSource struct {
	*os.File
	size int64
}

func (s *localSource) Size() int64 { return s.size }

func (s *localStore) Open(ctx context.Context, key string) (Source, error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return nil, err
	}
	f, err := os.Open(s.path(key))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s: %w", s.path(key), ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", s.path(key), ErrNotFound)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &localSource{f, info.Size()}, nil
}

func (s *localStore) Delete(ctx context.Context, key string) error {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return err
	}
	err := os.Remove(s.path(key))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(s.path(key)))
}

func (s *localStore) Stage(ctx context.Context, key string) (Staged, error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return nil, err
	}
	dir := filepath.Join(s.dir, tempDir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	s.sweep.Do(func() { sweepTemp(dir) })
	f, err := createTemp(dir)
	if err != nil {
		return nil, err
	}
	return &localStaged{stagedFile: f, path: s.path(key), root: s.dir}, nil
}

type localStaged struct {
	*stagedFile
	path, root string
}

// Close also syncs, for that needs the descriptor.
func (s *localStaged) Close() error {
	if s.closed {
		return s.failed
	}
	return s.close(s.file.Sync())
}

// Commit syncs the file before it is renamed, and the folders after, so that neither
// half of an object survives a power cut.
func (s *localStaged) Commit(ctx context.Context) error {
	if s.done {
		return errStagedDone
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	made, err := makeDirs(filepath.Dir(s.path), s.root)
	if err != nil {
		return err
	}
	if err := os.Rename(s.name, s.path); err != nil {
		return err
	}
	s.done = true
	for _, dir := range append(made, filepath.Dir(s.path)) {
		if err := syncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

// makeDirs creates dir and returns the folders that got a new entry by it.
func makeDirs(dir, root string) (changed []string, err error) {
	for at := dir; at != root && len(at) > len(root); at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil {
			break
		}
		changed = append(changed, filepath.Dir(at))
	}
	return changed, os.MkdirAll(dir, 0o777)
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) { // not all file systems sync folders
		err = nil
	}
	return errors.Join(err, f.Close())
}

// stagedFile is the temporary file of an object in the making.
type stagedFile struct {
	file   *os.File
	name   string
	size   int64
	closed bool
	failed error // by Close: the file may not be whole
	done   bool
}

var errStagedDone = errors.New("the object is committed or discarded already")

func (s *stagedFile) Write(b []byte) (int, error) {
	if s.done {
		return 0, errStagedDone
	}
	n, err := s.file.Write(b)
	s.size += int64(n)
	return n, err
}

func (s *stagedFile) Size() int64 { return s.size }

func (s *stagedFile) Close() error {
	if s.closed {
		return s.failed
	}
	return s.close(nil)
}

func (s *stagedFile) close(before error) error {
	s.closed = true
	s.failed = errors.Join(before, s.file.Close())
	return s.failed
}

// Discard closes before it removes, for Windows does not remove open files.
func (s *stagedFile) Discard() error {
	if s.done {
		return nil
	}
	s.done = true
	var err error
	if !s.closed {
		err = s.close(nil)
	}
	return errors.Join(err, os.Remove(s.name))
}

var _ io.Writer = (*stagedFile)(nil)
