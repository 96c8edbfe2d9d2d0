package serve

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// weighed counts the bytes that are read.
type weighed struct {
	lake.Store
	read *atomic.Int64
}

type weighedSource struct {
	lake.Source
	read *atomic.Int64
}

func (w weighed) Open(ctx context.Context, key string) (lake.Source, error) {
	src, err := w.Store.Open(ctx, key)
	return weighedSource{src, w.read}, err
}

func (w weighedSource) ReadAt(b []byte, at int64) (int, error) {
	n, err := w.Source.ReadAt(b, at)
	w.read.Add(int64(n))
	return n, err
}

// putGroups lands rows in row groups of 10,000.
func putGroups(t *testing.T, store lake.Store, s *bridge.Schema, rows []customers.Customer) {
	t.Helper()
	staged, err := store.Stage(t.Context(), folder+"batch_2026081902.parquet")
	if err != nil {
		t.Fatal(err)
	}
	w := lake.NewWriter(s, lake.WriterOptions{RowGroupRows: 10_000})
	w.Reset(staged)
	p := bridge.NewPage(s)
	for part := range slices.Chunk(rows, 10_000) {
		hide(part...).Fill(p, 0, len(part))
		if err := w.WritePage(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), staged.Commit(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// A lookup reads the row groups that may hold its key: one where rows lie by key or a
// bloom filter stands, all where neither is so; it finds the same.
func TestLookupsPassOverRowGroups(t *testing.T) {
	const n = 200_000
	bloomed := *customers.Table.Schema
	bloomed.Bloom = []int{0}
	mixed := rand.New(rand.NewPCG(1, 2)).Perm(n)
	read := map[string]int64{}
	for name, c := range map[string]struct {
		schema *bridge.Schema
		at     func(i int) int64
	}{
		"as they came": {customers.Table.Schema, func(i int) int64 { return int64(mixed[i]) }},
		"by key":       {customers.Table.Schema, func(i int) int64 { return int64(i) }},
		"filtered":     {&bloomed, func(i int) int64 { return int64(mixed[i]) }},
	} {
		rows := make([]customers.Customer, n)
		for i := range rows {
			rows[i] = loaded(2*c.at(i), 10, 0)
		}
		store := weighed{lake.NewLocal(t.TempDir()), new(atomic.Int64)}
		putGroups(t, store, c.schema, rows)
		r, err := NewReader(customers.Table, Options{Store: store})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{0, 9_999, 10_000, 31_415, n - 1} {
			found, err := r.History(t.Context(), &customers.Customer{ID: rows[i].ID})
			if err != nil || !slices.Equal(found, rows[i:i+1]) {
				t.Errorf("%s: %+v, %v, want %+v", name, found, err, rows[i])
			}
			if found, err = r.History(t.Context(), &customers.Customer{ID: rows[i].ID + 1}); err != nil || len(found) > 0 {
				t.Errorf("%s: %+v, %v of a key that is not there", name, found, err)
			}
		}
		read[name] = store.read.Load()
	}
	if read["by key"]*4 > read["as they came"] || read["filtered"]*4 > read["as they came"] {
		t.Errorf("bytes read: %v", read)
	}
}
