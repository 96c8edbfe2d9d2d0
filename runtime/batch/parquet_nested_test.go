package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/parquet-go/parquet-go"
)

type nestedGeo struct {
	Lat float64 `parquet:"lat"`
}

type nestedItem struct {
	Sku  string     `parquet:"sku"`
	Qty  *int32     `parquet:"qty,optional"`
	Geo  *nestedGeo `parquet:"geo,optional"`
	Tags []string   `parquet:"tags,list"`
}

type nestedRow struct {
	ID    int64             `parquet:"id"`
	Items []nestedItem      `parquet:"items,optional,list"`
	Attr  map[string]*int64 `parquet:"attr,optional"`
	Bare  []int32           `parquet:"bare"`
	To    *nestedItem       `parquet:"to,optional"`
	Days  []int32           `parquet:"days,list"`
}

func fieldOf(name, word string, parts ...bridge.Field) bridge.Field {
	word, optional := strings.CutSuffix(word, "?")
	return bridge.Field{Name: name, From: name, Type: word, Optional: optional, Parts: parts}
}

func nestedSchema() *bridge.Schema {
	item := []bridge.Field{fieldOf("sku", "string"), fieldOf("qty", "long?"), fieldOf("geo", "struct?", fieldOf("lat", "double")),
		fieldOf("tags", "list<string>", fieldOf("element", "string"))}
	return &bridge.Schema{Table: "orders", Extra: "refuse", Missing: "refuse", Fields: []bridge.Field{fieldOf("id", "long"),
		fieldOf("items", "list<struct>?", fieldOf("element", "struct", item...)), fieldOf("attr", "map<string,long>?", fieldOf("value", "long")),
		fieldOf("bare", "list<int>", fieldOf("element", "int")), fieldOf("to", "struct?", slices.Clone(item)...), fieldOf("days", "list<int>", fieldOf("element", "int"))}}
}

func nestedRows() []nestedRow {
	two, n := int32(2), int64(-9)
	return []nestedRow{
		{1, []nestedItem{{"a", &two, &nestedGeo{0.5}, []string{"x", "y\"\u00e9"}}, {"b", nil, nil, nil}}, map[string]*int64{"k": &n}, []int32{1, 2, 3}, nil, nil},
		{2, nil, nil, nil, &nestedItem{"c", nil, &nestedGeo{-1}, []string{"z"}}, []int32{-1, 0}},
		{3, []nestedItem{}, map[string]*int64{}, []int32{}, &nestedItem{}, []int32{7}},
		{4, []nestedItem{{"d", nil, nil, []string{""}}}, map[string]*int64{"none": nil}, nil, nil, nil},
	}
}

var nestedWant = [][]string{
	{"1", `[{"sku":"a","qty":2,"geo":{"lat":0.5},"tags":["x","y\"` + "\u00e9" + `"]},{"sku":"b","qty":null,"geo":null,"tags":[]}]`, `{"k":-9}`, `[1,2,3]`, "null", "[]"},
	{"2", "null", "null", "[]", `{"sku":"c","qty":null,"geo":{"lat":-1},"tags":["z"]}`, "[-1,0]"},
	{"3", "[]", "{}", "[]", `{"sku":"","qty":null,"geo":null,"tags":[]}`, "[7]"},
	{"4", `[{"sku":"d","qty":null,"geo":null,"tags":[""]}]`, `{"none":null}`, "[]", "null", "[]"},
}

func TestParquetNested(t *testing.T) {
	for _, o := range [][]parquet.WriterOption{nil, {parquet.PageBufferSize(1)}, {parquet.MaxRowsPerRowGroup(1), parquet.DataPageVersion(1)}} {
		got, _, problems := readCells(t, nestedSchema(), parquetFile(t, nestedRows(), o...))
		if len(problems) > 0 || len(got) != len(nestedWant) {
			t.Fatalf("%q, %q", got, problems)
		}
		for i := range got {
			if !slices.Equal(got[i], nestedWant[i]) {
				t.Errorf("row %d:\n%q,\n%q", i+1, got[i], nestedWant[i])
			}
			for _, cell := range got[i] {
				if !json.Valid([]byte(cell)) {
					t.Errorf("%s is no JSON", cell)
				}
			}
		}
	}
}

func TestParquetNestedThatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		change func(*bridge.Schema)
		want   string
	}{
		{func(s *bridge.Schema) { s.Fields[1].Parts[0].Parts[1].Type = "string" },
			`dump.parquet: column "items" has a part "element", which has a field "qty", which is INT32 (INT(32,true)), but the column's type string takes BYTE_ARRAY (STRING); cast it where the file is written`},
		{func(s *bridge.Schema) { s.Fields[4].Parts = slices.Delete(slices.Clone(s.Fields[4].Parts), 0, 1) },
			`dump.parquet: column "to" has a field "sku", which the table does not have; remove it, or say so in the spec: batch: {extra: ignore}`},
		{func(s *bridge.Schema) {
			s.Fields[4].Parts = append(slices.Clone(s.Fields[4].Parts), fieldOf("unit", "string"))
		},
			`dump.parquet: column "to" lacks the field "unit", which is not optional`},
		{func(s *bridge.Schema) { s.Fields[2] = fieldOf("attr", "list<long>?", fieldOf("element", "long")) },
			`dump.parquet: column "attr" is a map, but the column's type list<long> takes a list; cast it where the file is written`},
		{func(s *bridge.Schema) { s.Fields[0] = fieldOf("id", "struct", fieldOf("a", "long")) },
			`dump.parquet: column "id" is INT64 (INT(64,true)), but the column's type struct takes a group of columns; cast it where the file is written`},
	} {
		s := nestedSchema()
		c.change(s)
		_, _, problems := readCells(t, s, parquetFile(t, nestedRows()))
		if len(problems) != 2 || problems[0] != c.want {
			t.Errorf("%q,\nwant %q", problems, c.want)
		}
	}
	s := nestedSchema()
	s.Extra = "ignore"
	s.Fields[4].Parts = s.Fields[4].Parts[:1]
	got, _, problems := readCells(t, s, parquetFile(t, nestedRows()))
	if len(problems) > 0 || got[1][4] != `{"sku":"c"}` {
		t.Errorf("%q, %q", got, problems)
	}
	type row struct {
		ID   int64    `parquet:"id"`
		Tags []string `parquet:"tags,list"`
	}
	s = &bridge.Schema{Fields: []bridge.Field{fieldOf("id", "long"), fieldOf("tags", "list<string>", fieldOf("element", "string"))}}
	got, _, problems = readCells(t, s, parquetFile(t, []row{{1, []string{"a", "\xff"}}, {2, []string{"b"}}}))
	if want := `dump.parquet: row 1: column "tags": "[\"a\",\"�\"]" holds a text that is no valid UTF-8`; len(problems) != 1 || problems[0] != want || len(got) != 1 {
		t.Errorf("%q, %q, want %q", got, problems, want)
	}
}

// readDamaged reads what can be read. Whatever the bytes are it ends, without a panic,
// and without an error it gives the rows that the footer says.
func readDamaged(t testing.TB, s *bridge.Schema, b []byte) (rows int, err error) {
	t.Helper()
	r, err := OpenRows(context.Background(), s, packedInput("dump.parquet", b), "parquet")
	if err != nil {
		return 0, err
	}
	defer r.Close()
	record := cellTable(s).NewRows(1)
	for {
		err := r.Next(record, 0)
		if _, invalid := err.(*Invalid); err == nil || invalid {
			rows++
			continue
		}
		if err == io.EOF {
			return rows, nil
		}
		return rows, err
	}
}

func TestDamagedParquet(t *testing.T) {
	for name, c := range map[string]struct {
		schema *bridge.Schema
		sound  []byte
		rows   int
	}{
		"flat":   {everySchema(), parquetFile(t, make([]everyType, 50)), 50},
		"nested": {nestedSchema(), parquetFile(t, slices.Repeat(nestedRows(), 9), parquet.PageBufferSize(50)), 36},
	} {
		random := rand.New(rand.NewPCG(3, uint64(len(name))))
		for range 400 {
			b := slices.Clone(c.sound)
			at := random.IntN(len(b))
			if random.IntN(2) == 0 {
				at = len(b) - 1 - random.IntN(min(len(b), 3000))
			}
			b[at] ^= 1 << random.IntN(8)
			if rows, err := readDamaged(t, c.schema, b); err == nil && rows != c.rows {
				t.Errorf("%s: a flip at %d lost rows: %d", name, at, rows)
			}
		}
		for n := 0; n < len(c.sound); n += 1 + len(c.sound)/200 {
			if _, err := readDamaged(t, c.schema, c.sound[:n]); err == nil {
				t.Errorf("%s: cut at %d, and no error", name, n)
			}
		}
	}
}

func FuzzParquetInput(f *testing.F) {
	f.Add(parquetFile(f, make([]everyType, 3)))
	f.Add(parquetFile(f, nestedRows()))
	f.Add(parquetFile(f, nestedRows(), parquet.PageBufferSize(1), parquet.Compression(&parquet.Gzip), parquet.DataPageVersion(1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, n, err := lake.ReadMeta(bytes.NewReader(b), int64(len(b)), "dump.parquet")
		if err != nil || n > 1<<16 { // a few bytes can honestly stand for many rows
			return
		}
		for _, s := range []*bridge.Schema{everySchema(), nestedSchema()} {
			s.Extra, s.Missing = "ignore", "default"
			for i := range s.Fields {
				s.Fields[i].Optional = true
			}
			_, _ = readDamaged(t, s, b)
		}
	})
}
