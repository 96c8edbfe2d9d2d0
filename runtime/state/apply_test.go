package state

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"
)

// now is the clock of the tests; nothing here waits for a real one.
var now = time.Date(2026, 8, 19, 14, 0, 0, 0, time.UTC)

func startRedis(t testing.TB) (*miniredis.Miniredis, *redis.Client) {
	t.Helper()
	server := miniredis.RunT(t)
	server.SetTime(now)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { _ = client.Close() })
	return server, client
}

func hide(rows ...customers.Customer) bridge.Rows {
	return &bridge.RowsOf[customers.Customer]{T: customers.Table, R: rows}
}

func apply(t testing.TB, client redis.UniversalClient, rows ...customers.Customer) Applied {
	t.Helper()
	done, err := Apply(t.Context(), client, customers.Any, hide(rows...), 0, len(rows), bridge.TimestampOf(now))
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// read is the state of a key, nil if there is none.
func read(t testing.TB, client redis.UniversalClient, id int64) *customers.Customer {
	t.Helper()
	into := hide(customers.Customer{})
	found, carried, err := Read(t.Context(), client, customers.Any, hide(customers.Customer{ID: id}), 0, into, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		return nil
	}
	for col := range customers.Table.Schema.Fields {
		if !carried.Has(col) {
			t.Errorf("column %d is not carried", col)
		}
	}
	return &into.(*bridge.RowsOf[customers.Customer]).R[0]
}

// live is a row as the stream writer makes it: version and ingest time in ms.
func live(id, version int64, ingested time.Time) customers.Customer {
	return customers.Customer{ID: id, Email: "a@example.com", Status: customers.StatusActive, IsActive: true,
		CreatedAt: 1, UpdatedAt: bridge.Timestamp(version),
		Sys: bridge.System{Source: bridge.Streaming, Version: bridge.Some(version), Seq: version, IngestedAt: bridge.TimestampOf(ingested)}}
}

func dead(id, version int64, ingested time.Time) customers.Customer {
	sys := live(id, version, ingested).Sys
	sys.Deleted = true
	return customers.Customer{ID: id, Sys: sys}
}

func randomRow(t *rapid.T) customers.Customer {
	near := rapid.OneOf(rapid.Int64Range(-1, 1), rapid.Int64())
	r := customers.Customer{ID: rapid.Int64Range(0, 3).Draw(t, "id")}
	r.Sys = bridge.System{Seq: near.Draw(t, "seq"), Source: bridge.Source(rapid.IntRange(1, 2).Draw(t, "source")),
		IngestedAt: bridge.TimestampOf(now) - bridge.Timestamp(rapid.Int64Range(0, 3).Draw(t, "age")), Deleted: rapid.Bool().Draw(t, "deleted")}
	if rapid.Bool().Draw(t, "versioned") {
		r.Sys.Version = bridge.Some(near.Draw(t, "version"))
	}
	if !r.Sys.Deleted {
		r.Email = rapid.String().Draw(t, "email")
		r.Status = customers.StatusBanned
		r.CreatedAt = bridge.Timestamp(rapid.Int64Range(int64(bridge.MinTimestamp), int64(bridge.MaxTimestamp)).Draw(t, "created"))
	}
	return r
}

// newest is the order of the design in ten lines: of each key the row that no other beats.
func newest(rows []customers.Customer) map[int64]customers.Customer {
	best := map[int64]customers.Customer{}
	for _, r := range rows {
		old, ok := best[r.ID]
		if !ok || slices.Compare(rank(r.Sys), rank(old.Sys)) > 0 {
			best[r.ID] = r
		}
	}
	return best
}

func rank(s bridge.System) []int64 {
	r := []int64{0, 0, 0, s.Seq, int64(s.IngestedAt)}
	if s.Version.OK {
		r[0], r[1] = 1, s.Version.V
	}
	if s.Source == bridge.Streaming {
		r[2] = 1
	}
	return r
}

func TestStateIsTheNewestOfAnyOrderAndRepetition(t *testing.T) {
	server, client := startRedis(t)
	rapid.Check(t, func(t *rapid.T) {
		server.FlushAll()
		rows := rapid.SliceOfN(rapid.Custom(randomRow), 1, 20).Draw(t, "rows")
		want := newest(rows)
		again := rapid.SliceOf(rapid.SampledFrom(rows)).Draw(t, "repetitions")
		rows = rapid.Permutation(slices.Concat(rows, again)).Draw(t, "order")
		for from := 0; from < len(rows); {
			to := rapid.IntRange(from+1, len(rows)).Draw(t, "batch")
			if _, err := Apply(context.Background(), client, customers.Any, hide(rows...), from, to, bridge.TimestampOf(now)); err != nil {
				t.Fatal(err)
			}
			from = to
		}
		for id, w := range want {
			into := hide(customers.Customer{})
			found, _, err := Read(context.Background(), client, customers.Any, hide(w), 0, into, 0)
			if err != nil || !found {
				t.Fatalf("key %d: found %v, %v", id, found, err)
			}
			got := into.(*bridge.RowsOf[customers.Customer]).R[0]
			if slices.Compare(rank(got.Sys), rank(w.Sys)) != 0 {
				t.Fatalf("key %d: %+v, want %+v", id, got.Sys, w.Sys)
			}
		}
	})
}

func TestStateReadsBackWhole(t *testing.T) {
	server, client := startRedis(t)
	rapid.Check(t, func(t *rapid.T) {
		server.FlushAll()
		r := randomRow(t)
		r.Email = strings.ToValidUTF8(r.Email, "")
		if _, err := Apply(context.Background(), client, customers.Any, hide(r), 0, 1, bridge.TimestampOf(now)); err != nil {
			t.Fatal(err)
		}
		into := hide(customers.Customer{Email: "rest of an earlier row"})
		found, _, err := Read(context.Background(), client, customers.Any, hide(r), 0, into, 0)
		if got := into.(*bridge.RowsOf[customers.Customer]).R[0]; err != nil || !found || got != r {
			t.Fatalf("%v, %v: %+v, want %+v", found, err, got, r)
		}
	})
}

func TestExpiry(t *testing.T) {
	server, client := startRedis(t)
	ttl := customers.Table.Schema.StateTTL
	apply(t, client, live(1, 5, now.Add(-time.Hour)), dead(2, 5, now.Add(-time.Hour)))
	if got := server.TTL("customer:1"); got != ttl-time.Hour {
		t.Errorf("a state lives %v more, want _ingested_at + ttl: %v", got, ttl-time.Hour)
	}
	if got := server.TTL("customer:2"); got != 2*ttl-time.Hour {
		t.Errorf("a delete lives %v more, want _ingested_at + 2 ttl: %v", got, 2*ttl-time.Hour)
	}
	if done := apply(t, client, live(1, 6, now)); done.Written != 1 || server.TTL("customer:1") != ttl {
		t.Errorf("a newer state: %+v, lives %v, want %v", done, server.TTL("customer:1"), ttl)
	}
	done := apply(t, client, live(3, 5, now.Add(-ttl)), dead(4, 5, now.Add(-2*ttl)), dead(5, 5, now.Add(-2*ttl+time.Millisecond)))
	if done != (Applied{Written: 1, Expired: 2}) || server.Exists("customer:3") || server.Exists("customer:4") || !server.Exists("customer:5") {
		t.Errorf("at the instant of expiry: %+v, keys %v", done, server.Keys())
	}
}

// Order case 3: after the state's TTL a replay of the topic prolongs nothing, and what
// was deleted stays so.
func TestOrderCase3ReplayAfterTheTTLResurrectsNobody(t *testing.T) {
	server, client := startRedis(t)
	ttl := customers.Table.Schema.StateTTL
	born, died := now.Add(-ttl-time.Hour), now.Add(-ttl)
	replay := []customers.Customer{live(1, 10, born), dead(1, 20, died), live(2, 10, born)}
	for i := range replay {
		apply(t, client, replay[i])
	}
	if got := read(t, client, 1); got == nil || !got.Sys.Deleted {
		t.Errorf("the deleted key: %+v, want the delete", got)
	}
	if got := read(t, client, 2); got != nil {
		t.Errorf("a state past its TTL came back: %+v", got)
	}
	later := bridge.TimestampOf(died.Add(2 * ttl)) // the delete is past, too
	server.FastForward(died.Add(2 * ttl).Sub(now))
	for i := range replay {
		if _, err := Apply(t.Context(), client, customers.Any, hide(replay[i]), 0, 1, later); err != nil {
			t.Fatal(err)
		}
	}
	if keys := server.Keys(); len(keys) != 0 {
		t.Errorf("after everything's TTL a replay wrote %v", keys)
	}
}

// A row that has expired itself still removes what it outdates.
func TestExpiredRowRemovesWhatItOutdates(t *testing.T) {
	_, client := startRedis(t)
	ttl := customers.Table.Schema.StateTTL
	apply(t, client, live(1, 10, now), live(2, 30, now))
	done := apply(t, client, dead(1, 20, now.Add(-2*ttl)), dead(2, 20, now.Add(-2*ttl)))
	if done != (Applied{Expired: 2, Removed: 1}) {
		t.Errorf("%+v", done)
	}
	if read(t, client, 1) != nil || read(t, client, 2) == nil {
		t.Error("the outdated state must go, the newer one stay")
	}
}

// Order case 1: the delete and the create of a key change that normalise to one key.
func TestOrderCase1KeyChangeStaysLive(t *testing.T) {
	server, client := startRedis(t)
	create, gone := live(1, 500, now), dead(1, 500, now)
	create.Sys.Seq, gone.Sys.Seq = 2*77+1, 2*77 // the log position doubled, plus one for a live row
	for _, order := range [][]customers.Customer{{gone, create}, {create, gone}} {
		server.FlushAll()
		apply(t, client, order...)
		if got := read(t, client, 1); got == nil || got.Sys.Deleted {
			t.Errorf("in one batch: %+v", got)
		}
		server.FlushAll()
		apply(t, client, order[0])
		apply(t, client, order[1])
		if got := read(t, client, 1); got == nil || got.Sys.Deleted {
			t.Errorf("one by one: %+v", got)
		}
	}
}

func TestForeignValuesStay(t *testing.T) {
	server, client := startRedis(t)
	if err := server.Set("customer:1", `{"name":"of another program"}`); err != nil {
		t.Fatal(err)
	}
	server.HSet("customer:2", "name", "of another program")
	rows := hide(live(1, 5, now), live(2, 5, now), live(3, 5, now))
	_, err := Apply(t.Context(), client, customers.Any, rows, 0, 3, bridge.TimestampOf(now))
	var foreign *Foreign
	if !errors.As(err, &foreign) || !slices.Equal(slices.Sorted(slices.Values(foreign.Keys)), []string{"customer:1", "customer:2"}) {
		t.Fatalf("%v", err)
	}
	if v, _ := server.Get("customer:1"); v != `{"name":"of another program"}` || server.HGet("customer:2", "name") == "" {
		t.Error("a foreign value was replaced")
	}
	if read(t, client, 3) == nil {
		t.Error("the other keys of the batch were not taken")
	}
}

func TestScriptIsSentAgainWhereItIsMissing(t *testing.T) {
	_, client := startRedis(t)
	apply(t, client, live(1, 1, now))
	if err := client.ScriptFlush(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	apply(t, client, live(1, 2, now))
	if ok, err := client.ScriptExists(t.Context(), sourceSHA).Result(); err != nil || !ok[0] {
		t.Errorf("the script is not there: %v", err)
	}
	if got := read(t, client, 1); got == nil || got.Sys.Version.V != 2 {
		t.Errorf("%+v", got)
	}
}

func TestManyKeysAndACluster(t *testing.T) {
	server, client := startRedis(t)
	cluster := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{server.Addr()}})
	t.Cleanup(func() { _ = cluster.Close() })
	rows := make([]customers.Customer, 2*batchKeys+1)
	for i := range rows {
		rows[i] = live(int64(i), 1, now)
	}
	for _, c := range []redis.UniversalClient{client, cluster} {
		server.FlushAll()
		if done := apply(t, c, rows...); done.Written != int64(len(rows)) || len(server.Keys()) != len(rows) {
			t.Errorf("%T: %+v, %d keys", c, done, len(server.Keys()))
		}
		if done := apply(t, c, rows...); done.Stale != int64(len(rows)) {
			t.Errorf("%T again: %+v", c, done)
		}
	}
}

// The expected slots are those of the Redis Cluster specification and of CLUSTER KEYSLOT.
func TestSlots(t *testing.T) {
	if got := crc16("123456789"); got != 0x31c3 {
		t.Errorf("CRC16 of 123456789 is %#x, want 0x31c3", got)
	}
	for key, want := range map[string]uint16{"foo": 12182, "bar": 5061, "{user1000}.following": 3443, "{user1000}.followers": 3443} {
		if got := slot(key); got != want {
			t.Errorf("slot of %q is %d, want %d", key, got, want)
		}
	}
	for key, tag := range map[string]string{"foo{}{bar}": "", "foo{{bar}}zap": "{bar", "foo{bar}{zap}": "bar", "foo{bar": ""} {
		want := crc16(tag) % slots
		if tag == "" {
			want = crc16(key) % slots
		}
		if got := slot(key); got != want {
			t.Errorf("slot of %q is %d, want %d", key, got, want)
		}
	}
}

func TestGroupsAreOfOneSlotAndBounded(t *testing.T) {
	a := NewApplier(redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:1"}}), customers.Any)
	t.Cleanup(func() { _ = a.client.Close() })
	rows := make([]customers.Customer, 40_000)
	for i := range rows {
		rows[i] = live(int64(i), 1, now)
	}
	a.pick(hide(rows...), 0, len(rows))
	groups, _ := a.groups(hide(rows...), bridge.TimestampOf(now))
	seen := 0
	for _, g := range groups {
		for _, key := range g.keys {
			if slot(key) != slot(g.keys[0]) {
				t.Fatalf("%q and %q are in one call", key, g.keys[0])
			}
		}
		seen += len(g.keys)
		if len(g.keys) > batchKeys || len(g.args) != 2*len(g.keys) {
			t.Fatalf("a call of %d keys and %d arguments", len(g.keys), len(g.args))
		}
	}
	if seen != len(rows) {
		t.Errorf("%d keys in the calls, want %d", seen, len(rows))
	}
}
