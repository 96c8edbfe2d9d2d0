package serve

import (
	"context"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// body is what a Reader stands on; an interface, so that typed packages do not compile
// the clients again for each table.
type body interface {
	Get(ctx context.Context, keys bridge.Rows, i int) (*Answer, error)
	History(ctx context.Context, keys bridge.Rows, i int) (bridge.Rows, error)
	Counts(ctx context.Context) (Counts, error)
	Latest(ctx context.Context, emit func(bridge.Rows) error) (Counts, error)
	Close() error
}

//go:noinline
func open(t bridge.Any, o Options) (body, error) { return Open(t, o) }

// Reader is an AnyReader for records of type R. It is safe for concurrent use.
type Reader[R any] struct {
	body  body
	table *bridge.Table[R]
}

// NewReader makes a reader of table t; see Open.
func NewReader[R any](t *bridge.Table[R], o Options) (*Reader[R], error) {
	b, err := open(t, o)
	if err != nil {
		return nil, err
	}
	return &Reader[R]{b, t}, nil
}

// Side is what one side says of a key.
type Side[R any] struct {
	Row     *R    // nil: nothing is known
	Deleted bool  // Row is a delete: key and system columns
	Err     error // why the side could not be asked
}

// Result is what both sides say, and the newest state by both; see Answer.
type Result[R any] struct{ Lake, Fresh, Merged Side[R] }

// Live is the newest state, nil if there is none or it is a delete.
func (r *Result[R]) Live() *R {
	if r.Merged.Deleted {
		return nil
	}
	return r.Merged.Row
}

// Partial reports whether a side could not be asked, so that Merged may be old.
func (r *Result[R]) Partial() bool { return r.Lake.Err != nil || r.Fresh.Err != nil }

// Get reads the key of *key from both sides and merges them; see AnyReader.Get.
func (r *Reader[R]) Get(ctx context.Context, key *R) (*Result[R], error) {
	a, err := r.body.Get(ctx, r.hide(key), 0)
	if err != nil {
		return nil, err
	}
	return &Result[R]{Lake: side[R](&a.Lake), Fresh: side[R](&a.Fresh), Merged: side[R](&a.Merged)}, nil
}

func side[R any](r *Record) Side[R] {
	if !r.Found {
		return Side[R]{Err: r.Err}
	}
	return Side[R]{Row: &r.Rows.(*bridge.RowsOf[R]).R[0], Deleted: r.Sys().Deleted, Err: r.Err}
}

// History is every row of the key in the lake, deletes included, newest first; see
// AnyReader.History.
func (r *Reader[R]) History(ctx context.Context, key *R) ([]R, error) {
	rows, err := r.body.History(ctx, r.hide(key), 0)
	if err != nil {
		return nil, err
	}
	return rows.(*bridge.RowsOf[R]).R, nil
}

// Counts counts the rows of the lake by source, before and after dedup.
func (r *Reader[R]) Counts(ctx context.Context) (Counts, error) { return r.body.Counts(ctx) }

// Latest hands the newest row of each key in the lake to emit, deletes left out. The
// rows and their strings live until emit returns: copy what stays. See Dedup for what
// happens when a load is replaced meanwhile.
func (r *Reader[R]) Latest(ctx context.Context, emit func([]R) error) (Counts, error) {
	return r.body.Latest(ctx, func(rows bridge.Rows) error { return emit(rows.(*bridge.RowsOf[R]).R) })
}

// Close closes the connection to Trino.
func (r *Reader[R]) Close() error { return r.body.Close() }

func (r *Reader[R]) hide(key *R) bridge.Rows {
	return &bridge.RowsOf[R]{T: r.table, R: []R{*key}}
}
