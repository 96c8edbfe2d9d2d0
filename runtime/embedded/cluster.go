// Package embedded runs the systems of a bridge in this process, for trying out and
// for tests: a Kafka broker (kfake), a schema registry and Redis (miniredis). They
// listen on 127.0.0.1 at free ports, without authentication.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/twmb/franz-go/pkg/kfake"
)

// Options say what to start. The zero value keeps nothing.
type Options struct {
	// DataDir keeps the broker's topics and group offsets, the registry's schemas, and
	// Redis's strings with their expiry. Broker and registry write as they go, Redis at
	// Close: after a kill its last state is the one of the Close before. Empty: all is in
	// memory and gone at Close.
	DataDir    string
	Topics     []string // made at once, where they do not exist
	Partitions int      // of Topics and of topics that come to be on first use; 0: 3
}

// Cluster is a running set of systems.
type Cluster struct {
	Brokers  []string // host:port
	Registry string   // URL
	Redis    string   // host:port

	stops []func() error
}

// Start runs broker, registry and Redis until Close. ctx bounds the start only.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Partitions <= 0 {
		o.Partitions = 3
	}
	if o.DataDir != "" {
		if err := os.MkdirAll(o.DataDir, 0o755); err != nil {
			return nil, fmt.Errorf("the folder of the embedded servers: %w", err)
		}
	}
	c := &Cluster{}
	for _, start := range []func(*Cluster, Options) error{startBroker, startRegistry, startRedis} {
		if err := start(c, o); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// Close stops everything. A second call does nothing.
func (c *Cluster) Close() error {
	var failures []error
	for i := len(c.stops) - 1; i >= 0; i-- {
		failures = append(failures, c.stops[i]())
	}
	c.stops = nil
	return errors.Join(failures...)
}

func startBroker(c *Cluster, o Options) error {
	opts := []kfake.Opt{
		kfake.NumBrokers(1),
		kfake.AllowAutoTopicCreation(),
		kfake.DefaultNumPartitions(o.Partitions),
		kfake.GroupMinSessionTimeout(1),
	}
	if len(o.Topics) > 0 {
		opts = append(opts, kfake.SeedTopics(int32(o.Partitions), o.Topics...))
	}
	if o.DataDir != "" {
		opts = append(opts, kfake.DataDir(filepath.Join(o.DataDir, "broker")))
	}
	broker, err := kfake.NewCluster(opts...)
	if err != nil {
		return fmt.Errorf("the embedded broker: %w", err)
	}
	c.Brokers = broker.ListenAddrs()
	c.stops = append(c.stops, func() error { broker.Close(); return nil })
	return nil
}
