package sink

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Sink lands one table's topic. Several of one group share its Kafka partitions.
type Sink struct {
	table   bridge.Any
	schema  *bridge.Schema
	options Options
	decoder *stream.Decoder

	client         *kgo.Client   // while Run runs
	connected      chan struct{} // closed: client is set
	halt           context.CancelCauseFunc
	deadTopicThere atomic.Bool
	counters       counters
	dials          stream.Dials

	mu       sync.Mutex
	session  *session         // nil between two
	troubles map[string]error // what is being tried again, by where
	stopped  error            // why Run ended or ends
}

type counters struct {
	records, objects, bytes, deadLetters, epochs, redone, rebalances atomic.Int64
}

// Stats are counts since the start, but for Lag.
type Stats struct {
	Records     int64 // landed
	Objects     int64 // written
	Bytes       int64 // of objects
	DeadLetters int64
	Epochs      int64
	Redone      int64 // epochs of these that a predecessor had planned
	Rebalances  int64
	Lag         int64 // records of the assigned partitions that are not yet in the lake, now
}

// idle ends a wait for records. A session that heard of no error for as long takes them;
// the client tries what failed again more often than that.
const idle = 10 * time.Second

var errNotJoined = errors.New("it is no member of its group yet")

// Patience with workers: at a rebalance (the group waits 60 s for a member), and at
// the end of Run (what runs containers kills after 30 s).
const (
	revokePatience = 20 * time.Second
	finishPatience = 25 * time.Second
)

// New makes a sink for a table. It talks to nothing yet.
func New(t bridge.Any, o Options) (*Sink, error) {
	s := t.Info()
	o, err := o.withDefaults(s)
	if err != nil {
		return nil, fmt.Errorf("sink of table %q: %w", s.Table, err)
	}
	registry, err := stream.RegistryClient(o.Registry, o.RegistryOpts...)
	if err != nil {
		return nil, fmt.Errorf("sink of table %q: %w", s.Table, err)
	}
	return &Sink{
		table: t, schema: s, options: o, decoder: stream.NewDecoder(t, registry), connected: make(chan struct{}),
		troubles: map[string]error{"start": errNotJoined},
	}, nil
}

// Stats may be called at any time.
func (s *Sink) Stats() Stats {
	c := &s.counters
	stats := Stats{
		Records: c.records.Load(), Objects: c.objects.Load(), Bytes: c.bytes.Load(), DeadLetters: c.deadLetters.Load(),
		Epochs: c.epochs.Load(), Redone: c.redone.Load(), Rebalances: c.rebalances.Load(),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		for _, w := range s.session.workers {
			stats.Lag += max(0, w.end.Load()-w.committed.Load())
		}
	}
	return stats
}

// Ready is nil while records are taken and landed; else it says why they are not.
func (s *Sink) Ready() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped != nil {
		return s.stopped
	}
	var all []error
	for _, where := range slices.Sorted(maps.Keys(s.troubles)) {
		err := s.troubles[where]
		if err == errNotJoined {
			err = s.dials.Explain(err)
		}
		all = append(all, fmt.Errorf("%s: %w", where, err))
	}
	return errors.Join(all...)
}

func (s *Sink) trouble(where string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.troubles[where] = err
}

func (s *Sink) clear(where string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.troubles, where)
}

// stop ends Run with an error; the first one counts.
func (s *Sink) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped == nil {
		s.stopped = fmt.Errorf("sink of table %q: %w", s.schema.Table, err)
	}
	s.halt(s.stopped)
}

// Run lands records until ctx is done, then lands and commits what it holds and leaves
// the group. It returns an error if it had to stop by itself (the reason is a *Stopped,
// a *stream.UnknownSchema, …) or could not finish in time. Call it once.
func (s *Sink) Run(ctx context.Context) error {
	running, halt := context.WithCancelCause(ctx)
	defer halt(nil)
	s.halt = halt
	client, err := kgo.NewClient(s.clientOptions()...)
	if err != nil {
		return fmt.Errorf("sink of table %q: the Kafka client: %w", s.schema.Table, err)
	}
	s.client = client
	close(s.connected)
	for running.Err() == nil {
		wait, cancel := context.WithTimeout(running, idle)
		s.dispatch(client.PollRecords(wait, 10_000))
		cancel()
		client.AllowRebalance()
	}
	inTime := s.finish()
	client.CloseAllowingRebalance()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stopped != nil:
		return s.stopped
	case !inTime:
		s.stopped = fmt.Errorf("sink of table %q: stopped with an epoch under way, which the next start does again", s.schema.Table)
		return s.stopped
	}
	s.stopped = fmt.Errorf("sink of table %q has ended", s.schema.Table)
	return nil
}

func (s *Sink) clientOptions() []kgo.Opt {
	o := &s.options
	opts := []kgo.Opt{
		kgo.ConsumerGroup(o.Group),
		kgo.ConsumeTopics(s.schema.Topic),
		kgo.AllowAutoTopicCreation(), // the broker's auto.create.topics.enable decides
		kgo.Balancers(kgo.StickyBalancer()),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.KeepControlRecords(), // for their offsets
		kgo.ConsumeResetOffset(kgo.NoResetOffset()),
		kgo.DisableAutoCommit(),
		kgo.WithHooks(&s.dials),
		kgo.BlockRebalanceOnPoll(),
		kgo.FetchMaxWait(time.Second),
		kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.RecordDeliveryTimeout(time.Minute),
		kgo.ProducerBatchMaxBytes(stream.DeadLetterBytes),
		kgo.AllowIdempotentProduceCancellation(), // a dead letter may come twice, but not never
	}
	if len(o.Brokers) > 0 {
		opts = append(opts, kgo.SeedBrokers(o.Brokers...))
	}
	if o.InstanceID != "" {
		opts = append(opts, kgo.InstanceID(o.InstanceID))
	}
	return append(append(opts, s.groupOptions()...), o.Kafka...)
}

// dispatch hands records to the workers of their partitions.
func (s *Sink) dispatch(fetches kgo.Fetches) {
	failed := false
	fetches.EachError(func(_ string, p int32, err error) {
		if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			failed = true
			s.fetchFailed(p, err)
		}
	})
	workers := s.workers()
	if !failed && workers != nil {
		s.clear("fetching")
	}
	fetches.EachPartition(func(p kgo.FetchTopicPartition) {
		w := workers[p.Partition]
		if w == nil {
			return
		}
		w.end.Store(max(w.end.Load(), p.HighWatermark))
		if len(p.Records) == 0 {
			return
		}
		w.queue.put(p.Records, func() { s.client.PauseFetchPartitions(map[string][]int32{s.schema.Topic: {p.Partition}}) })
	})
}

// workers are those of the present session; the map does not change any more.
func (s *Sink) workers() map[int32]*worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil {
		return nil
	}
	return s.session.workers
}

func (s *Sink) resume(partition int32) {
	s.client.ResumeFetchPartitions(map[string][]int32{s.schema.Topic: {partition}})
}

// fetchFailed stops at what no further try mends.
func (s *Sink) fetchFailed(partition int32, err error) {
	var lost *kgo.ErrDataLoss
	switch {
	case errors.Is(err, kerr.OffsetOutOfRange), errors.As(err, &lost):
		s.stop(s.offsetGone(partition, err))
	case errors.Is(err, kerr.UnknownTopicID) && s.madeAnew():
		k := known{topic: s.schema.Topic, group: s.options.Group}
		s.stop(k.madeAnew("what was read so far"))
	default:
		s.trouble("fetching", err)
	}
}

// offsetGone says how to go on where the log does not have the offset that comes next.
func (s *Sink) offsetGone(partition int32, err error) error {
	k := known{topic: s.schema.Topic, group: s.options.Group, partition: partition}
	stopped := &Stopped{
		Reason: fmt.Sprintf("partition %d of topic %q does not have the offset that comes next (%v)", partition, k.topic, err),
		Remedy: "start the sink again: it begins behind what it has landed, or says what to do",
	}
	w := s.workers()[partition]
	if w == nil {
		return stopped
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	admin, landed := kadm.NewClient(s.client), w.committed.Load()
	starts, startErr := admin.ListStartOffsets(ctx, k.topic)
	ends, endErr := admin.ListEndOffsets(ctx, k.topic)
	if errors.Join(startErr, endErr) != nil {
		return stopped
	}
	first, _ := starts.Lookup(k.topic, partition)
	end, _ := ends.Lookup(k.topic, partition)
	switch {
	case first.Err != nil || end.Err != nil:
	case first.Offset > landed:
		k.logStart = first.Offset
		return k.lost(landed, nil)
	case end.Offset < landed:
		return k.truncated(landed, end.Offset)
	}
	return stopped
}

// madeAnew asks whether the topic has another id than the session's; a broker that has
// not heard of a new topic yet answers a fetch the same way.
func (s *Sink) madeAnew() bool {
	s.mu.Lock()
	ses := s.session
	begun := ses != nil && ses.workers != nil
	s.mu.Unlock()
	if !begun {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	details, err := kadm.NewClient(s.client).ListTopics(ctx, s.schema.Topic)
	return err == nil && details[s.schema.Topic].Err == nil && details[s.schema.Topic].ID != ses.topicID
}

// compacts reads a cleanup.policy.
func compacts(policy string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(policy, " ", ""), ","), "compact")
}
