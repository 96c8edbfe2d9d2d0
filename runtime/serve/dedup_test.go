package serve

import (
	"maps"
	"slices"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"pgregory.net/rapid"
)

// system draws system columns that often meet, so that every tie-break decides somewhere.
func system(t *rapid.T) bridge.System {
	near := rapid.OneOf(rapid.Int64Range(-1, 1), rapid.Int64())
	s := bridge.System{Seq: near.Draw(t, "seq"), IngestedAt: bridge.Timestamp(near.Draw(t, "ingested")),
		Source: bridge.Source(rapid.IntRange(1, 2).Draw(t, "source"))}
	s.Deleted = s.Seq == 0 // rows equal in the order are one event, so both are deletes or none
	if rapid.Bool().Draw(t, "versioned") {
		s.Version = bridge.Some(near.Draw(t, "version"))
	}
	return s
}

func customer(t *rapid.T) customers.Customer {
	r := customers.Customer{ID: rapid.Int64Range(-2, 2).Draw(t, "id"), Sys: system(t)}
	if !r.Sys.Deleted {
		r.Email = rapid.StringMatching(`[a-z]{0,3}`).Draw(t, "email")
		r.Status = rapid.SampledFrom([]customers.Status{customers.StatusActive, customers.StatusBanned}).Draw(t, "status")
		r.IsActive = r.Status == customers.StatusActive
	}
	return r
}

// reference is the dedup of the design in ten lines: of each key the newest row.
func reference(rows []customers.Customer) map[int64]bridge.System {
	best := map[int64]bridge.System{}
	for _, r := range rows {
		if old, ok := best[r.ID]; !ok || bridge.Compare(&r.Sys, &old, bridge.Streaming) > 0 {
			best[r.ID] = r.Sys
		}
	}
	return best
}

// same reports whether two rows are repetitions of one event.
func same(a, b bridge.System) bool { return bridge.Compare(&a, &b, bridge.Streaming) == 0 }

// winnersOf runs the core over rows in pages of the given size.
func winnersOf(t *rapid.T, d *dedup, table bridge.Any, rows bridge.Rows, pageRows int) []int {
	p := bridge.NewPage(table.Info())
	for from := 0; from < rows.Len(); from += pageRows {
		rows.Fill(p, from, min(from+pageRows, rows.Len()))
		d.add(p)
	}
	w := d.winners(false)
	var out []int
	for i := range rows.Len() {
		if w.has(uint64(i)) {
			out = append(out, i)
		}
	}
	return out
}

func TestDedupAgreesWithTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(customer), 0, 40).Draw(t, "rows")
		want := reference(rows)
		repeated := slices.Clone(rows)
		for _, i := range rapid.SliceOf(rapid.IntRange(0, 39)).Draw(t, "repetitions") {
			if i < len(rows) {
				repeated = append(repeated, rows[i])
			}
		}
		repeated = rapid.Permutation(repeated).Draw(t, "order")
		d := newDedup(&customersSchema, rapid.Int64Range(0, 1<<20).Draw(t, "bytes"))
		got := map[int64]bridge.System{}
		hidden := &bridge.RowsOf[customers.Customer]{T: customers.Table, R: repeated}
		for _, i := range winnersOf(t, d, customers.Any, hidden, rapid.IntRange(1, 9).Draw(t, "page")) {
			r := repeated[i]
			if _, twice := got[r.ID]; twice {
				t.Fatalf("key %d has two winners", r.ID)
			}
			got[r.ID] = r.Sys
		}
		if !maps.EqualFunc(got, want, same) {
			t.Fatalf("winners %v, want %v", got, want)
		}
		if d.counts.Rows() != int64(len(repeated)) || d.counts.Keys() != int64(len(want)) {
			t.Fatalf("counts %+v of %d rows and %d keys", d.counts, len(repeated), len(want))
		}
	})
}

var customersSchema = *customers.Table.Schema

// A part that drops its losers early, again and again, ends with the same winners.
func TestCompactionKeepsTheWinners(t *testing.T) {
	const n, keys = 5 * compactAt, 3 * compactAt / 2
	rows := make([]customers.Customer, n)
	for i := range rows {
		k := i * 7919 % n
		rows[i] = customers.Customer{ID: int64(k % keys), Status: customers.StatusActive,
			Sys: bridge.System{Source: bridge.Batch, Seq: int64(k), Version: bridge.Some(int64(k / (2 * keys)))}}
	}
	want := reference(rows)
	d := newDedup(&customersSchema, 1)
	p := bridge.NewPage(&customersSchema)
	hidden := &bridge.RowsOf[customers.Customer]{T: customers.Table, R: rows}
	for from := 0; from < n; from += 1000 {
		hidden.Fill(p, from, min(from+1000, n))
		d.add(p)
	}
	if kept := len(d.parts[0].entries); kept > 2*keys+compactAt {
		t.Errorf("%d entries are kept for %d keys", kept, keys)
	}
	w := d.winners(false)
	found := 0
	for i := range rows {
		if w.has(uint64(i)) {
			found++
			if !same(rows[i].Sys, want[rows[i].ID]) {
				t.Fatalf("key %d: %+v wins, want %+v", rows[i].ID, rows[i].Sys, want[rows[i].ID])
			}
		}
	}
	if found != keys {
		t.Errorf("%d winners, want %d", found, keys)
	}
}

// Order case 1: a key change whose old and new key normalise to one is a delete and a
// create of one commit time and one log position; the create has the greater _seq.
func TestOrderCase1KeyChangeStaysLive(t *testing.T) {
	const lsn = 27_000_000
	rows := []customers.Customer{
		{ID: 1, Status: customers.StatusActive, Sys: bridge.System{Source: bridge.Streaming, Version: bridge.Some[int64](500), Seq: 2*lsn + 1}},
		{ID: 1, Sys: bridge.System{Source: bridge.Streaming, Version: bridge.Some[int64](500), Seq: 2 * lsn, Deleted: true}},
	}
	for range 2 {
		slices.Reverse(rows)
		d := newDedup(&customersSchema, 0)
		p := bridge.NewPage(&customersSchema)
		(&bridge.RowsOf[customers.Customer]{T: customers.Table, R: rows}).Fill(p, 0, 2)
		d.add(p)
		w := d.winners(true)
		for i := range rows {
			if w.has(uint64(i)) == rows[i].Sys.Deleted {
				t.Errorf("row %d: winner %v, deleted %v", i, w.has(uint64(i)), rows[i].Sys.Deleted)
			}
		}
	}
}

// A key of several columns is compared by its bytes: neither a hash that two keys share
// nor texts that meet when joined make one key of two.
func TestTextKeysAreExact(t *testing.T) {
	s := bridge.Schema{
		Fields: []bridge.Field{{Name: "a", Type: "string", Key: true}, {Name: "b", Type: "string", Key: true}, {Name: "day", Type: "date", Key: true}},
		Leaves: []bridge.Leaf{
			{Path: []string{"a"}, Kind: bridge.Bytes, Levels: -1, Field: 0},
			{Path: []string{"b"}, Kind: bridge.Bytes, Levels: -1, Field: 1},
			{Path: []string{"day"}, Kind: bridge.Int32, Levels: -1, Field: 2},
			{Path: []string{"_source"}, Kind: bridge.Code, Levels: -1, Field: -1},
			{Path: []string{"_ingested_at"}, Kind: bridge.Int64, Levels: -1, Field: -1},
			{Path: []string{"_version"}, Kind: bridge.Int64, MaxDef: 1, Levels: 0, Field: -1},
			{Path: []string{"_seq"}, Kind: bridge.Int64, Levels: -1, Field: -1},
		},
		NLevels: 1, Key: []int{0, 1, 2}, Sys: 3, Preferred: bridge.Streaming,
	}
	type key struct {
		a, b string
		day  int32
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`x{0,3}`)
		keys := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) key {
			return key{word.Draw(t, "a"), word.Draw(t, "b"), rapid.Int32Range(0, 1).Draw(t, "day")}
		}), 1, 60).Draw(t, "keys")
		p := bridge.NewPage(&s)
		p.N = len(keys)
		off := [2][]uint32{p.Cols[0].Offsets(p.N), p.Cols[1].Offsets(p.N)}
		want := map[key]int{} // the last row, for _seq rises
		for i, k := range keys {
			want[k] = i
			for c, v := range []string{k.a, k.b} {
				p.Cols[c].Bytes = append(p.Cols[c].Bytes, v...)
				off[c][i+1] = uint32(len(p.Cols[c].Bytes))
			}
			p.Cols[2].I32 = append(p.Cols[2].I32, k.day)
			p.Cols[6].I64 = append(p.Cols[6].I64, int64(i))
		}
		p.Cols[3].Codes(p.N)
		p.Cols[4].Int64s(p.N)
		p.Levels[0].Defs(p.N)
		d := newDedup(&s, 1<<20)
		if rapid.Bool().Draw(t, "collide") {
			d.keys.hash = func([]byte) uint64 { return 7 }
		}
		d.add(p)
		if rapid.Bool().Draw(t, "compact") {
			for i := range d.parts {
				d.compact(&d.parts[i])
			}
		}
		w := d.winners(false)
		for i, k := range keys {
			if w.has(uint64(i)) != (want[k] == i) {
				t.Fatalf("row %d of key %+v: winner %v", i, k, w.has(uint64(i)))
			}
		}
		if d.counts.Keys() != int64(len(want)) || d.counts.Batch.Rows != int64(len(keys)) {
			t.Fatalf("counts %+v, want %d keys", d.counts, len(want))
		}
	})
}
