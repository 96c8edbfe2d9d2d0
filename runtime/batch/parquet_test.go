package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

// cellRow holds each column as text, in the form that the type gave it back.
type cellRow struct {
	Cells [24]string
	Sys   bridge.System
}

// cellTable reads columns of any type. It has what a load's readers need.
func cellTable(s *bridge.Schema) *bridge.Table[cellRow] {
	return &bridge.Table[cellRow]{Schema: s, Sys: func(r *cellRow) *bridge.System { return &r.Sys },
		Set:        func(r *cellRow, col int, t *bridge.Text) { setCell(&s.Fields[col], &r.Cells[col], t) },
		AppendText: func(b []byte, r *cellRow, col int) []byte { return append(b, r.Cells[col]...) }}
}

func setCell(f *bridge.Field, to *string, t *bridge.Text) {
	if t.Null && f.Optional {
		*to = "null"
		return
	}
	var v struct {
		bool
		int32
		int64
		float32
		float64
		d    bridge.Decimal
		s    string
		b    []byte
		date bridge.Date
		at   bridge.Timestamp
		u    bridge.UUID
	}
	word, _, _ := strings.Cut(f.Type, "(")
	word, _, _ = strings.Cut(word, "<")
	read := map[string]func() string{
		"boolean": func() string { t.Bool(&v.bool); return fmt.Sprint(v.bool) },
		"int":     func() string { t.Int(&v.int32); return fmt.Sprint(v.int32) },
		"long":    func() string { t.Long(&v.int64); return fmt.Sprint(v.int64) },
		"float":   func() string { t.Float(&v.float32); return string(bridge.AppendFloatText(nil, v.float32)) },
		"double":  func() string { t.Double(&v.float64); return string(bridge.AppendDoubleText(nil, v.float64)) },
		"decimal": func() string { t.Decimal(&v.d, f.Precision, f.Scale); return v.d.String() },
		"string":  func() string { t.String(&v.s); return v.s },
		"enum": func() string {
			t.Enum(&v.s, &bridge.EnumText{Symbols: f.Symbols, Sources: []string{"web", "in-store"}, Want: "is not one of"})
			return v.s
		},
		"bytes":     func() string { t.Bytes(&v.b); return fmt.Sprintf("%x", v.b) },
		"date":      func() string { t.Date(&v.date); return v.date.String() },
		"timestamp": func() string { t.Timestamp(&v.at); return v.at.String() },
		"uuid":      func() string { t.UUID(&v.u); return v.u.String() },
	}[word]
	if read == nil {
		*to = string(t.B)
		return
	}
	*to = read()
}

// parquetFile is what parquet-go makes of rows.
func parquetFile[R any](t testing.TB, rows []R, options ...parquet.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[R](&out, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func packedInput(name string, b []byte) Input {
	return Input{Name: name, Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}
}

// readCells reads a Parquet file into cells; the problems are of the header, or of rows.
func readCells(t testing.TB, s *bridge.Schema, b []byte) (cells [][]string, floored int64, problems []string) {
	t.Helper()
	table := cellTable(s)
	r, err := OpenRows(context.Background(), s, packedInput("dump.parquet", b), "parquet")
	if err != nil {
		return nil, 0, strings.Split(err.Error(), "\n")
	}
	defer r.Close()
	rows := table.NewRows(1).(*bridge.RowsOf[cellRow])
	for {
		err := r.Next(rows, 0)
		var invalid *Invalid
		switch {
		case errors.As(err, &invalid):
			problems = append(problems, strings.Split(err.Error(), "\n")...)
		case err == io.EOF:
			return cells, r.Floored(), problems
		case err != nil:
			return cells, r.Floored(), append(problems, err.Error())
		default:
			cells = append(cells, slices.Clone(rows.R[0].Cells[:len(s.Fields)]))
		}
	}
}

func fieldsOf(types ...string) *bridge.Schema {
	s := &bridge.Schema{Table: "things", Extra: "refuse", Missing: "refuse"}
	for i := 0; i < len(types); i += 2 {
		f := bridge.Field{Name: types[i], From: types[i], Type: types[i+1]}
		if f.Type, f.Optional = strings.CutSuffix(f.Type, "?"); f.Type == "enum" {
			f.Symbols = []string{"web", "in_store"}
		}
		_, _ = fmt.Sscanf(f.Type, "decimal(%d,%d)", &f.Precision, &f.Scale) // of other types nothing
		s.Fields = append(s.Fields, f)
	}
	return s
}

type everyType struct {
	B     bool             `parquet:"b"`
	I8    int32            `parquet:"i8"`
	I     int32            `parquet:"i"`
	L     int64            `parquet:"l"`
	LI    int32            `parquet:"l_of_int"`
	LU    uint32           `parquet:"l_of_uint32"`
	F     float32          `parquet:"f"`
	D     float64          `parquet:"d"`
	DF    float32          `parquet:"d_of_float"`
	Dec32 int32            `parquet:"dec32,decimal(2:9)"`
	Dec64 int64            `parquet:"dec64,decimal(3:18)"`
	DecF  [16]byte         `parquet:"dec_fixed,decimal(2:38)"`
	S     *string          `parquet:"s,optional"`
	E     string           `parquet:"e,enum"`
	By    []byte           `parquet:"by"`
	Fixed [3]byte          `parquet:"fixed"`
	Day   int32            `parquet:"day,date"`
	Ms    int64            `parquet:"ms,timestamp(millisecond)"`
	Us    int64            `parquet:"us,timestamp(microsecond)"`
	Ns    int64            `parquet:"ns,timestamp(nanosecond)"`
	Old   deprecated.Int96 `parquet:"old"`
	Local int64            `parquet:"local,timestamp(microsecond:local)"`
	U     [16]byte         `parquet:"u,uuid"`
	UText string           `parquet:"u_text"`
}

func everySchema() *bridge.Schema {
	s := fieldsOf("b", "boolean", "i8", "int", "i", "int", "l", "long", "l_of_int", "long", "l_of_uint32", "long", "f", "float", "d", "double",
		"d_of_float", "double", "dec32", "decimal(10,1)", "dec64", "decimal(38,3)", "dec_fixed", "decimal(38,4)", "s", "string?", "e", "enum",
		"by", "bytes", "fixed", "bytes", "day", "date", "ms", "timestamp", "us", "timestamp", "ns", "timestamp", "old", "timestamp",
		"local", "timestamp", "u", "uuid", "u_text", "uuid")
	s.Zone = "Europe/Berlin"
	return s
}

func fixedDecimal(text string) (b [16]byte) {
	v, _ := new(big.Int).SetString(text, 10)
	if v.Sign() < 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	v.FillBytes(b[:])
	return b
}

func int96(day int32, nanos uint64) deprecated.Int96 {
	return deprecated.Int96{uint32(nanos), uint32(nanos >> 32), uint32(day)}
}

func TestParquetValuesOfEveryType(t *testing.T) {
	text := "a,\"b\" \U0001F600"
	id := [16]byte{0x12, 0x3e, 0x45, 0x67, 0xe8, 0x9b, 0x12, 0xd3, 0xa4, 0x56, 0x42, 0x66, 0x14, 0x17, 0x40, 0x00}
	const uuid = "123e4567-e89b-12d3-a456-426614174000"
	rows := []everyType{
		{true, -5, math.MinInt32, math.MaxInt64, math.MinInt32, math.MaxUint32, 0.1, 0.1, 0.1, -1230, 1, fixedDecimal("-12"), &text, "in-store",
			[]byte{0, 255}, [3]byte{1, 2, 3}, -1, 1, 1001, 1000001, int96(2440588, 86399999999999), 1767225600000000, id, uuid},
		{false, 5, math.MaxInt32, math.MinInt64, 7, 0, float32(math.Inf(-1)), math.Copysign(0, -1), float32(math.NaN()), 10, -1, fixedDecimal("9999999999999999999999999999999999"), nil, "web",
			nil, [3]byte{}, 2932896, -62135596800000, -1, -1, int96(2440587, 0), 1784937600000000, id, uuid},
	}
	want := [][]string{
		{"true", "-5", "-2147483648", "9223372036854775807", "-2147483648", "4294967295", "0.1", "0.1", "0.10000000149011612", "-12.3", "0.001", "-0.1200", text, "in_store",
			"00ff", "010203", "1969-12-31", "1970-01-01T00:00:00.001Z", "1970-01-01T00:00:00.001Z", "1970-01-01T00:00:00.001Z", "1970-01-01T23:59:59.999Z", "2025-12-31T23:00:00.000Z", uuid, uuid},
		{"false", "5", "2147483647", "-9223372036854775808", "7", "0", "-Infinity", "-0", "NaN", "0.1", "-0.001", "99999999999999999999999999999999.9900", "null", "web",
			"", "000000", "9999-12-31", "0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z", "1969-12-31T00:00:00.000Z", "2026-07-24T22:00:00.000Z", uuid, uuid},
	}
	for _, o := range [][]parquet.WriterOption{nil, {parquet.Compression(&parquet.Zstd), parquet.DataPageVersion(1)}, {parquet.MaxRowsPerRowGroup(1)}} {
		got, floored, problems := readCells(t, everySchema(), parquetFile(t, rows, o...))
		if len(problems) > 0 || floored != 5 {
			t.Errorf("%d floored, %q", floored, problems)
		}
		for i := range want {
			if i >= len(got) || !slices.Equal(got[i], want[i]) {
				t.Errorf("row %d: %q,\nwant   %q", i+1, got, want[i])
			}
		}
	}
}

type misfit struct {
	Dec   int64            `parquet:"dec,decimal(3:18)"`
	Big   [16]byte         `parquet:"big,decimal(0:38)"`
	S     *string          `parquet:"s,optional"`
	E     *string          `parquet:"e,optional"`
	Day   int32            `parquet:"day,date"`
	Us    int64            `parquet:"us,timestamp(microsecond)"`
	Old   deprecated.Int96 `parquet:"old"`
	Local int64            `parquet:"local,timestamp(millisecond:local)"`
}

func TestParquetValuesThatDoNotFit(t *testing.T) {
	s := fieldsOf("dec", "decimal(10,2)", "big", "decimal(10,0)", "s", "string", "e", "enum", "day", "date", "us", "timestamp", "old", "timestamp", "local", "timestamp")
	s.Zone = "Europe/Berlin"
	good, bad, nul, word := "good", "\xff", "a\x00b", "web"
	b := parquetFile(t, []misfit{
		{1230, fixedDecimal("1"), &good, &word, 0, 0, int96(2440588, 0), 0},
		{1234, fixedDecimal("12345678901"), &bad, &good, 2932897, math.MaxInt64, int96(math.MaxInt32, 0), 1774751400000},
		{1, fixedDecimal("1"), nil, nil, math.MinInt32, math.MinInt64, int96(math.MinInt32, 0), 1792893600000},
		{10, fixedDecimal("1"), &nul, &word, 0, 0, int96(2440588, 0), 0},
	})
	cells, floored, problems := readCells(t, s, b)
	if len(cells) != 1 || floored != 0 {
		t.Errorf("%d floored, %q", floored, cells)
	}
	want := []string{
		`dump.parquet: row 2: column "dec": "1.234" does not fit the decimal's precision and scale exactly`,
		`dump.parquet: row 2: column "big": "12345678901" does not fit the decimal's precision and scale exactly`,
		`dump.parquet: row 2: column "s": "\xff" is no valid UTF-8`,
		`dump.parquet: row 2: column "e": "good" is not one of`,
		`dump.parquet: row 2: column "day": "2932897" days since 1970 lie outside the years 1 to 9999`,
		`dump.parquet: row 2: column "us": "9223372036854775" milliseconds since 1970 lie outside the years 1 to 9999`,
		`dump.parquet: row 2: column "old": "185331720297600000" milliseconds since 1970 lie outside the years 1 to 9999`,
		`dump.parquet: row 2: column "local": "2026-03-29T02:30:00.000" is skipped or repeated by a clock change in the declared zone; write the offset`,
		`dump.parquet: row 3: column "dec": "0.001" does not fit the decimal's precision and scale exactly`,
		`dump.parquet: row 3: column "s" is null, but the column is not optional`,
		`dump.parquet: row 3: column "e" is null, but the column is not optional`,
		`dump.parquet: row 3: column "day": "-2147483648" days since 1970 lie outside the years 1 to 9999`,
		`dump.parquet: row 3: column "us": "-9223372036854776" milliseconds since 1970 lie outside the years 1 to 9999`,
		`dump.parquet: row 3: column "old": "-185753453990400000" milliseconds since 1970 lie outside the years 1 to 9999`,
		`dump.parquet: row 3: column "local": "2026-10-25T02:00:00.000" is skipped or repeated by a clock change in the declared zone; write the offset`,
		`dump.parquet: row 4: column "s": "a\x00b" holds a NUL, which no text may`,
	}
	got := strings.Split(strings.ReplaceAll(strings.Join(problems, "\n"), "; dump.parquet", "\ndump.parquet"), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestParquetColumnsThatDoNotFit(t *testing.T) {
	type row struct {
		ID    int64   `parquet:"id"`
		Nmae  string  `parquet:"nmae"`
		Small int64   `parquet:"small"`
		Half  float64 `parquet:"half"`
		Day   int64   `parquet:"day,timestamp(millisecond)"`
		Local int64   `parquet:"local,timestamp(millisecond:local)"`
		Raw   string  `parquet:"raw"`
		Uns   uint64  `parquet:"uns"`
		Dec   float64 `parquet:"dec"`
		At    int64   `parquet:"at"`
	}
	s := fieldsOf("id", "long", "name", "string", "small", "int", "half", "float", "day", "date", "local", "timestamp", "raw", "bytes", "uns", "long",
		"dec", "decimal(10,2)", "at", "timestamp", "extra", "string?")
	_, _, problems := readCells(t, s, parquetFile(t, []row{{}}))
	want := []string{
		`dump.parquet: column "nmae" is no column of table "things"; did you mean "name"?`,
		`dump.parquet: column "small" is INT64 (INT(64,true)), but the column's type int takes INT32, or an integer of fewer bits; cast it where the file is written`,
		`dump.parquet: column "half" is DOUBLE, but the column's type float takes FLOAT; cast it where the file is written`,
		`dump.parquet: column "day" is INT64 (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)), but the column's type date takes INT32 (DATE); cast it where the file is written`,
		`dump.parquet: column "local" is INT64 (TIMESTAMP(isAdjustedToUTC=false,unit=MILLIS)), a local time of no zone; declare it, as batch: {zone: UTC}, or write it adjusted to UTC`,
		`dump.parquet: column "raw" is BYTE_ARRAY (STRING), but the column's type bytes takes BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY without a logical type; cast it where the file is written`,
		`dump.parquet: column "uns" is INT64 (INT(64,false)), but the column's type long takes INT64, or an integer of fewer bits; cast it where the file is written`,
		`dump.parquet: column "dec" is DOUBLE, but the column's type decimal(10,2) takes DECIMAL of up to 38 digits; cast it where the file is written`,
		`dump.parquet: column "at" is INT64 (INT(64,true)), but the column's type timestamp takes INT64 (TIMESTAMP) or INT96; cast it where the file is written`,
		`dump.parquet: the input lacks column "name", and it is neither optional nor has a default`,
		`dump.parquet: the input lacks column "extra"; send it, or say so in the spec: batch: {missing: default}`,
		`nothing was written`,
	}
	if !slices.Equal(problems, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(problems, "\n     "), strings.Join(want, "\n     "))
	}
}
