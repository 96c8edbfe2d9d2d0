//go:build cgo

package duckdb

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/serve"
)

// Compare reads the objects of a table in a local lake with DuckDB and with our reader,
// and fails unless both find the same: each object row by row, and the newest rows per
// key. It returns the number of rows.
func Compare(t testing.TB, table bridge.Any, dir string) int {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c := &comparison{t, db, table, table.Info(), lake.NewLocal(dir)}
	rows := map[place]row{}
	var files []string
	for o, err := range c.store.List(t.Context(), c.schema.Prefix()+"/") {
		if err != nil {
			t.Fatal(err)
		}
		if lake.IsData(c.schema, o.Key) {
			file := filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(o.Key)))
			files = append(files, file)
			c.object(o, file, rows)
		}
	}
	if len(files) > 0 {
		c.newest(files, rows)
	}
	return len(rows)
}

type comparison struct {
	t      testing.TB
	db     *sql.DB
	table  bridge.Any
	schema *bridge.Schema
	store  lake.Store
}

// place is where a row lies.
type place struct {
	file string
	at   int64
}

// row is one of ours.
type row struct {
	document string
	sys      bridge.System
}

// object compares one object row by row, and adds its rows.
func (c *comparison) object(o lake.Object, file string, all map[place]row) {
	c.t.Helper()
	ours := c.ours(o)
	found, err := c.db.QueryContext(c.t.Context(), "SELECT * EXCLUDE (file_row_number) FROM read_parquet(?, hive_partitioning = false, file_row_number = true) ORDER BY file_row_number", file)
	if err != nil {
		c.t.Fatal(err)
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		c.t.Fatal(err)
	}
	n := 0
	for ; found.Next(); n++ {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			c.t.Fatal(err)
		}
		if n < len(ours) {
			c.row(fmt.Sprintf("%s, row %d", file, n+1), ours[n], names, values)
			all[place{file, int64(n)}] = ours[n]
		}
	}
	if err := found.Err(); err != nil || n != len(ours) {
		c.t.Fatalf("%s: DuckDB reads %d rows (%v), we read %d", file, n, err, len(ours))
	}
}

// ours are the rows of an object by our reader.
func (c *comparison) ours(o lake.Object) (all []row) {
	c.t.Helper()
	source, err := c.store.Open(c.t.Context(), o.Key)
	if err != nil {
		c.t.Fatal(err)
	}
	defer source.Close()
	file, err := lake.OpenFile(c.schema, source, source.Size(), o.Key)
	if err != nil {
		c.t.Fatal(err)
	}
	pages := file.Pages(nil)
	defer pages.Close()
	rows := c.table.NewRows(0)
	for {
		page, err := pages.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			c.t.Fatal(err)
		}
		rows.Resize(0)
		rows.Scan(page, 0)
		for i := range page.N {
			all = append(all, row{string(rows.AppendJSON(nil, i)), *rows.Sys(i)})
		}
	}
}

func (c *comparison) row(where string, ours row, names []string, theirs []any) {
	c.t.Helper()
	var document map[string]any
	dec := json.NewDecoder(strings.NewReader(ours.document))
	dec.UseNumber()
	if err := dec.Decode(&document); err != nil {
		c.t.Fatal(err)
	}
	seen := 0
	for i, name := range names {
		if col := c.schema.FieldNamed(name); col >= 0 {
			seen++
			if d := differ(&c.schema.Fields[col], theirs[i], document[name]); d != "" {
				c.t.Fatalf("%s: %s", where, d)
			}
			continue
		}
		want, known := systemColumns[name]
		if !known {
			c.t.Fatalf("%s: DuckDB finds a column %q", where, name)
		}
		seen++
		if v := want(&ours.sys); theirs[i] != v {
			c.t.Fatalf("%s: %s: DuckDB has %v, we have %v", where, name, theirs[i], v)
		}
	}
	if want := len(c.schema.Fields) + len(systemColumns); seen != want && (c.schema.Deletes || seen != want-1) {
		c.t.Fatalf("%s: DuckDB finds %d columns: %q", where, seen, names)
	}
}

// systemColumns are those of a row as DuckDB gives them.
var systemColumns = map[string]func(*bridge.System) any{
	"_source":      func(s *bridge.System) any { return s.Source.String() },
	"_ingested_at": func(s *bridge.System) any { return time.UnixMilli(int64(s.IngestedAt)).UTC() },
	"_seq":         func(s *bridge.System) any { return s.Seq },
	"_deleted":     func(s *bridge.System) any { return s.Deleted },
	"_version": func(s *bridge.System) any {
		if !s.Version.OK {
			return nil
		}
		return s.Version.V
	},
}

// newest compares the newest live row of each key.
func (c *comparison) newest(files []string, rows map[place]row) {
	c.t.Helper()
	var theirs, ours []string
	for _, p := range c.winners(files) {
		if r := rows[p]; !r.sys.Deleted {
			theirs = append(theirs, r.document)
		}
	}
	_, err := serve.Dedup(c.t.Context(), c.table, c.store, true, func(found bridge.Rows) error {
		for i := range found.Len() {
			ours = append(ours, string(found.AppendJSON(nil, i)))
		}
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	slices.Sort(theirs)
	slices.Sort(ours)
	for i := range min(len(theirs), len(ours)) {
		if theirs[i] != ours[i] {
			c.t.Fatalf("newest rows: DuckDB has %s, we have %s", theirs[i], ours[i])
		}
	}
	if len(theirs) != len(ours) || len(ours) == 0 {
		c.t.Fatalf("newest rows: DuckDB has %d, we have %d", len(theirs), len(ours))
	}
}

// winners are the newest rows per key by DuckDB, deletes included.
func (c *comparison) winners(files []string) (found []place) {
	c.t.Helper()
	var key []string
	for _, col := range c.schema.Key {
		key = append(key, `"`+c.schema.Fields[col].Name+`"`)
	}
	query := fmt.Sprintf(`SELECT filename, file_row_number
FROM read_parquet(['%s'], hive_partitioning = false, filename = true, file_row_number = true)
QUALIFY row_number() OVER (PARTITION BY %s ORDER BY _version DESC NULLS LAST, _source = '%s' DESC, _seq DESC, _ingested_at DESC) = 1`,
		strings.Join(files, "', '"), strings.Join(key, ", "), c.schema.Preferred)
	result, err := c.db.QueryContext(c.t.Context(), query)
	if err != nil {
		c.t.Fatal(err)
	}
	defer result.Close()
	for result.Next() {
		var p place
		if err := result.Scan(&p.file, &p.at); err != nil {
			c.t.Fatal(err)
		}
		p.file = filepath.ToSlash(p.file)
		found = append(found, p)
	}
	if err := result.Err(); err != nil {
		c.t.Fatal(err)
	}
	return found
}
