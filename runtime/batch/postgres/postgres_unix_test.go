//go:build unix

package postgres_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/app"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/batch/postgres"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/jackc/pgx/v5/pgconn"
)

// run executes statements on the server.
func run(t *testing.T, address, sql string) {
	t.Helper()
	conn, err := pgconn.Connect(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), sql).ReadAll(); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, address, sql string) *postgres.Query {
	t.Helper()
	q, err := postgres.Open(t.Context(), address, sql)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return q
}

// texts are the rows of a query; a null is NULL.
func texts(t *testing.T, address, sql string) (rows [][]string) {
	t.Helper()
	q := open(t, address, sql)
	in := q.Input()
	src, err := in.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for {
		row, err := q.Next()
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		var cells []string
		for _, text := range row {
			if text == nil {
				cells = append(cells, "NULL")
			} else {
				cells = append(cells, string(text))
			}
		}
		rows = append(rows, cells)
	}
}

func TestValuesOfEveryType(t *testing.T) {
	address := start(t)
	run(t, address, `drop schema if exists things cascade; create schema things; create type things.mood as enum ('sad', 'so so');
create domain things.flag as boolean; create domain things.flags as things.flag[]`)
	// Settings of a role must not change a text.
	run(t, address, `alter role bridge set datestyle = 'German'; alter role bridge set timezone = 'Asia/Tokyo'; alter role bridge set bytea_output = 'escape'; alter role bridge set extra_float_digits = -5`)
	defer run(t, address, `alter role bridge reset all`)
	for _, c := range [][2]string{
		{`true`, "true"}, {`false::things.flag`, "false"}, {`(-32768)::int2`, "-32768"}, {`9223372036854775807`, "9223372036854775807"},
		{`0.1::float4`, "0.1"}, {`1e300::float8`, "1e+300"}, {`0.1::float8+0.2::float8`, "0.30000000000000004"}, {`'NaN'::float8`, "NaN"}, {`'-Infinity'::float4`, "-Infinity"},
		{`99999999999999999999999999999999.999999::numeric(38,6)`, "99999999999999999999999999999999.999999"}, {`''::text`, ""}, {`null::text`, "NULL"},
		{`E'a\n"b",\\ é'`, "a\n\"b\",\\ é"}, {`'\x00ff'::bytea`, "AP8="}, {`''::bytea`, ""}, {`date '2026-01-31'`, "2026-01-31"}, {`date 'infinity'`, "infinity"},
		{`timestamptz '2026-01-31 13:59:59.123456+02'`, "2026-01-31 11:59:59.123456+00"}, {`timestamp '2026-01-31 13:59:59.5'`, "2026-01-31 13:59:59.5"},
		{`'123e4567-e89b-12d3-a456-426614174000'::uuid`, "123e4567-e89b-12d3-a456-426614174000"}, {`'so so'::things.mood`, "so so"},
		{`'{"a": [1, null]}'::jsonb`, `{"a": [1, null]}`}, {`'{"b":1,"a":2}'::json`, `{"b":1,"a":2}`},
		{`'{}'::int[]`, "[]"}, {`array[1,null,-3]`, "[1,null,-3]"}, {`array['a','NULL',E'"\\é',null,'',' x','{}']`, `["a","NULL","\"\\é",null,""," x","{}"]`},
		{`array[[1,2],[3,4]]`, "[[1,2],[3,4]]"}, {`'[0:1]={5,6}'::int[]`, "[5,6]"}, {`array[true,false]`, "[true,false]"}, {`array[true]::things.flag[]`, "[true]"},
		{`array[false]::things.flags`, "[false]"}, {`array['sad','so so']::things.mood[]`, `["sad","so so"]`}, {`array['\x01'::bytea]`, `["AQ=="]`},
		{`array[0.5,'NaN'::float8]`, `[0.5,"NaN"]`}, {`array['{"a":1}'::jsonb]`, `[{"a": 1}]`}, {`array[timestamptz '2026-01-31 00:00+00']`, `["2026-01-31 00:00:00+00"]`},
		{`array[1.50::numeric]`, "[1.50]"}, {`array[box '(1,2),(0,0)', box '(3,4),(0,0)']`, `["(1,2),(0,0)","(3,4),(0,0)"]`}, {`'1 2'::int2vector`, "1 2"},
	} {
		if got := texts(t, address, "select "+c[0]+" as v"); len(got) != 1 || len(got[0]) != 1 || got[0][0] != c[1] {
			t.Errorf("%s: %q, want %q", c[0], got, c[1])
		}
	}
}

const customersQuery = `select id, email, status, created_at, updated_at from shop.customers order by id`

func shop(t *testing.T) string {
	address := start(t)
	run(t, address, `drop schema if exists shop cascade; create schema shop;
create table shop.customers (id bigint primary key, email text not null, status text not null, created_at timestamptz not null, updated_at timestamptz not null);
insert into shop.customers select i, ' C' || i || '@Example.com', 'active', '2026-01-01', '2026-08-18 00:00:00.0005' from generate_series(1, 20000) i`)
	return address
}

var loadTime = bridge.TimestampOf(time.Date(2026, 8, 19, 2, 0, 0, 0, time.UTC))

func loadOptions(t *testing.T, dir string, q *postgres.Query) batch.Options {
	t.Helper()
	store, err := lake.OpenStore(t.Context(), dir, lake.StoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return batch.Options{Store: store, Time: loadTime, Format: batch.FormatRows, TakenAt: q.Taken(), TempDir: t.TempDir()}
}

// A query is loaded as of its snapshot, and again it is the same load; rows that came
// since are another.
func TestLoadOfAQuery(t *testing.T) {
	address, dir := shop(t), t.TempDir()
	q := open(t, address, customersQuery)
	run(t, address, `insert into shop.customers values (0, 'later@example.com', 'active', now(), now())`) // behind the snapshot
	first, err := batch.Load(t.Context(), customers.Any, []batch.Input{q.Input()}, loadOptions(t, dir, q))
	if err != nil || first.Rows != 20000 || first.Floored != 20000 || first.AsOf != q.Taken() {
		t.Fatalf("%+v, %v", first, err)
	}
	if age := time.Since(q.Taken().Time()); age < 0 || age > time.Minute {
		t.Errorf("the snapshot was taken %v ago", age)
	}
	run(t, address, `delete from shop.customers where id = 0`)
	q = open(t, address, customersQuery)
	if again, err := batch.Load(t.Context(), customers.Any, []batch.Input{q.Input()}, loadOptions(t, dir, q)); err != nil || !again.Already || again.AsOf != first.AsOf {
		t.Errorf("%+v, %v", again, err)
	}
	run(t, address, `update shop.customers set status = 'banned' where id = 7`)
	q = open(t, address, customersQuery)
	o := loadOptions(t, dir, q)
	if _, err := batch.Load(t.Context(), customers.Any, []batch.Input{q.Input()}, o); err == nil || !strings.Contains(err.Error(), "was loaded from other input") {
		t.Error(err)
	}
	q = open(t, address, customersQuery)
	o.Replace, o.TakenAt = true, q.Taken()
	if r, err := batch.Load(t.Context(), customers.Any, []batch.Input{q.Input()}, o); err != nil || r.Generation != 1 || r.AsOf != q.Taken() {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestQueriesThatDoNotFit(t *testing.T) {
	address := shop(t)
	for _, c := range []struct{ sql, want string }{
		{`select id, email as mail, status, created_at, updated_at, 1 as one from shop.customers`,
			"query: column \"mail\" is no column of table \"customers\"; did you mean \"email\"?\nquery: column \"one\" is no column of table \"customers\"; remove it, or say so in the spec: batch: {extra: ignore}\n" +
				"query: the input lacks column \"email\", and it is neither optional nor has a default\nnothing was written"},
		{`select id, id, email, status, created_at, updated_at from shop.customers`, "query: column \"id\" stands there twice; rename or remove one\nnothing was written"},
		{`select id, email, case id when 2 then 'vip' else status end as status, case id when 3 then 'infinity' else created_at end as created_at, case id when 4 then null else updated_at end as updated_at from shop.customers where id < 5 order by id`,
			"query: row 2: column \"status\": \"vip\" is not one of active, inactive, banned, suspended\nquery: row 3: column \"created_at\": \"infinity\" is no timestamp (RFC 3339; for epochs declare their unit)\n" +
				"query: row 4: column \"updated_at\" is null, but the column is not optional\n3 of 4 rows are invalid; nothing was written. Fix them, or set them aside with --rejects FILE"},
		{`select 1 / (10000 - id) as id, email, status, created_at, updated_at from shop.customers order by shop.customers.id`, "query: after row 9999: division by zero (SQLSTATE 22012)"},
	} {
		dir := t.TempDir()
		q := open(t, address, c.sql)
		_, err := batch.Load(t.Context(), customers.Any, []batch.Input{q.Input()}, loadOptions(t, dir, q))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v,\nwant %s", c.sql, err, c.want)
		}
		store, _ := lake.OpenStore(t.Context(), dir, lake.StoreOptions{})
		for object := range store.List(t.Context(), "") {
			t.Errorf("%s is in the lake", object.Key)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	address := start(t)
	wrong := strings.Replace(address, "secret", "hunter2", 1)
	for _, c := range []struct{ address, sql, want string }{
		{"postgres://me:hunter2@host:x/db", "select 1", "the address of PostgreSQL cannot be read; write postgres://user@host:5432/database, and the password as PGPASSWORD or in a password file"},
		{wrong, "select 1", `password authentication failed for user "bridge" (SQLSTATE 28P01)`},
		{strings.Replace(address, "/postgres", "/nowhere", 1), "select 1", `database "nowhere", user "bridge": database "nowhere" does not exist (SQLSTATE 3D000)`},
		{"postgres://bridge:hunter2@127.0.0.1:1/db", "select 1", `PostgreSQL at 127.0.0.1:1, database "db", user "bridge": dial tcp 127.0.0.1:1: connect: connection refused`},
		{address, "selct 1", `the query: syntax error at or near "selct", at character 1 (SQLSTATE 42601)`},
		{address, "select * from nowhere", `the query: relation "nowhere" does not exist, at character 15 (SQLSTATE 42P01)`},
		{address, "select $1::int", "the query has parameters ($1); write their values in their place"},
		{address, "create table x (a int)", "the query gives no columns; write a select"},
		{address, "select 1; select 2", "the query: cannot insert multiple commands into a prepared statement (SQLSTATE 42601)"},
	} {
		q, err := postgres.Open(t.Context(), c.address, c.sql)
		if err == nil {
			_ = q.Close()
		}
		if err == nil || !strings.HasSuffix(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %s", c.sql, err, c.want)
		}
	}
}

// Nothing that the query does can write.
func TestReadOnly(t *testing.T) {
	address := shop(t)
	q := open(t, address, `with gone as (delete from shop.customers returning id) select id from gone`)
	src, err := q.Input().Open(t.Context())
	if err == nil {
		_, err = io.ReadAll(src)
	}
	if err == nil || err.Error() != "after row 0: cannot execute SELECT in a read-only transaction (SQLSTATE 25006)" {
		t.Error(err)
	}
}

// A server that goes in the middle fails the load, as a signal does.
func TestALostServer(t *testing.T) {
	address := shop(t)
	const slow = `select id, email, status, created_at, updated_at from shop.customers, pg_sleep(case when id % 5000 = 0 then 0.3 else 0 end) order by id`
	for name, disturb := range map[string]func(cancel context.CancelFunc){
		"killed": func(context.CancelFunc) {
			run(t, address, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bridge'`)
		},
		"stopped": func(cancel context.CancelFunc) { cancel() },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		q, dir := open(t, address, slow), t.TempDir()
		time.AfterFunc(300*time.Millisecond, func() { disturb(cancel) })
		_, err := batch.Load(ctx, customers.Any, []batch.Input{q.Input()}, loadOptions(t, dir, q))
		switch {
		case err == nil, name == "stopped" && !errors.Is(err, context.Canceled):
			t.Errorf("%s: %v", name, err)
		case name == "killed" && !strings.Contains(err.Error(), "terminating connection due to administrator command (SQLSTATE 57P01)"):
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// The memory is that of a row, not of the result.
func TestRowsAreStreamed(t *testing.T) {
	q := open(t, start(t), `select i, repeat('x', 1000) as text from generate_series(1, 200000) i`)
	src, err := q.Input().Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var most uint64
	var stats runtime.MemStats
	block, size := make([]byte, 1<<20), 0
	for i := 0; ; i++ {
		n, err := src.Read(block)
		if size += n; err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if i%100 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapAlloc)
		}
	}
	if size < 200<<20*9/10 || most > 40<<20 {
		t.Errorf("%d MiB were read with %d MiB of memory", size>>20, most>>20)
	}
}

func TestColumnsOfAQuery(t *testing.T) {
	q := open(t, start(t), `select 1 as "Mixed", 2 as b`)
	if !slices.Equal(q.Columns(), []string{"Mixed", "b"}) {
		t.Errorf("%q", q.Columns())
	}
}

// The program loads a query, and says what a rejected row held.
func TestTheProgramLoadsAQuery(t *testing.T) {
	address, dir := shop(t), t.TempDir()
	run(t, address, `update shop.customers set status = 'vip' where id = 3`)
	t.Setenv("BRIDGE_POSTGRES", address)
	file := filepath.Join(dir, "query.sql")
	if err := os.WriteFile(file, []byte(customersQuery+";\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	program := app.Command(bridge.Project{Tables: []bridge.Any{customers.Any}})
	program.SetOut(&out)
	rejects := filepath.Join(dir, "rejects.csv")
	program.SetArgs([]string{"batch", "load", "customers", "--lake", filepath.Join(dir, "lake"), "--hour", "2026-08-19T02", "--query-file", file, "--rejects", rejects})
	if err := program.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "customers 2026-08-19T02: 19,999 rows in 1 object, ") || strings.Contains(out.String(), "secret") {
		t.Error(out.String())
	}
	got, err := os.ReadFile(rejects)
	want := "id,email,status,created_at,updated_at,_reason\n" +
		`3, C3@Example.com,vip,2026-01-01 00:00:00+00,2026-08-18 00:00:00.0005+00,"query: row 3: column ""status"": ""vip"" is not one of active, inactive, banned, suspended"` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}
