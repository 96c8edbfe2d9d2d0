package stream_test

import (
	"context"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

var noon = time.Date(2026, 8, 19, 12, 0, 0, 123_456_789, time.UTC)

func cluster(t *testing.T) *embedded.Cluster {
	t.Helper()
	c, err := embedded.Start(t.Context(), embedded.Options{Topics: []string{customers.Table.Schema.Topic}, Partitions: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func client(t *testing.T, c *embedded.Cluster) *sr.Client {
	t.Helper()
	r, err := stream.RegistryClient(c.Registry)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func writer(t *testing.T, c *embedded.Cluster, change func(*stream.Options)) *stream.Writer[customers.Customer] {
	t.Helper()
	o := stream.Options{Brokers: c.Brokers, Registry: c.Registry, Now: func() time.Time { return noon }, AutoRegister: true}
	if change != nil {
		change(&o)
	}
	w, err := stream.NewWriter(t.Context(), customers.Table, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(context.Background()) })
	return w
}

// consume reads n records of the topic.
func consume(t *testing.T, c *embedded.Cluster, n int) []*kgo.Record {
	t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.Brokers...), kgo.ConsumeTopics(customers.Table.Schema.Topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var all []*kgo.Record
	for len(all) < n {
		fetches := cl.PollFetches(ctx)
		if ctx.Err() != nil {
			t.Fatalf("%d of %d records came: %v", len(all), n, fetches.Err())
		}
		all = append(all, fetches.Records()...)
	}
	return all
}

func customer(id int64) *customers.Customer {
	return &customers.Customer{ID: id, Email: "  Ada@Example.COM ", Status: customers.StatusActive,
		CreatedAt: bridge.TimestampOf(noon.Add(-time.Hour)), UpdatedAt: bridge.TimestampOf(noon.Add(-time.Minute))}
}
