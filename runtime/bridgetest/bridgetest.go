// Package bridgetest holds the tests that generated packages call: a row must survive
// every form that generated code gives it. Its rows come from a fixed seed.
package bridgetest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/hamba/avro/v2"
)

// rows is how many valid rows a test makes, and tries how many it takes at most to find
// them: a spec may reject most of what is random.
const (
	rows  = 500
	tries = 200 * rows
)

// RoundTrips tests the generated functions of a table: page, Avro (against hamba/avro,
// in both directions), state document, text cells, merge, and the order as text.
func RoundTrips(t *testing.T, table bridge.Any) {
	all := Rows(t, table, rows, 1)
	for _, c := range []struct {
		name string
		run  func(*testing.T, bridge.Any, bridge.Rows)
	}{
		{"page", throughPage}, {"avro", throughAvro}, {"json", throughJSON}, {"text", throughText}, {"merge", throughMerge},
		{"order", orderAsText}, {"apply", applyTwice},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, table, all) })
	}
}

// Rows makes n valid rows from a seed, every tenth a delete if the table has deletes.
func Rows(t testing.TB, table bridge.Any, n int, seed uint64) bridge.Rows {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	s := table.Info()
	out := table.NewRows(n)
	var env bridge.Env
	var last []bridge.Reject
	made := 0
	for range tries {
		if made == n {
			return out
		}
		out.Clear(made)
		*out.Sys(made) = system(rng, s, made)
		if err := fill(rng, s, out, made); err != nil {
			t.Fatal(err)
		}
		if !out.Apply(&env, made) {
			last = append(last[:0], env.Rejects...)
			continue
		}
		made++
	}
	if made == 0 {
		t.Skipf("no random row of %s is valid: %+v", s.Table, last)
	}
	out.Resize(made)
	return out
}

func system(rng *rand.Rand, s *bridge.Schema, i int) bridge.System {
	sys := bridge.System{
		Source:     bridge.Source(1 + rng.IntN(2)),
		IngestedAt: bridge.Timestamp(1_700_000_000_000 + rng.Int64N(100_000_000_000)),
		Seq:        rng.Int64() - rng.Int64(),
		Deleted:    s.Deletes && i%10 == 9,
	}
	if sys.Deleted && s.Version >= 0 {
		sys.Version = bridge.Some(rng.Int64N(2_000_000_000_000))
	}
	return sys
}

// fill sets the columns of row i as a load does, cell by cell.
func fill(rng *rand.Rand, s *bridge.Schema, rows bridge.Rows, i int) error {
	for col := range s.Fields {
		f := &s.Fields[col]
		if rows.Sys(i).Deleted && !f.Key {
			continue
		}
		cell := bridge.Text{Null: f.Optional && rng.IntN(4) == 0}
		if !cell.Null {
			value, err := random(rng, f)
			if err != nil {
				return fmt.Errorf("column %q: %w", f.Name, err)
			}
			cell.B = []byte(value)
		}
		if rows.Set(i, col, &cell); cell.Reason != "" {
			return fmt.Errorf("column %q: %q %s", f.Name, cell.B, cell.Reason)
		}
	}
	return nil
}

// same fails unless rows i of got and j of want are alike in every column.
func same(t *testing.T, table bridge.Any, got bridge.Rows, i int, want bridge.Rows, j int) {
	t.Helper()
	sameText(t, got, i, want, j)
	if g, w := got.AppendAvro(nil, i), want.AppendAvro(nil, j); !bytes.Equal(g, w) {
		t.Fatalf("row %d of %s: Avro %x, want %x", j, table.Info().Table, g, w)
	}
}

// sameText is same for rows that came through texts, which have one NaN only: what an
// expression computes has the sign and the payload that the processor gives it.
func sameText(t *testing.T, got bridge.Rows, i int, want bridge.Rows, j int) {
	t.Helper()
	if g, w := *got.Sys(i), *want.Sys(j); g != w {
		t.Fatalf("row %d: system columns %+v, want %+v", j, g, w)
	}
	if g, w := got.AppendJSON(nil, i), want.AppendJSON(nil, j); !bytes.Equal(g, w) {
		t.Fatalf("row %d:\n  %s, want\n  %s", j, g, w)
	}
}

func throughPage(t *testing.T, table bridge.Any, all bridge.Rows) {
	page := bridge.NewPage(table.Info())
	got := table.NewRows(0)
	for from := 0; from < all.Len(); from += 64 {
		to := min(from+64, all.Len())
		all.Fill(page, from, to)
		got.Scan(page, 0)
		for i := from; i < to; i++ {
			same(t, table, got, i-from, all, i)
		}
	}
}

// throughAvro reads with the generated reader what it wrote, and sends it through
// hamba/avro by the registered schema: what comes back must be the same bytes.
func throughAvro(t *testing.T, table bridge.Any, all bridge.Rows) {
	schema, err := avro.Parse(table.Info().Avro)
	if err != nil {
		t.Fatalf("schema: %v", err)
	}
	got := table.NewRows(1)
	for i := range all.Len() {
		wire := all.AppendAvro(nil, i)
		if err := got.ReadAvro(0, wire); err != nil {
			t.Fatalf("row %d: %v", i, err)
		}
		same(t, table, got, 0, all, i)
		var generic any
		if err := avro.Unmarshal(schema, wire, &generic); err != nil {
			t.Fatalf("row %d: hamba/avro does not read it: %v", i, err)
		}
		back, err := avro.Marshal(schema, generic)
		if err != nil {
			t.Fatalf("row %d: hamba/avro: %v", i, err)
		}
		sameWire(t, table, i, back, wire)
		if len(wire) > 0 {
			if err := got.ReadAvro(0, wire[:len(wire)-1]); err == nil {
				t.Fatalf("row %d: a message without its last byte was read", i)
			}
		}
	}
}

// sameWire fails unless both are the same bytes. Of a nested table they need only be read as
// the same row: other writers cut blocks of lists and maps as they like, and maps have no
// order.
func sameWire(t *testing.T, table bridge.Any, i int, back, wire []byte) {
	t.Helper()
	if bytes.Equal(back, wire) {
		return
	}
	if table.Info().Root == nil {
		t.Fatalf("row %d: hamba/avro wrote %x, generated code %x", i, back, wire)
	}
	rows := table.NewRows(2)
	for n, b := range [][]byte{back, wire} {
		if err := rows.ReadAvro(n, b); err != nil {
			t.Fatalf("row %d: %v: %x", i, err, b)
		}
	}
	same(t, table, rows, 0, rows, 1)
}

func throughJSON(t *testing.T, table bridge.Any, all bridge.Rows) {
	s := table.Info()
	for i := range all.Len() {
		raw := all.AppendJSON(nil, i)
		var doc map[string]any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatalf("row %d: %v: %s", i, err, raw)
		}
		order := bridge.AppendOrder(nil, all.Sys(i), s.Preferred)
		if !bytes.HasPrefix(raw, append([]byte(`{"_o":"`), order...)) {
			t.Fatalf("row %d: the document does not begin with its order: %s", i, raw)
		}
		for _, f := range s.Fields {
			value, there := doc[f.Name]
			if !there {
				t.Fatalf("row %d: no member %q in %s", i, f.Name, raw)
			}
			if null := value == nil; null && !f.Optional && !all.Sys(i).Deleted || !null && all.Sys(i).Deleted && !f.Key {
				t.Fatalf("row %d: member %q is %v in %s", i, f.Name, value, raw)
			}
		}
		var key map[string]any
		if err := json.Unmarshal(all.AppendKey(nil, i), &key); err != nil || len(key) != len(s.Key) {
			t.Fatalf("row %d: key %s: %v", i, all.AppendKey(nil, i), err)
		}
		if len(all.AppendStateKey(nil, i)) == 0 {
			t.Fatalf("row %d: empty state key", i)
		}
	}
}

func throughText(t *testing.T, table bridge.Any, all bridge.Rows) {
	s := table.Info()
	got := table.NewRows(1)
	for i := range all.Len() {
		if all.Sys(i).Deleted {
			continue
		}
		got.Clear(0)
		*got.Sys(0) = *all.Sys(i)
		for col := range s.Fields {
			cell := bridge.Text{B: all.AppendText(nil, i, col), Symbols: true}
			cell.Null = s.Fields[col].Optional && isNull(all, i, s.Fields[col].Name, cell.B)
			if got.Set(0, col, &cell); cell.Reason != "" {
				t.Fatalf("row %d: column %q: %q %s", i, s.Fields[col].Name, cell.B, cell.Reason)
			}
		}
		sameText(t, got, 0, all, i)
	}
}

// isNull tells a null from an empty text, which AppendText does not: by the document.
func isNull(rows bridge.Rows, i int, name string, text []byte) bool {
	var doc map[string]json.RawMessage
	return len(text) == 0 && json.Unmarshal(rows.AppendJSON(nil, i), &doc) == nil && string(doc[name]) == "null"
}

func throughMerge(t *testing.T, table bridge.Any, all bridge.Rows) {
	s := table.Info()
	got := table.NewRows(1)
	for i := range all.Len() {
		for col := range s.Fields {
			got.Copy(0, all, (i+1)%all.Len())
			var one bridge.Columns
			one.Add(col)
			got.Merge(0, all, i, one)
			for other := range s.Fields {
				want := all.AppendText(nil, (i+1)%all.Len(), other)
				if other == col {
					want = all.AppendText(nil, i, other)
				}
				if text := got.AppendText(nil, 0, other); !bytes.Equal(text, want) {
					t.Fatalf("row %d: merging column %d set column %d to %q, want %q", i, col, other, text, want)
				}
			}
		}
	}
}

func orderAsText(t *testing.T, table bridge.Any, all bridge.Rows) {
	preferred := table.Info().Preferred
	for i := range all.Len() {
		a, b := all.Sys(i), all.Sys((i*7+3)%all.Len())
		asText := bytes.Compare(bridge.AppendOrder(nil, a, preferred), bridge.AppendOrder(nil, b, preferred))
		if c := bridge.Compare(a, b, preferred); cmp.Compare(c, 0) != asText {
			t.Fatalf("%+v and %+v: Compare says %d, the texts %d", a, b, c, asText)
		}
	}
}

// applyTwice: what was normalised once stays as it is.
func applyTwice(t *testing.T, table bridge.Any, all bridge.Rows) {
	got := table.NewRows(1)
	var env bridge.Env
	for i := range all.Len() {
		got.Copy(0, all, i)
		if !got.Apply(&env, 0) {
			t.Fatalf("row %d: valid once, then rejected: %+v", i, env.Rejects)
		}
		same(t, table, got, 0, all, i)
	}
}
