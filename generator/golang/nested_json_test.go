package golang_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/golang/internal/nested"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

const (
	loaded = false // as a load reads it: names and enums as the source spells them
	own    = true  // as bridgegen wrote it
)

// setColumn reads a cell, and gives the column's JSON or the reason.
func setColumn(t testing.TB, column, text string, symbols bool) string {
	t.Helper()
	var r nested.Order
	col := nested.Any.Info().FieldNamed(column)
	cell := bridge.Text{B: []byte(text), Symbols: symbols}
	nested.Table.Set(&r, col, &cell)
	if string(cell.B) != text {
		t.Errorf("%s: the cell became %q", text, cell.B)
	}
	if cell.Reason != "" {
		return cell.Reason
	}
	return string(nested.Table.AppendText(nil, &r, col))
}

// wide is a value of column wide, without one of its fields.
func wide(without int) string {
	var members []string
	for i := range 70 {
		if i != without {
			members = append(members, fmt.Sprintf(`"f%d":1`, i))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

var nestedTexts = []struct {
	column, text string
	symbols      bool
	want         string
}{
	{"l_int", `[1, -2 ,3 ]`, loaded, `[1,-2,3]`},
	{"l_int", " [ ] \n", loaded, `[]`},
	{"l_int", `[1.0]`, loaded, `is wrong: l_int[0] "1.0" is no int (32 bit, digits, optionally signed)`},
	{"l_int", `[1,"2"]`, loaded, `is wrong: l_int[1] is a string, not a number`},
	{"l_int", `[1,null]`, loaded, `is wrong: l_int[1] is null`},
	{"l_int", `[1,]`, loaded, `is no valid JSON: byte 4: ']' stands where a value should`},
	{"l_int", `[1 2]`, loaded, `is no valid JSON: byte 4: '2' stands where a comma or ] should`},
	{"l_int", `[1`, loaded, `is no valid JSON: byte 3: the text ends where a comma or ] should stand`},
	{"l_int", `[1] x`, loaded, `is no valid JSON: byte 5: 'x' stands where the end of the text should`},
	{"l_int", ``, loaded, `is no valid JSON: byte 1: the text ends where a value should stand`},
	{"l_int", `{"a":1}`, loaded, `is wrong: l_int is an object, not an array`},
	{"l_int", `null`, loaded, `is wrong: l_int is null, not an array`},
	{"l_long", `["9223372036854775807", -9223372036854775808]`, loaded, `[9223372036854775807,-9223372036854775808]`},
	{"l_long", `[9223372036854775808]`, loaded, `is wrong: l_long[0] "9223372036854775808" is no long (64 bit, digits, optionally signed)`},
	{"l_double", `["NaN", "-Infinity", -0.0]`, loaded, `["NaN","-Infinity",-0]`},
	{"l_double", `["1.5"]`, loaded, `is wrong: l_double[0] is a string, not a number, or "NaN", "Infinity", "-Infinity"`},
	{"l_decimal", `["1.50", 2]`, loaded, `["1.50","2.00"]`},
	{"l_decimal", `[1.505]`, loaded, `is wrong: l_decimal[0] "1.505" does not fit the decimal's precision and scale exactly`},
	{"l_boolean", `[true,"true"]`, loaded, `is wrong: l_boolean[1] is a string, not true or false`},
	{"l_string", `["a\u00e9\ud83d\ude00\n"]`, loaded, `["aé😀\n"]`},
	{"l_string", `["\ud83d"]`, loaded, `is no valid JSON: byte 3: the escape is half of a surrogate pair, which is no character`},
	{"l_string", "[\"\xff\"]", loaded, `is no valid JSON: byte 2: the string is no valid UTF-8`},
	{"l_string", `["\u0000"]`, loaded, `is no valid JSON: byte 3: the string holds a NUL, which no text may`},
	{"l_string", `["\u0000"]`, own, `["\u0000"]`},
	{"l_bytes", `["AAE=", ""]`, loaded, `["AAE=",""]`},
	{"l_bytes", `["?"]`, loaded, `is wrong: l_bytes[0] "?" is no base64 (standard alphabet, padded)`},
	{"l_date", `["2026-02-30"]`, loaded, `is wrong: l_date[0] "2026-02-30" is no date (2026-01-31)`},
	{"l_timestamp", `["2026-01-31T00:00:00+01:00"]`, loaded, `["2026-01-30T23:00:00.000Z"]`},
	{"l_enum", `["RED","DARK_GREEN"]`, loaded, `["red","dark_green"]`},
	{"l_enum", `["RED"]`, own, `is wrong: l_enum[0] "RED" is not one of red, dark_green`},
	{"m_string", `{"b":"1","a":"2"}`, loaded, `{"a":"2","b":"1"}`},
	{"m_string", `{"a":"1","a":"2"}`, loaded, `is wrong: m_string["a"] stands twice in the object`},
	{"m_string", `{"a":null}`, loaded, `is wrong: m_string["a"] is null`},
	{"m_string", `{"a" "b"}`, loaded, `is no valid JSON: byte 6: '"' stands where a colon should`},
	{"m_string", `{a:1}`, loaded, `is no valid JSON: byte 2: 'a' stands where a key in quotes should`},
	{"m_string", `["a"]`, loaded, `is wrong: m_string is an array, not an object`},
	{"ship_to", `{"kind":"HOME","street":"s"}`, loaded, `{"street":"s","zip":null,"geo":null,"kind":"home"}`},
	{"ship_to", `{"street":"s","kind":"HOME","zipCode":"1","geo":{"lon":null,"lat":1}}`, loaded, `{"street":"s","zip":"1","geo":{"lat":1,"lon":null},"kind":"home"}`},
	{"ship_to", `{"street":"s","kind":"HOME","zip":"1"}`, loaded, `is wrong: ship_to.zip is no field; remove it, or add it to the spec`},
	{"ship_to", `{"street":"s","kind":"home","zip":"1","newer":[{"a":[1]}]}`, own, `{"street":"s","zip":"1","geo":null,"kind":"home"}`},
	{"ship_to", `{"street":"s"}`, loaded, `is wrong: ship_to.kind is absent, but the field is not optional`},
	{"ship_to", `{"street":null,"kind":"HOME"}`, loaded, `is wrong: ship_to.street is null`},
	{"ship_to", `{"street":"s","street":"s"}`, loaded, `is wrong: ship_to.street stands twice in the object`},
	{"ship_to", `{"geo":null,"geo":null,"street":"s","kind":"HOME"}`, loaded, `is wrong: ship_to.geo stands twice in the object`},
	{"ship_to", `{"street":"s","kind":"HOME","geo":{"lat":"1"}}`, loaded, `is wrong: ship_to.geo.lat is a string, not a number, or "NaN", "Infinity", "-Infinity"`},
	{"items", `[{"sku":"a","price":1,"tags":[],"raw":""},{"sku":"b","price":1,"tags":["x",3],"raw":""}]`, loaded, `is wrong: items[1].tags[1] is a number, not a string`},
	{"items", `[{"sku":"a","price":1,"tags":[],"raw":"","attrs":{"k":"v"}}]`, loaded, `is wrong: items[0].attrs["k"] "v" is no long (64 bit, digits, optionally signed)`},
	{"events", `{"e":{"at":"2026-01-01T00:00:00Z","codes":["A","C"]}}`, loaded, `is wrong: events["e"].codes[1] "C" is not one of a, b`},
	{"wide", wide(-1), loaded, wide(-1)},
	{"wide", wide(68), loaded, `is wrong: wide.f68 is absent, but the field is not optional`},
	{"wide", strings.Replace(wide(-1), `"f68"`, `"f67"`, 1), loaded, `is wrong: wide.f67 stands twice in the object`},
	{"wide", strings.Repeat("[", 100), loaded, `is no valid JSON: byte 65: the value is nested deeper than 64`},
}

func TestNestedTextIsRead(t *testing.T) {
	for _, c := range nestedTexts {
		if got := setColumn(t, c.column, c.text, c.symbols); got != c.want {
			t.Errorf("%s of %s:\n %s, want\n %s", c.text, c.column, got, c.want)
		}
	}
}

// A cell that is null leaves null in an optional column and is refused in another.
func TestNestedNulls(t *testing.T) {
	s := nested.Any.Info()
	for col := range s.Fields {
		f := &s.Fields[col]
		r := nested.Order{}
		cell := bridge.Text{Null: true}
		if nested.Table.Set(&r, col, &cell); (cell.Reason == "") != f.Optional {
			t.Errorf("column %s: null is answered with %q", f.Name, cell.Reason)
		}
	}
}

func FuzzNestedText(f *testing.F) {
	for _, seed := range []string{`{"street":"s","kind":"home","geo":{"lat":1,"lon":null}}`, `[{"sku":"a","price":"1","tags":["x"],"raw":"","attrs":{"k":1}}]`,
		`{"a":{"at":"2026-01-01T00:00:00Z","codes":["a"]}}`, `["\ud83d\ude00\u0000"]`, `{"a":`, `[[[[`, `{"a":1,"a":2}`} {
		for col := range nested.Any.Info().Fields {
			f.Add(seed, uint8(col), true)
		}
	}
	s := nested.Any.Info()
	f.Fuzz(func(t *testing.T, text string, at uint8, symbols bool) {
		col := int(at) % len(s.Fields)
		read := func(text string, symbols bool) (string, string) {
			var r nested.Order
			cell := bridge.Text{B: []byte(text), Symbols: symbols}
			nested.Table.Set(&r, col, &cell)
			return string(nested.Table.AppendText(nil, &r, col)), cell.Reason
		}
		once, reason := read(text, symbols)
		if reason != "" || once == "" {
			return
		}
		if again, reason := read(once, true); reason != "" || again != once {
			t.Errorf("%q of column %s became %q, and that %q, %s", text, s.Fields[col].Name, once, again, reason)
		}
	})
}
