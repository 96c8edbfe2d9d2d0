package golang

import (
	"strconv"
	"strings"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/spec/types"
)

// The models below are what model.Resolve makes of a spec, made by hand: a table that has
// every form of nesting, without and with deletes.

func upper(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			b.WriteString(upperFirst(part))
		}
	}
	return b.String()
}

func scalar(name string, t *types.Type) *model.Column {
	return &model.Column{Name: name, From: name, GoName: upper(name), Type: t, GoType: t.Go}
}

func money(name string) *model.Column {
	c := scalar(name, types.Decimal)
	c.Precision, c.Scale = 10, 2
	return c
}

func enum(name, goType string, symbols ...string) *model.Column {
	c := scalar(name, types.Enum)
	c.GoType = goType
	for _, s := range symbols {
		c.Values = append(c.Values, model.EnumValue{Symbol: s, Source: strings.ToUpper(s), GoName: goType + upper(s)})
	}
	return c
}

func optionally(c *model.Column) *model.Column {
	c.Optional = true
	return c
}

func normalized(c *model.Column, words ...string) *model.Column {
	c.Normalize = words
	return c
}

func from(c *model.Column, source string) *model.Column {
	c.From = source
	return c
}

func structOf(name, goType string, fields ...*model.Column) *model.Column {
	c := scalar(name, types.Struct)
	c.GoType, c.Fields = goType, fields
	for i, f := range fields {
		f.Index = i
	}
	return c
}

func listOf(name string, elem *model.Column) *model.Column {
	c := scalar(name, types.List)
	elem.Name, elem.From, elem.GoName = "element", "element", "Element"
	c.Elem, c.GoType = elem, "[]"+elem.GoType
	return c
}

func mapOf(name string, value *model.Column) *model.Column {
	c := scalar(name, types.Map)
	value.Name, value.From, value.GoName = "value", "value", "Value"
	c.Elem, c.GoType = value, "map[string]"+value.GoType
	return c
}

// element is an element of each scalar type.
func element(t *types.Type, enumType string) *model.Column {
	switch t {
	case types.Enum:
		return enum("", enumType, "red", "dark_green")
	case types.Decimal:
		return money("")
	}
	return scalar("", t)
}

func nestedColumns() []*model.Column {
	cs := []*model.Column{
		scalar("id", types.Long),
		optionally(scalar("label", types.String)),
		optionally(structOf("ship_to", "OrderShipTo",
			normalized(scalar("street", types.String), "trim"),
			from(normalized(optionally(scalar("zip", types.String)), "trim", "null_if_empty"), "zipCode"),
			optionally(structOf("geo", "OrderShipToGeo", scalar("lat", types.Double), optionally(scalar("lon", types.Double)))),
			enum("kind", "OrderShipToKind", "home", "work"))),
		enum("status", "Status", "open", "closed"),
		structOf("bill_to", "OrderBillTo",
			structOf("address", "OrderBillToAddress", scalar("city", types.String), listOf("lines", scalar("", types.String))),
			optionally(scalar("since", types.Date)), scalar("raw", types.Bytes)),
		listOf("items", structOf("", "OrderItems",
			normalized(scalar("sku", types.String), "upper"), optionally(scalar("qty", types.Int)), money("price"),
			optionally(structOf("discount", "OrderItemsDiscount", scalar("code", types.String), optionally(scalar("percent", types.Float)))),
			listOf("tags", normalized(scalar("", types.String), "lower")), optionally(mapOf("attrs", scalar("", types.Long))),
			scalar("raw", types.Bytes), optionally(scalar("at", types.Timestamp)))),
		optionally(listOf("notes", structOf("", "OrderNotes", optionally(scalar("text", types.String)), optionally(scalar("by", types.UUID))))),
		mapOf("events", structOf("", "OrderEvents", scalar("at", types.Timestamp), optionally(scalar("who", types.UUID)),
			listOf("codes", enum("", "OrderEventsCodes", "a", "b")))),
		// Lists whose names meet those of functions for what lies deeper.
		listOf("items_tags", normalized(scalar("", types.String), "trim", "collapse_space")),
		mapOf("names", normalized(scalar("", types.String), "trim")),
		optionally(structOf("empty", "OrderEmpty", optionally(scalar("a", types.Int)), optionally(listOf("b", scalar("", types.Boolean))))),
	}
	for i, t := range types.All {
		if t.Shape != types.Scalar {
			continue
		}
		list, dict := listOf("l_"+t.Word, element(t, "LEnum")), mapOf("m_"+t.Word, element(t, "MEnum"))
		list.Optional, dict.Optional = i%2 == 0, i%2 == 1
		cs = append(cs, list, dict)
	}
	return append(cs, wide())
}

// wide has more fields than a word has bits.
func wide() *model.Column {
	var fields []*model.Column
	for i := range 70 {
		f := scalar("f"+strconv.Itoa(i), types.Int)
		f.Optional = i%3 == 0
		fields = append(fields, f)
	}
	return optionally(structOf("wide", "OrderWide", fields...))
}

func nestedTable(name string, deletes bool) *model.Table {
	t := &model.Table{Name: name, Record: "Order", SpecFile: name + ".yaml", Doc: "Every form of nesting.", Deletes: deletes, Columns: nestedColumns(),
		Dedup: model.Dedup{Prefer: "streaming"}, Partition: model.Partition{Time: "_ingested_at"}, Lake: model.Lake{Bucket: "b", Codec: "snappy"},
		Stream: model.Stream{Topic: "orders"}}
	for i, c := range t.Columns {
		c.Index = i
	}
	t.Columns[0].Key = true
	t.Key = t.Columns[:1]
	t.Speed = model.Speed{Key: "order:{id}", Parts: []model.KeyPart{{Text: "order:"}, {Column: t.Columns[0]}}}
	return t
}
