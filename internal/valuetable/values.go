// Package valuetable is a table of values that every road must keep: each type with its
// extremes, in every place that a value can have. Texts, Go values and the physical
// values of Parquet are written by hand, from the specifications of the formats.
package valuetable

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bridgegen/bridgegen/internal/valuetable/generated/values"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// Row is one value in one place; every other column has the value of Base.
type Row struct {
	Name   string // decimal/list 99.5
	Column string // of the place, in the spec
	Cell   string // as a load reads it in that column: a CSV field without its quotes
	JSON   string // the same in JSON lines
	Want   values.Values
	// Raw is what Parquet holds at Leaf, the path of its leaf: bool, int32, int64, float32,
	// float64 or, of bytes, string. It is nil where the place holds no single value.
	Leaf string
	Raw  any
}

// Base is a row of nothing but what is required.
func Base(id int64) values.Values {
	return values.Values{
		ID: id, RString: "base", RBytes: []byte{}, REnum: values.REnumRed, RDecimal: bridge.Decimal{Scale: 10},
		LBoolean: []bool{}, LInt: []int32{}, LLong: []int64{}, LFloat: []float32{}, LDouble: []float64{}, LDecimal: []bridge.Decimal{}, LString: []string{},
		LBytes: [][]byte{}, LDate: []bridge.Date{}, LTimestamp: []bridge.Timestamp{}, LUUID: []bridge.UUID{}, LEnum: []values.LEnum{},
	}
}

// required are the cells of Base, in the order of the columns.
var required = []struct{ column, cell, json string }{
	{"r_boolean", "false", "false"}, {"r_int", "0", "0"}, {"r_long", "0", "0"}, {"r_float", "0", "0"}, {"r_double", "0", "0"}, {"r_decimal", "0", "0"},
	{"r_string", "base", `"base"`}, {"r_bytes", "", `""`}, {"r_date", "1970-01-01", `"1970-01-01"`}, {"r_timestamp", "1970-01-01T00:00:00Z", `"1970-01-01T00:00:00Z"`},
	{"r_uuid", "00000000-0000-0000-0000-000000000000", `"00000000-0000-0000-0000-000000000000"`}, {"r_enum", "red", `"red"`},
	{"l_boolean", "[]", "[]"}, {"l_int", "[]", "[]"}, {"l_long", "[]", "[]"}, {"l_float", "[]", "[]"}, {"l_double", "[]", "[]"}, {"l_decimal", "[]", "[]"},
	{"l_string", "[]", "[]"}, {"l_bytes", "[]", "[]"}, {"l_date", "[]", "[]"}, {"l_timestamp", "[]", "[]"}, {"l_uuid", "[]", "[]"}, {"l_enum", "[]", "[]"},
}

// Rows is the table.
func Rows() []Row {
	b := &builder{}
	scalars(b)
	nested(b)
	return b.rows
}

type builder struct{ rows []Row }

// add adds a row whose value the function sets.
func (b *builder) add(name, column, cell, token, leaf string, raw any, set func(*values.Values)) {
	r := Row{Name: name, Column: column, Cell: cell, JSON: token, Leaf: leaf, Raw: raw, Want: Base(int64(len(b.rows) + 1))}
	set(&r.Want)
	b.rows = append(b.rows, r)
}

// literal is a value with its texts. An empty token is the text as a JSON string, or of a
// number the text itself.
type literal[T any] struct {
	text, token string
	value       T
	raw         any
}

// places are where a value of one type can stand.
type places[T any] struct {
	word       string
	bare       bool // its JSON is the text
	required   func(*values.Values, T)
	optional   func(*values.Values, T)
	list, dict func(*values.Values, T)
	field      func(*values.ValuesS, T)
}

// each puts literals into every place of their type.
func each[T any](b *builder, p places[T], literals []literal[T]) {
	for _, l := range literals {
		token := l.token
		if token == "" && p.bare {
			token = l.text
		}
		if token == "" {
			token = quoted(l.text)
		}
		name := func(place string) string {
			return fmt.Sprintf("%s/%s %.40q", p.word, place, l.text)
		}
		b.add(name("required"), "r_"+p.word, l.text, token, "r_"+p.word, l.raw, func(v *values.Values) { p.required(v, l.value) })
		b.add(name("optional"), "o_"+p.word, l.text, token, "o_"+p.word, l.raw, func(v *values.Values) { p.optional(v, l.value) })
		list, dict, group := "["+token+"]", `{"k":`+token+"}", fmt.Sprintf(`{"f_%s":%s}`, p.word, token)
		b.add(name("list"), "l_"+p.word, list, list, "l_"+p.word+".list.element", l.raw, func(v *values.Values) { p.list(v, l.value) })
		b.add(name("map"), "m_"+p.word, dict, dict, "m_"+p.word+".key_value.value", l.raw, func(v *values.Values) { p.dict(v, l.value) })
		b.add(name("struct"), "s", group, group, "s.f_"+p.word, l.raw, func(v *values.Values) {
			v.S.OK = true
			p.field(&v.S.V, l.value)
		})
	}
}

// quoted is a JSON string that holds every character as it is, but for those that JSON
// escapes.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// CSV is the rows as a file that a load reads, every field that is no null in quotes.
func CSV(rows []Row) string {
	var b strings.Builder
	columns := []string{"id"}
	for i := range values.Table.Schema.Fields[1:] {
		columns = append(columns, values.Table.Schema.Fields[i+1].Name)
	}
	b.WriteString(strings.Join(columns, ",") + "\n")
	for _, r := range rows {
		cells := map[string]string{"id": fmt.Sprint(r.Want.ID)}
		for _, q := range required {
			cells[q.column] = q.cell
		}
		if r.Column != "" {
			cells[r.Column] = r.Cell
		}
		for i, column := range columns {
			if i > 0 {
				b.WriteByte(',')
			}
			if cell, ok := cells[column]; ok {
				b.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `"`)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// JSONLines is the same as JSON lines; what is null is left out.
func JSONLines(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, `{"id":%d`, r.Want.ID)
		for _, q := range required {
			if q.column != r.Column {
				fmt.Fprintf(&b, ",%q:%s", q.column, q.json)
			}
		}
		if r.Column != "" {
			fmt.Fprintf(&b, ",%q:%s", r.Column, r.JSON)
		}
		b.WriteString("}\n")
	}
	return b.String()
}
