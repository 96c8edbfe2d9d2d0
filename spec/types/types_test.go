package types_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/hamba/avro/v2"
)

// mayBeEmpty are the cells that a type may leave open, and when.
var mayBeEmpty = map[string]func(*types.Type) bool{
	"Params": always, "Key": always, "Text": always, "Long": always, "Raw": always, "Shape": always,
	"Invalid": always,
	"Why":     func(t *types.Type) bool { return t.Invalid == "" },
	"Parse":   func(t *types.Type) bool { return t.Word == "enum" || t.Word == "struct" },
	"Go":      func(t *types.Type) bool { return t.Word == "enum" || nested(t) },
	"CEL":     isStruct, "AvroDefault": isStruct, "TrinoDefault": isStruct,
	"Func": nested, "Kind": nested, "Put": nested, "Read": nested, "Size": nested,
	"Cell": func(t *types.Type) bool { return t.Kind != "Bytes" },
	"Get":  func(t *types.Type) bool { return t.Kind != "Bytes" },
}

func always(*types.Type) bool { return true }

// isStruct holds for the one type that has no default and no place in expressions.
func isStruct(t *types.Type) bool { return t.Word == "struct" }

// nested holds for types that generated code has functions of its own for.
func nested(t *types.Type) bool { return t.Shape != types.Scalar }

func TestNoCellIsEmpty(t *testing.T) {
	for _, typ := range types.All {
		v := reflect.ValueOf(*typ)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if may := mayBeEmpty[name]; v.Field(i).IsZero() && (may == nil || !may(typ)) {
				t.Errorf("type %s: cell %s is empty", typ.Word, name)
			}
		}
	}
}

// The Avro form of each type is one that hamba/avro parses, with its default.
func TestAvroFormsAndDefaults(t *testing.T) {
	defaults := map[string]string{
		"boolean": "true", "int": "+5", "long": "-9223372036854775808", "float": ".5", "double": "1e3", "decimal": "-1.50", "string": "a\"b",
		"bytes": "/wA=", "date": "2026-01-31", "timestamp": "2026-01-31T00:00:00Z", "uuid": "00000000-0000-0000-0000-000000000001", "enum": "a", "list": "[]", "map": "{}",
	}
	want := map[string]string{"int": "5", "float": "0.5", "double": "1000", "date": "20484", "timestamp": "1769817600000", "bytes": "\"ÿ\\u0000\"", "decimal": "\"ÿj\""}
	for _, typ := range types.All {
		n := types.Sample(typ)
		field := map[string]any{"name": "f", "type": typ.Avro(n)}
		if typ == types.Struct {
			parses(t, field)
			continue
		}
		text, ok := defaults[typ.Word]
		if !ok {
			t.Errorf("type %s has no default in this test", typ.Word)
			continue
		}
		def := typ.AvroDefault(text, n.Precision, n.Scale)
		if w, ok := want[typ.Word]; ok && string(def) != w {
			t.Errorf("default %q of %s is %s, want %s", text, typ.Word, def, w)
		}
		field["default"] = def
		parses(t, field)
		if sql := typ.TrinoDefault(text, n.Precision, n.Scale); strings.Count(sql, "'")%2 != 0 || sql == "" {
			t.Errorf("default of %s in SQL: %s", typ.Word, sql)
		}
	}
}

// parses fails unless a record of the field is a schema.
func parses(t *testing.T, field map[string]any) {
	t.Helper()
	schema, err := json.Marshal(map[string]any{"type": "record", "name": "R", "fields": []any{field}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := avro.Parse(string(schema)); err != nil {
		t.Errorf("%v: %s", err, schema)
	}
}

// What the systems make of nested types, nested in each other.
func TestNestedForms(t *testing.T) {
	item := &types.Node{Type: types.Struct, AvroName: "OrderItems", Fields: []*types.Node{
		{Type: types.String, Name: "sku"}, {Type: types.Int, Name: "qty", Nullable: true},
		{Type: types.Map, Name: "tags", Elem: &types.Node{Type: types.Enum, AvroName: "OrderItemsTags", Symbols: []string{"a"}}},
	}}
	n := &types.Node{Type: types.List, Elem: item}
	schema, err := json.Marshal(n.Type.Avro(n))
	if err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		string(schema): `{"type":"array","items":["null",{"type":"record","name":"OrderItems","fields":[{"name":"sku","type":"string"},` +
			`{"name":"qty","type":["null","int"],"default":null},{"name":"tags","type":{"type":"map","values":{"type":"enum","name":"OrderItemsTags","symbols":["a"]}}}]}]}`,
		n.Type.Trino(n):   `array(row("sku" varchar, "qty" integer, "tags" map(varchar, varchar)))`,
		n.Type.Flink(n):   "ARRAY<ROW<`sku` STRING, `qty` INT, `tags` MAP<STRING, STRING>>>",
		n.Type.Iceberg(n): "list<struct<sku: string, qty: int, tags: map<string, string>>>",
		n.Spell():         "list<struct>",
		(&types.Node{Type: types.Map, Elem: &types.Node{Type: types.Decimal, Precision: 10, Scale: 2}}).Spell(): "map<string,decimal(10,2)>",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestWordsAreUnique(t *testing.T) {
	var words []string
	for _, typ := range types.All {
		words = append(words, typ.Word)
	}
	slices.Sort(words)
	if len(slices.Compact(words)) != len(types.All) {
		t.Error("two types of one word")
	}
}
