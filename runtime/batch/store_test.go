package batch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// memory is a store that can be broken: fail is asked before every change.
type memory struct {
	mu      sync.Mutex
	objects map[string][]byte
	fail    func(op, key string) error
}

func newMemory() *memory { return &memory{objects: map[string][]byte{}} }

func (m *memory) change(op, key string, do func()) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		if err := m.fail(op, key); err != nil {
			return err
		}
	}
	do()
	return nil
}

func (m *memory) keys() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.objects))
}

// content is a copy of everything.
func (m *memory) content() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]string{}
	for key, b := range m.objects {
		all[key] = string(b)
	}
	return all
}

func (m *memory) List(_ context.Context, prefix string) iter.Seq2[lake.Object, error] {
	return func(yield func(lake.Object, error) bool) {
		for _, key := range m.keys() {
			m.mu.Lock()
			size := int64(len(m.objects[key]))
			m.mu.Unlock()
			if strings.HasPrefix(key, prefix) && !yield(lake.Object{Key: key, Size: size}, nil) {
				return
			}
		}
	}
}

type source struct{ *bytes.Reader }

func (s source) Close() error { return nil }

func (m *memory) Open(_ context.Context, key string) (lake.Source, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.objects[key]
	if !ok {
		return nil, lake.ErrNotFound
	}
	return source{bytes.NewReader(b)}, nil
}

func (m *memory) Delete(_ context.Context, key string) error {
	return m.change("delete", key, func() { delete(m.objects, key) })
}

func (m *memory) URL(key string) string { return "mem://" + key }

func (m *memory) Stage(_ context.Context, key string) (lake.Staged, error) {
	return &staged{store: m, key: key}, nil
}

type staged struct {
	bytes.Buffer
	store *memory
	key   string
}

func (s *staged) Size() int64    { return int64(s.Len()) }
func (s *staged) Close() error   { return nil }
func (s *staged) Discard() error { return nil }
func (s *staged) Commit(context.Context) error {
	return s.store.change("commit", s.key, func() { s.store.objects[s.key] = bytes.Clone(s.Bytes()) })
}

// readObject reads all rows of an object.
func readObject[R any](table *bridge.Table[R], store lake.Store, key string) ([]R, error) {
	src, err := store.Open(context.Background(), key)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	f, err := lake.OpenFile(table.Schema, src, src.Size(), key)
	if err != nil {
		return nil, err
	}
	var leaves []int
	for i := range table.Schema.Leaves {
		leaves = append(leaves, i)
	}
	pages := f.Pages(leaves)
	defer pages.Close()
	var all []R
	for {
		p, err := pages.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		rows := table.NewRows(0).(*bridge.RowsOf[R])
		rows.Scan(clonePage(p), 0)
		all = append(all, rows.R...)
	}
}

// clonePage copies what strings would alias.
func clonePage(p *bridge.Page) *bridge.Page {
	c := *p
	c.Cols = slices.Clone(p.Cols)
	for i := range c.Cols {
		c.Cols[i].Bytes = bytes.Clone(c.Cols[i].Bytes)
	}
	return &c
}

// readTable reads all rows of a table in the order of the objects' keys.
func readTable[R any](t testing.TB, table *bridge.Table[R], store lake.Store) (all []R) {
	t.Helper()
	for object, err := range store.List(context.Background(), table.Schema.Prefix()+"/year=") {
		if err != nil {
			t.Fatal(err)
		}
		rows, err := readObject(table, store, object.Key)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	return all
}

var errBrokenStore = errors.New("the store is broken")
