package sink

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// runningSink is a sink that has joined its group at an embedded broker, of one partition.
func runningSink(t *testing.T) (*Sink, lake.Store) {
	t.Helper()
	c, err := embedded.Start(t.Context(), embedded.Options{Topics: []string{customers.Table.Schema.Topic}, Partitions: 1})
	if err != nil {
		t.Fatal(err)
	}
	store := lake.NewLocal(t.TempDir())
	s, err := New(customers.Any, Options{Brokers: c.Brokers, Registry: c.Registry, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	end := make(chan error, 1)
	go func() { end <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-end; err != nil {
			t.Error(err)
		}
		_ = c.Close()
	})
	for deadline := time.Now().Add(30 * time.Second); s.Ready() != nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(s.Ready())
		}
	}
	return s, store
}

// A member that was away, and whose partition another one may hold, lands nothing: the
// broker refuses the plan, which comes before the objects.
func TestAStaleMemberLandsNothing(t *testing.T) {
	s, store := runningSink(t)
	s.mu.Lock()
	now := s.session
	s.mu.Unlock()
	land := func(member string, generation int32) error {
		w := s.newWorker(&session{sink: s, member: member, generation: generation, topicID: now.topicID}, 0, 0, nil)
		*w.row.Sys(0) = bridge.System{Source: bridge.Streaming, Deleted: true}
		w.epoch.add(s.table, w.row, 0)
		w.epoch.took(&kgo.Record{})
		return w.land()
	}
	for name, err := range map[string]error{
		"an earlier generation": land(now.member, now.generation-1),
		"a member that is gone": land("gone", now.generation),
	} {
		if !errors.Is(err, errLeave) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for o, err := range store.List(t.Context(), "") {
		t.Errorf("it wrote %s (%v)", o.Key, err)
	}
	offsets, err := kadm.NewClient(s.client).FetchOffsets(t.Context(), s.options.Group)
	if _, ok := offsets.Lookup(s.schema.Topic, 0); ok || err != nil {
		t.Errorf("it committed %v (%v)", offsets, err)
	}
	if err := land(now.member, now.generation); err != nil {
		t.Errorf("the present generation: %v", err)
	}
}

// The offset to go on with is named, and never one that has landed.
func TestAnOffsetThatIsGoneSaysHowToGoOn(t *testing.T) {
	s, _ := runningSink(t)
	topic := s.schema.Topic
	for range 5 {
		if err := s.client.ProduceSync(t.Context(), &kgo.Record{Topic: topic, Value: []byte("x")}).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	w := s.workers()[0]
	for deadline := time.Now().Add(30 * time.Second); w.end.Load() < 5; time.Sleep(time.Millisecond) { // else it finds by itself that they are gone
		if time.Now().After(deadline) {
			t.Fatalf("it fetched up to %d of 5", w.end.Load())
		}
	}
	deleted, err := kadm.NewClient(s.client).DeleteRecords(t.Context(), kadm.Offsets{topic: {0: {Topic: topic, At: 3}}})
	if err = errors.Join(err, deleted.Error()); err != nil {
		t.Fatal(err)
	}
	for landed, words := range map[int64]string{1: "what comes from 1 on|--to-offset 3 ", 4: "start the sink again", 9: "ends at offset 5|from 5 to 8|offset 9"} {
		w.committed.Store(landed)
		got := s.offsetGone(0, &kgo.ErrDataLoss{})
		for word := range strings.SplitSeq(words, "|") {
			if !strings.Contains(got.Error(), word) || strings.Contains(got.Error(), "earliest") {
				t.Errorf("landed up to %d: %v, want %q", landed, got, word)
			}
		}
	}
}
