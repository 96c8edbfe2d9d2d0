package sink

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// A worker may take as soon as records are put. The pause of a full queue must come
// before its resume, or the partition stays paused for ever.
func TestThePauseComesBeforeTheResume(t *testing.T) {
	q := newQueue(2)
	var calls []string
	pause := func() {
		calls = append(calls, "pause")
		if len(q.ready) > 0 || q.mu.TryLock() {
			t.Error("a worker can take before the partition is paused")
		}
	}
	resume := func() {
		calls = append(calls, "resume")
		if q.mu.TryLock() {
			t.Error("records can be put before the partition is resumed")
		}
	}
	record := &kgo.Record{Value: []byte("x")}
	q.put([]*kgo.Record{record, record}, pause)
	q.put([]*kgo.Record{record}, pause) // was fetched before the pause
	<-q.ready
	if got := q.take(resume); len(got) != 3 {
		t.Errorf("%d records", len(got))
	}
	q.put([]*kgo.Record{record}, pause)
	<-q.ready
	if got := q.take(resume); len(got) != 1 {
		t.Errorf("%d records", len(got))
	}
	q.put([]*kgo.Record{{Value: make([]byte, epochBytes)}}, pause)
	if want := []string{"pause", "resume", "pause"}; !slices.Equal(calls, want) {
		t.Errorf("%v, want %v", calls, want)
	}
}
