package types

import (
	"fmt"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// Node is a value with its type: a column, a field of a struct, the element of a list, or
// the value of a map.
type Node struct {
	Type             *Type
	Precision, Scale int    // of a decimal
	Name             string // of a column or field
	Nullable         bool   // of a column or field
	AvroName         string // of an enum or a struct
	Symbols          []string
	Fallback         string  // of an enum; empty: none
	Elem             *Node   // of a list the element, of a map the value
	Fields           []*Node // of a struct
}

// Form is what one system makes of a node.
type Form func(n *Node) string

// The nested types. Elements and values are a scalar, an enum or a struct, and never
// null. Facts: traps.md §0 (S3 sink), T41-T44, T95, T99-T107.
var (
	List = &Type{Word: "list", Shape: Sequence, Doc: "values of one type, in order",
		CEL: "list", Parse: onlyDefault("[]"), Avro: listAvro, AvroDefault: plainDefault, Parquet: around("LIST of %s", parquetForm),
		Trino: around("array(%s)", trinoForm), TrinoDefault: emptyLiteral("ARRAY[]"), Flink: around("ARRAY<%s>", flinkForm), Iceberg: around("list<%s>", icebergForm),
		Connect: "ARRAY", JSON: "array", CSV: "its JSON"}
	Map = &Type{Word: "map", Shape: Mapping, Doc: "values of one type by a text",
		CEL: "map", Parse: onlyDefault("{}"), Avro: mapAvro, AvroDefault: plainDefault, Parquet: around("MAP of BINARY (STRING) to %s", parquetForm),
		Trino: around("map(varchar, %s)", trinoForm), TrinoDefault: emptyLiteral("MAP()"), Flink: around("MAP<STRING, %s>", flinkForm), Iceberg: around("map<string, %s>", icebergForm),
		Connect: "MAP", JSON: "object", CSV: "its JSON"}
	Struct = &Type{Word: "struct", Shape: Group, Doc: "named fields, given as fields:",
		Avro: structAvro, Parquet: fields("group(%s)", "%s %s", parquetForm), Trino: fields("row(%s)", `"%s" %s`, trinoForm),
		Flink: fields("ROW<%s>", "`%s` %s", flinkForm), Iceberg: fields("struct<%s>", "%s: %s", icebergForm),
		Connect: "STRUCT", JSON: "object with every field", CSV: "its JSON"}
)

func parquetForm(n *Node) string { return n.Type.Parquet(n) }
func trinoForm(n *Node) string   { return n.Type.Trino(n) }
func flinkForm(n *Node) string   { return n.Type.Flink(n) }
func icebergForm(n *Node) string { return n.Type.Iceberg(n) }

// around is a form around that of the element.
func around(format string, elem Form) Form {
	return func(n *Node) string { return fmt.Sprintf(format, elem(n.Elem)) }
}

// fields is a form around those of the fields, each behind its name.
func fields(format, field string, form Form) Form {
	return func(n *Node) string {
		var parts []string
		for _, f := range n.Fields {
			parts = append(parts, fmt.Sprintf(field, f.Name, form(f)))
		}
		return fmt.Sprintf(format, strings.Join(parts, ", "))
	}
}

// onlyDefault reads the one default that a nested type has.
func onlyDefault(text string) func(t *bridge.Text, _, _ int) {
	return func(t *bridge.Text, _, _ int) {
		if string(t.B) != text {
			t.Reason = "is no default of its type; write " + text
		}
	}
}

func emptyLiteral(sql string) func(text string, _, _ int) string {
	return func(string, int, int) string { return sql }
}

// Elements reports whether values of the type hold any number of others: a list or a map.
func (t *Type) Elements() bool { return t.Shape == Sequence || t.Shape == Mapping }

// Spell is the type as a spec writes it: decimal(10,2), list<struct>.
func (n *Node) Spell() string {
	switch {
	case n.Type.Shape == Sequence:
		return n.Type.Word + "<" + n.Elem.Spell() + ">"
	case n.Type.Shape == Mapping:
		return n.Type.Word + "<string," + n.Elem.Spell() + ">"
	case n.Type.Params > 0:
		return fmt.Sprintf("%s(%d,%d)", n.Type.Word, n.Precision, n.Scale)
	}
	return n.Type.Word
}

// Sample is a node of the type, to show what the systems make of it.
func Sample(t *Type) *Node {
	n := &Node{Type: t}
	switch {
	case t.Params > 0:
		n.Precision, n.Scale = 10, 2
	case t == Enum:
		n.AvroName, n.Symbols = "Symbol", []string{"a", "b"}
	case t.Shape == Sequence, t.Shape == Mapping:
		n.Elem = &Node{Type: String}
	case t.Shape == Group:
		n.AvroName, n.Fields = "Group", []*Node{{Type: Long, Name: "a"}, {Type: String, Name: "b", Nullable: true}}
	}
	return n
}
