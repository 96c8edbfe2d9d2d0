package sink

import (
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
)

// queue carries records from the poll loop to a worker. Putting never waits, so the
// poll loop never holds up a rebalance; a partition that runs ahead of its worker is
// paused. Pause and resume are called under the lock: a worker that was faster than the
// pause would else leave the partition paused for ever.
type queue struct {
	limit int // records that are enough

	mu      sync.Mutex
	records []*kgo.Record
	bytes   int64
	paused  bool
	ready   chan struct{} // has room for one signal
}

func newQueue(limit int) *queue { return &queue{limit: limit, ready: make(chan struct{}, 1)} }

// put appends records, and pauses the partition if enough are waiting now.
func (q *queue) put(records []*kgo.Record, pause func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.records = append(q.records, records...)
	for _, r := range records {
		q.bytes += int64(len(r.Value))
	}
	if !q.paused && (len(q.records) >= q.limit || q.bytes >= epochBytes) {
		q.paused = true
		pause()
	}
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// take returns all that waits, and resumes the partition if it is paused.
func (q *queue) take(resume func()) []*kgo.Record {
	q.mu.Lock()
	defer q.mu.Unlock()
	records := q.records
	q.records, q.bytes = nil, 0
	if q.paused {
		q.paused = false
		resume()
	}
	return records
}
