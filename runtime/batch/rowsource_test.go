package batch

import (
	"bytes"
	"context"
	"errors"
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

// result is a RowSource; a nil text is a null.
type result struct {
	names []string
	rows  [][][]byte
	err   error // after the rows
}

func (r *result) Columns() []string { return r.names }
func (r *result) Close() error      { return nil }
func (r *result) Next() ([][]byte, error) {
	if len(r.rows) == 0 {
		if r.err != nil {
			return nil, r.err
		}
		return nil, io.EOF
	}
	row := r.rows[0]
	r.rows = r.rows[1:]
	return row, nil
}

func resultInput(names string, rows [][][]byte, err error) Input {
	return RowsInput("query", func(context.Context) (RowSource, error) {
		return &result{strings.Split(names, ","), slices.Clone(rows), err}, nil
	})
}

func rowsOfCustomers(n int) (rows [][][]byte) {
	for i := range n {
		rows = append(rows, [][]byte{[]byte("2026-08-18 00:00:00+00"), []byte(fmt.Sprint(i)), []byte("a@b"), []byte("active"), []byte("2026-01-01 00:00:00.5+00")})
	}
	return rows
}

const resultNames = "updated_at,id,email,status,created_at"

func TestLoadOfRows(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	o.Format, o.TakenAt, o.TempDir = FormatRows, loadTime+17, t.TempDir()
	r := mustLoad(t, o, resultInput(resultNames, rowsOfCustomers(20_000), nil))
	if r.Rows != 20_000 || r.AsOf != loadTime+17 {
		t.Fatalf("%+v", r)
	}
	all := loaded(t, store)
	if got := all[19_999]; len(all) != 20_000 || got.CreatedAt.String() != "2026-01-01T00:00:00.500Z" || got.Email != "a@b" {
		t.Errorf("%d rows, %+v", len(all), got)
	}
	// The same rows at another time are the same load, with its as_of; it can be asked for.
	o.TakenAt += 1000
	if again := mustLoad(t, o, resultInput(resultNames, rowsOfCustomers(20_000), nil)); !again.Already || again.AsOf != r.AsOf {
		t.Errorf("%+v", again)
	}
	o.Replace = true
	if other := mustLoad(t, o, resultInput(resultNames, rowsOfCustomers(20_001), nil)); other.Generation != 1 || other.AsOf != o.TakenAt {
		t.Errorf("%+v", other)
	}
	o.AsOf = loadTime + 5
	if other := mustLoad(t, o, resultInput(resultNames, nil, nil)); other.Rows != 0 || other.AsOf != loadTime+5 {
		t.Errorf("%+v", other)
	}
}

// A null is not the empty text, in a row as among its rejects.
func TestNullsOfRows(t *testing.T) {
	table := itemsTable(nil)
	cell := func(s string) []byte { return []byte(s) }
	rows := [][][]byte{
		{cell("1"), nil, cell("3"), cell("2026-01-01T00:00:00Z")}, {cell("2"), {}, cell("3"), cell("2026-01-01T00:00:00Z")},
		{cell("3"), nil, nil, cell("2026-01-01T00:00:00Z")}, {cell("4"), {}, {}, cell("x,\"y\"")},
	}
	store := newMemory()
	o := optionsOf(store)
	o.Format, o.Rejects = FormatRows, filepath.Join(t.TempDir(), "rejects")
	r, err := Load(context.Background(), table, []Input{resultInput("id,fullName,priority,at", rows, nil)}, o)
	if err != nil || r.Rows != 2 || r.Rejected != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	got := readTable(t, table, store)
	if got[0].Name.OK || !got[1].Name.OK || got[1].Name.V != "" {
		t.Errorf("%+v", got)
	}
	rejects, err := os.ReadFile(o.Rejects)
	want := "id,fullName,priority,at,_reason\n" +
		"3,,,2026-01-01T00:00:00Z,\"query: row 3: column \"\"priority\"\" is null, but the column is not optional\"\n" +
		"4,\"\",\"\",\"x,\"\"y\"\"\",\"query: row 4: column \"\"priority\"\": \"\"\"\" is no int (32 bit, digits, optionally signed); query: row 4: column \"\"at\"\": \"\"x,\\\"\"y\\\"\"\"\" is no timestamp (RFC 3339; for epochs declare their unit)\"\n"
	if err != nil || string(rejects) != want {
		t.Errorf("%v\n%s\n%s", err, rejects, want)
	}
}

func TestRowsThatEndEarly(t *testing.T) {
	failure := errors.New("the server went away")
	o := optionsOf(newMemory())
	o.Format = FormatRows
	_, err := Load(context.Background(), customers.Any, []Input{resultInput(resultNames, rowsOfCustomers(10), failure)}, o)
	if !errors.Is(err, failure) || err.Error() != "query: the server went away" {
		t.Error(err)
	}
	src, err := resultInput(resultNames, rowsOfCustomers(3), nil).Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(src)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if _, err := Load(context.Background(), customers.Any, []Input{packedInput("query", whole[:n])}, o); err == nil || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
	for content, want := range map[string]string{
		string(whole) + "x":                       "query: something stands behind the last row",
		"id,email\n1,a@example.com and some more": "query: these are no rows of a query",
	} {
		if _, err := Load(context.Background(), customers.Any, []Input{packedInput("query", []byte(content))}, o); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func FuzzRows(f *testing.F) {
	src, err := resultInput(resultNames, rowsOfCustomers(2), nil).Open(context.Background())
	if err != nil {
		f.Fatal(err)
	}
	whole, err := io.ReadAll(src)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(rowsMagic + "\x01\x02a\x01\x00\x00"))
	f.Add([]byte(rowsMagic + "\x01\x00")) // a column without a name
	f.Fuzz(func(t *testing.T, b []byte) {
		table := customersTable(func(s *bridge.Schema) { s.Extra = "ignore" })
		o := optionsOf(newMemory())
		o.Format = FormatRows
		r, err := Load(context.Background(), table, []Input{packedInput("query", b)}, o)
		if err == nil && !bytes.HasPrefix(b, []byte(rowsMagic)) {
			t.Errorf("%+v of what are no rows", r)
		}
	})
}
