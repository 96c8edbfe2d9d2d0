package golang_test

import (
	"bytes"
	"encoding/hex"
	"runtime"
	"testing"

	"github.com/bridgegen/bridgegen/generator/golang/internal/nested"
	"github.com/bridgegen/bridgegen/generator/golang/internal/nesteddeletes"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/bridgetest"
)

// readField reads the own layout of a column; "malformed", or its JSON and how many bytes
// are left.
func readField(t testing.TB, column, bytes string) string {
	t.Helper()
	b, err := hex.DecodeString(bytes)
	if err != nil {
		t.Fatal(err)
	}
	var r nested.Order
	col := nested.Any.Info().FieldNamed(column)
	at := nested.Table.ReadAvroField(&r, col, b, 0)
	if at < 0 {
		return "malformed"
	}
	text := string(nested.Table.AppendText(nil, &r, col))
	if at != len(b) {
		text += " and a rest"
	}
	return text
}

// By the Avro specification: a block is a count and as many items, or a negative count and
// a length in bytes; a count of 0 ends.
func TestAvroBlocks(t *testing.T) {
	for _, c := range []struct{ column, bytes, want string }{
		{"l_int", "00", `[]`},
		{"l_int", "04" + "0202" + "0204" + "00", `[1,2]`},
		{"l_int", "02" + "0202" + "02" + "0204" + "00", `[1,2]`},
		{"l_int", "03" + "08" + "0202" + "0204" + "00", `[1,2]`},
		{"l_int", "01" + "04" + "0202" + "02" + "0204" + "00", `[1,2]`},
		{"l_int", "03" + "06" + "0202" + "0204" + "00", "malformed"}, // the length is not that of the items
		{"l_int", "03" + "0a" + "0202" + "0204" + "00", "malformed"},
		{"l_int", "03" + "7e" + "0202" + "0204" + "00", "malformed"},
		{"l_int", "03" + "01" + "0202" + "0204" + "00", "malformed"}, // a negative length
		{"l_int", "04" + "0202" + "00" + "00", "malformed"},          // a null item
		{"l_int", "04" + "0202", "malformed"},
		{"l_int", "04" + "0202" + "0204", "malformed"},
		{"l_int", "", "malformed"},
		{"l_int", "feffffffffffffffff01", "malformed"},               // 2^63-1 items
		{"l_int", "ffffffffffffffffff01" + "00" + "00", "malformed"}, // -2^63 items
		{"l_int", "fdffffffffffffffff01" + "00" + "00", "malformed"},
		{"m_int", "04" + "0261" + "02" + "0262" + "04" + "00", `{"a":1,"b":2}`},
		{"m_int", "03" + "0c" + "0261" + "02" + "0262" + "04" + "00", `{"a":1,"b":2}`},
		{"m_int", "04" + "0261" + "02" + "0261" + "04" + "00", `{"a":2}`}, // the last one holds
		{"m_int", "02" + "0461" + "00", "malformed"},
		{"l_enum", "02" + "0204" + "00", "malformed"}, // it has two symbols
		{"empty", "00" + "00", `{"a":null,"b":null}`},
		{"empty", "0202" + "02" + "00", `{"a":1,"b":[]}`},
		{"empty", "0202" + "02" + "02" + "0201" + "00", `{"a":1,"b":[true]}`},
		{"empty", "0202" + "02" + "02" + "0202" + "00", "malformed"},
		{"empty", "04", "malformed"},
	} {
		if got := readField(t, c.column, c.bytes); got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.bytes, c.column, got, c.want)
		}
	}
}

// A count that its message cannot hold costs nothing.
func TestAvroCountsAllocateNoMoreThanTheMessageIsWorth(t *testing.T) {
	message := append([]byte{0xfe, 0xff, 0x07}, make([]byte, 100)...) // 65,535 items in 100 bytes
	col := nested.Any.Info().FieldNamed("items")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var r nested.Order
	if at := nested.Table.ReadAvroField(&r, col, message, 0); at >= 0 {
		t.Fatalf("read to %d", at)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<10 {
		t.Errorf("%d bytes allocated", n)
	}
}

// No part of a message is a message, and no byte that is turned makes a reader fall.
func TestAvroOfNestedTablesCutAndTurned(t *testing.T) {
	for name, table := range tables {
		t.Run(name, func(t *testing.T) {
			rows, got := bridgetest.Rows(t, table, 12, 11), table.NewRows(1)
			for i := range rows.Len() {
				wire := rows.AppendAvro(nil, i)
				for n := range wire {
					if err := got.ReadAvro(0, wire[:n:n]); err == nil {
						t.Fatalf("row %d was read from %d of %d bytes", i, n, len(wire))
					}
				}
				for n := range wire {
					turned := bytes.Clone(wire)
					turned[n] ^= 0x81
					if got.ReadAvro(0, turned) == nil {
						got.AppendJSON(nil, 0)
					}
				}
			}
		})
	}
}

// The buffer that a row is written to is measured before: it must hold the longest forms.
func TestAvroOfTheLongestForms(t *testing.T) {
	least := bridge.Decimal{Hi: -1 << 63}
	r := nesteddeletes.Order{ID: -1 << 63, LInt: []int32{-1 << 31, -1 << 31}, LLong: []int64{-1 << 63}, LDecimal: []bridge.Decimal{least, least},
		LUUID: make([]bridge.UUID, 100), LDouble: make([]float64, 100), LBoolean: make([]bool, 100), LBytes: make([][]byte, 300),
		MDecimal: map[string]bridge.Decimal{"a": least, "b": least}, MLong: map[string]int64{"": -1 << 63, "a": -1 << 63},
		LTimestamp: []bridge.Timestamp{-1 << 63}, MUUID: map[string]bridge.UUID{"": {}}}
	r.Sys = bridge.System{Source: bridge.Batch, IngestedAt: -1 << 63, Seq: -1 << 63, Version: bridge.Some(int64(-1 << 63))}
	wire := nesteddeletes.AppendAvro(nil, &r)
	var got nesteddeletes.Order
	if err := nesteddeletes.ReadAvro(&got, wire); err == nil {
		t.Fatal("a row without its enum was read") // code 255
	}
	r.Status, r.BillTo.Raw = nesteddeletes.StatusOpen, []byte{}
	wire = nesteddeletes.AppendAvro(nil, &r)
	if err := nesteddeletes.ReadAvro(&got, wire); err != nil {
		t.Fatal(err)
	}
	if again := nesteddeletes.AppendAvro(nil, &got); !bytes.Equal(again, wire) {
		t.Errorf("%x, want %x", again, wire)
	}
}

func FuzzNestedAvro(f *testing.F) {
	rows := bridgetest.Rows(f, nested.Any, 20, 2)
	for i := range rows.Len() {
		f.Add(rows.AppendAvro(nil, i))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var r, again nested.Order
		if nested.ReadAvro(&r, b) != nil {
			return
		}
		wire := nested.AppendAvro(nil, &r)
		if err := nested.ReadAvro(&again, wire); err != nil {
			t.Fatalf("%x was read, and what was written of it, %x, not: %v", b, wire, err)
		}
		if !bytes.Equal(nested.AppendAvro(nil, &again), wire) {
			t.Fatalf("%x became another row", wire)
		}
		page, back := bridge.NewPage(nested.Any.Info()), make([]nested.Order, 1)
		nested.Table.Fill(page, []nested.Order{r})
		nested.Table.Scan(page, back)
		if got := nested.AppendAvro(nil, &back[0]); !bytes.Equal(got, wire) {
			t.Fatalf("%x came back from a page as %x", wire, got)
		}
	})
}
