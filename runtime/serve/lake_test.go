package serve

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"pgregory.net/rapid"
)

const folder = "lake/customer-events/year=2026/month=08/day=19/hour=02/"

// put lands rows as one object.
func put(t fataler, store lake.Store, file string, rows ...customers.Customer) {
	t.Helper()
	staged, err := store.Stage(context.Background(), folder+file)
	if err != nil {
		t.Fatal(err)
	}
	w := lake.NewWriter(customers.Table.Schema, lake.WriterOptions{})
	w.Reset(staged)
	p := bridge.NewPage(customers.Table.Schema)
	hidden := hide(rows...)
	for from := 0; from < len(rows); from += 3 { // several pages even of few rows
		hidden.Fill(p, from, min(from+3, len(rows)))
		if err := w.WritePage(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), staged.Commit(context.Background())); err != nil {
		t.Fatal(err)
	}
}

type fataler interface {
	Helper()
	Fatal(...any)
}

func hide(rows ...customers.Customer) bridge.Rows {
	return &bridge.RowsOf[customers.Customer]{T: customers.Table, R: rows}
}

// latest are the live rows by key, as the reader hands them out.
func latest(ctx context.Context, store lake.Store) (map[int64]customers.Customer, Counts, error) {
	r, err := NewReader(customers.Table, Options{Store: store})
	if err != nil {
		return nil, Counts{}, err
	}
	got := map[int64]customers.Customer{}
	counts, err := r.Latest(ctx, func(rows []customers.Customer) error {
		for _, row := range rows {
			if _, twice := got[row.ID]; twice {
				return fmt.Errorf("key %d twice", row.ID)
			}
			row.Email = strings.Clone(row.Email)
			got[row.ID] = row
		}
		return nil
	})
	return got, counts, err
}

// liveOf are the live winners of the reference.
func liveOf(rows []customers.Customer) map[int64]bridge.System {
	want := reference(rows)
	maps.DeleteFunc(want, func(_ int64, s bridge.System) bool { return s.Deleted })
	return want
}

func systemsOf(rows map[int64]customers.Customer) map[int64]bridge.System {
	out := map[int64]bridge.System{}
	for id, r := range rows {
		out[id] = r.Sys
	}
	return out
}

func TestLatestAndCountsOfFiles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		store := lake.NewLocal(t.TempDir())
		files := rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(customer), 1, 12), 0, 4).Draw(rt, "files")
		var all []customers.Customer
		for i, rows := range files {
			put(rt, store, fmt.Sprintf("customer-events+0+%010d.parquet", i), rows...)
			all = append(all, rows...)
		}
		got, counts, err := latest(context.Background(), store)
		if err != nil {
			rt.Fatal(err)
		}
		if want := liveOf(all); !maps.EqualFunc(systemsOf(got), want, same) {
			rt.Fatalf("%v, want %v", systemsOf(got), want)
		}
		for id, row := range got {
			if !slices.Contains(all, row) {
				rt.Fatalf("key %d: %+v is no row of the files", id, row)
			}
		}
		want := Counts{}
		for _, r := range all {
			want.of(r.Sys.Source).Rows++
		}
		for _, s := range reference(all) {
			want.of(s.Source).Winners++
			if s.Deleted {
				want.of(s.Source).Deleted++
			}
		}
		if counts != want {
			rt.Fatalf("%+v, want %+v", counts, want)
		}
	})
}

func (c *Counts) of(s bridge.Source) *SourceCounts {
	if s == bridge.Streaming {
		return &c.Streaming
	}
	return &c.Batch
}

func streamed(id, version int64) customers.Customer {
	return customers.Customer{ID: id, Email: fmt.Sprintf("v%d@example.com", version), Status: customers.StatusActive, IsActive: true,
		Sys: bridge.System{Source: bridge.Streaming, Version: bridge.Some(version), Seq: version}}
}

func loaded(id, version int64, generation int) customers.Customer {
	r := streamed(id, version)
	r.Sys.Source = bridge.Batch
	r.Sys.Seq, _ = bridge.BatchSeq(100, generation, id)
	return r
}

func deleteOf(id, version int64) customers.Customer {
	s := streamed(id, version).Sys
	s.Deleted = true
	return customers.Customer{ID: id, Sys: s}
}

func TestCounts(t *testing.T) {
	store := lake.NewLocal(t.TempDir())
	put(t, store, "batch_2026081902.parquet", loaded(1, 10, 0), loaded(2, 10, 0), loaded(3, 10, 0), loaded(4, 10, 0))
	put(t, store, "customer-events+0+0000000000.parquet", streamed(1, 20), streamed(1, 20), deleteOf(2, 30), streamed(3, 5), streamed(5, 1))
	r, err := NewReader(customers.Table, Options{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Counts(t.Context())
	want := Counts{Batch: SourceCounts{Rows: 4, Winners: 2}, Streaming: SourceCounts{Rows: 5, Winners: 3, Deleted: 1}}
	if err != nil || got != want || got.Live() != 4 {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	history, err := r.History(t.Context(), &customers.Customer{ID: 1})
	if err != nil || !slices.Equal(history, []customers.Customer{streamed(1, 20), streamed(1, 20), loaded(1, 10, 0)}) {
		t.Errorf("history %+v, %v", history, err)
	}
}

// trap lets something happen to the lake between two calls of a reader.
type trap struct {
	lake.Store
	onList, onOpen func(n int) // n counts the calls from 1
	mu             sync.Mutex
	lists, opens   int
}

func (s *trap) List(ctx context.Context, prefix string) iter.Seq2[lake.Object, error] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists++
	if s.onList != nil {
		s.onList(s.lists)
	}
	return s.Store.List(ctx, prefix)
}

func (s *trap) Open(ctx context.Context, key string) (lake.Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opens++
	if s.onOpen != nil {
		s.onOpen(s.opens)
	}
	return s.Store.Open(ctx, key)
}

// replaceable is a lake of one load in two parts, and what replaces it: the new
// generation is written before the old one is deleted.
func replaceable(t *testing.T) (*trap, func()) {
	store := lake.NewLocal(t.TempDir())
	put(t, store, "batch_2026081902.parquet", loaded(1, 10, 0), loaded(2, 10, 0))
	put(t, store, "batch_2026081902_00002.parquet", loaded(3, 10, 0), loaded(4, 10, 0))
	return &trap{Store: store}, func() {
		put(t, store, "batch_2026081902_r1.parquet", loaded(1, 11, 1), loaded(2, 11, 1), loaded(3, 11, 1), loaded(4, 11, 1))
		for _, file := range []string{"batch_2026081902.parquet", "batch_2026081902_00002.parquet"} {
			if err := store.Delete(context.Background(), folder+file); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A load that is replaced at any moment of a read: a key never vanishes, and the result
// is of one generation, or it says that it is none.
func TestLoadReplacedUnderAReader(t *testing.T) {
	for opens := 1; opens <= 5; opens++ {
		store, replace := replaceable(t)
		store.onOpen = func(n int) {
			if n == opens {
				replace()
			}
		}
		got, counts, err := latest(t.Context(), store)
		if opens == 4 { // the first part is handed out, the second is gone
			if !errors.Is(err, ErrReplaced) {
				t.Errorf("replaced when rows were handed out: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		versions := map[int64]int{}
		for _, r := range got {
			versions[r.Sys.Version.V]++
		}
		if len(got) != 4 || len(versions) != 1 || counts.Keys() != 4 {
			t.Errorf("replaced at opening %d: versions %v, counts %+v", opens, versions, counts)
		}
	}
}

func TestKeyStaysVisibleWhileItsLoadIsReplaced(t *testing.T) {
	for opens := 1; opens <= 4; opens++ {
		store, replace := replaceable(t)
		store.onOpen = func(n int) {
			if n == opens {
				replace()
			}
		}
		r, err := NewReader(customers.Table, Options{Store: store})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Get(t.Context(), &customers.Customer{ID: 3})
		if err != nil || got.Live() == nil {
			t.Errorf("replaced at opening %d: %+v, %v", opens, got, err)
		}
	}
}

// A listing that saw neither generation (the new one sorts before the old and was not
// yet there, the old one was gone when its page came) is not taken for the truth.
func TestListingThatMissedBothGenerations(t *testing.T) {
	store := lake.NewLocal(t.TempDir())
	put(t, store, "batch_2026081901.parquet", loaded(9, 10, 0))
	late := &trap{Store: store, onList: func(n int) {
		if n == 2 {
			put(t, store, "batch_2026081902_r10.parquet", loaded(1, 10, 10))
		}
	}}
	got, _, err := latest(t.Context(), late)
	if err != nil || len(got) != 2 || late.lists != 3 {
		t.Errorf("%v, %v after %d listings", got, err, late.lists)
	}
	streaming := &trap{Store: store, onList: func(n int) {
		put(t, store, fmt.Sprintf("customer-events+0+%010d.parquet", n), streamed(1, 20))
	}}
	if _, _, err := latest(t.Context(), streaming); err != nil || streaming.lists != 2 {
		t.Errorf("new streamed objects are no reason to read again: %v after %d listings", err, streaming.lists)
	}
}

func TestEndlessReplacementEndsWithAnError(t *testing.T) {
	store := lake.NewLocal(t.TempDir())
	put(t, store, "batch_2026081902.parquet", loaded(1, 10, 0))
	restless := &trap{Store: store, onList: func(n int) {
		put(t, store, fmt.Sprintf("batch_2026081902_r%d.parquet", n), loaded(1, 10, n))
	}}
	if _, _, err := latest(t.Context(), restless); !errors.Is(err, ErrReplaced) || restless.lists != attempts+1 {
		t.Errorf("%v after %d listings", err, restless.lists)
	}
}

func TestDamagedFileIsNamed(t *testing.T) {
	store := lake.NewLocal(t.TempDir())
	staged, err := store.Stage(t.Context(), folder+"batch_2026081902.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := staged.Write([]byte("PAR1 this is no Parquet file PAR1")); err != nil {
		t.Fatal(err)
	}
	if err := staged.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := latest(t.Context(), store); err == nil || !strings.Contains(err.Error(), "batch_2026081902.parquet") {
		t.Errorf("%v", err)
	}
}

// failing is a store that cannot be reached.
type failing struct{ lake.Store }

func (failing) List(context.Context, string) iter.Seq2[lake.Object, error] {
	return func(yield func(lake.Object, error) bool) { yield(lake.Object{}, errors.New("the store is away")) }
}

// strict is a store that has a word of its own for an object that is gone, as S3 has for
// one that was replaced while it was open.
type strict struct{ lake.Store }

func (s strict) Open(ctx context.Context, key string) (lake.Source, error) {
	source, err := s.Store.Open(ctx, key)
	if errors.Is(err, lake.ErrNotFound) {
		err = errors.New("PreconditionFailed: 412")
	}
	return source, err
}

func TestAnyErrorOfAReplacedObjectCountsAsGone(t *testing.T) {
	for opens := 1; opens <= 3; opens++ {
		store, replace := replaceable(t)
		store.onOpen = func(n int) {
			if n == opens {
				replace()
			}
		}
		if got, _, err := latest(t.Context(), strict{store}); err != nil || len(got) != 4 {
			t.Errorf("replaced at opening %d: %v, %v", opens, got, err)
		}
	}
}

func TestErrorOfEmitComesBack(t *testing.T) {
	store, _ := replaceable(t)
	full := errors.New("the disk is full")
	calls := 0
	_, err := Dedup(t.Context(), customers.Any, store, true, func(bridge.Rows) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}
