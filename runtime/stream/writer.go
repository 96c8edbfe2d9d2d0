package stream

import (
	"context"
	"sync"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// body is what a Writer stands on; an interface, so that typed packages do not compile
// the client again for each table.
type body interface {
	Write(ctx context.Context, rows bridge.Rows, i int) error
	Delete(ctx context.Context, rows bridge.Rows, i int, last bridge.Opt[int64]) error
	Flush(ctx context.Context) error
	Close(ctx context.Context) error
}

//go:noinline
func open(ctx context.Context, t bridge.Any, o Options) (body, error) { return Open(ctx, t, o) }

// Writer is a Producer for records of type R. It is safe for concurrent use.
type Writer[R any] struct {
	body  body
	table *bridge.Table[R]
	free  sync.Pool
}

// NewWriter opens a Producer for t; see Open.
func NewWriter[R any](ctx context.Context, t *bridge.Table[R], o Options) (*Writer[R], error) {
	b, err := open(ctx, t, o)
	if err != nil {
		return nil, err
	}
	w := &Writer[R]{body: b, table: t}
	w.free.New = func() any { return &bridge.RowsOf[R]{T: t, R: make([]R, 1)} }
	return w, nil
}

// Write sends a row; see Producer.Write. r itself stays as it is.
func (w *Writer[R]) Write(ctx context.Context, r *R) error {
	rows := w.free.Get().(*bridge.RowsOf[R])
	defer w.free.Put(rows)
	rows.R[0] = *r
	return w.body.Write(ctx, rows, 0)
}

// Delete sends a delete of r's key; the other columns of r do not matter. See
// Producer.Delete.
func (w *Writer[R]) Delete(ctx context.Context, r *R, last bridge.Opt[int64]) error {
	rows := w.free.Get().(*bridge.RowsOf[R])
	defer w.free.Put(rows)
	rows.R[0] = *r
	return w.body.Delete(ctx, rows, 0, last)
}

// Flush waits until every row written so far is acknowledged or has failed.
func (w *Writer[R]) Flush(ctx context.Context) error { return w.body.Flush(ctx) }

// Close flushes and disconnects; see Producer.Close.
func (w *Writer[R]) Close(ctx context.Context) error { return w.body.Close(ctx) }
