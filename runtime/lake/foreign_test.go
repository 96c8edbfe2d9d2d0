package lake_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"pgregory.net/rapid"
)

// write makes a file with parquet-go.
func write[R any](t interface{ Fatal(...any) }, rows []R, options ...parquet.WriterOption) []byte {
	var out bytes.Buffer
	w := parquet.NewGenericWriter[R](&out, options...)
	for part := range slices.Chunk(rows, 700) {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// foreignOptions are settings under which pages of columns do not end at the same rows.
func foreignOptions(t *rapid.T) []parquet.WriterOption {
	codecs := map[string]compress.Codec{"none": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip, "zstd": &parquet.Zstd}
	return []parquet.WriterOption{
		parquet.Compression(codecs[rapid.SampledFrom([]string{"none", "snappy", "gzip", "zstd"}).Draw(t, "codec")]),
		parquet.DataPageVersion(rapid.IntRange(1, 2).Draw(t, "page version")),
		parquet.PageBufferSize(rapid.SampledFrom([]int{100, 1000, 30_000, 1 << 20}).Draw(t, "page bytes")),
		parquet.MaxRowsPerRowGroup(rapid.SampledFrom([]int64{500, 100_000}).Draw(t, "group rows")),
	}
}

// readCustomers scans all rows of a file.
func readCustomers(b []byte) ([]customers.Customer, error) {
	f, err := lake.OpenFile(customers.Table.Schema, bytes.NewReader(b), int64(len(b)), "file.parquet")
	if err != nil {
		return nil, err
	}
	pages := f.Pages(nil)
	defer pages.Close()
	var all []customers.Customer
	for {
		p, err := pages.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		at := len(all)
		all = append(all, make([]customers.Customer, p.N)...)
		customers.Table.Scan(p, all[at:])
		for i := range all[at:] { // the page is gone after the next call
			all[at+i].Email = strings.Clone(all[at+i].Email)
		}
	}
}

func TestReadsFilesOfParquetGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := sample(rapid.IntRange(0, 1500).Draw(t, "rows"))
		got, err := readCustomers(write(t, peers(rows), foreignOptions(t)...))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, rows) {
			t.Fatalf("%d rows come back otherwise", len(rows))
		}
	})
}

// requiredRow is a customer of a writer that knows no null: what a delete carries is
// whatever the fields held.
type requiredRow struct {
	ID         int64  `parquet:"id,delta"`
	Email      string `parquet:"email,delta"`
	Status     string `parquet:"status"`
	IsActive   bool   `parquet:"is_active"`
	CreatedAt  int64  `parquet:"created_at,timestamp(microsecond)"`
	UpdatedAt  int64  `parquet:"updated_at,timestamp(nanosecond)"`
	Source     string `parquet:"_source,enum"`
	IngestedAt int64  `parquet:"_ingested_at,timestamp(millisecond)"`
	Version    int64  `parquet:"_version"`
	Seq        int64  `parquet:"_seq,delta"`
	Deleted    bool   `parquet:"_deleted"`
}

// A delete has no values (a filler must not come back), whatever the file holds, and
// finer timestamps are floored to the millisecond.
func TestDeletesLoseTheirFillers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := sample(rapid.IntRange(1, 1500).Draw(t, "rows"))
		rows := make([]requiredRow, len(want))
		for i := range want {
			r := &want[i]
			r.Sys.Deleted = rapid.SampledFrom([]int{0, 3, 50}).Draw(t, "deletes") > 0 && i%3 == 0
			if r.Sys.Deleted {
				rows[i] = requiredRow{ID: r.ID, Email: "filler", Status: "banned", IsActive: true, CreatedAt: 5, UpdatedAt: 6}
				r.Email, r.Status, r.IsActive, r.CreatedAt, r.UpdatedAt = "", "", false, 0, 0
			} else {
				if r.Status == "" {
					r.Status = customers.StatusBanned
				}
				r.CreatedAt -= 3e12 // before 1970, where rounding and flooring differ
				rows[i] = requiredRow{ID: r.ID, Email: r.Email, Status: string(r.Status), IsActive: r.IsActive,
					CreatedAt: int64(r.CreatedAt)*1000 + 999, UpdatedAt: int64(r.UpdatedAt)*1_000_000 + 1}
			}
			rows[i].Source, rows[i].IngestedAt, rows[i].Version = r.Sys.Source.String(), int64(r.Sys.IngestedAt), r.Sys.Version.V
			rows[i].Seq, rows[i].Deleted = r.Sys.Seq, r.Sys.Deleted
		}
		b := write(t, rows, foreignOptions(t)...)
		got, err := readCustomers(b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("row %d is %+v, want %+v", i, got[i], want[i])
			}
		}
		checkSubset(t, b)
	})
}

// checkSubset reads single columns: they are as in a reading of all.
func checkSubset(t *rapid.T, b []byte) {
	s := customers.Table.Schema
	all, err := dumpBytes(s, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, leaves := range [][]int{{1}, {6}, {8, 0}, {10, 4}, {5, 2}} {
		some, err := dumpBytes(s, b, leaves)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Leaves {
			if slices.Contains(leaves, i) != (some[i] != nil) || some[i] != nil && !slices.Equal(some[i], all[i]) {
				t.Fatalf("leaf %d differs when %v are read", i, leaves)
			}
		}
	}
}

func TestNullsInLiveRows(t *testing.T) {
	rows := peers(sample(200))
	rows[120].Email = nil
	_, err := readCustomers(write(t, rows))
	wantError(t, err, "file.parquet", `"email"`, "row 121 is null")

	status := "deleted"
	rows = peers(sample(200))
	rows[150].Status = &status
	_, err = readCustomers(write(t, rows))
	wantError(t, err, "file.parquet", `"status"`, "row 151", `"deleted" is not one of active, inactive, banned, suspended`)

	// A column that was added with a default is null in older records that the sink has
	// projected: it reads as the default.
	s := *customers.Table.Schema
	s.Fields = slices.Clone(s.Fields)
	s.Fields[1].HasDefault, s.Fields[1].Default = true, "nobody"
	rows = peers(sample(200))
	rows[120].Email, rows[0].Email = nil, nil
	b := write(t, rows)
	got := mustDump(t, &s, b)
	if got[1][120] != `"nobody"` || got[1][0] != `"nobody"` || got[1][1] == `"nobody"` || got[1][99] != "(0)" {
		t.Errorf("emails %q", got[1][:2])
	}
}

// A file from before the table had deletes: no _deleted, nothing optional.
func TestOlderFilesReadAsLive(t *testing.T) {
	type old struct {
		ID         int64  `parquet:"id"`
		Email      string `parquet:"email"`
		Status     string `parquet:"status"`
		IsActive   bool   `parquet:"is_active"`
		CreatedAt  int64  `parquet:"created_at,timestamp(millisecond)"`
		UpdatedAt  int64  `parquet:"updated_at,timestamp(millisecond)"`
		Source     string `parquet:"_source"`
		IngestedAt int64  `parquet:"_ingested_at,timestamp(millisecond)"`
		Seq        int64  `parquet:"_seq"`
	}
	row := old{7, "a@example.com", "active", true, 1, 2, "batch", 3, 4}
	got, err := readCustomers(write(t, []old{row}))
	if err != nil {
		t.Fatal(err)
	}
	want := customers.Customer{ID: 7, Email: "a@example.com", Status: "active", IsActive: true, CreatedAt: 1, UpdatedAt: 2,
		Sys: bridge.System{Seq: 4, IngestedAt: 3, Source: bridge.Batch}}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %+v", got)
	}
	type noSeq struct {
		ID int64 `parquet:"id"`
	}
	_, err = readCustomers(write(t, []noSeq{{1}}))
	wantError(t, err, `"email"`, "does not have it")
}

func TestEncodingsOfOthers(t *testing.T) {
	type row struct {
		F    float32          `parquet:"f,split"`
		G    float64          `parquet:"g,split"`
		S    string           `parquet:"s,delta"`
		Day  int32            `parquet:"day,date,delta"`
		N    int32            `parquet:"n,dict"`
		Old  deprecated.Int96 `parquet:"old"`
		Dec4 int32            `parquet:"dec4,decimal(2:9)"`
		Dec8 int64            `parquet:"dec8,decimal(2:18),dict"`
		Opt  *int32           `parquet:"opt,optional,dict"`
	}
	s := flat(leaf("f", bridge.Float, "", 0), leaf("g", bridge.Double, "", 0), leaf("s", bridge.Bytes, "string", 0), leaf("day", bridge.Int32, "date", 0),
		leaf("n", bridge.Int64, "", 0), leaf("old", bridge.Int64, "timestamp", 0), leaf("dec4", bridge.Bytes, "decimal(9,2)", 0),
		leaf("dec8", bridge.Bytes, "decimal(20,2)", 1), leaf("opt", bridge.Int32, "", 1))
	seven := int32(7)
	// 1.5 ms after midnight of 1970-01-02, Julian day 2440589.
	late := deprecated.Int96{1_500_000, 0, 2440589}
	b := write(t, []row{
		{1.5, -2.25, "prefix-a", 20000, -3, late, 12345, -12345, &seven},
		{-0.5, 1e300, "prefix-b", -1, 4, deprecated.Int96{0, 0, 2440587}, -1, 1 << 40, nil},
	})
	wantCells(t, s, mustDump(t, s, b), map[string]string{
		"f": "0x1.8p+00 -0x1p-01", "g": "-0x1.2p+01 0x1.7e43c8800759cp+996", "s": `"prefix-a" "prefix-b"`, "day": "20000 -1", "n": "-3 4",
		"old": "86400001 -86400000", "dec4": `"09" "\xff"`, "dec8": `"\xcf\xc7" "\x01\x00\x00\x00\x00\x00"`, "opt": "7 (0)",
	})
}

// order has an optional list of structs with an optional field in them.
type order struct {
	ID    int64  `parquet:"id"`
	Items []item `parquet:"items,optional,list"`
}

type item struct {
	SKU string `parquet:"sku"`
	Qty *int32 `parquet:"qty,optional"`
}

func orderSchema() *bridge.Schema {
	return &bridge.Schema{Table: "orders", Record: "Order", Codec: "zstd", NLevels: 2, Sys: 3,
		Fields: []bridge.Field{{Name: "id", Type: "long", Key: true}, {Name: "items", Type: "list", Optional: true}},
		Leaves: []bridge.Leaf{
			{Path: []string{"id"}, Kind: bridge.Int64, Levels: -1, Field: 0},
			{Path: []string{"items", "list", "element", "sku"}, Kind: bridge.Bytes, Logical: "string", MaxDef: 3, MaxRep: 1, Levels: 0, Field: 1},
			{Path: []string{"items", "list", "element", "qty"}, Kind: bridge.Int32, MaxDef: 4, MaxRep: 1, Levels: 1, Field: 1},
		},
		Root: []bridge.Node{{Name: "id"}, {Name: "items", Rep: 1, Logical: "list", Leaf: -1, Children: []bridge.Node{
			{Name: "list", Rep: 2, Leaf: -1, Children: []bridge.Node{{Name: "element", Rep: 1, Leaf: -1, Children: []bridge.Node{
				{Name: "sku", Logical: "string", Leaf: 1}, {Name: "qty", Rep: 1, Leaf: 2}}}}}}}},
	}
}

// orderCells are the cells as Dremel's rules give them.
func orderCells(orders []order) (sku, qty []string) {
	for _, o := range orders {
		if len(o.Items) == 0 {
			def := map[bool]string{true: "(0)", false: "(1)"}[o.Items == nil]
			sku, qty = append(sku, def), append(qty, def)
			continue
		}
		for i, it := range o.Items {
			rep := map[bool]string{false: "1:"}[i == 0]
			sku = append(sku, rep+`"`+it.SKU+`"`)
			if it.Qty == nil {
				qty = append(qty, rep+"(3)")
			} else {
				qty = append(qty, rep+string('0'+rune(*it.Qty)))
			}
		}
	}
	return sku, qty
}

func orders(t *rapid.T) []order {
	digit := int32(rapid.IntRange(0, 9).Draw(t, "quantity"))
	one := rapid.Custom(func(t *rapid.T) item {
		it := item{SKU: rapid.SampledFrom([]string{"", "a", "bbbbbbbbbb"}).Draw(t, "sku")}
		if rapid.Bool().Draw(t, "has a quantity") {
			it.Qty = &digit
		}
		return it
	})
	pool := rapid.SliceOfN(one, 1, 8).Draw(t, "items")
	out := make([]order, rapid.IntRange(1, 400).Draw(t, "orders"))
	for i := range out {
		out[i].ID = int64(i)
		if n := i * 7 % 11; n < 9 {
			out[i].Items = slices.Repeat(pool, 2)[:min(n, 2*len(pool))]
		}
	}
	return out
}

func TestNestedColumns(t *testing.T) {
	s := orderSchema()
	rapid.Check(t, func(t *rapid.T) {
		rows := orders(t)
		sku, qty := orderCells(rows)
		check := func(b []byte) {
			got, err := dumpBytes(s, b, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got[1], sku) || !slices.Equal(got[2], qty) {
				t.Fatalf("got\n%q\n%q\nwant\n%q\n%q", got[1], got[2], sku, qty)
			}
		}
		foreign := write(t, rows, foreignOptions(t)...)
		check(foreign)
		var out bytes.Buffer // once more through our writer, and back through parquet-go
		w := lake.NewWriter(s, lake.WriterOptions{RowGroupRows: 100})
		w.Reset(&out)
		f, err := lake.OpenFile(s, bytes.NewReader(foreign), int64(len(foreign)), "x")
		if err != nil {
			t.Fatal(err)
		}
		pages := f.Pages(nil)
		for p, err := pages.Next(); err != io.EOF; p, err = pages.Next() {
			if err != nil {
				t.Fatal(err)
			}
			if err := w.WritePage(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		check(out.Bytes())
		again, err := parquet.Read[order](bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		gotSKU, gotQty := orderCells(again)
		if !slices.Equal(gotSKU, sku) || !slices.Equal(gotQty, qty) {
			t.Fatalf("parquet-go reads\n%q\n%q\nwant\n%q\n%q", gotSKU, gotQty, sku, qty)
		}
	})
}

// deletableOrder is an order in a table with deletes.
type deletableOrder struct {
	ID         int64  `parquet:"id"`
	Items      []item `parquet:"items,optional,list"`
	Source     string `parquet:"_source"`
	IngestedAt int64  `parquet:"_ingested_at,timestamp(millisecond)"`
	Seq        int64  `parquet:"_seq"`
	Deleted    bool   `parquet:"_deleted"`
}

func TestNestedColumnsOfDeletes(t *testing.T) {
	s := orderSchema()
	s.Deletes = true
	s.Leaves = append(s.Leaves, allKinds().Leaves[allKinds().Sys:]...)
	s.Leaves[s.Sys+2].Levels = s.NLevels
	s.NLevels++
	for i, l := range s.Leaves[s.Sys:] {
		s.Root = append(s.Root, bridge.Node{Name: l.Path[0], Rep: l.MaxDef, Logical: l.Logical, Leaf: s.Sys + i})
	}
	rows := []deletableOrder{{ID: 1, Items: []item{{SKU: "a"}, {SKU: "b"}}, Source: "batch"}, {ID: 2, Source: "batch", Deleted: true}}
	wantCells(t, s, mustDump(t, s, write(t, rows)), map[string]string{"items.list.element.sku": `"a" 1:"b" (0)`, "_deleted": "false true", "_version": "(0) (0)"})
	rows[0].Deleted = true
	_, err := dumpBytes(s, write(t, rows), nil)
	wantError(t, err, "file.parquet", `"items.list.element.sku"`, "row 1 is a delete")
}

// Two leaves that share levels in the table, and do not in the file.
func TestLevelsThatDisagree(t *testing.T) {
	type row struct {
		A []int64 `parquet:"a,list"`
		B []int64 `parquet:"b,list"`
	}
	list := func(name string, leaf int) bridge.Node {
		return bridge.Node{Name: name, Logical: "list", Leaf: -1, Children: []bridge.Node{{Name: "list", Rep: 2, Leaf: -1, Children: []bridge.Node{{Name: "element", Leaf: leaf}}}}}
	}
	s := &bridge.Schema{Table: "t", Record: "T", NLevels: 1, Sys: 2, Fields: []bridge.Field{{Name: "a"}, {Name: "b"}},
		Leaves: []bridge.Leaf{
			{Path: []string{"a", "list", "element"}, Kind: bridge.Int64, MaxDef: 1, MaxRep: 1, Field: 0},
			{Path: []string{"b", "list", "element"}, Kind: bridge.Int64, MaxDef: 1, MaxRep: 1, Field: 1},
		},
		Root: []bridge.Node{list("a", 0), list("b", 1)}}
	wantCells(t, s, mustDump(t, s, write(t, []row{{[]int64{1, 2}, []int64{3, 4}}, {nil, nil}})), map[string]string{"a.list.element": "1 1:2 (0)", "b.list.element": "3 1:4 (0)"})
	_, err := dumpBytes(s, write(t, []row{{[]int64{1, 2}, []int64{3}}}), nil)
	wantError(t, err, `"b.list.element"`, "disagrees")
}
