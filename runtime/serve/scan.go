package serve

import (
	"context"
	"errors"
	"fmt"
	"io"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// onPage takes a page, which is the reader's and lives until it returns. Rows that are
// underived lack derived columns: see lake.Pages.
type onPage func(p *bridge.Page, underived bool) error

// scan reads the given leaves of an object, page by page, and returns its rows.
func scan(ctx context.Context, s *bridge.Schema, store lake.Store, o lake.Object, leaves []int, f onPage) (rows int64, err error) {
	return scanIn(ctx, s, store, o, leaves, nil, func(_ int64, p *bridge.Page, underived bool) error { return f(p, underived) })
}

// scanIn is scan of the row groups that in names; nil: of all. f gets the row of the
// object, from 0, that the page begins with.
func scanIn(ctx context.Context, s *bridge.Schema, store lake.Store, o lake.Object, leaves []int,
	in func(*lake.File) ([]bool, error), f func(first int64, p *bridge.Page, underived bool) error) (rows int64, err error) {
	source, err := store.Open(ctx, o.Key)
	if err != nil {
		return 0, fmt.Errorf("opening %s: %w", store.URL(o.Key), err)
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if source.Size() != o.Size {
		return 0, errMoved
	}
	file, err := lake.OpenFile(s, source, source.Size(), store.URL(o.Key))
	if err != nil {
		return 0, err
	}
	var groups []bool
	if in != nil {
		if groups, err = in(file); err != nil {
			return 0, err
		}
	}
	pages := file.PagesIn(groups, leaves)
	defer func() { err = errors.Join(err, pages.Close()) }()
	for ctx.Err() == nil {
		p, err := pages.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows += int64(p.N)
		if err := f(pages.First(), p, pages.Underived()); err != nil {
			return rows, err
		}
	}
	return rows, ctx.Err()
}

// Dedup reads the lake of table t and hands the newest row of each key to emit, in
// batches that live until emit returns (strings too: copy what stays). With live, keys
// whose newest row is a delete are left out. The key and system columns are read twice,
// the others once, and only where a winner is; memory is what the core says above. The
// counts are of a set that was whole at one instant: if a load was replaced meanwhile,
// Dedup begins again, or, if emit was called already, ends with ErrReplaced.
func Dedup(ctx context.Context, t bridge.Any, store lake.Store, live bool, emit func(bridge.Rows) error) (Counts, error) {
	s := t.Info()
	for range attempts {
		first, err := firstScan(ctx, s, store)
		if err != nil {
			return Counts{}, fmt.Errorf("table %q: %w", s.Table, err)
		}
		second := secondScan{table: t, store: store, winners: first.dedup.winners(live), rows: t.NewRows(0), emit: emit}
		err = second.run(ctx, first)
		if err == nil {
			return first.dedup.counts, nil
		}
		if !second.moved(ctx, first, err) {
			return Counts{}, fmt.Errorf("table %q: %w", s.Table, err)
		}
		if second.emitted {
			return Counts{}, fmt.Errorf("table %q: %w: what was handed out is no consistent set; read again", s.Table, ErrReplaced)
		}
	}
	return Counts{}, fmt.Errorf("table %q: %w in each of %d tries", s.Table, ErrReplaced, attempts)
}

// CountRows reads the key and system columns of the lake of s and counts.
func CountRows(ctx context.Context, s *bridge.Schema, store lake.Store) (Counts, error) {
	first, err := firstScan(ctx, s, store)
	if err != nil {
		return Counts{}, fmt.Errorf("table %q: %w", s.Table, err)
	}
	first.dedup.winners(false)
	return first.dedup.counts, nil
}

// scanned is what the first scan found.
type scanned struct {
	objects []lake.Object
	rows    []int64 // per object
	dedup   *dedup
}

func firstScan(ctx context.Context, s *bridge.Schema, store lake.Store) (*scanned, error) {
	var out *scanned
	err := consistent(ctx, s, store, func(objects []lake.Object) error {
		out = &scanned{objects: objects, rows: make([]int64, len(objects)), dedup: newDedup(s, sizeOf(objects))}
		for i, o := range objects {
			n, err := scan(ctx, s, store, o, out.dedup.leaves, func(p *bridge.Page, _ bool) error {
				out.dedup.add(p)
				return nil
			})
			if err != nil {
				return err
			}
			out.rows[i] = n
		}
		return nil
	})
	return out, err
}

type secondScan struct {
	table   bridge.Any
	store   lake.Store
	winners bitmap
	rows    bridge.Rows
	emit    func(bridge.Rows) error
	emitted bool  // rows were handed out
	refused error // by emit
}

// moved reports whether a load that was replaced is behind an error.
func (e *secondScan) moved(ctx context.Context, first *scanned, err error) bool {
	if ctx.Err() != nil || e.refused != nil {
		return false
	}
	if errors.Is(err, errMoved) || errors.Is(err, lake.ErrNotFound) {
		return true
	}
	now, listErr := list(ctx, e.table.Info(), e.store)
	return listErr == nil && !steady(first.objects, now)
}

func (e *secondScan) run(ctx context.Context, first *scanned) error {
	s := e.table.Info()
	all := leavesOf(s)
	from := uint64(0)
	for i, o := range first.objects {
		n := uint64(first.rows[i])
		if e.winners.any(from, n) {
			at := from
			rows, err := scan(ctx, s, e.store, o, all, func(p *bridge.Page, underived bool) error {
				at += uint64(p.N)
				if at > from+n {
					return errMoved
				}
				return e.page(p, at-uint64(p.N), underived)
			})
			if err != nil {
				return err
			}
			if rows != first.rows[i] {
				return errMoved
			}
		}
		from += n
	}
	return nil
}

// page emits the winners of a page whose first row has the number at.
func (e *secondScan) page(p *bridge.Page, at uint64, underived bool) error {
	if !e.winners.any(at, uint64(p.N)) {
		return nil
	}
	e.rows.Scan(p, 0)
	n := 0
	for i := range p.N {
		if e.winners.has(at + uint64(i)) {
			if n != i {
				e.rows.Move(n, i)
			}
			n++
		}
	}
	e.rows.Resize(n)
	for i := 0; underived && i < n; i++ {
		if err := bridge.Derive(e.table.Info(), e.rows, i); err != nil {
			return err
		}
	}
	e.emitted = true
	e.refused = e.emit(e.rows)
	return e.refused
}

func leavesOf(s *bridge.Schema) []int {
	all := make([]int, len(s.Leaves))
	for i := range all {
		all[i] = i
	}
	return all
}
