package golang_test

import (
	"reflect"
	"testing"

	"github.com/bridgegen/bridgegen/generator/golang/internal/nested"
	"github.com/bridgegen/bridgegen/generator/golang/internal/nesteddeletes"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// valid is a row whose required parts are nil, as a program that fills in the least makes it.
func valid() nested.Order { return nested.Order{Status: nested.StatusOpen} }

func TestApplyRejectsWhatLiesDeep(t *testing.T) {
	price := bridge.DecimalOf(100, 2)
	for _, c := range []struct {
		change             func(*nested.Order)
		column, rule, want string
	}{
		{func(r *nested.Order) { r.ShipTo = bridge.Some(nested.OrderShipTo{Kind: "office"}) }, "ship_to", "enum", "is wrong: ship_to.kind is not one of home, work"},
		{func(r *nested.Order) { r.BillTo.Address.Lines = []string{"a", "\xff"} }, "bill_to", "string", "is wrong: bill_to.address.lines[1] is no valid UTF-8"},
		{func(r *nested.Order) { r.BillTo.Since = bridge.Some(bridge.Date(1 << 30)) }, "bill_to", "date", "is wrong: bill_to.since is outside the years 1 to 9999"},
		{func(r *nested.Order) {
			r.Items = []nested.OrderItems{{Price: price}, {Price: bridge.DecimalOf(10_000_000_000, 2)}}
		}, "items", "decimal", "is wrong: items[1].price does not fit the decimal's precision and scale exactly"},
		{func(r *nested.Order) {
			r.Items = []nested.OrderItems{{Price: price, Attrs: map[string]int64{"\xff": 1, "a": 1}}}
		}, "items", "string", `is wrong: items[0].attrs["\xff"] is no key, for it is no valid UTF-8`},
		{func(r *nested.Order) {
			r.Events = map[string]nested.OrderEvents{"b": {Codes: []nested.OrderEventsCodes{"x"}}, "a": {Codes: []nested.OrderEventsCodes{"a", ""}}, "c": {}}
		}, "events", "enum", `is wrong: events["a"].codes[1] is not one of a, b`},
		{func(r *nested.Order) { r.LEnum = []nested.LEnum{nested.LEnumRed, "blue"} }, "l_enum", "enum", "is wrong: l_enum[1] is not one of red, dark_green"},
		{func(r *nested.Order) { r.MTimestamp = map[string]bridge.Timestamp{"k": -1 << 62} }, "m_timestamp", "timestamp", `is wrong: m_timestamp["k"] is outside the years 1 to 9999`},
	} {
		r := valid()
		c.change(&r)
		var e bridge.Env
		want := []bridge.Reject{{Col: nested.Any.Info().FieldNamed(c.column), Rule: c.rule, Reason: c.want}}
		if nested.Apply(&e, &r) || !reflect.DeepEqual(e.Rejects, want) {
			t.Errorf("rejects %+v, want %+v", e.Rejects, want)
		}
	}
}

// What is not there is not checked: the values behind an optional struct that is null.
func TestApplyPassesOverNulls(t *testing.T) {
	var e bridge.Env
	r := valid()
	r.Items = []nested.OrderItems{{Discount: bridge.Opt[nested.OrderItemsDiscount]{V: nested.OrderItemsDiscount{Code: "\xff"}}, Price: bridge.DecimalOf(0, 2)}}
	if !nested.Apply(&e, &r) {
		t.Errorf("%+v", e.Rejects)
	}
}

func TestApplyMakesRequiredPartsEmpty(t *testing.T) {
	var e bridge.Env
	r := valid()
	r.Items = []nested.OrderItems{{Price: bridge.DecimalOf(0, 2)}}
	r.Events = map[string]nested.OrderEvents{"a": {}}
	r.LBytes = [][]byte{nil}
	if !nested.Apply(&e, &r) {
		t.Fatalf("%+v", e.Rejects)
	}
	item := r.Items[0]
	if item.Tags == nil || item.Raw == nil || item.Attrs != nil || r.BillTo.Raw == nil || r.BillTo.Address.Lines == nil || r.Events["a"].Codes == nil ||
		r.LBytes[0] == nil || r.Names == nil || r.ItemsTags == nil || r.Notes != nil || r.LInt == nil || r.MInt != nil {
		t.Errorf("%+v", r)
	}
}

// Normalising changes the row, and nothing that the caller holds besides.
func TestApplyNormalisesCopies(t *testing.T) {
	tags, items := []string{"Abc", "x"}, []nested.OrderItems{{Sku: "A", Price: bridge.DecimalOf(1, 0), Tags: []string{"y"}, Raw: []byte{}}, {Sku: "b", Raw: []byte{}}}
	items[1].Tags = tags
	names, spaced := map[string]string{"k": " v ", "l": "w"}, []string{"a  b"}
	r := valid()
	r.Items, r.Names, r.ItemsTags = items, names, spaced
	r.ShipTo = bridge.Some(nested.OrderShipTo{Street: " s ", Zip: bridge.Some("  "), Kind: nested.OrderShipToKindHome})
	var e bridge.Env
	if !nested.Apply(&e, &r) {
		t.Fatalf("%+v", e.Rejects)
	}
	want := []nested.OrderItems{{Sku: "A", Price: bridge.DecimalOf(100, 2), Tags: []string{"y"}, Raw: []byte{}},
		{Sku: "B", Price: bridge.DecimalOf(0, 2), Tags: []string{"abc", "x"}, Raw: []byte{}}}
	if !reflect.DeepEqual(r.Items, want) || !reflect.DeepEqual(r.Names, map[string]string{"k": "v", "l": "w"}) || r.ItemsTags[0] != "a b" {
		t.Errorf("%+v %v %q", r.Items, r.Names, r.ItemsTags)
	}
	if ship := r.ShipTo.V; ship.Street != "s" || ship.Zip.OK {
		t.Errorf("%+v", ship)
	}
	if tags[0] != "Abc" || items[1].Sku != "b" || items[0].Price != bridge.DecimalOf(1, 0) || &items[1].Tags[0] != &tags[0] || names["k"] != " v " || spaced[0] != "a  b" {
		t.Errorf("what the caller holds became %v %+v %v %q", tags, items, names, spaced)
	}
	r.ItemsTags = []string{"clean"}
	held := r.ItemsTags
	if nested.Apply(&e, &r); &held[0] != &r.ItemsTags[0] {
		t.Error("a list that is clean was copied")
	}
}

func TestApplyEmptiesADelete(t *testing.T) {
	var e bridge.Env
	r := nesteddeletes.Order{ID: 7, LInt: []int32{1}, ShipTo: bridge.Some(nesteddeletes.OrderShipTo{Kind: "?"}), Sys: bridge.System{Deleted: true}}
	if want := (nesteddeletes.Order{ID: 7, Sys: r.Sys}); !nesteddeletes.Apply(&e, &r) || !reflect.DeepEqual(r, want) {
		t.Errorf("%+v: %+v", e.Rejects, r)
	}
}
