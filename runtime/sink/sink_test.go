package sink_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/bridgegen/bridgegen/runtime/stream"
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

// A letter is larger than its record: one of nearly 1 MB must not hold up its partition.
func TestALargeDeadLetterDoesNotBlockItsPartition(t *testing.T) {
	b := newBed(t, 1)
	large := bytes.Repeat([]byte("x"), 999_900)
	b.produce(&kgo.Record{Topic: topic, Value: large})
	b.send(0, 1)
	if stats := b.land(b.options(), 1); stats.DeadLetters != 1 {
		t.Errorf("%+v", stats)
	}
	if r := b.consume(dead, 1)[0]; !bytes.Equal(r.Value, large) || header(r, stream.HeaderDropped) != "" {
		t.Errorf("a value of %d bytes, %v", len(r.Value), r.Headers)
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
