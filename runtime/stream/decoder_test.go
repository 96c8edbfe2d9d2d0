package stream_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/hamba/avro/v2"
	"github.com/twmb/franz-go/pkg/sr"
	"pgregory.net/rapid"
)

// The fields of the customers schema, to put other writers' schemas together.
const (
	fieldID      = `{"name":"id","type":"long"}`
	fieldEmail   = `{"name":"email","type":["null","string"],"default":null}`
	fieldStatus  = `{"name":"status","type":["null",{"type":"enum","name":"CustomerStatus","symbols":["active","inactive","banned","suspended"]}],"default":null}`
	fieldActive  = `{"name":"is_active","type":["null","boolean"],"default":null}`
	fieldCreated = `{"name":"created_at","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null}`
	fieldUpdated = `{"name":"updated_at","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null}`
	fieldSource  = `{"name":"_source","type":{"type":"enum","name":"BridgeSource","symbols":["batch","streaming"]}}`
	fieldIngest  = `{"name":"_ingested_at","type":{"type":"long","logicalType":"timestamp-millis"}}`
	fieldVersion = `{"name":"_version","type":["null","long"],"default":null}`
	fieldSeq     = `{"name":"_seq","type":"long"}`
	fieldDeleted = `{"name":"_deleted","type":"boolean"}`
)

func schemaOf(fields ...string) string {
	return `{"type":"record","name":"Customer","fields":[` + strings.Join(fields, ",") + `]}`
}

// changed is the table's schema with one field replaced (by nothing: removed).
func changed(from, to string) string {
	all := []string{fieldID, fieldEmail, fieldStatus, fieldActive, fieldCreated, fieldUpdated, fieldSource, fieldIngest, fieldVersion, fieldSeq, fieldDeleted}
	var kept []string
	for _, f := range all {
		if f == from {
			f = to
		}
		if f != "" {
			kept = append(kept, f)
		}
	}
	return schemaOf(kept...)
}

// event is a row for hamba to encode with whatever schema.
func event() map[string]any {
	return map[string]any{
		"id": int64(42), "email": "ada@example.com", "status": enum("inactive"), "is_active": false, "created_at": noon.UTC(), "updated_at": noon.UTC(),
		"_source": "streaming", "_ingested_at": noon.UTC(), "_version": int64(7), "_seq": int64(9), "_deleted": false,
	}
}

// enum is a symbol in a union, as hamba wants it.
func enum(symbol string) any { return map[string]any{"CustomerStatus": symbol} }

func wantRow() customers.Customer {
	at := bridge.TimestampOf(noon)
	return customers.Customer{ID: 42, Email: "ada@example.com", Status: customers.StatusInactive, CreatedAt: at, UpdatedAt: at,
		Sys: bridge.System{Source: bridge.Streaming, IngestedAt: at, Version: bridge.Some(int64(7)), Seq: 9}}
}

// bench is a registry with a decoder at it.
type bench struct {
	t        testing.TB
	registry *sr.Client
	decoder  *stream.Decoder
	rows     *bridge.RowsOf[customers.Customer]
}

func newBench(t *testing.T, table *bridge.Table[customers.Customer]) *bench {
	r := client(t, cluster(t))
	return &bench{t, r, stream.NewDecoder(table, r), &bridge.RowsOf[customers.Customer]{T: table, R: make([]customers.Customer, 1)}}
}

func (b *bench) register(schema string) int {
	b.t.Helper()
	for _, r := range b.registry.SetCompatibility(b.t.Context(), sr.SetCompatibility{Level: sr.CompatNone}, "s") {
		if r.Err != nil {
			b.t.Fatal(r.Err)
		}
	}
	id, err := b.registry.RegisterSchema(b.t.Context(), "s", sr.Schema{Schema: schema}, -1, -1)
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

func framed(id int, body []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(id)), body...)
}

// message encodes an event by hamba with a writer schema that is registered for it.
func (b *bench) message(schema string, e map[string]any) []byte {
	b.t.Helper()
	parsed, err := avro.ParseBytesWithCache([]byte(schema), "", &avro.SchemaCache{})
	if err != nil {
		b.t.Fatal(err)
	}
	body, err := avro.Marshal(parsed, e)
	if err != nil {
		b.t.Fatal(err)
	}
	return framed(b.register(schema), body)
}

func (b *bench) decode(message []byte) (customers.Customer, error) {
	b.rows.Clear(0)
	err := b.decoder.Decode(b.t.Context(), message, b.rows, 0)
	return b.rows.R[0], err
}

func TestDecodeOtherWriters(t *testing.T) {
	set := func(name string, v any) func(map[string]any) { return func(e map[string]any) { e[name] = v } }
	for name, c := range map[string]struct {
		schema string
		event  func(map[string]any)
		row    func(*customers.Customer)
	}{
		"the own schema":        {schema: changed("", "")},
		"other order of fields": {schema: schemaOf(fieldDeleted, fieldSeq, fieldVersion, fieldIngest, fieldSource, fieldUpdated, fieldCreated, fieldActive, fieldStatus, fieldEmail, fieldID)},
		"docs and another name": {schema: strings.Replace(changed("", ""), `"name":"Customer"`, `"name":"Client","namespace":"shop","doc":"d"`, 1),
			event: set("status", map[string]any{"shop.CustomerStatus": "inactive"})},
		"int is promoted to long":  {schema: changed(fieldID, `{"name":"id","type":"int"}`), event: set("id", 42)},
		"null branch last":         {schema: changed(fieldEmail, `{"name":"email","type":["string","null"]}`)},
		"required in the writer":   {schema: changed(fieldEmail, `{"name":"email","type":"string"}`)},
		"bytes for a string":       {schema: changed(fieldEmail, `{"name":"email","type":"bytes"}`), event: set("email", []byte("ada@example.com"))},
		"enum in another order":    {schema: changed(fieldStatus, strings.Replace(fieldStatus, `"active","inactive","banned","suspended"`, `"banned","inactive","active"`, 1))},
		"a derived column missing": {schema: changed(fieldActive, ""), event: set("status", enum("active")), row: func(r *customers.Customer) { r.Status, r.IsActive = customers.StatusActive, true }},
		"no version":               {schema: changed(fieldVersion, ""), row: func(r *customers.Customer) { r.Sys.Version = bridge.Opt[int64]{} }},
		"a delete": {schema: schemaOf(fieldSeq, fieldID, fieldEmail, fieldStatus, fieldActive, fieldCreated, fieldUpdated, fieldSource, fieldIngest, fieldVersion, fieldDeleted),
			event: func(e map[string]any) {
				for _, f := range []string{"email", "status", "is_active", "created_at", "updated_at"} {
					e[f] = nil
				}
				e["_deleted"] = true
			},
			row: func(r *customers.Customer) { *r = customers.Customer{ID: r.ID, Sys: r.Sys}; r.Sys.Deleted = true }},
	} {
		b, e, want := newBench(t, customers.Table), event(), wantRow()
		if c.event != nil {
			c.event(e)
		}
		if c.row != nil {
			c.row(&want)
		}
		if got, err := b.decode(b.message(c.schema, e)); err != nil || got != want {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got, want)
		}
	}
}

// A column with a default reads as that default from records that lack it; a delete
// stays empty.
func TestDecodeDefaults(t *testing.T) {
	table := variant(func(s *bridge.Schema) {
		s.Fields = append([]bridge.Field(nil), s.Fields...)
		s.Fields[2].Default, s.Fields[2].HasDefault = "banned", true
	})
	b := newBench(t, table)
	want := wantRow()
	want.Status = customers.StatusBanned
	if got, err := b.decode(b.message(changed(fieldStatus, ""), event())); err != nil || got != want {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestDecodeStopsAtUnknownSchemas(t *testing.T) {
	for word, schema := range map[string]string{
		`"nickname"`:     changed(fieldSeq, fieldSeq+`,{"name":"nickname","type":["null","string"],"default":null}`),
		`"paused"`:       changed(fieldStatus, strings.Replace(fieldStatus, `"banned"`, `"banned","paused"`, 1)),
		`"created_at"`:   changed(fieldCreated, strings.Replace(fieldCreated, "millis", "micros", 1)),
		`"email"`:        changed(fieldEmail, `{"name":"email","type":"long"}`),
		`lacks column`:   changed(fieldEmail, ""),
		`"_seq"`:         changed(fieldSeq, ""),
		`"id"`:           changed(fieldID, `{"name":"id","type":"double"}`),
		`"_ingested_at"`: changed(fieldIngest, `{"name":"_ingested_at","type":"long"}`),
		`"tags"`:         changed(fieldSeq, fieldSeq+`,{"name":"tags","type":["null","string","long"],"default":null}`),
		`else than null`: changed(fieldEmail, `{"name":"email","type":["null","string","long"],"default":null}`),
	} {
		b := newBench(t, customers.Table)
		_, err := b.decode(framed(b.register(schema), nil))
		var unknown *stream.UnknownSchema
		if !errors.As(err, &unknown) || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), "bridgegen generate") {
			t.Errorf("%s: %v", word, err)
		}
		if _, again := b.decode(framed(unknown.ID, nil)); !errors.As(again, &unknown) {
			t.Errorf("%s, again: %v", word, again)
		}
	}
}

// A record schema of a form that the library does not know was still written for rows:
// they must not be set aside. The name "e-mail" stands for what a later Avro may allow.
func TestDecodeStopsAtASchemaThatItCannotParse(t *testing.T) {
	for word, want := range map[string]struct {
		schema    string
		permanent bool
		unknown   bool
	}{
		"to be read":     {schema: changed(fieldEmail, `{"name":"e-mail","type":"string"}`), permanent: true, unknown: true},
		"not of a":       {schema: `{"type":"enum","name":"e","symbols":["a"]}`, permanent: true},
		"holds no":       {schema: ``},
		"no Avro type":   {schema: `{"type":"novel"}`, permanent: true},
		"of type string": {schema: `"string"`, permanent: true},
	} {
		registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]string{"schema": want.schema})
		}))
		err := decodeBy(t, registry.URL)
		var unknown *stream.UnknownSchema
		if err == nil || stream.Permanent(err) != want.permanent || errors.As(err, &unknown) != want.unknown || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", word, err)
		}
		registry.Close()
	}
}

// Who brings the two schemas together again depends on which of them is behind.
func TestUnknownSchemaSaysWhoIsBehind(t *testing.T) {
	b := newBench(t, customers.Table)
	for schema, word := range map[string]string{
		changed(fieldEmail, ""): "its writer is older",
		changed(fieldSeq, fieldSeq+`,{"name":"nickname","type":["null","string"],"default":null}`): "readers before writers",
	} {
		if _, err := b.decode(framed(b.register(schema), nil)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%v, want %q", err, word)
		}
	}
}

// decodeBy decodes a record with the registry at url.
func decodeBy(t *testing.T, url string) error {
	t.Helper()
	registry, err := stream.RegistryClient(url)
	if err != nil {
		t.Fatal(err)
	}
	return stream.NewDecoder(customers.Any, registry).Decode(t.Context(), framed(1, nil), customers.Table.NewRows(1), 0)
}

// A 404 that does not carry the registry's own code is a proxy's, or that of a wrong
// path: nothing is said of the schema.
func TestNotFoundIsNoWordOfTheRegistry(t *testing.T) {
	for name, body := range map[string]string{"a web server": "404 page not found", "a registry, another path": `{"error_code":404,"message":"HTTP 404 Not Found"}`} {
		wrong := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, body, http.StatusNotFound)
		}))
		if err := decodeBy(t, wrong.URL); err == nil || stream.Permanent(err) {
			t.Errorf("%s: %v", name, err)
		}
		_, err := stream.NewWriter(t.Context(), customers.Table, stream.Options{Brokers: []string{"127.0.0.1:1"}, Registry: wrong.URL})
		var absent *stream.NotRegistered
		if err == nil || errors.As(err, &absent) {
			t.Errorf("%s, looked up: %v", name, err)
		}
		wrong.Close()
	}
}

func TestDecodeRefusesRubbish(t *testing.T) {
	b := newBench(t, customers.Table)
	own := changed("", "")
	live := func(name string, v any) []byte {
		e := event()
		e[name] = v
		return b.message(own, e)
	}
	whole := live("id", int64(1))
	latin := []byte(strings.Replace(string(whole), "ada@", "ad\xe9@", 1))
	for word, message := range map[string][]byte{
		"null":             nil,
		"header":           {},
		"wire format":      {1, 0, 0, 0, 1, 0},
		"no schema 999":    framed(999, nil),
		"malformed":        whole[:len(whole)-2],
		"left over":        append(whole[:len(whole):len(whole)], 0),
		`"email" is null`:  live("email", nil),
		`"status" is null`: live("status", nil),
		"UTF-8":            latin,
		`"_ingested_at"`:   timestampBeyond(own, b),
		"not of a record":  framed(b.register(`"string"`), []byte{2, 'x'}),
	} {
		_, err := b.decode(message)
		var undecodable *stream.Undecodable
		if !errors.As(err, &undecodable) || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", word, err)
		}
	}
}

// timestampBeyond is a record that came in the year 33658.
func timestampBeyond(own string, b *bench) []byte {
	row := wantRow()
	row.Sys.IngestedAt = 1_000_000_000_000_000
	return framed(b.register(own), customers.AppendAvro(nil, &row))
}

// A registry that does not answer is no property of the record: try again.
func TestDecodeRegistryAway(t *testing.T) {
	c := cluster(t)
	d := stream.NewDecoder(customers.Any, client(t, c))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	err := d.Decode(t.Context(), framed(1, nil), customers.Table.NewRows(1), 0)
	if err == nil || stream.Permanent(err) {
		t.Errorf("%v", err)
	}
}

func drawCustomer(t *rapid.T) customers.Customer {
	instant := rapid.Int64Range(int64(bridge.MinTimestamp), int64(bridge.MaxTimestamp))
	r := customers.Customer{ID: rapid.Int64().Draw(t, "id")}
	r.Sys = bridge.System{Source: rapid.SampledFrom([]bridge.Source{bridge.Batch, bridge.Streaming}).Draw(t, "source"),
		IngestedAt: bridge.Timestamp(instant.Draw(t, "ingested")), Seq: rapid.Int64().Draw(t, "seq"), Deleted: rapid.Bool().Draw(t, "deleted")}
	if rapid.Bool().Draw(t, "versioned") {
		r.Sys.Version = bridge.Some(rapid.Int64().Draw(t, "version"))
	}
	if !r.Sys.Deleted {
		r.Email = rapid.String().Draw(t, "email")
		r.Status = rapid.SampledFrom([]customers.Status{"active", "inactive", "banned", "suspended"}).Draw(t, "status")
		r.IsActive = rapid.Bool().Draw(t, "active")
		r.CreatedAt, r.UpdatedAt = bridge.Timestamp(instant.Draw(t, "created")), bridge.Timestamp(instant.Draw(t, "updated"))
	}
	return r
}

// What a writer writes comes back, whatever it holds.
func TestDecodeRoundTrip(t *testing.T) {
	b := newBench(t, customers.Table)
	id := b.register(customers.Table.Schema.Avro)
	rapid.Check(t, func(t *rapid.T) {
		want := drawCustomer(t)
		got, err := b.decode(framed(id, customers.AppendAvro(nil, &want)))
		if err != nil || got != want {
			t.Fatalf("%v\n got %+v\nwant %+v", err, got, want)
		}
	})
}

// Hostile bytes never panic, by no schema, and what is taken can be filled into a page.
func FuzzDecode(f *testing.F) {
	row := wantRow()
	f.Add(customers.AppendAvro(nil, &row), uint8(0))
	f.Add([]byte{84, 2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, uint8(1))
	f.Add([]byte{}, uint8(2))
	var b *bench
	var ids []int
	f.Fuzz(func(t *testing.T, body []byte, which uint8) {
		if b == nil {
			b = newBench(t, customers.Table)
			for _, s := range []string{changed("", ""), changed(fieldID, `{"name":"id","type":"int"}`),
				changed(fieldStatus, strings.Replace(fieldStatus, `"active","inactive"`, `"inactive","active"`, 1)), changed(fieldVersion, "")} {
				ids = append(ids, b.register(s))
				_, _ = b.decode(framed(ids[len(ids)-1], nil)) // learns the schema while the registry is there
			}
		}
		b.t = t
		if row, err := b.decode(framed(ids[int(which)%len(ids)], body)); err == nil {
			page := bridge.NewPage(customers.Table.Schema)
			customers.Table.Fill(page, []customers.Customer{row})
			if !row.Sys.Deleted && page.Cols[2].U8[0] > 3 {
				t.Fatalf("a live row without a status: %+v", row)
			}
			if row.Sys.Deleted { // a writer may send more of a delete than its key, which goes no further
				row = customers.Customer{ID: row.ID, Sys: row.Sys}
			}
			if back, err := b.decode(framed(ids[0], customers.AppendAvro(nil, &row))); err != nil || back != row {
				t.Fatalf("%+v, written again, reads as %+v, %v", row, back, err)
			}
		} else if !stream.Permanent(err) {
			t.Fatal(err)
		}
	})
}
