package batch

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

func TestRowReaderAndRejects(t *testing.T) {
	table := itemsTable(nil)
	in := text("a.csv", "id,fullName,priority,at\n1,x,1,2026-08-18T10:00:00Z\nx,y,1,2026-08-18T10:00:00Z\n3,,-1,2026-08-18T10:00:00Z\n4,,1,2026-08-18T10:00:00.0001Z\n")
	r, err := OpenRows(context.Background(), table.Schema, in, "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := filepath.Join(t.TempDir(), "rejects.csv")
	rejects, err := CreateRejects(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rejects.Discard()
	rows, env := table.NewRows(1), bridge.Env{}
	var ids []int64
	for {
		err := r.Next(rows, 0)
		if err == io.EOF {
			break
		}
		var invalid *Invalid
		if err == nil && !rows.Apply(&env, 0) {
			invalid = r.Refused(env.Rejects)
		} else if err != nil && !errors.As(err, &invalid) {
			t.Fatal(err)
		}
		if invalid != nil {
			rejects.Put(r, invalid)
			continue
		}
		ids = append(ids, rows.(*bridge.RowsOf[item]).R[0].ID)
	}
	if err := rejects.Close(); err != nil {
		t.Fatal(err)
	}
	if len(ids) != 2 || ids[0] != 1 || ids[1] != 4 || r.Rows() != 4 || r.Floored() != 1 {
		t.Errorf("ids %v of %d rows, %d floored", ids, r.Rows(), r.Floored())
	}
	want := `id,fullName,priority,at,_reason
x,y,1,2026-08-18T10:00:00Z,"a.csv:3:1: column ""id"": ""x"" is no long (64 bit, digits, optionally signed)"
3,,-1,2026-08-18T10:00:00Z,"a.csv:4:3: column ""priority"": ""-1"" does not hold: priority >= 0"
`
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("rejects, %v:\n%s", err, got)
	}
	if _, err := OpenRows(context.Background(), table.Schema, text("a", "id\n"), "csv"); err == nil || !strings.Contains(err.Error(), "lacks column") {
		t.Errorf("header: %v", err)
	}
	if _, err := OpenRows(context.Background(), table.Schema, in, "xml"); err == nil || err.Error() != `the format is csv, jsonl or parquet, not "xml"` {
		t.Errorf("format: %v", err)
	}
}

// A reader that ends a sentence of a file of rejects can be read again as an input.
func TestRejectsCanBeRepairedAndLoaded(t *testing.T) {
	store := newMemory()
	table := itemsTable(func(s *bridge.Schema) { s.Extra = "ignore" })
	o := optionsOf(store)
	o.Rejects = filepath.Join(t.TempDir(), "rejects.csv")
	bad := "id,fullName,priority,at\n1,\"a, \"\"b\"\"\",-1,2026-08-18T10:00:00Z\n2,x,1,2026-08-18T10:00:00Z\n"
	if _, err := Load(context.Background(), table, []Input{text("a.csv", bad)}, o); err != nil {
		t.Fatal(err)
	}
	repaired, err := os.ReadFile(o.Rejects)
	if err != nil {
		t.Fatal(err)
	}
	o.Rejects, o.Name = "", "repaired"
	in := text("rejects.csv", strings.Replace(string(repaired), ",-1,", ",5,", 1))
	if _, err := Load(context.Background(), table, []Input{in}, o); err != nil {
		t.Fatal(err)
	}
	for _, r := range readTable(t, table, store) {
		if r.ID == 1 && r.Name.V == `a, "b"` && r.Priority == 5 {
			return
		}
	}
	t.Errorf("the repaired row is not there: %+v", readTable(t, table, store))
}

func customer(id int64, status customers.Status) customers.Customer {
	return customers.Customer{ID: id, Email: "A@b", Status: status, CreatedAt: loadTime - 1000, UpdatedAt: loadTime - 1000}
}

func TestWriterMakesOneLoad(t *testing.T) {
	store := newMemory()
	write := func(o Options, n int64, status customers.Status) (*Result, error) {
		w := NewWriter(customers.Table, o)
		defer w.Abort()
		for id := range n {
			r := customer(id, status)
			if err := w.Write(&r); err != nil {
				return nil, err
			}
		}
		return w.Close(context.Background())
	}
	r, err := write(optionsOf(store), 10000, "active")
	if err != nil || r.Rows != 10000 || len(loaded(t, store)) != 10000 {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := loaded(t, store)[3]; got.Email != "a@b" || !got.IsActive || got.Sys.Seq != loadHour<<40|3 || got.Sys.Source != bridge.Batch || got.Sys.IngestedAt != loadTime {
		t.Errorf("%+v", got)
	}
	before := store.content()
	o := optionsOf(store)
	o.Now = func() time.Time { return clock().Add(time.Hour) }
	if r, err = write(o, 10000, "active"); err != nil || !r.Already || !maps.Equal(before, store.content()) {
		t.Errorf("again: %+v, %v", r, err)
	}
	if _, err = write(o, 10, "banned"); err == nil || !strings.Contains(err.Error(), "other input") || !maps.Equal(before, store.content()) {
		t.Errorf("other rows: %v", err)
	}
	o.Replace = true
	if r, err = write(o, 10, "banned"); err != nil || r.Generation != 1 || r.Replaced != 1 || len(loaded(t, store)) != 10 {
		t.Errorf("replace: %+v, %v", r, err)
	}
}

func TestWriterRefusesRows(t *testing.T) {
	store := newMemory()
	w := NewWriter(customers.Table, optionsOf(store))
	defer w.Abort()
	good, bad, gone := customer(1, "active"), customer(2, "vip"), customer(3, "active")
	gone.Sys.Deleted = true
	if err := w.Write(&good); err != nil {
		t.Fatal(err)
	}
	var invalid *Invalid
	if err := w.Write(&bad); !errors.As(err, &invalid) || err.Error() != `row 1: column "status": "vip" is not one of active, inactive, banned, suspended` {
		t.Errorf("invalid: %v", err)
	}
	if err := w.Write(&gone); !errors.As(err, &invalid) || !strings.HasPrefix(err.Error(), "row 2: the row is a delete") {
		t.Errorf("delete: %v", err)
	}
	if _, err := w.Close(context.Background()); err == nil || !strings.Contains(err.Error(), "2 of 3 rows are invalid; nothing was written") || len(store.keys()) > 0 {
		t.Errorf("close: %v; the lake holds %q", err, store.keys())
	}
	if err := w.Write(&good); err == nil {
		t.Error("a closed writer takes rows")
	}
}

// An application's rejected rows are CSV that a load reads: null and the empty text differ.
func TestWriterRejects(t *testing.T) {
	store, table := newMemory(), itemsTable(nil)
	o := optionsOf(store)
	o.Rejects = filepath.Join(t.TempDir(), "rejects.csv")
	w := NewWriter(table, o)
	defer w.Abort()
	for i, name := range []bridge.Opt[string]{{}, bridge.Some(""), bridge.Some(`a, "b"`), bridge.Some("x")} {
		if err := w.Write(&item{ID: int64(i), Name: name, Priority: int32(i/3*2 - 1)}); (err == nil) != (i == 3) {
			t.Errorf("row %d: %v", i, err)
		}
	}
	if r, err := w.Close(context.Background()); err != nil || r.Rows != 1 || r.Rejected != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	got, err := os.ReadFile(o.Rejects)
	reason := func(i string) string {
		return `,-1,1970-01-01T00:00:00.000Z,false,"row ` + i + `: column ""priority"": ""-1"" does not hold: priority >= 0"` + "\n"
	}
	want := "id,fullName,priority,at,urgent,_reason\n0," + reason("0") + `1,""` + reason("1") + `2,"a, ""b"""` + reason("2")
	if err != nil || string(got) != want {
		t.Errorf("%v:\n%s\nwant:\n%s", err, got, want)
	}
}
