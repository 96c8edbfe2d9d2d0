package golang_test

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/golang/internal/nested"
	"github.com/bridgegen/bridgegen/generator/golang/internal/nesteddeletes"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/bridgetest"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/parquet-go/parquet-go"
)

var tables = map[string]bridge.Any{"without deletes": nested.Any, "with deletes": nesteddeletes.Any}

func inFile(t *testing.T, table bridge.Any, rows bridge.Rows) []byte {
	t.Helper()
	page := bridge.NewPage(table.Info())
	var out bytes.Buffer
	w := lake.NewWriter(table.Info(), lake.WriterOptions{})
	w.Reset(&out)
	for from := 0; from < rows.Len(); from += 100 {
		rows.Fill(page, from, min(from+100, rows.Len()))
		if err := w.WritePage(page); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func sameRow(t *testing.T, got bridge.Rows, i int, want bridge.Rows, j int) {
	t.Helper()
	if g, w := got.AppendJSON(nil, i), want.AppendJSON(nil, j); !bytes.Equal(g, w) {
		t.Fatalf("row %d:\n%s, want\n%s", j, g, w)
	}
}

// What Scan gives back is deeply equal, empty and null told apart.
func TestNestedRowsComeBackFromPages(t *testing.T) {
	rows := bridgetest.Rows(t, nesteddeletes.Any, 300, 7).(*bridge.RowsOf[nesteddeletes.Order])
	page := bridge.NewPage(nesteddeletes.Any.Info())
	rows.Fill(page, 0, rows.Len())
	got := make([]nesteddeletes.Order, rows.Len())
	nesteddeletes.Table.Scan(page, got)
	for i := range got {
		if !reflect.DeepEqual(got[i], rows.R[i]) {
			t.Fatalf("row %d:\n%+v, want\n%+v", i, got[i], rows.R[i])
		}
	}
}

func TestNestedRowsComeBackFromFiles(t *testing.T) {
	for name, table := range tables {
		t.Run(name, func(t *testing.T) {
			rows := bridgetest.Rows(t, table, 500, 3)
			b := inFile(t, table, rows)
			f, err := lake.OpenFile(table.Info(), bytes.NewReader(b), int64(len(b)), "file")
			if err != nil {
				t.Fatal(err)
			}
			pages, got, at := f.Pages(nil), table.NewRows(0), 0
			defer pages.Close()
			for {
				page, err := pages.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got.Scan(page, 0)
				for i := range page.N {
					sameRow(t, got, i, rows, at+i)
				}
				at += page.N
			}
			if at != rows.Len() {
				t.Errorf("%d rows of %d", at, rows.Len())
			}
		})
	}
}

var groupsOfTheSink = []string{`
	optional group bill_to {
		required group address {
			required binary city (STRING);
			required group lines (LIST) {
				repeated group list {
					optional binary element (STRING);
				}
			}
		}
		optional int32 since (DATE);
		required binary raw;
	}`, `
	optional group notes (LIST) {
		repeated group list {
			optional group element {
				optional binary text (STRING);
				optional binary by (STRING);
			}
		}
	}`, `
	optional group events (MAP) {
		repeated group key_value {
			required binary key (STRING);
			required group value {
				required int64 at (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
				optional binary who (STRING);
				required group codes (LIST) {
					repeated group list {
						optional binary element (STRING);
					}
				}
			}
		}
	}`}

// The tree in the footer is that of files of Confluent's S3 sink (traps.md, section 0).
func TestNestedFilesAreAsTheSinkWritesThem(t *testing.T) {
	b := inFile(t, nesteddeletes.Any, bridgetest.Rows(t, nesteddeletes.Any, 10, 1))
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	got := f.Schema().String()
	for _, want := range groupsOfTheSink {
		if !strings.Contains(got, want) {
			t.Errorf("the schema lacks %s\n%s", want, got)
		}
	}
}

// What parquet-go reads alone is what the document of the row says. Columns whose JSON is
// a form of its own are left out: a decimal, bytes, a time.
func TestParquetGoReadsNestedFilesAlone(t *testing.T) {
	for name, table := range tables {
		t.Run(name, func(t *testing.T) {
			rows := bridgetest.Rows(t, table, 200, 5)
			b := inFile(t, table, rows)
			f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			r := parquet.NewReader(f)
			for i := range rows.Len() {
				row := map[string]any{}
				if err := r.Read(&row); err != nil {
					t.Fatal(err)
				}
				var want map[string]any
				if err := json.Unmarshal(rows.AppendJSON(nil, i), &want); err != nil {
					t.Fatal(err)
				}
				for _, column := range []string{"label", "ship_to", "status", "items", "notes", "items_tags", "names", "empty", "l_boolean", "l_int", "l_float",
					"l_double", "l_string", "l_uuid", "l_enum", "m_boolean", "m_int", "m_double", "m_string", "m_uuid", "m_enum", "wide"} {
					if got := plain(row[column]); !reflect.DeepEqual(got, plain(want[column])) {
						t.Fatalf("row %d, column %s: parquet-go reads\n%#v, want\n%#v", i, column, got, want[column])
					}
				}
			}
		})
	}
}

// plain is a value in the forms of encoding/json.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if k != "price" && k != "raw" && k != "at" {
				out[k] = plain(x)
			}
		}
		return out
	case []byte:
		return string(v)
	case float32: // JSON has the shortest text that is the same of 32 bits
		f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
		return f
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Int32, reflect.Int64:
		return float64(r.Int())
	case reflect.Slice:
		out := make([]any, r.Len())
		for i := range out {
			out[i] = plain(r.Index(i).Interface())
		}
		return out
	case reflect.Map:
		out := map[string]any{}
		for k, x := range r.Seq2() {
			out[k.String()] = plain(x.Interface())
		}
		return out
	}
	return v
}
