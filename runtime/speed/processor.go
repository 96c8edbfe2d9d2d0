// Package speed takes the canonical topic and keeps the newest state per key in Redis,
// see package state. Offsets are committed after Redis has taken a batch; applying rows
// again changes nothing.
package speed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/state"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

// Options say where the systems are, and how a Processor works.
type Options struct {
	Brokers      []string
	Kafka        []kgo.Opt // added last: TLS, SASL, timeouts
	Registry     string    // URL of the schema registry
	RegistryOpts []sr.ClientOpt
	Redis        redis.UniversalClient // the caller closes it
	Group        string                // consumer group; default bridge-speed-TOPIC
	DeadLetter   string                // topic for records that cannot be read; default TOPIC-dead
	InstanceID   string                // static member: a restart keeps its partitions
	Now          func() time.Time      // default time.Now; what has expired by it is not written
}

// Stats are counters since the processor began.
type Stats struct {
	Records     int64 // taken from the topic, dead letters included
	Written     int64 // documents set in Redis
	Stale       int64 // rows that were no newer than what Redis has
	Expired     int64 // rows whose state has expired
	Removed     int64 // older documents that such rows outdated
	DeadLetters int64
	Retries     int64 // tries that failed and were made again
}

// Processor takes the canonical topic of a table and keeps the newest state per key in
// Redis. Offsets are committed after Redis took their rows: a record may come twice,
// which the compare-and-set makes once (T142, T145).
type Processor struct {
	table   bridge.Any
	options Options
	decoder decoder
	applier *state.Applier
	dead    *deadLetters
	rows    bridge.Rows
	stats   struct{ records, written, stale, expired, removed, deadLetters, retries atomic.Int64 }

	dials  stream.Dials
	mu     sync.Mutex
	member bool  // of the group, now
	reason error // why the processor is not ready
}

// pollRecords are the records of one round, at most.
const pollRecords = 8192

var errNotStarted = errors.New("the processor is no member of its consumer group yet")

// New prepares a processor of table t; nothing is connected before Run.
func New(t bridge.Any, o Options) (*Processor, error) {
	s := t.Info()
	switch {
	case o.Redis == nil:
		return nil, fmt.Errorf("table %q: no Redis client for the state", s.Table)
	case len(o.Brokers) == 0:
		return nil, fmt.Errorf("table %q: no brokers to consume topic %q from", s.Table, s.Topic)
	case s.StateTTL <= 0:
		return nil, fmt.Errorf("table %q: the state's ttl is %v; set speed.ttl and generate again", s.Table, s.StateTTL)
	}
	if o.Group == "" {
		o.Group = "bridge-speed-" + s.Topic
	}
	if o.DeadLetter == "" {
		o.DeadLetter = s.Topic + "-dead"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	d, err := newDecoder(t, o)
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", s.Table, err)
	}
	return &Processor{table: t, options: o, decoder: d, applier: state.NewApplier(o.Redis, t), dead: &deadLetters{options: &o},
		rows: t.NewRows(0), reason: errNotStarted}, nil
}

// Ready is nil while the processor takes records, else why it does not.
func (p *Processor) Ready() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reason == errNotStarted {
		return p.dials.Explain(p.reason)
	}
	return p.reason
}

func (p *Processor) notReady(reason error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reason = reason
}

// Stats are the counters now.
func (p *Processor) Stats() Stats {
	s := &p.stats
	return Stats{Records: s.records.Load(), Written: s.written.Load(), Stale: s.stale.Load(), Expired: s.expired.Load(),
		Removed: s.removed.Load(), DeadLetters: s.deadLetters.Load(), Retries: s.retries.Load()}
}

// grace is how long a batch in the making may go on after ctx is done.
const grace = 10 * time.Second

// idle ends a wait for records. A member that heard of no error for as long takes
// records; the client tries what failed again more often than that.
const idle = 10 * time.Second

// Run works until ctx is done, then finishes and commits the batch in the making and
// leaves the group. What may pass (Redis, registry or broker away, a foreign value at a
// key) is tried again while Ready says why. An error is final: a writer schema that the
// table does not know must not be written without its columns.
func (p *Processor) Run(ctx context.Context) (err error) {
	client, err := kgo.NewClient(p.kafka()...)
	if err != nil {
		return fmt.Errorf("table %q: %w", p.table.Info().Table, err)
	}
	defer client.CloseAllowingRebalance()
	defer p.dead.close()
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })()
	for ctx.Err() == nil {
		if err := p.round(ctx, work, client); err != nil {
			p.notReady(err)
			return fmt.Errorf("table %q: %w", p.table.Info().Table, err)
		}
	}
	p.notReady(errors.New("the processor was stopped"))
	return nil
}

func (p *Processor) kafka() []kgo.Opt {
	o := &p.options
	opts := []kgo.Opt{
		kgo.SeedBrokers(o.Brokers...), kgo.ConsumerGroup(o.Group), kgo.ConsumeTopics(p.table.Info().Topic),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll(),
		kgo.OnPartitionsAssigned(func(context.Context, *kgo.Client, map[string][]int32) { p.joined(true, nil) }),
		kgo.OnPartitionsLost(func(context.Context, *kgo.Client, map[string][]int32) { p.joined(false, errNotStarted) }),
		kgo.WithHooks(&p.dials),
	}
	if o.InstanceID != "" {
		opts = append(opts, kgo.InstanceID(o.InstanceID))
	}
	return append(opts, o.Kafka...)
}

func (p *Processor) joined(member bool, reason error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.member, p.reason = member, reason
}

// polled takes the outcome of a round. That nothing came says something of a member only.
func (p *Processor) polled(broken error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if broken != nil || p.member {
		p.reason = broken
	}
}

// round takes what there is. The rebalance waits while a batch is in the making, so that
// its offsets are this member's to commit.
func (p *Processor) round(ctx, work context.Context, client *kgo.Client) error {
	wait, cancel := context.WithTimeout(ctx, idle)
	fetches := client.PollRecords(wait, pollRecords)
	cancel()
	defer client.AllowRebalance()
	var broken error
	for _, f := range fetches.Errors() {
		if !errors.Is(f.Err, context.DeadlineExceeded) && !errors.Is(f.Err, context.Canceled) {
			broken = fmt.Errorf("topic %q, partition %d: %w", f.Topic, f.Partition, f.Err)
		}
	}
	if records := fetches.Records(); len(records) > 0 {
		if err := p.take(work, records); err != nil {
			return err
		}
		if err := client.CommitRecords(work, lastOf(records)...); err != nil {
			broken = fmt.Errorf("committing offsets of group %q: %w", p.options.Group, err)
		}
	}
	p.polled(broken)
	return nil
}

// lastOf is the last record of each partition, which stands for all before it.
func lastOf(records []*kgo.Record) (last []*kgo.Record) {
	for _, r := range slices.Backward(records) {
		if !slices.ContainsFunc(last, func(o *kgo.Record) bool { return o.Partition == r.Partition && o.Topic == r.Topic }) {
			last = append(last, r)
		}
	}
	return last
}

// take brings a batch to Redis, and what cannot be read to the dead letter topic.
func (p *Processor) take(ctx context.Context, records []*kgo.Record) error {
	p.rows.Resize(len(records))
	n := 0
	var dead []deadLetter
	for _, r := range records {
		err := p.retry(ctx, func() error { return p.decoder.Decode(ctx, r.Value, p.rows, n) })
		switch {
		case err == nil:
			n++
		case unreadable(err):
			dead = append(dead, deadLetter{r, err})
		default:
			return fmt.Errorf("topic %q, partition %d, offset %d: %w", r.Topic, r.Partition, r.Offset, err)
		}
	}
	if err := p.retry(ctx, func() error { return p.dead.send(ctx, dead) }); err != nil {
		return err
	}
	var done state.Applied
	err := p.retry(ctx, func() (err error) {
		done, err = p.applier.Apply(ctx, p.rows, 0, n, bridge.TimestampOf(p.options.Now()))
		return err
	})
	if err != nil {
		return err
	}
	s := &p.stats
	s.written.Add(done.Written)
	s.stale.Add(done.Stale)
	s.expired.Add(done.Expired)
	s.removed.Add(done.Removed)
	s.deadLetters.Add(int64(len(dead)))
	s.records.Add(int64(len(records)))
	return nil
}

// The waits between tries.
const (
	firstWait = 50 * time.Millisecond
	lastWait  = 5 * time.Second
)

// retry calls f until it succeeds, its error is final, or ctx is done. Meanwhile the
// processor is not ready, and says why.
func (p *Processor) retry(ctx context.Context, f func() error) error {
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		err := f()
		if err == nil || final(err) {
			return err
		}
		p.stats.retries.Add(1)
		p.notReady(err)
		select {
		case <-ctx.Done():
			return fmt.Errorf("stopped before the batch was taken, so its offsets are not committed: %w", err)
		case <-time.After(wait):
		}
	}
}
