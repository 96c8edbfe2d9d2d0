package sink

import (
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
)

// queue carries records from the poll loop to a worker. Putting never waits, so the
// poll loop never holds up a rebalance; a partition that runs ahead of its worker is
// paused by the caller.
type queue struct {
	mu      sync.Mutex
	records []*kgo.Record
	bytes   int64
	ready   chan struct{} // has room for one signal
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// put appends records and returns how many, and how many bytes, wait now.
func (q *queue) put(records []*kgo.Record) (waiting int, bytes int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.records = append(q.records, records...)
	for _, r := range records {
		q.bytes += int64(len(r.Value))
	}
	select {
	case q.ready <- struct{}{}:
	default:
	}
	return len(q.records), q.bytes
}

// take returns all that waits.
func (q *queue) take() []*kgo.Record {
	q.mu.Lock()
	defer q.mu.Unlock()
	records := q.records
	q.records, q.bytes = nil, 0
	return records
}
