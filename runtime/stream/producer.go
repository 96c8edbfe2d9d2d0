package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

// Options say where rows go.
type Options struct {
	Brokers         []string       // host:port
	Registry        string         // URL of the schema registry
	Kafka           []kgo.Opt      // further options of the client: TLS, SASL, batches
	RegistryOpts    []sr.ClientOpt // likewise of the registry
	Now             func() time.Time
	DeliveryTimeout time.Duration // until a row counts as undelivered; 0: 2 minutes
	AutoRegister    bool          // register the schema if it is not, instead of refusing
}

// bufferedRows bounds what is written and not yet acknowledged; beyond it Write waits.
const bufferedRows = 10_000

// Producer puts rows of one table on its topic: normalised, validated, tagged as
// streamed, in Avro, partitioned by the murmur2 hash of the key, acknowledged by all
// in-sync replicas, idempotent (T137). It is safe for concurrent use; the rows of one
// caller keep their order.
type Producer struct {
	s       *bridge.Schema
	cl      *kgo.Client
	header  [5]byte
	now     func() time.Time
	room    chan struct{}
	mu      sync.Mutex // of all below
	env     bridge.Env
	seq     int64
	pending *Undelivered
}

// Open connects to brokers and registry and finds the id of the table's schema. The
// error is a *NotRegistered if the registry does not hold it.
func Open(ctx context.Context, t bridge.Any, o Options) (*Producer, error) {
	s := t.Info()
	if len(o.Brokers) == 0 && len(o.Kafka) == 0 {
		return nil, errors.New("no brokers: name them as host:port")
	}
	registry, err := RegistryClient(o.Registry, o.RegistryOpts...)
	if err != nil {
		return nil, err
	}
	id, err := lookup(ctx, registry, s)
	var absent *NotRegistered
	if errors.As(err, &absent) && o.AutoRegister {
		id, err = Register(ctx, registry, s)
	}
	if err != nil {
		return nil, err
	}
	p := &Producer{s: s, now: o.Now, room: make(chan struct{}, bufferedRows)}
	if p.now == nil {
		p.now = time.Now
	}
	binary.BigEndian.PutUint32(p.header[1:], uint32(id))
	if p.cl, err = kgo.NewClient(producerOptions(s, o)...); err != nil {
		return nil, fmt.Errorf("the Kafka client: %w", err)
	}
	return p, nil
}

func producerOptions(s *bridge.Schema, o Options) []kgo.Opt {
	timeout := o.DeliveryTimeout
	if timeout <= 0 {
		timeout = 2 * time.Minute
	}
	opts := []kgo.Opt{
		kgo.DefaultProduceTopic(s.Topic),
		kgo.AllowAutoTopicCreation(), // the broker's auto.create.topics.enable decides
		kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil)),
		kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.RecordDeliveryTimeout(timeout),
		kgo.AllowIdempotentProduceCancellation(), // else an outage never fails what is in flight (T137)
		kgo.MaxBufferedRecords(2 * bufferedRows),
	}
	if len(o.Brokers) > 0 {
		opts = append(opts, kgo.SeedBrokers(o.Brokers...))
	}
	return append(opts, o.Kafka...)
}

// Write sends row i. It changes the row as both roads do (normalised, derived, tagged).
// An *Invalid row is not sent. Write returns before the row is acknowledged; what fails
// later comes back as *Undelivered from the next call. It waits while too many rows are
// on their way, until ctx is done.
func (p *Producer) Write(ctx context.Context, rows bridge.Rows, i int) error {
	return p.send(ctx, rows, i, func(sys *bridge.System) error { return nil })
}

// Delete sends a delete of the key in row i. last is the version of the row as the
// caller knows it, which the delete has to outlive; null if it knows none. A table
// without deletes refuses it.
func (p *Producer) Delete(ctx context.Context, rows bridge.Rows, i int, last bridge.Opt[int64]) error {
	if !p.s.Deletes {
		return fmt.Errorf("table %q takes no deletes; its spec says so with deletes: true", p.s.Table)
	}
	return p.send(ctx, rows, i, func(sys *bridge.System) error {
		sys.Deleted = true
		return p.deleteVersion(sys, last)
	})
}

// deleteVersion is the greater of the clock and last + 1. A version that is a number
// has no clock: there last alone counts.
func (p *Producer) deleteVersion(sys *bridge.System, last bridge.Opt[int64]) error {
	if p.s.Version < 0 {
		return nil
	}
	f := &p.s.Fields[p.s.Version]
	switch {
	case last.OK && last.V == math.MaxInt64:
		return fmt.Errorf("the version of column %q is the greatest there is: no delete can outlive it", f.Name)
	case f.Type != "timestamp" && !last.OK:
		return fmt.Errorf("a delete in table %q needs the row's last %q, for that is a number and no time", p.s.Table, f.Name)
	case f.Type != "timestamp":
		sys.Version = bridge.Some(last.V + 1)
	case last.OK:
		sys.Version = bridge.Some(max(int64(sys.IngestedAt), last.V+1))
	default:
		sys.Version = bridge.Some(int64(sys.IngestedAt))
	}
	return nil
}

func (p *Producer) send(ctx context.Context, rows bridge.Rows, i int, tag func(*bridge.System) error) error {
	if err := p.undelivered(); err != nil {
		return err
	}
	select {
	case p.room <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	record, err := p.encode(rows, i, tag)
	if err != nil {
		<-p.room
		return err
	}
	// The row outlives the call: its context must not end with the caller's.
	p.cl.Produce(context.WithoutCancel(ctx), record, p.acknowledged)
	return nil
}

func (p *Producer) encode(rows bridge.Rows, i int, tag func(*bridge.System) error) (*kgo.Record, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.seq = max(now.UnixMicro(), p.seq+1)
	sys := rows.Sys(i)
	*sys = bridge.System{Source: bridge.Streaming, IngestedAt: bridge.TimestampOf(now), Seq: p.seq}
	if err := tag(sys); err != nil {
		return nil, err
	}
	p.env.Horizon = 0
	if p.s.MaxFuture > 0 {
		p.env.Horizon = sys.IngestedAt + bridge.Timestamp(p.s.MaxFuture.Milliseconds())
	}
	if !rows.Apply(&p.env, i) {
		return nil, &Invalid{p.s, append([]bridge.Reject(nil), p.env.Rejects...)}
	}
	value := rows.AppendAvro(append(make([]byte, 0, 128), p.header[:]...), i)
	return &kgo.Record{Key: rows.AppendKey(nil, i), Value: value}, nil
}

// acknowledged takes the broker's word on a row.
func (p *Producer) acknowledged(r *kgo.Record, err error) {
	<-p.room
	if err == nil {
		return
	}
	if errors.Is(err, kerr.UnknownTopicOrPartition) {
		err = fmt.Errorf("topic %q does not exist; create it: %w", p.s.Topic, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending == nil {
		p.pending = &Undelivered{Key: string(r.Key), Err: err}
	}
	p.pending.Rows++
}

// undelivered is what failed since the last call, once.
func (p *Producer) undelivered() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending == nil {
		return nil
	}
	err := p.pending
	p.pending = nil
	return err
}

// Flush waits until every row written so far is acknowledged or has failed.
func (p *Producer) Flush(ctx context.Context) error {
	if err := p.cl.Flush(ctx); err != nil {
		return errors.Join(fmt.Errorf("waiting for the brokers: %w", err), p.undelivered())
	}
	return p.undelivered()
}

// Close flushes and disconnects. Rows that are not acknowledged when ctx ends are given
// up and counted in the error.
func (p *Producer) Close(ctx context.Context) error {
	err := p.cl.Flush(ctx)
	if err != nil {
		err = errors.Join(fmt.Errorf("waiting for the brokers: %w", err), p.cl.AbortBufferedRecords(context.WithoutCancel(ctx)))
	}
	p.cl.Close()
	return errors.Join(err, p.undelivered())
}
