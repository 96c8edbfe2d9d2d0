package speed

import (
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/state"
	"github.com/redis/go-redis/v9"
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

// read is the state of a key, nil if there is none.
func read(t testing.TB, client redis.UniversalClient, id int64) *customers.Customer {
	t.Helper()
	key := &bridge.RowsOf[customers.Customer]{T: customers.Table, R: []customers.Customer{{ID: id}}}
	into := &bridge.RowsOf[customers.Customer]{T: customers.Table, R: make([]customers.Customer, 1)}
	found, _, err := state.Read(t.Context(), client, customers.Any, key, 0, into, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		return nil
	}
	return &into.R[0]
}

// live is a row as the stream writer makes it: version and ingest time in ms.
func live(id, version int64, ingested time.Time) customers.Customer {
	return customers.Customer{ID: id, Email: "a@example.com", Status: customers.StatusActive, IsActive: true,
		CreatedAt: 1, UpdatedAt: bridge.Timestamp(version),
		Sys: bridge.System{Source: bridge.Streaming, Version: bridge.Some(version), Seq: version, IngestedAt: bridge.TimestampOf(ingested)}}
}
