package serve

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/state"
	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"
)

// now is the clock of the tests.
var now = time.Date(2026, 8, 19, 14, 0, 0, 0, time.UTC)

func startRedis(t *testing.T) (*miniredis.Miniredis, *redis.Client) {
	t.Helper()
	server := miniredis.RunT(t)
	server.SetTime(now)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { _ = client.Close() })
	return server, client
}

func putState(t fataler, client redis.UniversalClient, rows ...customers.Customer) {
	t.Helper()
	for i := range rows {
		rows[i].Sys.IngestedAt = bridge.TimestampOf(now)
	}
	if _, err := state.Apply(context.Background(), client, customers.Any, hide(rows...), 0, len(rows), bridge.TimestampOf(now)); err != nil {
		t.Fatal(err)
	}
}

func get(t fataler, o Options, id int64) *Result[customers.Customer] {
	t.Helper()
	r, err := NewReader(customers.Table, o)
	if err != nil {
		t.Fatal(err)
	}
	a, err := r.Get(context.Background(), &customers.Customer{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Lake, state and merge agree with the ten-line reference over the rows of both sides,
// whichever rows each side has, in any order and however often.
func TestReaderAgreesWithTheReference(t *testing.T) {
	server, client := startRedis(t)
	rapid.Check(t, func(rt *rapid.T) {
		server.FlushAll()
		store := lake.NewLocal(t.TempDir())
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) customers.Customer {
			r := customer(t)
			r.Sys.IngestedAt = bridge.TimestampOf(now)
			return r
		}), 1, 10).Draw(rt, "rows")
		pick := rapid.SliceOfN(rapid.SampledFrom(rows), 1, 15)
		inLake, fresh := pick.Draw(rt, "lake"), pick.Draw(rt, "fresh")
		put(rt, store, "customer-events+0+0000000000.parquet", inLake...)
		putState(rt, client, fresh...)
		both := reference(append(inLake, fresh...))
		for id := int64(-2); id <= 2; id++ {
			a := get(rt, Options{Store: store, Redis: client}, id)
			want, known := both[id]
			switch {
			case !known:
				if a.Merged.Row != nil {
					rt.Fatalf("key %d is unknown, but %+v", id, a.Merged)
				}
			case a.Merged.Row == nil || !same(a.Merged.Row.Sys, want) || a.Merged.Deleted != want.Deleted:
				rt.Fatalf("key %d: %+v, want %+v", id, a.Merged, want)
			case want.Deleted != (a.Live() == nil):
				rt.Fatalf("key %d: live %+v, want %+v", id, a.Live(), want)
			}
		}
	})
}

func TestDeleteOnEitherSideHidesWhatIsOlder(t *testing.T) {
	for _, c := range []struct {
		name        string
		lake, fresh customers.Customer
		live        bool
	}{
		{"newer delete in the state", loaded(1, 10, 0), deleteOf(1, 11), false},
		{"newer delete in the lake", deleteOf(1, 11), streamed(1, 10), false},
		{"older delete in the state", streamed(1, 11), deleteOf(1, 10), true},
		{"older delete in the lake", deleteOf(1, 10), streamed(1, 11), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, client := startRedis(t)
			store := lake.NewLocal(t.TempDir())
			put(t, store, "customer-events+0+0000000000.parquet", c.lake)
			putState(t, client, c.fresh)
			a := get(t, Options{Store: store, Redis: client}, 1)
			if (a.Live() != nil) != c.live || a.Lake.Row == nil || a.Fresh.Row == nil {
				t.Errorf("%+v", a)
			}
		})
	}
}

// Order case 2: a dump holds a row whose version column is ahead of the commit clock;
// its version is no later than the load's as_of, so a delete that follows wins.
func TestOrderCase2DeleteAfterADumpThatIsAhead(t *testing.T) {
	asOf := bridge.TimestampOf(now)
	row := customers.Customer{ID: 1, Email: "a@b.c", Status: customers.StatusActive, UpdatedAt: asOf + 1_800_000, Sys: bridge.System{Source: bridge.Batch}}
	env := bridge.Env{Horizon: asOf + 3_600_000, VersionCap: asOf}
	if !customers.Apply(&env, &row) {
		t.Fatal(env.Rejects)
	}
	committed := deleteOf(1, int64(asOf)+60_000) // a minute after the dump, half an hour before its updated_at
	for _, side := range []string{"lake", "state"} {
		_, client := startRedis(t)
		store := lake.NewLocal(t.TempDir())
		put(t, store, "batch_2026081914.parquet", row)
		if side == "lake" {
			put(t, store, "customer-events+0+0000000000.parquet", committed)
		} else {
			putState(t, client, committed)
		}
		if a := get(t, Options{Store: store, Redis: client}, 1); a.Live() != nil || !a.Merged.Deleted {
			t.Errorf("the delete in the %s does not hide the dump's row: %+v", side, a.Merged)
		}
	}
}

// optional is the table with no column required but the key.
func optional() *bridge.Table[customers.Customer] {
	table, schema := *customers.Table, *customers.Table.Schema
	schema.Fields = slices.Clone(schema.Fields)
	for i := range schema.Fields {
		schema.Fields[i].Optional = !schema.Fields[i].Key
	}
	table.Schema = &schema
	return &table
}

// A fresh state overrides only what it carries, and derived columns follow; an older one,
// or one under a delete, overrides nothing.
func TestMergeIsFieldByField(t *testing.T) {
	table := optional()
	document := func(version string) string {
		return bridge.StatePrefix + strings.Repeat("0", bridge.OrderWidth) + `","id":1,"status":"banned","_source":"streaming","_ingested_at":"1","_version":"` + version + `","_seq":"1","_deleted":false}`
	}
	both := streamed(1, 10)
	newer := both
	newer.Status, newer.IsActive = customers.StatusBanned, false
	newer.Sys = bridge.System{Source: bridge.Streaming, IngestedAt: 1, Version: bridge.Some[int64](11), Seq: 1}
	bare := customers.Customer{ID: 1, Status: customers.StatusBanned, Sys: newer.Sys}
	for _, c := range []struct {
		name, version string
		inLake        customers.Customer
		want          customers.Customer
	}{
		{"newer", "11", both, newer},
		{"older", "9", both, both},
		{"over a delete", "11", deleteOf(1, 10), bare},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, client := startRedis(t)
			store := lake.NewLocal(t.TempDir())
			put(t, store, "customer-events+0+0000000000.parquet", c.inLake)
			if err := server.Set("customer:1", document(c.version)); err != nil {
				t.Fatal(err)
			}
			r, err := NewReader(table, Options{Store: store, Redis: client})
			if err != nil {
				t.Fatal(err)
			}
			a, err := r.Get(t.Context(), &customers.Customer{ID: 1})
			if err != nil || a.Live() == nil || *a.Live() != c.want {
				t.Fatalf("%+v, %v; want %+v", a, err, c.want)
			}
			if *a.Lake.Row != c.inLake {
				t.Errorf("merging changed what the lake says: %+v", a.Lake.Row)
			}
		})
	}
}

func TestOneSideDown(t *testing.T) {
	server, client := startRedis(t)
	dir := t.TempDir()
	store := lake.NewLocal(dir)
	put(t, store, "batch_2026081902.parquet", loaded(1, 10, 0))
	putState(t, client, streamed(1, 20))
	down := &failing{Store: store}

	a := get(t, Options{Store: down, Redis: client}, 1)
	if a.Live() == nil || a.Live().Sys.Version.V != 20 || !a.Partial() || a.Lake.Err == nil || !strings.Contains(a.Lake.Err.Error(), "the store is away") {
		t.Errorf("lake down: %+v", a)
	}
	server.Close()
	a = get(t, Options{Store: store, Redis: client}, 1)
	if a.Live() == nil || a.Live().Sys.Version.V != 10 || !a.Partial() || a.Fresh.Err == nil {
		t.Errorf("Redis down: %+v", a)
	}
	r, err := NewReader(customers.Table, Options{Store: down, Redis: client})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get(t.Context(), &customers.Customer{ID: 1}); err == nil || !strings.Contains(err.Error(), "no side answers") {
		t.Errorf("both down: %v", err)
	}
	if a := get(t, Options{Store: store}, 1); a.Partial() || a.Live() == nil {
		t.Errorf("a side that is not configured is not down: %+v", a)
	}
	if r, err = NewReader(customers.Table, Options{Redis: client}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Counts(t.Context()); err == nil || !strings.Contains(err.Error(), "no lake is given") {
		t.Errorf("counts without a lake: %v", err)
	}
}

// A key is normalised as both roads do before it is looked up.
func TestKeysAreNormalised(t *testing.T) {
	type account struct {
		name string
		sys  bridge.System
	}
	table := &bridge.Table[account]{
		Schema: &bridge.Schema{Table: "accounts", Key: []int{0}, Fields: []bridge.Field{{Name: "name", Type: "string", Key: true}, {Name: "note", Type: "string"}}},
		Sys:    func(r *account) *bridge.System { return &r.sys },
		Apply: func(e *bridge.Env, r *account) bool {
			e.Reset()
			if r.name = bridge.Lower(r.name); r.name == "" {
				e.Reject(0, "validate", "is empty")
			}
			e.Reject(1, "null", "is null")
			return false
		},
	}
	keys := &bridge.RowsOf[account]{T: table, R: []account{{name: "ANA"}, {name: ""}}}
	own, err := normalized(table, keys, 0)
	if err != nil || own.(*bridge.RowsOf[account]).R[0].name != "ana" || keys.R[0].name != "ANA" {
		t.Errorf("%+v, %v", own, err)
	}
	if _, err := normalized(table, keys, 1); err == nil || err.Error() != `table "accounts": key column "name" is empty` {
		t.Errorf("%v", err)
	}
}
