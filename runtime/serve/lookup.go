package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"golang.org/x/sync/errgroup"
)

// normalized is the key of record i of keys as both roads write it, in rows of its own.
func normalized(t bridge.Any, keys bridge.Rows, i int) (bridge.Rows, error) {
	s := t.Info()
	own := t.NewRows(1)
	own.Copy(0, keys, i)
	*own.Sys(0) = bridge.System{Source: bridge.Streaming, Deleted: true} // only the key matters, as in a delete
	var env bridge.Env
	own.Apply(&env, 0)
	for _, r := range env.Rejects {
		if slices.Contains(s.Key, r.Col) {
			return nil, fmt.Errorf("table %q: key column %q %s", s.Table, s.Fields[r.Col].Name, r.Reason)
		}
	}
	return own, nil
}

// hit is a row of the wanted key.
type hit struct {
	object int
	row    int64 // in the object
	sys    bridge.System
}

// lookup finds the rows of one key in the lake's files: a scan of the key leaves in the
// row groups that may hold it, by bounds and bloom filters, and of the others only where
// the key is.
type lookup struct {
	table   bridge.Any
	store   lake.Store
	keys    *keyReader
	page    *bridge.Page // of the key
	integer uint64
	text    []byte
}

// newLookup searches the normalised key of record 0 of key.
func newLookup(t bridge.Any, store lake.Store, key bridge.Rows) *lookup {
	s := t.Info()
	p := bridge.NewPage(s)
	l := &lookup{table: t, store: store, keys: newKeyReader(s), page: p}
	key.Fill(p, 0, 1)
	if l.keys.exact {
		l.integer = l.keys.integers(nil, p)[0]
	} else {
		l.text = l.keys.appendText(nil, p, 0)
	}
	return l
}

// rows are the key's rows in the lake, newest first; only the newest if that is enough.
func (l *lookup) rows(ctx context.Context, newestOnly bool) (out bridge.Rows, err error) {
	s := l.table.Info()
	err = consistent(ctx, s, l.store, func(objects []lake.Object) error {
		hits, err := l.find(ctx, objects)
		if err != nil {
			return err
		}
		if newestOnly && len(hits) > 1 {
			hits = hits[:1]
		}
		out, err = l.fetch(ctx, objects, hits)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", s.Table, err)
	}
	return out, nil
}

// openObjects are the objects that a lookup reads at a time: of a small one most of the
// time goes into waiting for the store.
const openObjects = 8

func (l *lookup) find(ctx context.Context, objects []lake.Object) ([]hit, error) {
	s := l.table.Info()
	leaves := slices.Clone(l.keys.leaves)
	for leaf := s.Sys; leaf < len(s.Leaves); leaf++ {
		leaves = append(leaves, leaf)
	}
	found := make([][]hit, len(objects))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(openObjects)
	for i, o := range objects {
		g.Go(func() error {
			m := matcher{lookup: l, object: i}
			mayHold := func(f *lake.File) ([]bool, error) { return f.MayHold(l.keys.leaves, l.page) }
			_, err := scanIn(ctx, s, l.store, o, leaves, mayHold, m.match)
			found[i] = m.hits
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	hits := slices.Concat(found...)
	slices.SortStableFunc(hits, func(a, b hit) int { return bridge.Compare(&b.sys, &a.sys, s.Preferred) })
	return hits, nil
}

// matcher finds the hits of one object.
type matcher struct {
	*lookup
	object  int
	hits    []hit
	rows    []int // of the page: those of the key
	ints    []uint64
	scratch []byte
}

// match takes the hits of a page that begins with a row of the object.
func (m *matcher) match(first int64, p *bridge.Page, _ bool) error {
	m.pick(p)
	if len(m.rows) > 0 {
		var sys bridge.System
		read, next := p.SysScan(m.table.Info()), 0
		for i := 0; next < len(m.rows); i++ {
			read.Get(i, &sys)
			if i == m.rows[next] {
				m.hits = append(m.hits, hit{object: m.object, row: first + int64(i), sys: sys})
				next++
			}
		}
	}
	return nil
}

// pick notes which rows of the page are of the key.
func (m *matcher) pick(p *bridge.Page) {
	m.rows = m.rows[:0]
	if m.keys.exact {
		m.ints = m.keys.integers(m.ints[:0], p)
		for i, v := range m.ints {
			if v == m.integer {
				m.rows = append(m.rows, i)
			}
		}
		return
	}
	for i := range p.N {
		m.scratch = m.keys.appendText(m.scratch[:0], p, i)
		if bytes.Equal(m.scratch, m.text) {
			m.rows = append(m.rows, i)
		}
	}
}

// rowsIn are the rows of the hits in an object.
func rowsIn(hits []hit, object int) (rows []int64) {
	for _, h := range hits {
		if h.object == object {
			rows = append(rows, h.row)
		}
	}
	return rows
}

// fetch reads the hits whole, in their order.
func (l *lookup) fetch(ctx context.Context, objects []lake.Object, hits []hit) (bridge.Rows, error) {
	s := l.table.Info()
	out, page := l.table.NewRows(len(hits)), l.table.NewRows(0)
	left := len(hits)
	for i, o := range objects {
		rows := rowsIn(hits, i)
		if len(rows) == 0 {
			continue
		}
		in := func(f *lake.File) ([]bool, error) { return f.GroupsOf(rows), nil }
		_, err := scanIn(ctx, s, l.store, o, leavesOf(s), in, func(at int64, p *bridge.Page, underived bool) error {
			scanned := false
			for k, h := range hits {
				if h.object != i || h.row < at || h.row >= at+int64(p.N) {
					continue
				}
				if !scanned {
					page.Scan(p, 0)
					scanned = true
				}
				if err := keep(out, k, page, int(h.row-at)); err != nil {
					return err
				}
				if underived {
					if err := bridge.Derive(s, out, k); err != nil {
						return err
					}
				}
				left--
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if left > 0 {
		return nil, errMoved
	}
	return out, nil
}

// keep copies record j of page to record i of out with memory of its own: a record that
// a page filled lives as long as that.
func keep(out bridge.Rows, i int, page bridge.Rows, j int) error {
	if err := out.ReadAvro(i, page.AppendAvro(nil, j)); err != nil {
		return errors.Join(errors.New("a row of the lake has no Avro form"), err)
	}
	return nil
}
