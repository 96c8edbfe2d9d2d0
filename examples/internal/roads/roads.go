// Package roads runs sink and speed processor of a table for the examples.
package roads

import (
	"context"
	"errors"
	"fmt"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/bridgegen/bridgegen/runtime/speed"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/redis/go-redis/v9"
)

// Roads are the sink and the speed processor, running.
type Roads struct {
	Sink   *sink.Sink
	Speed  *speed.Processor
	cancel context.CancelFunc
	ended  chan error
}

// Start registers the table's schema and starts both roads.
func Start(ctx context.Context, t bridge.Any, cluster *embedded.Cluster, store lake.Store) (*Roads, error) {
	registry, err := stream.RegistryClient(cluster.Registry)
	if err != nil {
		return nil, err
	}
	if _, err := stream.Register(ctx, registry, t.Info()); err != nil {
		return nil, err
	}
	land, err := sink.New(t, sink.Options{
		Brokers: cluster.Brokers, Registry: cluster.Registry, Store: store, Group: "lake", FlushInterval: 500 * time.Millisecond,
	})
	if err != nil {
		return nil, err
	}
	state, err := speed.New(t, speed.Options{
		Brokers: cluster.Brokers, Registry: cluster.Registry, Group: "speed", Redis: Redis(cluster),
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &Roads{land, state, cancel, make(chan error, 2)}
	for _, run := range []func(context.Context) error{land.Run, state.Run} {
		go func() { r.ended <- run(ctx) }()
	}
	return r, nil
}

// Redis is a client of the embedded Redis.
func Redis(cluster *embedded.Cluster) redis.UniversalClient {
	return redis.NewClient(&redis.Options{Addr: cluster.Redis})
}

// Wait returns when both roads have taken n records.
func (r *Roads) Wait(ctx context.Context, n int64) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for r.Sink.Stats().Records < n || r.Speed.Stats().Records < n {
		select {
		case err := <-r.ended:
			r.ended <- nil
			return fmt.Errorf("a road ended early: %w", err)
		case <-ctx.Done():
			return fmt.Errorf("the roads did not take all %d records: sink %d, speed %d", n, r.Sink.Stats().Records, r.Speed.Stats().Records)
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

// Stop ends both roads with their work committed.
func (r *Roads) Stop() error {
	r.cancel()
	return errors.Join(<-r.ended, <-r.ended)
}
