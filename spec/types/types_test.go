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
	"Parse":   func(t *types.Type) bool { return t.Word == "enum" },
	"Go":      func(t *types.Type) bool { return t.Word == "enum" },
	"Cell":    func(t *types.Type) bool { return t.Kind != "Bytes" },
	"Get":     func(t *types.Type) bool { return t.Kind != "Bytes" },
}

func always(*types.Type) bool { return true }

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

func params(t *types.Type) (p, s int) {
	if t.Params > 0 {
		return 10, 2
	}
	return 0, 0
}

// The Avro form of each type is one that hamba/avro parses, with its default.
func TestAvroFormsAndDefaults(t *testing.T) {
	defaults := map[string]string{
		"boolean": "true", "int": "+5", "long": "-9223372036854775808", "float": ".5", "double": "1e3", "decimal": "-1.50", "string": "a\"b",
		"bytes": "/wA=", "date": "2026-01-31", "timestamp": "2026-01-31T00:00:00Z", "uuid": "00000000-0000-0000-0000-000000000001", "enum": "a",
	}
	want := map[string]string{"int": "5", "float": "0.5", "double": "1000", "date": "20484", "timestamp": "1769817600000", "bytes": "\"ÿ\\u0000\"", "decimal": "\"ÿj\""}
	for _, typ := range types.All {
		p, s := params(typ)
		form := typ.Avro(p, s)
		if typ == types.Enum {
			form = map[string]any{"type": "enum", "name": "E", "symbols": []string{"a", "b"}}
		}
		text, ok := defaults[typ.Word]
		if !ok {
			t.Errorf("type %s has no default in this test", typ.Word)
			continue
		}
		def := typ.AvroDefault(text, p, s)
		if w, ok := want[typ.Word]; ok && string(def) != w {
			t.Errorf("default %q of %s is %s, want %s", text, typ.Word, def, w)
		}
		schema, err := json.Marshal(map[string]any{"type": "record", "name": "R", "fields": []any{map[string]any{"name": "f", "type": form, "default": def}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := avro.Parse(string(schema)); err != nil {
			t.Errorf("type %s: %v: %s", typ.Word, err, schema)
		}
		if sql := typ.TrinoDefault(text, p, s); strings.Count(sql, "'")%2 != 0 || sql == "" {
			t.Errorf("default of %s in SQL: %s", typ.Word, sql)
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
