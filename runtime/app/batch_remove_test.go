package app

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

type dumpedCustomer struct {
	ID        int64  `parquet:"id"`
	Email     string `parquet:"email"`
	Status    string `parquet:"status"`
	CreatedAt int64  `parquet:"created_at,timestamp(microsecond)"`
	UpdatedAt int64  `parquet:"updated_at,timestamp(microsecond)"`
}

// A Parquet file is known by its name, sorted on request, and the load taken back.
func TestParquetLoadAndRemove(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	t.Setenv("BRIDGE_LAKE", filepath.Join(dir, "lake"))
	var b bytes.Buffer
	w := parquet.NewGenericWriter[dumpedCustomer](&b)
	if _, err := w.Write([]dumpedCustomer{{2, "a@b", "active", 1, 0}, {1, "c@d", "banned", 0, 0}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	dump := write(t, filepath.Join(dir, "dump.parquet"), b.String())
	hour := []string{"--hour", "2026-08-19T02"}
	load := append([]string{"batch", "load", "customers", "--as-of", "2026-08-19T02:05:00Z", "--sort-by-key", "--row-group-rows", "1000"}, hour...)
	bridgeRun(ctx, "", append(load, dump)...).expect(t, dir, 0,
		`customers 2026-08-19T02: 2 rows in 1 object, SIZE, T s
  DIR/lake/lake/customer-events/year=2026/month=08/day=19/hour=02/batch_2026081902.parquet
  1 timestamp finer than a millisecond, floored
`, "")
	what := `customers 2026-08-19T02 (batch_2026081902): 2 rows in 1 object, SIZE
  DIR/lake/lake/customer-events/year=2026/month=08/day=19/hour=02/batch_2026081902.parquet
  DIR/lake/lake/customer-events/_loads/batch_2026081902.json
`
	remove := append([]string{"batch", "remove", "customers"}, hour...)
	bridgeRun(ctx, "y\n", remove...).expect(t, dir, 1, what, "nothing was removed; to remove this without being asked, say --yes")
	if _, err := os.Stat(filepath.Join(dir, "lake", "lake", "customer-events", "_loads", "batch_2026081902.json")); err != nil {
		t.Error(err)
	}
	bridgeRun(ctx, "", append(remove, "--yes")...).expect(t, dir, 0, what+"removed 1 object\n", "")
	bridgeRun(ctx, "", append(remove, "--yes")...).expect(t, dir, 1, "", `batch_2026081902 of table "customers": nothing of this load is in the lake`)
	bridgeRun(ctx, "", "batch", "list").expect(t, dir, 0, "customers: nothing in the lake\n", "")
}

func TestAnswers(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, "YES\n": true, " y \r\n": true, "n\n": false, "\n": false, "": false, "y": false, "yes please\n": false} {
		if err := agreed(context.Background(), strings.NewReader(answer)); (err == nil) != want {
			t.Errorf("%q: %v", answer, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := agreed(ctx, strings.NewReader("y\n")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestUsageOfQueriesAndRemovals(t *testing.T) {
	t.Setenv("BRIDGE_POSTGRES", "")
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "x.csv"), header)
	for _, c := range []struct{ args, want string }{
		{"batch load customers --hour 2026-08-19T02 --lake " + dir, "name the files to load (- is standard input), or give --query 'select …' with --postgres URL"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " --query select " + file, "a load reads files or a query, not both"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " --query select --format csv", "--format is of files; the columns of a query have their types"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " --query select", "no database: give --postgres postgres://user@host:5432/database, or set BRIDGE_POSTGRES"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " --postgres x --query select --query-file x", "give the query as --query or as --query-file, not both"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " --postgres x --query-file " + dir + "/none.sql", "--query-file: open " + dir + "/none.sql: no such file or directory"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " --postgres postgres://x:secret@:y --query select", "the address of PostgreSQL cannot be read; write postgres://user@host:5432/database, and the password as PGPASSWORD or in a password file"},
		{"batch remove", "name the table: bridge batch remove TABLE --hour 2026-08-19T02"},
		{"batch remove customers --hour 2026-08-19T02 --lake " + dir, `batch_2026081902 of table "customers": nothing of this load is in the lake`},
	} {
		if r := bridgeRun(context.Background(), "", strings.Fields(c.args)...); r.code != 1 || r.error.Error() != c.want {
			t.Errorf("%s: exit %d, %v; want %s", c.args, r.code, r.error, c.want)
		}
	}
}
