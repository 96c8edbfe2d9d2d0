package sink_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

func (b *bed) wantObjects(want map[string][]customers.Customer) {
	b.t.Helper()
	got := b.objects()
	for key, rows := range want {
		if o, ok := got[key]; !ok || !slices.Equal(o.rows, rows) {
			b.t.Errorf("%s: %v, want %v", key, o.rows, rows)
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			b.t.Errorf("unexpected object %s", key)
		}
	}
}

const hour9, hour10 = "year=2026/month=08/day=19/hour=09/", "year=2026/month=08/day=19/hour=10/"

// The names are those of the Connect S3 sink (T1): per Kafka partition and hour the
// first offset in ten digits; rows and footers say what they hold.
func TestObjectsAreNamedAndFilled(t *testing.T) {
	b := newBed(t, 2)
	p0 := b.send(0, 1, 61, 2, 62)
	p1 := b.send(1, 70)
	o := b.options()
	o.FlushInterval = time.Hour
	o.FlushRows = 5 // never reached: a clean stop lands what is there
	r := b.start(o)
	until(t, "ready, with all records seen", func() bool { return r.Ready() == nil && r.Stats().Lag == 5 })
	r.close()
	b.wantObjects(map[string][]customers.Customer{
		hour9 + "customer-events+0+0000000000.snappy.parquet":  {p0[0], p0[2]},
		hour10 + "customer-events+0+0000000001.snappy.parquet": {p0[1], p0[3]},
		hour10 + "customer-events+1+0000000000.snappy.parquet": {p1[0]},
	})
	meta := b.objects()[hour10+"customer-events+0+0000000001.snappy.parquet"].meta
	want := map[string]string{"bridge.table": "customers", "bridge.topic_id": b.topicID(), "bridge.first_offset": "0", "bridge.end_offset": "4",
		"bridge.objects": "2", "bridge.records": "4"}
	for k, v := range want {
		if meta[k] != v {
			t.Errorf("footer %s is %q, want %q", k, meta[k], v)
		}
	}
	if got := r.Stats(); got != (sink.Stats{Records: 5, Objects: 3, Bytes: got.Bytes, Epochs: 2, Rebalances: got.Rebalances}) || got.Bytes == 0 {
		t.Errorf("%+v", got)
	}
	if at, _ := b.committed(0); at != 4 {
		t.Errorf("committed %d, want 4", at)
	}
	if r.Ready() == nil {
		t.Error("a sink that has ended is not ready")
	}
}

// Epochs are cut by rows, and a restart goes on behind the last one.
func TestEpochsAndRestart(t *testing.T) {
	b := newBed(t, 1)
	first := b.send(0, 1, 2, 3, 4)
	o := b.options()
	o.FlushRows, o.FlushInterval = 2, time.Hour
	b.land(o, 4)
	second := b.send(0, 5, 6)
	b.land(o, 2)
	b.wantObjects(map[string][]customers.Customer{
		hour9 + "customer-events+0+0000000000.snappy.parquet": first[:2],
		hour9 + "customer-events+0+0000000002.snappy.parquet": first[2:],
		hour9 + "customer-events+0+0000000004.snappy.parquet": second,
	})
}

// A plan that a predecessor committed is redone as it was planned and under the names
// that it had, whatever this process would have cut and whatever its codec.
func TestAPlanIsRedone(t *testing.T) {
	b := newBed(t, 1)
	rows := b.send(0, 1, 61, 2, 3, 4)
	b.commit(0, 1, fmt.Sprintf(`{"bridge":1,"topic_id":%q,"end":4,"records":3,"ending":".gz.parquet"}`, b.topicID()))
	o := b.options()
	o.FlushRows = 2
	stats := b.land(o, 4)
	b.wantObjects(map[string][]customers.Customer{
		hour10 + "customer-events+0+0000000001.gz.parquet":    {rows[1]},
		hour9 + "customer-events+0+0000000002.gz.parquet":     {rows[2], rows[3]},
		hour9 + "customer-events+0+0000000004.snappy.parquet": {rows[4]},
	})
	if stats.Redone != 1 {
		t.Errorf("%+v", stats)
	}
}

// Without a committed offset the lake says where to go on, also in the midst of an epoch.
func TestTheLakeSaysWhereToGoOn(t *testing.T) {
	b := newBed(t, 1)
	rows := b.send(0, 1, 2, 61)
	o := b.options()
	o.FlushRows = 3
	b.land(o, 3)
	whole := b.objects()
	more := b.send(0, 3)
	o.Group = "another"
	b.land(o, 1)
	want := map[string][]customers.Customer{
		hour9 + "customer-events+0+0000000000.snappy.parquet":  rows[:2],
		hour10 + "customer-events+0+0000000002.snappy.parquet": rows[2:],
		hour9 + "customer-events+0+0000000003.snappy.parquet":  more,
	}
	b.wantObjects(want)
	root := filepath.Join(b.dir, "lake", topic)
	for _, key := range []string{hour9 + "customer-events+0+0000000003.snappy.parquet", hour9 + "customer-events+0+0000000000.snappy.parquet"} {
		if err := os.Remove(filepath.Join(root, key)); err != nil {
			t.Fatal(err)
		}
	}
	o.Group = "a third" // sees an epoch with one object of two
	if stats := b.land(o, 4); stats.Redone != 1 {
		t.Errorf("%+v", stats)
	}
	b.wantObjects(want)
	for key, o := range whole {
		if got := b.objects()[key]; !reflect.DeepEqual(got, o) {
			t.Errorf("%s is %+v, was %+v", key, got, o)
		}
	}
}

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

func TestAPlanThatShrankStopsTheSink(t *testing.T) {
	b := newBed(t, 1)
	b.send(0, 1, 2, 3)
	b.commit(0, 0, fmt.Sprintf(`{"bridge":1,"topic_id":%q,"end":3,"records":4}`, b.topicID()))
	b.wantStopped(b.start(b.options()), "from offset 0 to 3")
	b.wantObjects(nil)
}

// Records that are none of the table go to the dead letter topic as they came, with
// the cause; the rows around them land.
func TestDeadLetters(t *testing.T) {
	b := newBed(t, 1)
	good := b.row(1)
	unknownID := b.record(0, &good)
	unknownID.Value = append([]byte{0, 0, 0, 0x7f, 0xff}, unknownID.Value[5:]...)
	cut := b.record(0, &good)
	cut.Value = cut.Value[:len(cut.Value)-3]
	b.produce(
		&kgo.Record{Topic: topic, Key: []byte("k0"), Value: []byte("rubbish"), Headers: []kgo.RecordHeader{{Key: "own", Value: []byte("h")}}},
		b.record(0, &good),
		&kgo.Record{Topic: topic, Key: []byte("k2")},
		unknownID, cut,
	)
	stats := b.land(b.options(), 1)
	if stats.DeadLetters != 4 || stats.Records != 1 {
		t.Errorf("%+v", stats)
	}
	b.wantObjects(map[string][]customers.Customer{hour9 + "customer-events+0+0000000001.snappy.parquet": {good}})
	if at, _ := b.committed(0); at != 5 {
		t.Errorf("committed %d, want 5", at)
	}
	letters := b.consume(dead, 4)
	slices.SortFunc(letters, func(x, y *kgo.Record) int {
		return strings.Compare(header(x, stream.HeaderOffset), header(y, stream.HeaderOffset))
	})
	for i, want := range []struct{ offset, cause, value string }{
		{"0", "no header of the Confluent wire format", "rubbish"}, {"2", "null", ""},
		{"3", "no schema 32767", string(unknownID.Value)}, {"4", "malformed", string(cut.Value)},
	} {
		r := letters[i]
		if header(r, stream.HeaderOffset) != want.offset || header(r, stream.HeaderTopic) != topic || header(r, stream.HeaderPartition) != "0" ||
			!strings.Contains(header(r, stream.HeaderCause), want.cause) || string(r.Value) != want.value {
			t.Errorf("letter %d: %v %q", i, r.Headers, r.Value)
		}
	}
	if r := letters[0]; string(r.Key) != "k0" || header(r, "own") != "h" {
		t.Errorf("key %q, headers %v", r.Key, r.Headers)
	}
}

func header(r *kgo.Record, key string) string {
	for _, h := range r.Headers {
		if h.Key == key {
			return string(h.Value)
		}
	}
	return ""
}

// A record of a newer schema stops the sink; what came before it is landed.
func TestANewerSchemaStopsTheSink(t *testing.T) {
	b := newBed(t, 1)
	before := b.send(0, 1)
	id := b.registerAnyway(strings.Replace(customers.Table.Schema.Avro, `{"name":"_source"`, `{"name":"nickname","type":["null","string"],"default":null},{"name":"_source"`, 1))
	newer := b.row(2)
	r := b.record(0, &newer)
	r.Value[4] = byte(id)
	b.produce(r)
	running := b.start(b.options())
	err := running.ended()
	var unknown *stream.UnknownSchema
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), `"nickname"`) || !errors.As(running.Ready(), &unknown) {
		t.Errorf("ended with %v, ready %v", err, running.Ready())
	}
	b.wantObjects(map[string][]customers.Customer{hour9 + "customer-events+0+0000000000.snappy.parquet": before})
	if at, _ := b.committed(0); at != 1 {
		t.Errorf("committed %d, want 1", at)
	}
}

// While the registry or the lake is away the sink is not ready, loses nothing, and goes
// on by itself.
func TestOutagesPass(t *testing.T) {
	b := newBed(t, 1)
	var down atomic.Bool
	down.Store(true)
	target, err := url.Parse(b.cluster.Registry)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if down.Load() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, req)
	}))
	defer registry.Close()
	rows := b.send(0, 1)
	o := b.options()
	o.Registry = registry.URL
	blocked := filepath.Join(b.dir, "lake") // a file where the lake's folder should be
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Store = lake.NewLocal(b.dir)
	b.commit(0, 0, fmt.Sprintf(`{"bridge":1,"topic_id":%q}`, b.topicID())) // so that the lake is not asked first
	r := b.start(o)
	until(t, "the registry is missed", func() bool { return r.Ready() != nil && strings.Contains(r.Ready().Error(), "reading a record") })
	down.Store(false)
	until(t, "the lake is missed", func() bool { return r.Ready() != nil && strings.Contains(r.Ready().Error(), "landing") })
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	until(t, "landed", func() bool { return r.Stats().Records == 1 && r.Ready() == nil })
	r.close()
	b.wantObjects(map[string][]customers.Customer{hour9 + "customer-events+0+0000000000.snappy.parquet": rows})
}

// Two members share the partitions; one leaves, and the other goes on.
func TestMembersShareTheWork(t *testing.T) {
	b := newBed(t, 4)
	var want []int64
	send := func() {
		for p := range int32(4) {
			for _, r := range b.send(p, 1, 61) {
				want = append(want, r.ID)
			}
		}
	}
	send()
	first := b.start(b.options())
	until(t, "the first lands all", func() bool { return first.Stats().Records == 8 })
	second := b.start(b.options())
	until(t, "the second has joined", func() bool { return second.Ready() == nil && first.Ready() == nil && first.Stats().Rebalances >= 2 })
	send()
	until(t, "both land their part", func() bool { return first.Stats().Records+second.Stats().Records == 16 })
	if second.Stats().Records == 0 {
		t.Error("the second member had no part")
	}
	first.close()
	send()
	until(t, "the second goes on alone", func() bool { return first.Stats().Records+second.Stats().Records == 24 })
	second.close()
	var got []int64
	for _, o := range b.objects() {
		for _, r := range o.rows {
			got = append(got, r.ID)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("landed %v, want %v", got, want)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	store := lake.NewLocal(t.TempDir())
	for word, o := range map[string]sink.Options{
		"brokers":     {Registry: "http://127.0.0.1:1", Store: store},
		"registry":    {Brokers: []string{"127.0.0.1:1"}, Store: store},
		"store":       {Brokers: []string{"127.0.0.1:1"}, Registry: "http://127.0.0.1:1"},
		"positive":    {Brokers: []string{"127.0.0.1:1"}, Registry: "http://127.0.0.1:1", Store: store, FlushRows: -1},
		"dead letter": {Brokers: []string{"127.0.0.1:1"}, Registry: "http://127.0.0.1:1", Store: store, DeadLetter: topic},
	} {
		if _, err := sink.New(customers.Any, o); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", word, err)
		}
	}
}

// An object of the Connect S3 sink 12.1.9 does not say where the lake is complete: the
// first start behind that sink needs a committed offset.
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
	b.wantStopped(b.start(b.options()), "was not written by this sink", name, "--to-offset")
	if err := os.Remove(filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
	b.commit(0, 1, "")
	b.land(b.options(), 1)
	b.wantObjects(map[string][]customers.Customer{hour9 + "customer-events+0+0000000001.snappy.parquet": rows[1:]})
}
