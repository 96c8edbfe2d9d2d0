package batch

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

type itemRow struct {
	ID       int32   `parquet:"id"`
	FullName *string `parquet:"fullName,optional"`
	Priority *int32  `parquet:"priority,optional"`
	At       int64   `parquet:"at,timestamp(microsecond)"`
	Comment  string  `parquet:"comment"`
}

// A load of Parquet as an older version of the spec wrote it: a column less, one more.
func TestParquetLoad(t *testing.T) {
	table := itemsTable(func(s *bridge.Schema) { s.Extra, s.Missing = "ignore", "default" })
	name, seven := "a \"b\",\nc", int32(7)
	b := parquetFile(t, []itemRow{{1, &name, &seven, 1000001, ""}, {2, nil, nil, 0, ""}, {3, nil, &seven, 2000, ""}})
	store := newMemory()
	o := optionsOf(store)
	o.Format, o.Rejects = "parquet", filepath.Join(t.TempDir(), "rejects.csv")
	r, err := Load(context.Background(), table, []Input{packedInput("a.parquet", b), packedInput("b.parquet", gzipped(t, b))}, o)
	if err != nil || r.Rows != 4 || r.Rejected != 2 || r.Floored != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	var got []string
	for _, i := range readTable(t, table, store) {
		got = append(got, fmt.Sprintf("%d %q %v %d %v %v %d", i.ID, i.Name.V, i.Name.OK, i.Priority, i.At, i.Urgent, i.Sys.Seq&0xff))
	}
	var want []string
	for _, seq := range []int{0, 3} {
		want = append(want, fmt.Sprintf("1 %q true 7 1970-01-01T00:00:01.000Z true %d", name, seq), fmt.Sprintf(`3 "" false 7 1970-01-01T00:00:00.002Z true %d`, seq+2))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q,\nwant %q", got, want)
	}
	rejects, err := os.ReadFile(o.Rejects)
	wantRejects := "id,fullName,priority,at,_reason\n" +
		"2,,,1970-01-01T00:00:00.000Z,\"a.parquet: row 2: column \"\"priority\"\" is null, but the column is not optional\"\n" +
		"2,,,1970-01-01T00:00:00.000Z,\"b.parquet: row 2: column \"\"priority\"\" is null, but the column is not optional\"\n"
	if err != nil || string(rejects) != wantRejects {
		t.Errorf("%v:\n%s", err, rejects)
	}
	// The same files are the same load, and the objects' rows are an input again.
	if again, err := Load(context.Background(), table, []Input{packedInput("a.parquet", b), packedInput("b.parquet", b)}, o); err != nil || !again.Already {
		t.Errorf("%+v, %v", again, err)
	}
}

// What a rejected row holds is read back as the same row, once its fault is mended.
func TestParquetRejectsLoadAgain(t *testing.T) {
	table := itemsTable(func(s *bridge.Schema) { s.Nulls = []string{`\N`, "-"} })
	name, low := "-", int32(-1)
	type row struct {
		ID       int64   `parquet:"id"`
		FullName *string `parquet:"fullName,optional"`
		Priority int32   `parquet:"priority"`
		At       int64   `parquet:"at,timestamp(nanosecond)"`
	}
	b := parquetFile(t, []row{{1, &name, low, 1}, {2, nil, low, 0}, {3, nil, 1, 0}})
	o := optionsOf(newMemory())
	o.Format, o.Rejects = "parquet", filepath.Join(t.TempDir(), "rejects.csv")
	if _, err := Load(context.Background(), table, []Input{packedInput("a.parquet", b)}, o); err != nil {
		t.Fatal(err)
	}
	rejects, err := os.ReadFile(o.Rejects)
	if err != nil {
		t.Fatal(err)
	}
	mended := strings.ReplaceAll(string(rejects), ",-1,", ",8,")
	store := newMemory()
	table.Schema.Extra = "ignore" // _reason
	r, err := Load(context.Background(), table, []Input{text("rejects.csv", mended)}, Options{Store: store, Time: loadTime, Now: clock, Format: "csv"})
	if err != nil || r.Floored != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	var got []string
	for _, i := range readTable(t, table, store) {
		got = append(got, fmt.Sprintf("%d %q %v %d", i.ID, i.Name.V, i.Name.OK, i.Priority))
	}
	if want := []string{`1 "-" true 8`, `2 "" false 8`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q, from\n%s", got, want, rejects)
	}
}

// A plain file is read where it lies, and one that changes meanwhile is refused.
func TestParquetFileOnDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dump.parquet")
	b := parquetFile(t, []itemRow{{ID: 1}})
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	touched := false
	in := Input{Name: path, Open: func(context.Context) (io.ReadCloser, error) { return os.Open(path) }}
	table := itemsTable(func(s *bridge.Schema) { s.Extra = "ignore"; s.Fields[2].Optional = true })
	set := table.Set
	table.Set = func(r *item, col int, text *bridge.Text) {
		if touched && col == 0 {
			if err := os.WriteFile(path, append(slices.Clone(b), 0), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if col != 2 {
			set(r, col, text)
		}
	}
	o := optionsOf(newMemory())
	o.Format, o.TempDir = "parquet", filepath.Join(t.TempDir(), "none") // no temporary file is made
	if r, err := Load(context.Background(), table, []Input{in}, o); err != nil || r.Rows != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	touched = true
	o.Store = newMemory()
	_, err := Load(context.Background(), table, []Input{in}, o)
	if err == nil || err.Error() != path+": the file changed while it was read; load it again when nobody writes to it" {
		t.Error(err)
	}
}

func TestParquetThatIsNone(t *testing.T) {
	sound := parquetFile(t, []itemRow{{ID: 1}, {ID: 2}})
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, "dump.parquet: not a readable Parquet file: it has 0 bytes"},
		{[]byte("id,fullName,priority,at\n1,,1,2026-01-01T00:00:00Z\n"), "dump.parquet: not a readable Parquet file: it does not end in PAR1, so it is cut off or something else"},
		{sound[:len(sound)-1], "dump.parquet: not a readable Parquet file: it does not end in PAR1, so it is cut off or something else"},
	} {
		o := optionsOf(newMemory())
		o.Format = "parquet"
		_, err := Load(context.Background(), customers.Any, []Input{packedInput("dump.parquet", c.b)}, o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestParquetWithoutRows(t *testing.T) {
	table := itemsTable(func(s *bridge.Schema) { s.Extra = "ignore" })
	store := newMemory()
	o := optionsOf(store)
	o.Format = "parquet"
	r, err := Load(context.Background(), table, []Input{packedInput("none.parquet", parquetFile(t, []itemRow{}))}, o)
	if err != nil || r.Rows != 0 || len(r.Objects) != 0 || len(store.keys()) != 1 {
		t.Errorf("%+v, %v, %q", r, err, store.keys())
	}
}
