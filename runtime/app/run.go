package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/bridgegen/bridgegen/runtime/speed"
	"github.com/spf13/cobra"
)

// running is a road that runs until it is stopped, of one table.
type running struct {
	process
	road, table string
	health      *health
	stats       func() any
	close       func() error // after Run; nil: nothing to close
}

// Ready also says which system does not answer: a process notices that only when it has
// something to do.
func (r *running) Ready() error { return errors.Join(r.health.down(), r.process.Ready()) }

func sinkCommand(a *program) *cobra.Command {
	var o sink.Options
	var listen string
	cmd := &cobra.Command{
		Use:   "sink [TABLE...]",
		Short: "Land the stream in the lake until stopped (all tables unless named)",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runAll(cmd.Context(), args, listen, func(ctx context.Context, t bridge.Any) (*running, error) {
				return a.newSink(ctx, t, o)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Group, "group", "", "consumer `group` (default: bridge-sink-TOPIC)")
	f.StringVar(&o.InstanceID, "instance", "", "static member `id`: a restart keeps its partitions")
	f.StringVar(&o.DeadLetter, "dead-letter", "", "`topic` for records that cannot be read (default: TOPIC-dead)")
	f.IntVar(&o.FlushRows, "flush-rows", 0, "records of a partition that end an epoch (default: the spec's)")
	f.DurationVar(&o.FlushInterval, "flush-interval", 0, "`time` after which an epoch ends (default: the spec's)")
	listenFlag(cmd, &listen, "127.0.0.1:9401")
	return cmd
}

func speedCommand(a *program) *cobra.Command {
	var o speed.Options
	var listen string
	cmd := &cobra.Command{
		Use:   "speed [TABLE...]",
		Short: "Keep the newest state per key in Redis until stopped (all tables unless named)",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runAll(cmd.Context(), args, listen, func(ctx context.Context, t bridge.Any) (*running, error) {
				return a.newSpeed(ctx, t, o)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Group, "group", "", "consumer `group` (default: bridge-speed-TOPIC)")
	f.StringVar(&o.InstanceID, "instance", "", "static member `id`: a restart keeps its partitions")
	f.StringVar(&o.DeadLetter, "dead-letter", "", "`topic` for records that cannot be read (default: TOPIC-dead)")
	listenFlag(cmd, &listen, "127.0.0.1:9402")
	return cmd
}

func listenFlag(cmd *cobra.Command, address *string, value string) {
	cmd.Flags().StringVar(address, "listen", value, "`address` of /metrics and /healthz; empty for none")
}

func (a *program) newSink(ctx context.Context, t bridge.Any, o sink.Options) (*running, error) {
	s := t.Info()
	var err error
	if o.Brokers, err = a.brokers(); err != nil {
		return nil, err
	}
	if o.Registry, err = a.registry(s); err != nil {
		return nil, err
	}
	if o.Store, err = a.store(ctx, s, writing); err != nil {
		return nil, err
	}
	if err := makeLake(ctx, s, o.Store); err != nil {
		return nil, err
	}
	p, err := sink.New(t, o)
	if err != nil {
		return nil, err
	}
	needs := &health{needs: []dependency{brokersAnswer(o.Brokers), lakeAnswers(s, o.Store)}}
	return &running{process: p, road: "sink", table: s.Table, health: needs, stats: func() any { return p.Stats() }}, nil
}

// makeLake makes the folder of a local lake, which readers want to see before the first
// object is there.
func makeLake(ctx context.Context, s *bridge.Schema, store lake.Store) error {
	staged, err := store.Stage(ctx, s.Prefix()+"/x")
	if err != nil {
		return fmt.Errorf("the lake cannot be written: %w", err)
	}
	return staged.Discard()
}

func (a *program) newSpeed(_ context.Context, t bridge.Any, o speed.Options) (*running, error) {
	s := t.Info()
	var err error
	if o.Brokers, err = a.brokers(); err != nil {
		return nil, err
	}
	if o.Registry, err = a.registry(s); err != nil {
		return nil, err
	}
	if o.Redis, err = a.openRedis(true); err != nil {
		return nil, err
	}
	p, err := speed.New(t, o)
	if err != nil {
		return nil, errors.Join(err, o.Redis.Close())
	}
	needs := &health{needs: []dependency{brokersAnswer(o.Brokers), redisAnswers(a.redisAddress(), o.Redis)}}
	return &running{process: p, road: "speed", table: s.Table, health: needs, stats: func() any { return p.Stats() }, close: o.Redis.Close}, nil
}

// runAll runs one process per table until ctx is done. When one fails the others stop
// cleanly, with their work committed, and its error is returned.
func (a *program) runAll(ctx context.Context, names []string, listen string, open func(context.Context, bridge.Any) (*running, error)) error {
	tables, err := a.tables(names)
	if err != nil {
		return err
	}
	var all []*running
	for _, t := range tables {
		r, err := open(ctx, t)
		if err != nil {
			return fmt.Errorf("table %q: %w", t.Info().Table, err)
		}
		all = append(all, r)
	}
	return a.supervise(ctx, all, listen)
}

func (a *program) supervise(ctx context.Context, all []*running, listen string) error {
	if listen != "" {
		address, stop, err := status(ctx, listen, joinReady(all), newCollector(all))
		if err != nil {
			return err
		}
		defer stop()
		a.note("metrics http://%s/metrics, health http://%s/healthz", address, address)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	failures := make([]error, len(all))
	for i, r := range all {
		watching, stop := context.WithCancel(ctx)
		wg.Go(func() { r.health.watch(watching, func(err error) { a.tellTurn(r, err) }) })
		wg.Go(func() {
			defer stop()
			if err := r.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
				failures[i] = fmt.Errorf("%s %s: %w", r.road, r.table, err)
				cancel()
			}
		})
	}
	wg.Wait()
	for i, r := range all {
		if r.close != nil {
			failures[i] = errors.Join(failures[i], r.close())
		}
		a.note("%s %s: stopped; %s", r.road, r.table, summary(r.stats()))
	}
	return errors.Join(failures...)
}

// tellTurn says that a road's systems answer, or which one does not.
func (a *program) tellTurn(r *running, err error) {
	if err == nil {
		a.note("%s %s: running", r.road, r.table)
		return
	}
	a.warn("%s %s: not ready, and tries again: %s", r.road, r.table, strings.ReplaceAll(err.Error(), "\n", "; "))
}
