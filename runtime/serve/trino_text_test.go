package serve

import (
	"database/sql"
	"reflect"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/orders"
	"github.com/bridgegen/bridgegen/generated/shipments"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// The SQL of nested columns, put together by hand from Trino's documentation of transform,
// map_entries, array_join and is_finite.
func TestNestedColumnsAsJSON(t *testing.T) {
	want := map[string]string{
		"signature":  `to_base64("signature")`,
		"amount":     `CAST("amount" AS varchar)`,
		"tags":       `'[' || array_join(transform("tags", e0 -> json_format(CAST(e0 AS json))), ',') || ']'`,
		"attributes": `'{' || array_join(transform(map_entries("attributes"), e0 -> json_format(CAST(e0[1] AS json)) || ':' || json_format(CAST(e0[2] AS json))), ',') || '}'`,
		"discounts":  `'{' || array_join(transform(map_entries("discounts"), e0 -> json_format(CAST(e0[1] AS json)) || ':' || '"' || CAST(e0[2] AS varchar) || '"'), ',') || '}'`,
		"items": `'[' || array_join(transform("items", e0 -> if(e0 IS NULL, NULL, '{"sku":' || coalesce(json_format(CAST(e0."sku" AS json)), 'null') || '` +
			`,"qty":' || coalesce(CAST(e0."qty" AS varchar), 'null') || ',"price":' || coalesce('"' || CAST(e0."price" AS varchar) || '"', 'null') || '` +
			`,"serials":' || coalesce('[' || array_join(transform(e0."serials", e1 -> CAST(e1 AS varchar)), ',') || ']', 'null') || '}')), ',') || ']'`,
	}
	fields := orders.Table.Schema.Fields
	for i := range fields {
		if w, ok := want[fields[i].Name]; ok && columnText(&fields[i]) != w {
			t.Errorf("%s, want\n%s", columnText(&fields[i]), w)
		}
		delete(want, fields[i].Name)
	}
	if len(want) > 0 {
		t.Errorf("no columns %v", want)
	}
	ship := columnText(&fields[orders.Table.Schema.FieldNamed("ship_to")])
	for _, part := range []string{`if("ship_to" IS NULL, NULL, '{"street":'`, `if(is_finite("ship_to"."geo"."lat"), CAST("ship_to"."geo"."lat" AS varchar), '"' ||`} {
		if !strings.Contains(ship, part) {
			t.Errorf("%s lacks %s", ship, part)
		}
	}
}

// What that SQL gives is what a row is read from: timestamps as Trino writes them, in UTC,
// decimals and what is not finite as texts.
func TestNestedColumnsAreReadFromTrino(t *testing.T) {
	s := shipments.Table.Schema
	row := shipments.Table.NewRows(1).(*bridge.RowsOf[shipments.Shipments])
	text := func(v string) sql.NullString { return sql.NullString{String: v, Valid: true} }
	cells := []sql.NullString{text("dhl"), text("P1"), text("3"), text("2026-01-31 13:00:00.000"), {}, {}, text("Ulm"),
		text(`[{"hub":"a\u0000b","at":"2026-01-31 13:59:00.123"},{"hub":"ü","at":null}]`), text("batch"), text("2026-01-31 14:00:00.000"), text("3"), text("9")}
	if err := setRow(s, row, 0, cells); err != nil {
		t.Fatal(err)
	}
	want := []shipments.ShipmentsLegs{{Hub: "a\x00b", At: bridge.Some(bridge.Timestamp(1769867940123))}, {Hub: "ü"}}
	if !reflect.DeepEqual(row.R[0].Legs, want) {
		t.Errorf("%+v, want %+v", row.R[0].Legs, want)
	}
}
