package sink_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

func (b *bed) wantStopped(r *running, words ...string) {
	b.t.Helper()
	err := r.ended()
	var stopped *sink.Stopped
	if !errors.As(err, &stopped) || stopped.Remedy == "" {
		b.t.Fatalf("the sink ended with %v", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			b.t.Errorf("%q lacks %q", err, w)
		}
	}
	if ready := r.Ready(); ready == nil || !errors.As(ready, &stopped) {
		b.t.Errorf("ready: %v", ready)
	}
}

func (b *bed) makeAnew() {
	b.t.Helper()
	_, err := b.admin.DeleteTopic(b.t.Context(), topic)
	if err != nil {
		b.t.Fatal(err)
	}
	_, err = b.admin.CreateTopic(b.t.Context(), 1, -1, nil, topic)
	if err != nil && !errors.Is(err, kerr.TopicAlreadyExists) { // a client that asked for the topic was faster
		b.t.Fatal(err)
	}
	b.client.PurgeTopicsFromClient(topic)
}

// A topic that was deleted and made again counts from zero: its objects would replace
// those of the old one.
func TestATopicMadeAnewStopsTheSink(t *testing.T) {
	t.Parallel() // the client takes its time to see it
	t.Run("while it runs", func(t *testing.T) {
		b := newBed(t, 1)
		rows := b.send(0, 1)
		r := b.start(b.options())
		until(t, "landed", func() bool { return r.Stats().Records == 1 })
		b.makeAnew()
		b.wantStopped(r, "made anew")
		b.wantObjects(map[string][]customers.Customer{hour9 + "customer-events+0+0000000000.snappy.parquet": rows})
	})
	t.Run("before it starts", func(t *testing.T) {
		b := newBed(t, 1)
		rows := b.send(0, 1)
		b.land(b.options(), 1)
		b.makeAnew()
		b.send(0, 2)
		b.wantStopped(b.start(b.options()), "made anew", "new topic name")
		b.wantObjects(map[string][]customers.Customer{hour9 + "customer-events+0+0000000000.snappy.parquet": rows})
	})
	t.Run("with the old objects renamed, as the sink says", func(t *testing.T) {
		b := newBed(t, 1)
		old := b.send(0, 1)
		b.land(b.options(), 1)
		b.makeAnew()
		fresh := b.send(0, 2)
		b.wantStopped(b.start(b.options()), "customer-events+* to old-customer-events+*", "--group "+group+" --delete")
		folder := filepath.Join(b.dir, "lake", topic, hour9)
		name := "customer-events+0+0000000000.snappy.parquet"
		if err := os.Rename(filepath.Join(folder, name), filepath.Join(folder, "old-"+name)); err != nil {
			t.Fatal(err)
		}
		b.deleteGroup()
		b.land(b.options(), 1)
		b.wantObjects(map[string][]customers.Customer{hour9 + "old-" + name: old, hour9 + name: fresh})
		b.wantRead(2)
	})
	t.Run("with the old objects out of the way", func(t *testing.T) {
		b := newBed(t, 1)
		b.send(0, 1)
		b.land(b.options(), 1)
		b.makeAnew()
		b.send(0, 2)
		root := filepath.Join(b.dir, "lake", topic)
		if err := os.Rename(filepath.Join(root, "year=2026"), filepath.Join(root, "old")); err != nil { // no reader looks there
			t.Fatal(err)
		}
		b.deleteGroup()
		b.land(b.options(), 1)
		b.wantRead(1)
	})
	t.Run("with the old offset", func(t *testing.T) {
		b := newBed(t, 1)
		b.send(0, 1)
		b.commit(0, 0, `{"bridge":1,"topic_id":"00000000000000000000000000000001"}`)
		b.wantStopped(b.start(b.options()), "committed offset")
	})
}

func TestACompactedTopicStopsTheSink(t *testing.T) {
	b := newBed(t, 1)
	value := "compact,delete"
	_, err := b.admin.AlterTopicConfigs(t.Context(), alter("cleanup.policy", value), topic)
	if err != nil {
		t.Fatal(err)
	}
	b.wantStopped(b.start(b.options()), "cleanup.policy=compact,delete")
}

// Retention that was faster than the sink is said, not skipped.
func TestALogThatLostRecordsStopsTheSink(t *testing.T) {
	b := newBed(t, 1)
	b.send(0, 1)
	b.land(b.options(), 1)
	b.send(0, 2, 3)
	b.deleteRecords(2)
	b.wantStopped(b.start(b.options()), "starts at offset 2", "from 1 on", "--to-offset 2")
	b.commit(0, 2, "")
	b.land(b.options(), 1)
}

// What retention took of a log that has landed, the marker of its last transaction
// included, is no loss; a rolled back transaction has nothing to land.
func TestATransactionsMarkerIsNoLoss(t *testing.T) {
	b := newBed(t, 1)
	client, err := kgo.NewClient(kgo.SeedBrokers(b.cluster.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.TransactionalID("x"))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, end := range []kgo.TransactionEndTry{kgo.TryCommit, kgo.TryAbort} {
		row := b.row(1)
		err := errors.Join(client.BeginTransaction(), client.ProduceSync(t.Context(), b.record(0, &row)).FirstErr(), client.EndTransaction(t.Context(), end))
		if err != nil {
			t.Fatal(err)
		}
	}
	ends, err := b.admin.ListEndOffsets(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	end, _ := ends.Lookup(topic, 0)
	r := b.start(b.options())
	until(t, "ready", func() bool { return r.Ready() == nil })
	until(t, "all is passed", func() bool { at, _ := b.committed(0); return at == end.Offset })
	if got := r.Stats(); got.Records != 1 || got.Lag != 0 {
		t.Errorf("%+v", got)
	}
	r.close()
	b.deleteRecords(end.Offset)
	b.send(0, 2)
	b.land(b.options(), 1)
}

func TestAPlanThatShrankStopsTheSink(t *testing.T) {
	b := newBed(t, 1)
	b.send(0, 1, 2, 3)
	b.commit(0, 0, fmt.Sprintf(`{"bridge":1,"topic_id":%q,"end":3,"records":4}`, b.topicID()))
	b.wantStopped(b.start(b.options()), "from offset 0 to 3")
	b.wantObjects(nil)
}

// An offset behind what has landed would land it again, in objects cut in another way.
func TestAnOffsetThatWasSetBackStopsTheSink(t *testing.T) {
	b := newBed(t, 1)
	rows := b.send(0, 1, 2, 3, 4)
	o := b.options()
	o.FlushRows, o.FlushInterval = 2, time.Hour
	b.land(o, 4)
	b.commit(0, 1, "")
	o.FlushRows = 3
	b.wantStopped(b.start(o), "land twice", "up to offset 3", "--topic customer-events:0 --reset-offsets --to-offset 4 ")
	b.commit(0, 4, "")
	more := b.send(0, 5)
	b.land(b.options(), 1)
	b.wantObjects(map[string][]customers.Customer{
		hour9 + "customer-events+0+0000000000.snappy.parquet": rows[:2],
		hour9 + "customer-events+0+0000000002.snappy.parquet": rows[2:],
		hour9 + "customer-events+0+0000000004.snappy.parquet": more,
	})
}

// An object of the Connect S3 sink 12.1.9 does not say where the lake is complete: the
// first start behind that sink needs a committed offset, and is content with it.
func TestTakingOverFromTheConnectSink(t *testing.T) {
	b := newBed(t, 1)
	rows := b.send(0, 1, 2)
	name := "customer-events+0+0000000000.snappy.parquet"
	written, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(b.dir, "lake", topic, "year=2026", "month=08", "day=19", "hour=12")
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, name), written, 0o600)); err != nil {
		t.Fatal(err)
	}
	b.wantStopped(b.start(b.options()), "was not written by this sink", name, "--group "+group+" --topic customer-events:0 --reset-offsets --to-offset N")
	b.commit(0, 0, "")
	b.wantStopped(b.start(b.options()), name, "land twice")
	b.commit(0, 1, "")
	b.land(b.options(), 1)
	landed, err := b.read(customers.Table.Schema.Prefix() + "/" + hour9 + "customer-events+0+0000000001.snappy.parquet")
	if err != nil || !slices.Equal(landed.rows, rows[1:]) {
		t.Errorf("landed %v, %v", landed.rows, err)
	}
}
