// Package lake reads and writes the lake: objects in a local directory or in S3, and
// Parquet files in them, by page and column. It knows no table's record; it compiles
// once for all tables.
package lake

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"
)

// ErrNotFound says that there is no object of the key.
var ErrNotFound = errors.New("no such object")

// Object is one object of a listing.
type Object struct {
	Key      string // slash-separated, from the root of the store, as the store spells it
	Size     int64  // bytes
	Modified time.Time
}

// Store holds objects. An object appears whole or not at all. A Store is safe for
// concurrent use.
type Store interface {
	// List yields all objects whose key begins with prefix, in ascending byte order of
	// the key, however many pages that takes. A prefix without objects yields nothing.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Open opens an object for reading at any place; errors.Is(err, ErrNotFound) if
	// there is none.
	Open(ctx context.Context, key string) (Source, error)
	// Stage begins an object that nobody sees before Commit. An object of the same key
	// that is there already stays visible until then and is replaced by it.
	Stage(ctx context.Context, key string) (Staged, error)
	// Delete removes an object; none of that key is no error.
	Delete(ctx context.Context, key string) error
	// URL names an object for people: s3://bucket/key, or a path.
	URL(key string) string
}

// Source is an open object.
type Source interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Staged is an object in the making. What is written lies in a temporary file.
type Staged interface {
	io.Writer
	// Size is the number of bytes written so far.
	Size() int64
	// Close ends the writing and lets go of the file's descriptor, so that any number of
	// objects can wait for Commit, which closes what is not closed yet.
	Close() error
	// Commit makes the object durable and visible, atomically.
	Commit(ctx context.Context) error
	// Discard drops it; after Commit it does nothing, so it can be deferred.
	Discard() error
}
