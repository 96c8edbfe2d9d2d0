package lake

import (
	"errors"
	"fmt"
	"io"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/format"
)

// File is an open Parquet file of a table, by whichever writer. It is safe for
// concurrent use if its source is.
type File struct {
	schema *bridge.Schema
	src    io.ReaderAt
	name   string
	meta   *format.FileMetaData
	root   *fileNode

	footerAt int64

	asWritten []*fileNode // by leaf, of a file that was opened without a table
}

// OpenFile reads the footer of a file of s that lies in the first size bytes of src. The
// name is for errors. Columns are compared when Pages asks for them.
func OpenFile(s *bridge.Schema, src io.ReaderAt, size int64, name string) (*File, error) {
	meta, at, err := readFooter(src, size)
	if err != nil {
		return nil, notReadable(name, err)
	}
	root, err := checkFooter(meta, at)
	if err != nil {
		return nil, notReadable(name, err)
	}
	return &File{schema: s, src: src, name: name, meta: meta, root: root, footerAt: at}, nil
}

// Rows is the number of rows, as the footer says; reading all of them proves it.
func (f *File) Rows() int64 { return f.meta.NumRows }

// Leaves is the number of scalars that Pages may be asked for.
func (f *File) Leaves() int { return len(f.schema.Leaves) }

// Meta is the footer's key and value metadata.
func (f *File) Meta() map[string]string { return keyValues(f.meta) }

// Pages reads the leaves (positions in Schema.Leaves; nil for all) from the first row on.
// Errors, also of a column that the file does not have, come from Next.
func (f *File) Pages(leaves []int) *Pages { return f.PagesIn(nil, leaves) }

// PagesIn are the Pages of some row groups only, which groups tells of each; nil: of all.
func (f *File) PagesIn(groups []bool, leaves []int) *Pages {
	p := &Pages{file: f, page: *bridge.NewPage(f.schema), groups: groups}
	if leaves == nil {
		leaves = make([]int, len(f.schema.Leaves))
		for i := range leaves {
			leaves[i] = i
		}
	}
	p.err = p.plan(leaves)
	return p
}

// contentError is a value or a null that the table cannot hold, in a sound file.
type contentError struct{ text string }

func (e *contentError) Error() string { return e.text }

func contentf(format string, args ...any) error { return &contentError{fmt.Sprintf(format, args...)} }

// readError is a failure of the source, which says nothing about the file.
type readError struct{ cause error }

func (e *readError) Error() string { return e.cause.Error() }
func (e *readError) Unwrap() error { return e.cause }

// notReadable is the error of a file that is damaged or no Parquet file.
func notReadable(name string, cause error) error {
	var read *readError
	if errors.As(cause, &read) {
		return fmt.Errorf("%s: reading it: %w", name, cause)
	}
	return fmt.Errorf("%s: not a readable Parquet file: %w", name, cause)
}

// columnError is what went wrong in a column.
func (f *File) columnError(leaf *bridge.Leaf, err error) error {
	wrapped := fmt.Errorf("column %q: %w", pathText(leaf.Path), err)
	var content *contentError
	if errors.As(err, &content) {
		return fmt.Errorf("%s: %w", f.name, wrapped)
	}
	return notReadable(f.name, wrapped)
}
