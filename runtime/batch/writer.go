package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// Writer makes a load of an application's rows: whole at Close, or not at all. It is
// for one goroutine. Options.Format does not count here.
//
// The same rows under the same identity are the same load, as with files. Where the
// identity is there already and Options.Replace is set, they become a new generation.
type Writer[R any] struct {
	to   rowLoad
	rows bridge.RowsOf[R]
}

// rowLoad is the body of a Writer. It stands behind an interface, so that a table's
// package compiles nothing of it.
type rowLoad interface {
	accept(rows bridge.Rows, i int) (stays bool, err error)
	flush(rows bridge.Rows) error
	close(ctx context.Context, rows bridge.Rows) (*Result, error)
	abort()
}

// NewWriter begins a load of table t. It does nothing before the first row; what is
// wrong with the options is said then, or by Close.
func NewWriter[R any](t *bridge.Table[R], o Options) *Writer[R] {
	return &Writer[R]{to: openRows(t, o), rows: bridge.RowsOf[R]{T: t}}
}

// Write adds a row; the system columns are the load's to set. It keeps what the row
// refers to (lists, bytes) until Close, so do not change that. The error is an *Invalid
// if the row is not valid: then Close fails, unless Options.Rejects or MaxRejects say
// that such rows are set aside. After any other error the load is lost.
func (w *Writer[R]) Write(r *R) error {
	i := len(w.rows.R)
	w.rows.R = append(w.rows.R, *r)
	stays, err := w.to.accept(&w.rows, i)
	if !stays {
		w.rows.R = w.rows.R[:i]
		return err
	}
	if i+1 == batchRows {
		err = w.to.flush(&w.rows)
		w.rows.R = w.rows.R[:0]
	}
	return err
}

// Close makes the load visible, if every row was valid or set aside. After an error
// nothing of it is visible, or the same rows finish it.
func (w *Writer[R]) Close(ctx context.Context) (*Result, error) { return w.to.close(ctx, &w.rows) }

// Abort drops the load. After Close it does nothing, so it can be deferred.
func (w *Writer[R]) Abort() { w.to.abort() }

// Invalid is the error of a row that was not taken.
type Invalid struct{ Problems []Problem }

func (e *Invalid) Error() string { return strings.ReplaceAll(reasons(e.Problems), "; row", "\nrow") }

//go:noinline
func openRows(t bridge.Any, o Options) rowLoad { return &rowsBody{table: t, options: o} }

// rowsBody is the load of an application's rows.
type rowsBody struct {
	*body
	table   bridge.Any
	options Options
	prior   *prior
	sum     hash.Hash
	avro    []byte
	record  record
	cells   rowCells
	err     error // sticky
	closed  bool
}

var errClosed = errors.New("the load is closed")

// open prepares the load at its first row, or at Close.
func (l *rowsBody) open(ctx context.Context) error {
	if l.closed {
		return errClosed
	}
	if l.err != nil || l.body != nil {
		return l.err
	}
	l.err = l.prepare(ctx)
	return l.err
}

func (l *rowsBody) prepare(ctx context.Context) error {
	c, err := newSettings(l.table.Info(), l.options)
	if err != nil {
		return err
	}
	if err := checkRejects(c.Rejects, nil); err != nil {
		return err
	}
	if l.prior, err = findPrior(ctx, c.Store, c.id); err != nil {
		return err
	}
	if err := l.prior.beingRemoved(c); err != nil {
		return err
	}
	started := c.Now()
	a, err := l.attempt(c, bridge.TimestampOf(started))
	if err != nil {
		return err
	}
	if l.body, err = newBody(ctx, c, l.table, a.generation, a.asOf); err != nil {
		return err
	}
	l.started, l.sum = started, sha256.New()
	l.cells = newRowCells(c.schema)
	if l.rejects != nil {
		l.rejects.begin(l.cells.title())
	}
	return nil
}

// attempt takes the rows for those that are there, or with Replace for others: which
// they are is known only when all have come.
func (l *rowsBody) attempt(c *settings, now bridge.Timestamp) (attempt, error) {
	m := l.prior.marker
	switch {
	case !l.prior.exists():
		return attempt{asOf: c.asOfOr(now)}, nil
	case c.Replace:
		generation, err := l.prior.next()
		return attempt{generation: generation, asOf: c.asOfOr(now)}, err
	case m == nil || c.AsOf != 0 && c.AsOf != m.asOf():
		checksum := ""
		if m != nil {
			checksum = m.Checksum
		}
		return attempt{}, l.prior.refusal(c, checksum)
	}
	return attempt{generation: m.Generation, asOf: m.asOf()}, nil
}

func (l *rowsBody) accept(rows bridge.Rows, i int) (bool, error) {
	if err := l.open(context.Background()); err != nil {
		return false, err
	}
	l.record.reset()
	l.record.line = l.position
	isDelete := rows.Sys(i).Deleted
	if l.err = l.tag(rows, i); l.err != nil {
		return false, l.err
	}
	l.cells.point(rows, i)
	switch {
	case isDelete:
		l.record.problems = append(l.record.problems, Problem{Line: l.record.line, Reason: "the row is a delete; a batch load holds live rows, a delete goes through the stream writer"})
	case rows.Apply(&l.env, i):
		sys := rows.Sys(i)
		seq := sys.Seq
		sys.Seq = l.record.line // the checksum is the same for every generation
		l.avro = rows.AppendAvro(l.avro[:0], i)
		sys.Seq = seq
		l.sum.Write(l.avro)
		return true, nil
	default:
		l.explain(&l.cells, &l.record)
	}
	if l.rejects != nil {
		l.record.raw = l.cells.line()
	}
	l.reject(&l.cells, &l.record)
	return false, &Invalid{append([]Problem(nil), l.record.problems...)}
}

func (l *rowsBody) flush(rows bridge.Rows) error {
	l.err = l.body.flush(context.Background(), rows, rows.Len())
	return l.err
}

func (l *rowsBody) close(ctx context.Context, rows bridge.Rows) (*Result, error) {
	if err := l.open(ctx); err != nil {
		return nil, err
	}
	defer l.abort()
	l.parts.ctx = ctx
	if err := l.body.flush(ctx, rows, rows.Len()); err != nil {
		return nil, err
	}
	if err := l.finish(); err != nil {
		return nil, err
	}
	r, err := l.publishRows(ctx)
	if r != nil {
		r.Elapsed = l.settings.Now().Sub(l.started)
	}
	return r, err
}

func (l *rowsBody) publishRows(ctx context.Context) (*Result, error) {
	sum := "rows-sha256:" + hex.EncodeToString(l.sum.Sum(nil))
	m := l.prior.marker
	same := m != nil && m.Checksum == sum
	if m != nil && !same && !l.settings.Replace {
		return nil, l.prior.refusal(l.settings, sum)
	}
	if same && m.asOf() == l.parts.asOf && l.prior.intact() {
		return alreadyComplete(ctx, l.settings, l.prior)
	}
	r, again, err := l.conclude(ctx, l.prior, sum)
	if again != nil && err == nil {
		return nil, fmt.Errorf("the rows of %s are those of its marker, but their objects would not be (another version or part size); load them again with Replace", l.settings.id)
	}
	return r, err
}

func (l *rowsBody) abort() {
	if !l.closed && l.body != nil {
		l.discard()
	}
	l.closed = true
}
