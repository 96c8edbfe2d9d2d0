package batch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// shuffled is a CSV of n customers, each key twice, in no order.
func shuffled(n int) Input {
	var b strings.Builder
	b.WriteString("id,email,status,created_at,updated_at\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,c%d@example.com,active,2026-01-01T00:00:00Z,2026-08-18T00:00:00Z\n", i*7919%(n/2)-n/4, i)
	}
	return text("dump.csv", b.String())
}

// A load sorts by key, over all its objects, and each row keeps its place in the input.
func TestSortedLoad(t *testing.T) {
	const n = sortedRows + 3*batchRows + 5 // two runs
	store := newMemory()
	o := optionsOf(store)
	o.SortByKey, o.PartBytes, o.RowGroupRows, o.TempDir = true, 200<<10, batchRows, t.TempDir()
	r := mustLoad(t, o, shuffled(n))
	if r.Rows != n || len(r.Objects) < 3 {
		t.Fatalf("%+v", r)
	}
	rows := readTable(t, customers.Table, store)
	for i, row := range rows {
		position := row.Sys.Seq & (1<<34 - 1)
		if i > 0 && (row.ID < rows[i-1].ID || row.ID == rows[i-1].ID && row.Sys.Seq < rows[i-1].Sys.Seq) {
			t.Fatalf("row %d: key %d stands behind key %d", i, row.ID, rows[i-1].ID)
		}
		if row.ID != position*7919%(n/2)-n/4 || row.Email != fmt.Sprintf("c%d@example.com", position) {
			t.Fatalf("%+v is not what stood in row %d", row, position)
		}
	}
	if len(rows) != n {
		t.Errorf("%d rows", len(rows))
	}
	b := store.objects[r.Objects[0].Key]
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if by := f.RowGroups()[0].SortingColumns(); len(by) != 1 || by[0].Path()[0] != "id" || by[0].Descending() {
		t.Errorf("the footer says that rows are sorted by %v", by)
	}
	if again := mustLoad(t, o, shuffled(n)); !again.Already {
		t.Errorf("%+v", again)
	}
	other := newMemory()
	o.Store = other
	if mustLoad(t, o, shuffled(n)); !slices.Equal(other.keys(), store.keys()) || !bytes.Equal(other.objects[r.Objects[1].Key], store.objects[r.Objects[1].Key]) {
		t.Error("the same input made other objects")
	}
}

// Over many partitions rows lie by key in each.
func TestSortedLoadOverPartitions(t *testing.T) {
	table := customersTable(func(s *bridge.Schema) { s.PartitionBy, s.SortByKey = 4, true })
	table.PartitionTime = func(r *customers.Customer) bridge.Timestamp { return r.CreatedAt }
	var b strings.Builder
	b.WriteString("id,email,status,created_at,updated_at\n")
	for i := range 3000 {
		at := bridge.Timestamp(int64(i%70) * 3600000)
		fmt.Fprintf(&b, "%d,a@example.com,active,%s,%s\n", i*7919%3000, at, at)
	}
	store := newMemory()
	r, err := Load(context.Background(), table, []Input{text("dump.csv", b.String())}, optionsOf(store))
	if err != nil || len(r.Objects) != 70 || r.Rows != 3000 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, o := range r.Objects {
		rows, err := readObject(table, store, o.Key)
		if err != nil || !slices.IsSortedFunc(rows, func(a, b customers.Customer) int { return int(a.ID - b.ID) }) {
			t.Errorf("%s is not sorted, %v", o.Key, err)
		}
	}
}

// Whatever fits in memory, the order is the same.
func TestSorterRuns(t *testing.T) {
	c, err := newSettings(customers.Table.Schema, Options{Store: newMemory(), Time: loadTime, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := newSorter(c, customers.Table.NewRows)
		defer s.drop()
		s.room = rapid.SampledFrom([]int{1, 7, 100, math.MaxInt}).Draw(rt, "room")
		var want []customers.Customer
		for range rapid.IntRange(0, 12).Draw(rt, "batches") {
			rows := &bridge.RowsOf[customers.Customer]{T: customers.Table}
			for range rapid.IntRange(1, 20).Draw(rt, "rows") {
				r := customer(rapid.Int64Range(-5, 5).Draw(rt, "id"), customers.StatusActive)
				r.Sys = bridge.System{Source: bridge.Batch, Seq: int64(len(want))}
				rows.R = append(rows.R, r)
				want = append(want, r)
			}
			if err := s.add(rows, len(rows.R)); err != nil {
				rt.Fatal(err)
			}
		}
		slices.SortStableFunc(want, func(a, b customers.Customer) int { return int(a.ID - b.ID) })
		var got []customers.Customer
		err := s.emit(context.Background(), func(rows bridge.Rows, n int) error {
			got = append(got, rows.(*bridge.RowsOf[customers.Customer]).R[:n]...)
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			rt.Fatalf("%v, %+v, want %+v", err, got, want)
		}
	})
}

// A failure of the store, or to stop, ends the sorting; a temporary folder that is not
// there is said.
func TestSorterFails(t *testing.T) {
	o := optionsOf(newMemory())
	o.SortByKey, o.TempDir = true, t.TempDir()+"/none"
	_, err := Load(context.Background(), customers.Any, []Input{shuffled(sortedRows + 10)}, o)
	if err == nil || !strings.Contains(err.Error(), "sorting the rows: ") {
		t.Error(err)
	}
	c, err := newSettings(customers.Table.Schema, Options{Store: newMemory(), Time: loadTime, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s := newSorter(c, customers.Table.NewRows)
	s.room = 1
	defer s.drop()
	rows := customers.Table.NewRows(1)
	rows.(*bridge.RowsOf[customers.Customer]).R[0] = customer(1, customers.StatusActive)
	if err := s.add(rows, 1); err != nil {
		t.Fatal(err)
	}
	if err := s.file.Truncate(int64(s.size - 1)); err != nil {
		t.Fatal(err)
	}
	if err := s.emit(context.Background(), func(bridge.Rows, int) error { return nil }); err == nil || !strings.HasSuffix(err.Error(), io.ErrUnexpectedEOF.Error()) {
		t.Error(err)
	}
}

// The bytes of a key compare as its values do, of every type that a key may have.
func TestSortKeysCompareAsValues(t *testing.T) {
	leaf := func(kind bridge.Kind, logical string) *bridge.Leaf { return &bridge.Leaf{Kind: kind, Logical: logical} }
	key := func(l *bridge.Leaf, c *bridge.Column) []byte { return append(appendSortKey(nil, l, c, 0), 0x80) }
	bytesOf := func(b []byte) *bridge.Column { return &bridge.Column{Off: []uint32{0, uint32(len(b))}, Bytes: b} }
	rapid.Check(t, func(t *rapid.T) {
		same := func(what string, got, want int) {
			if got != want {
				t.Fatalf("%s: %d, want %d", what, got, want)
			}
		}
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		same("long", bytes.Compare(key(leaf(bridge.Int64, ""), &bridge.Column{I64: []int64{a}}), key(leaf(bridge.Int64, ""), &bridge.Column{I64: []int64{b}})), big.NewInt(a).Cmp(big.NewInt(b)))
		i, j := rapid.Int32().Draw(t, "i"), rapid.Int32().Draw(t, "j")
		same("int", bytes.Compare(key(leaf(bridge.Int32, ""), &bridge.Column{I32: []int32{i}}), key(leaf(bridge.Int32, ""), &bridge.Column{I32: []int32{j}})), big.NewInt(int64(i)).Cmp(big.NewInt(int64(j))))
		text := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 'a', 255}), 0, 4)
		x, y := text.Draw(t, "x"), text.Draw(t, "y")
		same("text", bytes.Compare(key(leaf(bridge.Bytes, "string"), bytesOf(x)), key(leaf(bridge.Bytes, "string"), bytesOf(y))), bytes.Compare(x, y))
		d, e := bridge.Decimal{Hi: a, Lo: uint64(b)}, bridge.Decimal{Hi: rapid.SampledFrom([]int64{a, b, 0, -1}).Draw(t, "hi"), Lo: rapid.Uint64().Draw(t, "lo")}
		number := leaf(bridge.Bytes, "decimal(38,2)")
		same("decimal", bytes.Compare(key(number, bytesOf(bridge.AppendDecimalBytes(nil, d))), key(number, bytesOf(bridge.AppendDecimalBytes(nil, e)))), d.Cmp(e))
	})
	enum := &bridge.Leaf{Kind: bridge.Code, Values: []string{"web", "store"}}
	if bytes.Compare(key(enum, &bridge.Column{U8: []uint8{0}}), key(enum, &bridge.Column{U8: []uint8{1}})) <= 0 {
		t.Error("symbols compare as texts, for the bounds in a footer do")
	}
}
