package sink

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// assigned begins a session. The client fetches nothing before adjust has answered.
func (s *Sink) assigned(_ context.Context, client *kgo.Client, all map[string][]int32) {
	ses := &session{sink: s, partitions: all[s.schema.Topic]}
	ses.member, ses.generation = client.GroupMetadata()
	s.counters.rebalances.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = ses
	if len(ses.partitions) == 0 { // nothing to prepare: a spare member is ready
		s.joined()
	}
}

// joined ends the troubles of a member that was away.
func (s *Sink) joined() {
	delete(s.troubles, "start")
	delete(s.troubles, "fetching")
}

// adjust decides where the session's partitions begin, and starts their workers. An
// error ends the session; the client then joins again, after a pause.
func (s *Sink) adjust(ctx context.Context, offsets map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	select {
	case <-s.connected: // the client may join before its constructor returns
	case <-ctx.Done():
		return nil, errLeave
	}
	s.mu.Lock()
	ses := s.session
	s.mu.Unlock()
	if ses == nil {
		return nil, errLeave
	}
	workers, starts, err := ses.prepare(ctx)
	if err != nil {
		var stopped *Stopped
		if errors.As(err, &stopped) {
			s.stop(err)
		} else {
			s.trouble("start", err)
		}
		return nil, err
	}
	if !s.begin(ses, workers) {
		return nil, errLeave
	}
	at := map[int32]kgo.Offset{}
	for p := range offsets[s.schema.Topic] {
		if start, ok := starts[p]; ok {
			at[p] = kgo.NewOffset().At(start)
		}
	}
	return map[string]map[int32]kgo.Offset{s.schema.Topic: at}, nil
}

// begin starts the workers, unless the session has ended meanwhile.
func (s *Sink) begin(ses *session, workers map[int32]*worker) bool {
	s.client.ResumeFetchPartitions(map[string][]int32{s.schema.Topic: ses.partitions}) // a pause outlives its session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != ses {
		return false
	}
	ses.workers = workers
	for _, w := range workers {
		go w.run()
	}
	s.joined()
	return true
}

// revoked ends the session before the group balances anew: an epoch whose plan is
// committed is finished, what is only read is left to the next owner.
func (s *Sink) revoked(context.Context, *kgo.Client, map[string][]int32) {
	s.endSession(revokePatience, func(w *worker) { close(w.revoked) })
}

// lost ends a session that the group has ended already: nothing can be committed.
func (s *Sink) lost(context.Context, *kgo.Client, map[string][]int32) {
	s.endSession(0, func(w *worker) { w.cancel() })
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.troubles["start"] == nil { // else it says why
		s.troubles["start"] = errNotJoined
	}
}

// finish lands what the workers hold, at the end of Run.
func (s *Sink) finish() (inTime bool) {
	return s.endSession(finishPatience, func(w *worker) { close(w.finishing) })
}

// endSession ends the session's workers once; later calls find none.
func (s *Sink) endSession(patience time.Duration, tell func(*worker)) (inTime bool) {
	s.mu.Lock()
	ses := s.session
	s.session = nil
	s.mu.Unlock()
	if ses == nil {
		return true
	}
	return ses.end(patience, tell)
}
