package batch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

func list(t *testing.T, store *memory, s *bridge.Schema, from, to bridge.Timestamp) []Entry {
	t.Helper()
	entries, err := List(context.Background(), store, s, from, to)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func listAll(t *testing.T, store *memory) []Entry {
	t.Helper()
	return list(t, store, customers.Table.Schema, bridge.MinTimestamp, bridge.MaxTimestamp)
}

func TestListStates(t *testing.T) {
	for _, c := range []struct {
		state   string
		rows    int64
		objects int
		harm    func(*memory)
	}{
		{Complete, 20000, 3, func(*memory) {}},
		{Damaged, 20000 - 8192, 2, func(m *memory) { delete(m.objects, loadFolder+"batch_2026081902.parquet") }},
		{Damaged, 20000, 3, func(m *memory) { m.objects[loadFolder+"batch_2026081902.parquet"] = []byte("short") }},
		{Unmarked, 20000, 3, func(m *memory) { delete(m.objects, loadMarker) }},
		{Incomplete, 20000, 3, func(m *memory) {
			m.objects[loadMarker] = []byte(strings.Replace(string(m.objects[loadMarker]), `"complete"`, `"intent"`, 1))
		}},
		// As a kill leaves it after the marker of a new generation is complete, and before the old one is gone.
		{Leftovers, 20000, 3, func(m *memory) {
			m.objects[loadFolder+"batch_2026081902_r1.parquet"] = m.objects[loadFolder+"batch_2026081902.parquet"]
			m.objects[loadFolder+"batch_2026081902_r1_00002.parquet"] = []byte("not even read")
		}},
		{Damaged, 20000 - 8192, 2, func(m *memory) {
			m.objects[loadFolder+"batch_2026081902_r1.parquet"] = m.objects[loadFolder+"batch_2026081902.parquet"]
			delete(m.objects, loadFolder+"batch_2026081902.parquet")
		}},
		{Damaged, 0, 0, func(m *memory) {
			for part := range 3 {
				delete(m.objects, loadFolder+identity{customers.Table.Schema, loadTime, ""}.object(0, part+1))
			}
		}},
	} {
		store := newMemory()
		o := optionsOf(store)
		o.PartBytes, o.RowGroupRows = 1, batchRows
		mustLoad(t, o, dump(1, 20000, "active"))
		c.harm(store)
		all := listAll(t, store)
		if len(all) != 1 || all[0].State != c.state || all[0].Rows != c.rows || all[0].Objects != c.objects || all[0].Load != "batch_2026081902" || all[0].Source != "batch" {
			t.Errorf("%s: %+v", c.state, all)
		}
	}
}

// What cannot be read has a state that says why, and the rest of the table is listed.
func TestListGoesOnPastWhatCannotBeRead(t *testing.T) {
	store := newMemory()
	for hour := range 4 {
		o := optionsOf(store)
		o.Time = loadTime + bridge.Timestamp(hour*3600000)
		mustLoad(t, o, dump(1, 10, "active"))
	}
	folder := func(hour string) string { return strings.Replace(loadFolder, "hour=02", "hour="+hour, 1) }
	marker := strings.Replace(loadMarker, "2026081902", "2026081903", 1)
	store.objects[marker] = []byte("{")
	delete(store.objects, strings.Replace(loadMarker, "2026081902", "2026081904", 1))
	store.objects[folder("04")+"batch_2026081904.parquet"] = []byte("PAR1, then nothing")
	store.objects[folder("05")+"customer-events+0+0000000000.parquet"] = []byte("short")
	store.objects[folder("05")+"customer-events+0+0000000010.parquet"] = store.objects[loadFolder+"batch_2026081902.parquet"]
	var got []string
	for _, e := range listAll(t, store) {
		state := e.State
		if cause, is := strings.CutPrefix(state, Unreadable); is {
			state = "unreadable"
			for _, word := range []string{marker, folder("04") + "batch_2026081904.parquet", folder("05") + "customer-events+0+0000000000.parquet"} {
				if strings.Contains(cause, "mem://"+word) {
					state += " " + word[strings.LastIndex(word, "/")+1:]
				}
			}
		}
		got = append(got, fmt.Sprintf("%s %s %d objects %d rows %s", e.Time.Time().Format("15"), e.Source, e.Objects, e.Rows, state))
	}
	want := `02 batch 1 objects 10 rows complete
03 batch 1 objects 10 rows unreadable batch_2026081903.json
04 batch 1 objects 0 rows unreadable batch_2026081904.parquet
05 batch 1 objects 10 rows complete
05 streaming 2 objects 10 rows unreadable customer-events+0+0000000000.parquet`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got:\n%s\nwant:\n%s", text, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := List(ctx, store, customers.Table.Schema, bridge.MinTimestamp, bridge.MaxTimestamp); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestListByDateAndSource(t *testing.T) {
	store := newMemory()
	for hour := range 3 {
		o := optionsOf(store)
		o.Time = loadTime + bridge.Timestamp(hour*3600000)
		mustLoad(t, o, dump(1, 10+hour, "active"))
		o.Name, o.Rejects = "eu", t.TempDir()+"/rejects"
		mustLoad(t, o, dump(100, 100+hour, "active"), text("b.csv", "id,email,status,created_at,updated_at\nx,,active,2026-01-01,2026-01-01\n"))
	}
	// As the stream's objects and a stranger's would lie there.
	streamed := store.objects[loadFolder+"batch_2026081902.parquet"]
	store.objects[loadFolder+"customer-events+0+0000000000.parquet"] = streamed
	store.objects[loadFolder+"customer-events+1+0000000000.snappy.parquet"] = streamed
	store.objects[loadFolder+"notes.txt"] = []byte("hello")
	next := loadTime + 3600000
	all := list(t, store, customers.Table.Schema, loadTime, next)
	var got []string
	for _, e := range all {
		got = append(got, e.Time.Time().Format("15")+" "+e.Source+" "+e.Load+" "+e.State)
	}
	want := "02 batch batch_2026081902 complete,02 batch batch_2026081902_eu complete,02 other  ,02 streaming  ,03 batch batch_2026081903 complete,03 batch batch_2026081903_eu complete"
	if strings.Join(got, ",") != want {
		t.Fatalf("got %q", got)
	}
	if e := all[1]; e.Rows != 1 || e.Rejected != 1 || e.AsOf != bridge.TimestampOf(clock()) {
		t.Errorf("%+v", e)
	}
	if e := all[3]; e.Rows != 20 || e.Objects != 2 || e.Bytes != int64(2*len(streamed)) {
		t.Errorf("%+v", e)
	}
	if n := len(listAll(t, store)); n != 8 {
		t.Errorf("%d entries in all", n)
	}
	if n := len(list(t, store, customers.Table.Schema, loadTime+24*3600000, loadTime+48*3600000)); n != 0 {
		t.Errorf("%d entries on another day", n)
	}
}

// By a partition time of its own a load spans partitions, its rows lie where they
// belong, and the parts of each are numbered on their own.
func TestALoadOverManyPartitions(t *testing.T) {
	table := customersTable(func(s *bridge.Schema) { s.PartitionBy, s.Deletes = 4, true })
	table.PartitionTime = func(r *customers.Customer) bridge.Timestamp { return r.CreatedAt }
	var b strings.Builder
	b.WriteString("id,email,status,created_at,updated_at\n")
	const hours, perHour = 80, 3
	first := time.Date(2026, 8, 1, 0, 30, 0, 0, time.UTC)
	for i := range hours * perHour {
		at := first.Add(time.Duration(i%hours) * time.Hour).Format(time.RFC3339)
		b.WriteString(strings.Join([]string{string(bridge.AppendLongText(nil, int64(i))), "a@b", "active", at, at}, ",") + "\n")
	}
	store := newMemory()
	r, err := Load(context.Background(), table, []Input{text("dump.csv", b.String())}, optionsOf(store))
	if err != nil || r.Rows != hours*perHour {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, o := range r.Objects {
		rows, err := readObject(table, store, o.Key)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if !strings.Contains(o.Key, table.Schema.Partition(row.CreatedAt)+"/") || row.Sys.Seq != loadHour<<40|row.ID {
				t.Fatalf("%s holds %+v", o.Key, row)
			}
		}
	}
	if rows := readTable(t, table, store); len(rows) != hours*perHour {
		t.Errorf("%d rows", len(rows))
	}
	before := store.content()
	if r, err = Load(context.Background(), table, []Input{text("dump.csv", b.String())}, optionsOf(store)); err != nil || !r.Already {
		t.Errorf("again: %+v, %v", r, err)
	}
	one := list(t, store, table.Schema, bridge.TimestampOf(first), bridge.TimestampOf(first))
	if len(one) != 1 || one[0].Rows != perHour || one[0].State != Complete {
		t.Errorf("one hour: %+v", one)
	}
	o := optionsOf(store)
	o.Replace = true
	if r, err = Load(context.Background(), table, []Input{dump(1, 3, "active")}, o); err != nil || r.Replaced != len(before)-1 || len(store.keys()) != 2 {
		t.Errorf("replaced: %+v, %v; the lake holds %q", r, err, store.keys())
	}
}

// What many partitions hold back is bounded: the fullest are written first, and rows
// still land in their partition, in order.
func TestRowsHeldBackAreBounded(t *testing.T) {
	table := customersTable(func(s *bridge.Schema) { s.PartitionBy = 4 })
	table.PartitionTime = func(r *customers.Customer) bridge.Timestamp { return r.CreatedAt }
	store := newMemory()
	c, err := newSettings(table.Schema, optionsOf(store))
	if err != nil {
		t.Fatal(err)
	}
	p := newParts(context.Background(), c, table, 0, loadTime)
	p.room = 100
	const folders, n = 7, 1000
	for from := 0; from < n; from += 10 {
		rows := &bridge.RowsOf[customers.Customer]{T: table}
		for i := from; i < from+10; i++ {
			row := customer(int64(i), "active")
			row.CreatedAt = loadTime + bridge.Timestamp(i*i%folders)*3600000
			row.Sys = bridge.System{Source: bridge.Batch, Seq: int64(i)}
			rows.R = append(rows.R, row)
		}
		if err := p.add(rows, rows.Len()); err != nil {
			t.Fatal(err)
		}
		if p.buffered > p.room {
			t.Fatalf("%d rows are held back", p.buffered)
		}
	}
	if err := p.finish(); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, part := range p.done {
		if err := part.staged.Commit(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range store.keys() {
		rows, err := readObject(table, store, key)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			if !strings.Contains(key, table.Schema.Partition(row.CreatedAt)+"/") || i > 0 && rows[i-1].Sys.Seq >= row.Sys.Seq {
				t.Fatalf("%s, row %d: %+v", key, i, row)
			}
		}
		seen += len(rows)
	}
	if seen != n {
		t.Errorf("%d rows of %d", seen, n)
	}
}
