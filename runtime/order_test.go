package bridge_test

import (
	"bytes"
	"encoding/json"
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"pgregory.net/rapid"
)

func systems() *rapid.Generator[bridge.System] {
	near := rapid.OneOf(rapid.Int64Range(-2, 2), rapid.Int64())
	return rapid.Custom(func(t *rapid.T) bridge.System {
		s := bridge.System{
			Seq: near.Draw(t, "seq"), IngestedAt: bridge.Timestamp(near.Draw(t, "ingested")),
			Source: bridge.Source(rapid.IntRange(1, 2).Draw(t, "source")), Deleted: rapid.Bool().Draw(t, "deleted"),
		}
		if rapid.Bool().Draw(t, "versioned") {
			s.Version = bridge.Some(near.Draw(t, "version"))
		}
		return s
	})
}

// reference is the order in the words of the design: version, nulls last, then the
// preferred source, then seq, then ingested_at.
func reference(a, b bridge.System, preferred bridge.Source) int {
	rank := func(s bridge.System) [5]int64 {
		r := [5]int64{0, 0, 0, s.Seq, int64(s.IngestedAt)}
		if s.Version.OK {
			r[0], r[1] = 1, s.Version.V
		}
		if s.Source == preferred {
			r[2] = 1
		}
		return r
	}
	x, y := rank(a), rank(b)
	for i := range x {
		if x[i] != y[i] {
			if x[i] > y[i] {
				return 1
			}
			return -1
		}
	}
	return 0
}

func TestOrderAndItsTextAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := systems().Draw(t, "a"), systems().Draw(t, "b")
		preferred := bridge.Source(rapid.IntRange(1, 2).Draw(t, "preferred"))
		want := reference(a, b, preferred)
		if got := bridge.Compare(&a, &b, preferred); got != want {
			t.Fatalf("Compare = %d, want %d", got, want)
		}
		x, y := bridge.AppendOrder(nil, &a, preferred), bridge.AppendOrder(nil, &b, preferred)
		if got := bytes.Compare(x, y); got != want || len(x) != bridge.OrderWidth || len(y) != bridge.OrderWidth {
			t.Fatalf("%s against %s = %d, want %d", x, y, got, want)
		}
	})
}

func TestBatchSeqBounds(t *testing.T) {
	last := int64(-1)
	for _, c := range [][3]int64{{0, 0, 0}, {0, 0, 1<<34 - 1}, {0, 1, 0}, {0, 63, 1<<34 - 1}, {1, 0, 0}, {1<<23 - 1, 63, 1<<34 - 1}} {
		seq, ok := bridge.BatchSeq(c[0], int(c[1]), c[2])
		if !ok || seq <= last {
			t.Errorf("%v: %d, %v after %d", c, seq, ok, last)
		}
		last = seq
	}
	for _, c := range [][3]int64{{-1, 0, 0}, {1 << 23, 0, 0}, {0, 64, 0}, {0, -1, 0}, {0, 0, 1 << 34}, {0, 0, -1}} {
		if _, ok := bridge.BatchSeq(c[0], int(c[1]), c[2]); ok {
			t.Errorf("%v fits", c)
		}
	}
}

// encoding/json is the reference for strings.
func TestStringJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		out := bridge.AppendStringJSON(nil, s)
		var got, want string
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		ref, _ := json.Marshal(s)
		if json.Unmarshal(ref, &want); got != want {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
	})
}

func TestAvroPrimitives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64().Draw(t, "v")
		b := bridge.Grow(nil, bridge.MaxVarint)
		n := bridge.PutLong(b, 0, v)
		if got, i := bridge.Long(b[:n], 0); got != v || i != n {
			t.Fatalf("%d: %x reads %d at %d", v, b[:n], got, i)
		}
		if _, i := bridge.Long(b[:n-1], 0); i >= 0 {
			t.Fatalf("%d: cut short and accepted", v)
		}
		s := systems().Draw(t, "s")
		b = bridge.Grow(nil, bridge.SysSize)
		n = bridge.PutSys(b, 0, &s, true)
		var back bridge.System
		if i := bridge.ReadSys(b[:n], 0, &back, true); i != n || back != s {
			t.Fatalf("%+v reads as %+v at %d of %d", s, back, i, n)
		}
	})
	for _, c := range []struct {
		v    int64
		want []byte
	}{{0, []byte{0}}, {-1, []byte{1}}, {1, []byte{2}}, {-64, []byte{0x7f}}, {64, []byte{0x80, 1}}} { // from the Avro specification
		b := bridge.Grow(nil, bridge.MaxVarint)
		if n := bridge.PutLong(b, 0, c.v); !bytes.Equal(b[:n], c.want) {
			t.Errorf("%d: %x, want %x", c.v, b[:n], c.want)
		}
	}
}
