package stream_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/bridgegen/bridgegen/generated/shipments"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/hamba/avro/v2"
)

// legsOf is the shipments schema with another type of legs.
func legsOf(t *testing.T, legs string) string {
	t.Helper()
	var s map[string]any
	if err := json.Unmarshal([]byte(shipments.Table.Schema.Avro), &s); err != nil {
		t.Fatal(err)
	}
	fields := s["fields"].([]any)
	for i, f := range fields {
		if f := f.(map[string]any); f["name"] == "legs" {
			f["type"] = json.RawMessage(legs)
			delete(f, "default")
			if legs == "" {
				fields = append(fields[:i:i], fields[i+1:]...)
			}
			break
		}
	}
	s["fields"] = fields
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func shipment(legs any) map[string]any {
	e := map[string]any{
		"carrier": "dhl", "parcel": "P1", "scan": 3, "scanned_at": noon.UTC(), "picked_at": nil, "due": nil, "depot": "Ulm",
		"_source": "streaming", "_ingested_at": noon.UTC(), "_version": int64(3), "_seq": int64(9),
	}
	if legs != nil {
		e["legs"] = legs
	}
	return e
}

const (
	legAt   = `{"name":"at","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null}`
	legHub  = `{"name":"hub","type":"string"}`
	legOpen = `{"type":"record","name":"Leg","fields":[`
)

func items(fields ...string) string {
	return `{"type":"array","items":["null",` + legOpen + strings.Join(fields, ",") + `]}]}`
}

func decodeShipment(t *testing.T, message []byte, b *bench) (shipments.Shipments, error) {
	t.Helper()
	rows := &bridge.RowsOf[shipments.Shipments]{T: shipments.Table, R: make([]shipments.Shipments, 1)}
	err := stream.NewDecoder(shipments.Table, b.registry).Decode(t.Context(), message, rows, 0)
	return rows.R[0], err
}

func TestDecodeNestedOfOtherWriters(t *testing.T) {
	b := newBench(t, customers.Table)
	leg := func(v map[string]any) any { return map[string]any{"Leg": v} }
	at := bridge.Some(bridge.TimestampOf(noon))
	for name, c := range map[string]struct {
		legs  string
		value any
		want  []shipments.ShipmentsLegs
	}{
		"the own form":           {items(legHub, legAt), []any{leg(map[string]any{"hub": "a", "at": noon.UTC()}), leg(map[string]any{"hub": "b", "at": nil})}, []shipments.ShipmentsLegs{{Hub: "a", At: at}, {Hub: "b"}}},
		"other order of fields":  {items(legAt, legHub), []any{leg(map[string]any{"hub": "a", "at": noon.UTC()})}, []shipments.ShipmentsLegs{{Hub: "a", At: at}}},
		"an optional field less": {items(legHub), []any{leg(map[string]any{"hub": "ü"}), leg(map[string]any{"hub": ""})}, []shipments.ShipmentsLegs{{Hub: "ü"}, {Hub: ""}}},
		"items that are no union": {`{"type":"array","items":` + legOpen + legHub + "," + legAt + `]}}`,
			[]any{map[string]any{"hub": "a", "at": nil}}, []shipments.ShipmentsLegs{{Hub: "a"}}},
		"null last, required, bytes": {items(`{"name":"hub","type":["bytes","null"]}`, `{"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}}`),
			[]any{leg(map[string]any{"hub": []byte("a"), "at": noon.UTC()})}, []shipments.ShipmentsLegs{{Hub: "a", At: at}}},
		"no item":              {items(legAt, legHub), []any{}, []shipments.ShipmentsLegs{}},
		"the column's default": {"", nil, []shipments.ShipmentsLegs{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decodeShipment(t, b.message(legsOf(t, c.legs), shipment(c.value)), b)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Legs, c.want) || got.Depot != "Ulm" || got.Sys.Seq != 9 {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestNestedSchemasThatStopARoad(t *testing.T) {
	b := newBench(t, customers.Table)
	leg := func(v map[string]any) any { return []any{map[string]any{"Leg": v}} }
	for name, c := range map[string]struct {
		legs  string
		value any
		want  string
		older bool
	}{
		"a field more":      {items(legHub, legAt, `{"name":"gate","type":["null","int"],"default":null}`), leg(map[string]any{"hub": "a", "at": nil, "gate": nil}), `has field "legs.gate", which this program does not know`, false},
		"a field less":      {items(legAt), leg(map[string]any{"at": nil}), `lacks field "legs.hub", which is required`, true},
		"another type":      {items(`{"name":"hub","type":"long"}`), leg(map[string]any{"hub": int64(1)}), `has column "legs.hub" as long, which this program reads as string`, false},
		"no list":           {`{"type":"map","values":"string"}`, map[string]any{}, `has column "legs" as map, which this program reads as array`, false},
		"a union of others": {items(legHub, `{"name":"at","type":["null","int","string"]}`), leg(map[string]any{"hub": "a", "at": nil}), `has column "legs.at" as a union of something else`, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeShipment(t, b.message(legsOf(t, c.legs), shipment(c.value)), b)
			var unknown *stream.UnknownSchema
			if !errors.As(err, &unknown) || !strings.Contains(err.Error(), c.want) || unknown.Older != c.older {
				t.Errorf("%v, want %q, older %t", err, c.want, c.older)
			}
		})
	}
}

func TestNestedValuesThatNoTableHolds(t *testing.T) {
	b := newBench(t, customers.Table)
	leg := func(hub string, at any) any {
		return map[string]any{"Leg": map[string]any{"hub": hub, "at": at}}
	}
	own := shipments.Table.Schema.Avro
	ownLeg := func(hub string, at any) any {
		return map[string]any{"ShipmentsLegs": map[string]any{"hub": hub, "at": at}}
	}
	for name, c := range map[string]struct {
		schema string
		legs   []any
		want   string
	}{
		"a null item":             {own, []any{ownLeg("a", nil), nil}, `column "legs" is wrong: legs[1] is null`},
		"no text":                 {own, []any{ownLeg("a\xff", nil)}, `column "legs" is wrong: legs[0].hub is no valid UTF-8`},
		"no text, other writer":   {legsOf(t, items(legAt, legHub)), []any{leg("a", nil), leg("a\xff", nil)}, `column "legs" is wrong: legs[1].hub is no valid UTF-8`},
		"null where it is wrong":  {legsOf(t, items(legAt, `{"name":"hub","type":["null","string"]}`)), []any{map[string]any{"Leg": map[string]any{"hub": nil, "at": nil}}}, `column "legs" is wrong: legs[0].hub is null`},
		"a year that is too late": {own, []any{ownLeg("a", noon.AddDate(10000, 0, 0))}, `column "legs" is wrong: legs[0].at is outside the years 1 to 9999`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeShipment(t, b.message(c.schema, shipment(c.legs)), b)
			var undecodable *stream.Undecodable
			if !errors.As(err, &undecodable) || err.Error() != "undecodable record: "+c.want {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// Whatever stands in a block's head, a reader ends with an error or a row.
func TestBlocksOfOtherWriters(t *testing.T) {
	b := newBench(t, customers.Table)
	good := b.message(shipments.Table.Schema.Avro, shipment([]any{}))
	schema, err := avro.Parse(shipments.Table.Schema.Avro)
	if err != nil {
		t.Fatal(err)
	}
	body, err := avro.Marshal(schema, shipment([]any{}))
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(body), "Ulm") + 3 // the list's one byte, a count of 0
	for name, c := range map[string]struct {
		block string
		legs  int
		want  string
	}{
		"with their length":      {"\x01\x08\x02\x02a\x00\x00", 1, ""},
		"two of them":            {"\x02\x02\x02a\x00\x02\x02\x02b\x00\x00", 2, ""},
		"a length that lies":     {"\x01\x06\x02\x02a\x00\x00", 0, "is malformed"},
		"more than there can be": {"\xfe\xff\xff\xff\x0f\x02\x02a\x00\x00", 0, "is malformed"},
		"no such branch":         {"\x02\x04\x02a\x00\x00", 0, "is malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			message := append([]byte(string(good[:5])+string(body[:at])+c.block), body[at+1:]...)
			got, err := decodeShipment(t, message, b)
			if c.want == "" && (err != nil || len(got.Legs) != c.legs) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%d legs, %v; want %d, %q", len(got.Legs), err, c.legs, c.want)
			}
		})
	}
}
