package valuetable_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/internal/valuetable"
	"github.com/bridgegen/bridgegen/internal/valuetable/generated/values"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetTypes are what a leaf of each type is in the file: its physical type, then its
// logical type as parquet-go prints it (parquet.thrift, LogicalType; what the S3 sink writes
// of decimals, UUIDs and enums stands in the type table).
var parquetTypes = map[string][2]string{
	"boolean": {"BOOLEAN", ""}, "int": {"INT32", ""}, "long": {"INT64", ""}, "float": {"FLOAT", ""}, "double": {"DOUBLE", ""},
	"decimal": {"BYTE_ARRAY", "DECIMAL(38,10)"}, "string": {"BYTE_ARRAY", "STRING"}, "bytes": {"BYTE_ARRAY", ""}, "date": {"INT32", "DATE"},
	"timestamp": {"INT64", "TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)"}, "uuid": {"BYTE_ARRAY", "STRING"}, "enum": {"BYTE_ARRAY", "STRING"},
}

func openParquet(t *testing.T) *parquet.File {
	t.Helper()
	store := load(t, "csv", valuetable.CSV(valuetable.Rows()))
	var path string
	for o, err := range store.List(t.Context(), values.Table.Schema.Prefix()+"/year") {
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.FromSlash(store.URL(o.Key))
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// parquet-go alone finds the types that the table of types says, and the values.
func TestValuesOfParquet(t *testing.T) {
	file := openParquet(t)
	leaves, logical := map[string]int{}, footer(file.Metadata().Schema)
	for i, path := range file.Schema().Columns() {
		name := strings.Join(path, ".")
		leaves[name] = i
		leaf, _ := file.Schema().Lookup(path...)
		last := path[0]
		if path[0] == "s" {
			last = path[1]
		}
		_, word, ok := strings.Cut(last, "_")
		want, known := parquetTypes[word]
		if !ok || !known || path[len(path)-1] == "key" {
			continue
		}
		if kind := leaf.Node.Type().Kind().String(); kind != want[0] || logical[name] != want[1] {
			t.Errorf("%s is %s (%s), want %s (%s)", name, kind, logical[name], want[0], want[1])
		}
	}
	rows := valuetable.Rows()
	n := 0
	for _, group := range file.RowGroups() {
		reader := group.Rows()
		buffer := make([]parquet.Row, 64)
		for {
			got, err := reader.ReadRows(buffer)
			for _, row := range buffer[:got] {
				sameLeaf(t, rows[n], leaves, row)
				n++
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := reader.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n != len(rows) {
		t.Errorf("parquet-go reads %d rows, want %d", n, len(rows))
	}
}

// footer is the logical type of each leaf as the file has it, by its path. The elements are
// those of the tree in its depth-first order; the first is the root.
func footer(elements []format.SchemaElement) map[string]string {
	out := map[string]string{}
	at := 0
	var walk func(path []string)
	walk = func(path []string) {
		e := &elements[at]
		if at++; at > 1 {
			path = append(path[:len(path):len(path)], e.Name)
		}
		if !e.NumChildren.Valid || e.NumChildren.V == 0 {
			out[strings.Join(path, ".")] = e.LogicalType.String()
			return
		}
		for range e.NumChildren.V {
			walk(path)
		}
	}
	walk(nil)
	return out
}

func sameLeaf(t *testing.T, want valuetable.Row, leaves map[string]int, row parquet.Row) {
	t.Helper()
	if want.Raw == nil {
		return
	}
	column, ok := leaves[want.Leaf]
	if !ok {
		t.Fatalf("%s: the file has no leaf %s", want.Name, want.Leaf)
	}
	found := 0
	for _, v := range row {
		if v.Column() != column || v.IsNull() {
			continue
		}
		found++
		if !equal(v, want.Raw) {
			t.Errorf("%s: parquet-go reads %.60v, want %.60v", want.Name, v, want.Raw)
		}
	}
	if found != 1 {
		t.Errorf("%s: %d values in %s", want.Name, found, want.Leaf)
	}
}

func equal(v parquet.Value, want any) bool {
	switch w := want.(type) {
	case bool:
		return v.Boolean() == w
	case int32:
		return v.Int32() == w
	case int64:
		return v.Int64() == w
	case float32:
		return math.Float32bits(v.Float()) == math.Float32bits(w) || math.IsNaN(float64(w)) && math.IsNaN(float64(v.Float()))
	case float64:
		return math.Float64bits(v.Double()) == math.Float64bits(w) || math.IsNaN(w) && math.IsNaN(v.Double())
	case string:
		return string(v.ByteArray()) == w
	}
	return false
}
