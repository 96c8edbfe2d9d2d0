package sink

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/twmb/franz-go/pkg/kgo"
)

// worker lands one Kafka partition for as long as it is assigned.
type worker struct {
	sink      *Sink
	session   *session
	partition int32
	name      string // for Ready
	queue     *queue
	objects   *objectWriter
	row       bridge.Rows // scratch of one
	redo      *plan
	epoch     *epoch

	ctx       context.Context    // ends when the partition is lost or the patience over
	cancel    context.CancelFunc // of ctx
	revoked   chan struct{}      // closed: finish what is planned, drop the rest
	finishing chan struct{}      // closed: land what is there, then end
	done      chan struct{}      // closed when it has ended

	committed, end atomic.Int64 // the lake's and the log's position, for the lag
}

// errLeave ends a worker whose partition goes elsewhere; the next owner goes on.
var errLeave = errors.New("the partition is no longer ours")

func (s *Sink) newWorker(ses *session, partition int32, at int64, redo *plan) *worker {
	w := &worker{
		sink: s, session: ses, partition: partition, name: fmt.Sprintf("partition %d", partition), queue: newQueue(s.options.FlushRows), row: s.table.NewRows(1), redo: redo, epoch: newEpoch(at),
		objects: newObjectWriter(s.schema, s.options.Store, partition, topicID(ses.topicID)),
		revoked: make(chan struct{}), finishing: make(chan struct{}), done: make(chan struct{}),
	}
	if redo != nil {
		w.epoch.ending = redo.ending
	}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.committed.Store(at)
	w.end.Store(at)
	return w
}

// run takes records until the worker is told to end. What it leaves undone, committed
// plan or not, the next owner of the partition does.
func (w *worker) run() {
	defer close(w.done)
	defer w.cancel()
	if err := w.loop(); err != nil && !errors.Is(err, errLeave) {
		w.sink.stop(fmt.Errorf("partition %d of topic %q: %w", w.partition, w.sink.schema.Topic, err))
	}
	w.sink.clear(w.name)
}

func (w *worker) loop() error {
	interval := w.sink.options.FlushInterval
	timer := time.NewTimer(interval)
	defer timer.Stop()
	for {
		select {
		case <-w.queue.ready:
			if err := w.takeAll(); err != nil {
				return err
			}
			if w.epoch.open() {
				timer.Reset(interval - time.Since(w.epoch.began))
			}
		case <-timer.C:
			if w.epoch.open() && w.redo == nil && time.Since(w.epoch.began) >= interval {
				if err := w.land(); err != nil {
					return err
				}
			}
		case <-w.finishing:
			if w.redo != nil { // its rest is still to be fetched; the plan stays for the next owner
				return nil
			}
			return w.land()
		case <-w.revoked:
			return nil
		case <-w.ctx.Done():
			return nil
		}
	}
}

// takeAll takes what waits in the queue, and lets the partition be fetched again.
func (w *worker) takeAll() error {
	for _, r := range w.queue.take(func() { w.sink.resume(w.partition) }) {
		if w.leaving() {
			return errLeave
		}
		if err := w.take(r); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) leaving() bool {
	select {
	case <-w.revoked:
		return true
	case <-w.ctx.Done():
		return true
	default:
		return false
	}
}

// take puts a record into the epoch and lands the epoch when it is full or, of a plan
// that is redone, complete.
func (w *worker) take(r *kgo.Record) error {
	if w.redo != nil && r.Offset >= w.redo.end {
		return w.shrunk()
	}
	if !r.Attrs.IsControl() {
		if err := w.read(r); err != nil {
			return err
		}
	}
	w.epoch.took(r)
	switch {
	case w.redo != nil && w.epoch.end == w.redo.end:
		return w.landRedone()
	case w.redo == nil && (w.epoch.records >= int64(w.sink.options.FlushRows) || w.epoch.bytes >= epochBytes):
		return w.land()
	}
	return nil
}

// read puts a record into the epoch.
func (w *worker) read(r *kgo.Record) error {
	err := w.decode(r)
	var unknown *stream.UnknownSchema
	var undecodable *stream.Undecodable
	switch {
	case errors.As(err, &undecodable):
		w.epoch.dead = append(w.epoch.dead, deadLetter{r, undecodable.Cause})
	case errors.As(err, &unknown) && w.redo == nil:
		return errors.Join(w.land(), err) // what came before it is whole
	case err != nil:
		return err
	default:
		w.epoch.add(w.sink.table, w.row, r.Offset)
	}
	return nil
}

// decode reads a record into the scratch row; it tries again while the registry does
// not answer.
func (w *worker) decode(r *kgo.Record) error {
	decode := func(ctx context.Context) error { return w.sink.decoder.Decode(ctx, r.Value, w.row, 0) }
	err := decode(w.ctx)
	if err == nil || stream.Permanent(err) {
		return err
	}
	return w.retry("reading a record", decode)
}

func (w *worker) shrunk() error {
	return &Stopped{
		Reason: fmt.Sprintf("the planned epoch from offset %d to %d is not there any more as it was when it was planned", w.redo.start, w.redo.end),
		Remedy: "the topic's cleanup.policy must be delete and its retention longer than the sink may be down; load the range by a batch load and reset the group's offset behind it",
	}
}

// landRedone lands the epoch of a predecessor's plan.
func (w *worker) landRedone() error {
	if w.redo.records >= 0 && w.redo.records != w.epoch.records {
		return w.shrunk()
	}
	w.sink.counters.redone.Add(1)
	w.redo = nil
	return w.write()
}

// land ends the epoch here: plan, objects, dead letters, end.
func (w *worker) land() error {
	switch {
	case !w.epoch.open():
		return nil
	case w.epoch.records == 0:
		return w.pass()
	}
	n := note{TopicID: w.objects.topicID, End: w.epoch.end, Records: w.epoch.records, Ending: endings[w.sink.schema.Codec]}
	if err := w.commit(w.epoch.start, n); err != nil {
		return err
	}
	return w.write()
}

// pass commits behind transaction markers, so that a log of which retention left nothing
// else does not look as if records were missing.
func (w *worker) pass() error {
	if err := w.commit(w.epoch.end, note{TopicID: w.objects.topicID}); err != nil {
		return err
	}
	w.landed()
	return nil
}

// landed begins the next epoch.
func (w *worker) landed() {
	w.committed.Store(w.epoch.end)
	w.epoch = newEpoch(w.epoch.end)
}

// write lands an epoch whose plan is committed.
func (w *worker) write() error {
	e, bytes := w.epoch, int64(0)
	for _, folder := range e.folders() {
		err := w.retry("landing", func(ctx context.Context) error {
			size, err := w.objects.write(ctx, e, folder)
			bytes += size
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := w.bury(e.dead); err != nil {
		return err
	}
	if err := w.commit(e.end, note{TopicID: w.objects.topicID}); err != nil {
		return err
	}
	c := &w.sink.counters
	c.records.Add(e.records - int64(len(e.dead)))
	c.objects.Add(int64(len(e.buckets)))
	c.bytes.Add(bytes)
	c.deadLetters.Add(int64(len(e.dead)))
	c.epochs.Add(1)
	w.landed()
	return nil
}

// bury puts undecodable records on the dead letter topic, each with its cause.
func (w *worker) bury(dead []deadLetter) error {
	if len(dead) == 0 {
		return nil
	}
	records := make([]*kgo.Record, len(dead))
	return w.retry("dead letters", func(ctx context.Context) error {
		if err := w.sink.makeDeadLetterTopic(ctx); err != nil {
			return err
		}
		for i, d := range dead {
			records[i] = stream.DeadLetter(w.sink.options.DeadLetter, "sink", d.record, d.cause)
		}
		return stream.SendDeadLetters(ctx, w.sink.client, records)
	})
}

// commit commits an offset under the session's generation. A member that has lost the
// partition gets errLeave.
func (w *worker) commit(at int64, n note) error {
	return w.retry("committing", func(ctx context.Context) error {
		return w.session.commit(ctx, w.partition, at, n.String())
	})
}

// retry runs step until it succeeds, fails for good, or the worker has to leave. What
// is wrong meanwhile shows in Ready.
func (w *worker) retry(what string, step func(context.Context) error) error {
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 10*time.Second) {
		err := step(w.ctx)
		var stopped *Stopped
		switch {
		case err == nil:
			w.sink.clear(w.name)
			return nil
		case w.ctx.Err() != nil:
			return errLeave
		case errors.Is(err, errLeave), errors.As(err, &stopped), stream.Permanent(err):
			return err
		}
		w.sink.trouble(w.name, fmt.Errorf("%s: %w; trying again", what, err))
		select {
		case <-w.ctx.Done():
			return errLeave
		case <-time.After(pause):
		}
	}
}
