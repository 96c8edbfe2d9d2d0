package state

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// order is what begins a document; what it says does not matter to a reader.
var order = strings.Repeat("0", bridge.OrderWidth)

const systemMembers = `"_source":"streaming","_ingested_at":"1000","_version":"-9007199254740993","_seq":"9223372036854775807","_deleted":false`

func document(members string) []byte {
	return []byte(bridge.StatePrefix + order + `",` + members + "}")
}

func TestAbsentIsNotNull(t *testing.T) {
	s := *customers.Table.Schema
	s.Fields = slices.Clone(s.Fields)
	s.Fields[2].Default, s.Fields[2].HasDefault = "inactive", true
	s.Fields[1].Optional, s.Fields[4].Optional, s.Fields[5].Optional = true, true, true
	rows := hide(customers.Customer{Email: "of an earlier read"})
	carried, err := bridge.ReadState(&s, rows, 0, document(`"id":7,"is_active":true,"of_a_newer_writer":{"a":[1]},`+systemMembers))
	if err != nil {
		t.Fatal(err)
	}
	want := customers.Customer{ID: 7, IsActive: true, Status: "inactive",
		Sys: bridge.System{Source: bridge.Streaming, IngestedAt: 1000, Version: bridge.Some[int64](-9007199254740993), Seq: 9223372036854775807}}
	if got := rows.(*bridge.RowsOf[customers.Customer]).R[0]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for col, there := range []bool{true, false, false, true, false, false} {
		if carried.Has(col) != there {
			t.Errorf("column %d: carried %v", col, carried.Has(col))
		}
	}
}

// What an older writer did not know never reads as a zero: a derived column is derived, a
// required one without a default is an error, and a delete has neither.
func TestAbsentIsNeverZero(t *testing.T) {
	row := live(7, 5, now)
	doc := string(customers.AppendJSON(nil, &row))
	read := func(doc string) (customers.Customer, bridge.Columns, error) {
		rows := hide(customers.Customer{})
		carried, err := bridge.ReadState(customers.Table.Schema, rows, 0, []byte(doc))
		return rows.(*bridge.RowsOf[customers.Customer]).R[0], carried, err
	}
	without := strings.Replace(doc, `,"is_active":true`, "", 1)
	if got, carried, err := read(without); without == doc || err != nil || got != row || carried.Has(3) {
		t.Errorf("without the derived column: %+v, %v; want %+v", got, err, row)
	}
	without = strings.Replace(doc, `,"email":"a@example.com"`, "", 1)
	if _, _, err := read(without); without == doc || err == nil || !strings.Contains(err.Error(), `column "email" is absent`) {
		t.Errorf("without a required column: %v", err)
	}
	if got, _, err := read(string(document(`"id":7,` + strings.Replace(systemMembers, "false", "true", 1)))); err != nil || !got.Sys.Deleted || got.ID != 7 {
		t.Errorf("a delete: %+v, %v", got, err)
	}
}

func TestUnknownSymbolsTakeTheFallback(t *testing.T) {
	s := *customers.Table.Schema
	doc := document(`"id":7,"email":"a@b.c","status":"vip","is_active":false,"created_at":"1970-01-01T00:00:00Z","updated_at":"1970-01-01T00:00:00Z",` + systemMembers)
	if _, err := bridge.ReadState(&s, hide(customers.Customer{}), 0, doc); err == nil || !strings.Contains(err.Error(), `column "status"`) {
		t.Errorf("without a fallback: %v", err)
	}
	s.Fields = slices.Clone(s.Fields)
	s.Fields[2].Fallback = "inactive"
	rows := hide(customers.Customer{})
	if _, err := bridge.ReadState(&s, rows, 0, doc); err != nil || rows.(*bridge.RowsOf[customers.Customer]).R[0].Status != "inactive" {
		t.Errorf("with a fallback: %+v, %v", rows, err)
	}
}

func TestBadDocumentsSayWhy(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`{"id":7}`, "bridgegen did not write it"},
		{string(document(`"id":7`)), "it lacks one of"},
		{string(document(`"id":7,"email":null,` + systemMembers)), `column "email" is null, but the column is not optional`},
		{string(document(`"id":"x",` + systemMembers)), `column "id": "x" is no long`},
		{string(document(`"id":7,` + systemMembers))[:100], "no valid JSON"},
		{string(document(`"id":7,`+systemMembers)) + "x", "something follows"},
		{string(document(`"id":7,` + strings.Replace(systemMembers, `"streaming"`, `"stream"`, 1))), `column "_source"`},
		{string(document(`"id":7,` + strings.Replace(systemMembers, `"1000"`, `1e3`, 1))), `column "_ingested_at"`},
	} {
		_, err := bridge.ReadState(customers.Table.Schema, hide(customers.Customer{}), 0, []byte(c.doc))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.doc, err, c.want)
		}
	}
}

// FuzzReadState: a document that was read and is written again reads as the same row.
func FuzzReadState(f *testing.F) {
	row := live(1, 2, now)
	whole := string(customers.AppendJSON(nil, &row))
	f.Add([]byte(whole))
	f.Add(document(`"id":7,` + systemMembers))
	f.Add(document(`"id":7,` + strings.Replace(systemMembers, "false", "true", 1)))
	f.Add([]byte(strings.Replace(whole, `"active"`, `"\ud83d"`, 1)))
	f.Add([]byte(whole[:len(whole)/2]))
	f.Fuzz(func(t *testing.T, doc []byte) {
		rows, again := hide(customers.Customer{}), hide(customers.Customer{})
		if _, err := bridge.ReadState(customers.Table.Schema, rows, 0, doc); err != nil {
			return
		}
		if rows.Sys(0).Source == 0 {
			t.Fatalf("%q was read without a source", doc)
		}
		written := rows.AppendJSON(nil, 0)
		if _, err := bridge.ReadState(customers.Table.Schema, again, 0, written); err != nil {
			t.Fatalf("%q was read, but written again, as %q: %v", doc, written, err)
		}
		if back := again.AppendJSON(nil, 0); !bytes.Equal(written, back) {
			t.Fatalf("%q, written as %q, reads as %q", doc, written, back)
		}
	})
}

// A key template may make one text of two keys; the state is of one of them only.
func TestStateOfAnotherKeyIsNotFound(t *testing.T) {
	server, client := startRedis(t)
	other := live(2, 5, now)
	if err := server.Set("customer:1", string(customers.AppendJSON(nil, &other))); err != nil {
		t.Fatal(err)
	}
	if got := read(t, client, 1); got != nil {
		t.Errorf("%+v", got)
	}
}

func TestReadSaysWhatFailed(t *testing.T) {
	server, client := startRedis(t)
	if err := server.Set("customer:1", "rubbish"); err != nil {
		t.Fatal(err)
	}
	_, _, err := Read(t.Context(), client, customers.Any, hide(customers.Customer{ID: 1}), 0, hide(customers.Customer{}), 0)
	if err == nil || !strings.Contains(err.Error(), `"customer:1"`) {
		t.Errorf("%v", err)
	}
	server.Close()
	if _, _, err = Read(t.Context(), client, customers.Any, hide(customers.Customer{ID: 1}), 0, hide(customers.Customer{}), 0); err == nil {
		t.Error("no error of a Redis that is away")
	}
}
