package embedded_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

const (
	first       = `{"type":"record","name":"R","fields":[{"name":"a","type":"long"}]}`
	compatible  = `{"type":"record","name":"R","fields":[{"name":"a","type":"long"},{"name":"b","type":["null","string"],"default":null}]}`
	backwardBad = `{"type":"record","name":"R","fields":[{"name":"a","type":"long"},{"name":"c","type":"string"}]}`
)

func start(t *testing.T, o embedded.Options) *embedded.Cluster {
	t.Helper()
	c, err := embedded.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func registry(t *testing.T, c *embedded.Cluster) *sr.Client {
	t.Helper()
	client, err := sr.NewClient(sr.URLs(c.Registry))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func kafka(t *testing.T, c *embedded.Cluster, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(append(opts, kgo.SeedBrokers(c.Brokers...))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func TestTopicsAndPartitions(t *testing.T) {
	c := start(t, embedded.Options{Topics: []string{"orders"}, Partitions: 5})
	details, err := kadm.NewClient(kafka(t, c)).ListTopics(t.Context(), "orders")
	if err != nil || len(details["orders"].Partitions) != 5 {
		t.Errorf("%v, %v", details["orders"], err)
	}
}

// What a registry owes its clients: the level decides what it takes, 409 is a refusal,
// equal schemas share an id.
func TestRegistryChecksCompatibility(t *testing.T) {
	ctx, c := t.Context(), registry(t, start(t, embedded.Options{}))
	id, err := c.RegisterSchema(ctx, "s", sr.Schema{Schema: first}, -1, -1)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.RegisterSchema(ctx, "s", sr.Schema{Schema: first}, -1, -1); err != nil || again != id {
		t.Errorf("again: id %d, %v", again, err)
	}
	if _, err := c.RegisterSchema(ctx, "s", sr.Schema{Schema: backwardBad}, -1, -1); statusOf(err) != http.StatusConflict {
		t.Errorf("a required column without default: %v", err)
	}
	second, err := c.RegisterSchema(ctx, "s", sr.Schema{Schema: compatible}, -1, -1)
	if err != nil || second == id {
		t.Errorf("an optional column: id %d, %v", second, err)
	}
	for _, r := range c.SetCompatibility(ctx, sr.SetCompatibility{Level: sr.CompatNone}, "s") {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	if _, err := c.RegisterSchema(ctx, "s", sr.Schema{Schema: backwardBad}, -1, -1); err != nil {
		t.Errorf("with NONE all goes: %v", err)
	}
	if found, err := c.LookupSchema(ctx, "s", sr.Schema{Schema: first}); err != nil || found.ID != id || found.Version != 1 {
		t.Errorf("lookup: %+v, %v", found, err)
	}
	if got, err := c.SchemaByID(ctx, second); err != nil || got.Schema != compatible {
		t.Errorf("by id: %v, %v", got, err)
	}
	if _, err := c.RegisterSchema(ctx, "s", sr.Schema{Schema: `{"type":"record"}`}, -1, -1); statusOf(err) != http.StatusUnprocessableEntity {
		t.Errorf("no schema at all: %v", err)
	}
}

func statusOf(err error) int {
	var refused *sr.ResponseError
	if errors.As(err, &refused) {
		return refused.StatusCode
	}
	return 0
}

func TestRedisExpiresAndRunsScripts(t *testing.T) {
	c := start(t, embedded.Options{})
	db := redis.NewClient(&redis.Options{Addr: c.Redis})
	defer db.Close()
	set := redis.NewScript(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', 300)`)
	if err := set.Run(t.Context(), db, []string{"k"}, "v").Err(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for db.Exists(t.Context(), "k").Val() == 1 {
		if time.Now().After(deadline) {
			t.Fatal("the key does not expire")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// What was there at Close is there at the next start: records, group offsets, schemas
// with their ids and levels, Redis strings with their expiry.
func TestDataDirKeepsEverything(t *testing.T) {
	o := embedded.Options{DataDir: t.TempDir(), Topics: []string{"orders"}}
	ids := fill(t, o)
	c := start(t, o)
	client := kafka(t, c, kgo.ConsumeTopics("orders"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if records := client.PollFetches(ctx).Records(); len(records) != 1 || string(records[0].Value) != "one" {
		t.Errorf("records: %v", records)
	}
	offsets, err := kadm.NewClient(client).FetchOffsets(ctx, "g")
	if o, ok := offsets.Lookup("orders", 0); err != nil || !ok || o.At != 7 || o.Metadata != "plan" {
		t.Errorf("offsets: %v, %v", offsets, err)
	}
	schemas := registry(t, c)
	if got, err := schemas.SchemaByID(ctx, ids); err != nil || got.Schema != first {
		t.Errorf("schema: %v, %v", got, err)
	}
	if r := schemas.Compatibility(ctx, "s"); len(r) != 1 || r[0].Level != sr.CompatFull {
		t.Errorf("level: %+v", r)
	}
	db := redis.NewClient(&redis.Options{Addr: c.Redis})
	defer db.Close()
	if v, ttl := db.Get(ctx, "k").Val(), db.PTTL(ctx, "k").Val(); v != "v" || ttl <= 0 || ttl > time.Hour {
		t.Errorf("redis: %q for %v", v, ttl)
	}
}

func fill(t *testing.T, o embedded.Options) (schemaID int) {
	t.Helper()
	ctx := t.Context()
	c, err := embedded.Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	client := kafka(t, c)
	offsets := kadm.Offsets{}
	offsets.AddOffset("orders", 0, 7, -1)
	o7 := offsets["orders"][0]
	o7.Metadata = "plan"
	offsets["orders"][0] = o7
	schemas := registry(t, c)
	schemaID, err = schemas.RegisterSchema(ctx, "s", sr.Schema{Schema: first}, -1, -1)
	level := schemas.SetCompatibility(ctx, sr.SetCompatibility{Level: sr.CompatFull}, "s")
	db := redis.NewClient(&redis.Options{Addr: c.Redis})
	if err := errors.Join(err, level[0].Err,
		client.ProduceSync(ctx, &kgo.Record{Topic: "orders", Value: []byte("one")}).FirstErr(),
		kadm.NewClient(client).CommitAllOffsets(ctx, "g", offsets),
		db.Set(ctx, "k", "v", time.Hour).Err(), db.Close(), c.Close(), c.Close()); err != nil {
		t.Fatal(err)
	}
	return schemaID
}
