package sink_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/serve"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

const (
	topic = "customer-events"
	dead  = "customer-events-dead"
	group = "bridge-sink-customer-events"
)

var nine = time.Date(2026, 8, 19, 9, 0, 0, 0, time.UTC)

// bed is a broker, a registry and a lake.
type bed struct {
	t       *testing.T
	cluster *embedded.Cluster
	schema  int // id of the table's schema
	client  *kgo.Client
	admin   *kadm.Client
	dir     string
	next    int64 // id of the next customer
}

func newBed(t *testing.T, partitions int) *bed {
	t.Helper()
	c, err := embedded.Start(t.Context(), embedded.Options{Topics: []string{topic}, Partitions: partitions})
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{t: t, cluster: c, dir: t.TempDir()}
	registry, err := stream.RegistryClient(c.Registry)
	if err != nil {
		t.Fatal(err)
	}
	if b.schema, err = stream.Register(t.Context(), registry, customers.Table.Schema); err != nil {
		t.Fatal(err)
	}
	if b.client, err = kgo.NewClient(kgo.SeedBrokers(c.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner())); err != nil {
		t.Fatal(err)
	}
	b.admin = kadm.NewClient(b.client)
	t.Cleanup(func() { b.client.Close(); c.Close() })
	return b
}

// row is a customer that came so many minutes after nine.
func (b *bed) row(minutes int) customers.Customer {
	b.next++
	at := bridge.TimestampOf(nine.Add(time.Duration(minutes) * time.Minute))
	return customers.Customer{ID: b.next, Email: fmt.Sprintf("c%d@example.com", b.next), Status: customers.StatusActive, IsActive: true,
		CreatedAt: at, UpdatedAt: at, Sys: bridge.System{Source: bridge.Streaming, IngestedAt: at, Version: bridge.Some(int64(at)), Seq: b.next}}
}

func (b *bed) record(partition int32, r *customers.Customer) *kgo.Record {
	value := binary.BigEndian.AppendUint32([]byte{0}, uint32(b.schema))
	return &kgo.Record{Topic: topic, Partition: partition, Key: customers.Table.AppendKey(nil, r), Value: customers.AppendAvro(value, r)}
}

// send writes one record per number of minutes, and returns their customers.
func (b *bed) send(partition int32, minutes ...int) []customers.Customer {
	b.t.Helper()
	var rows []customers.Customer
	var records []*kgo.Record
	for _, m := range minutes {
		r := b.row(m)
		rows, records = append(rows, r), append(records, b.record(partition, &r))
	}
	b.produce(records...)
	return rows
}

func (b *bed) produce(records ...*kgo.Record) {
	b.t.Helper()
	if err := b.client.ProduceSync(b.t.Context(), records...).FirstErr(); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bed) options() sink.Options {
	return sink.Options{Brokers: b.cluster.Brokers, Registry: b.cluster.Registry, Store: lake.NewLocal(b.dir),
		FlushInterval: 50 * time.Millisecond, Kafka: []kgo.Opt{kgo.HeartbeatInterval(100 * time.Millisecond), kgo.MetadataMinAge(50 * time.Millisecond)}}
}

// running is a sink that runs.
type running struct {
	*sink.Sink
	t    *testing.T
	stop context.CancelFunc
	end  chan error
}

func (b *bed) start(o sink.Options) *running {
	b.t.Helper()
	s, err := sink.New(customers.Any, o)
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{Sink: s, t: b.t, stop: cancel, end: make(chan error, 1)}
	go func() { r.end <- s.Run(ctx) }()
	b.t.Cleanup(func() { cancel(); <-r.end })
	return r
}

// close stops the sink cleanly.
func (r *running) close() {
	r.t.Helper()
	r.stop()
	if err := r.ended(); err != nil {
		r.t.Error(err)
	}
}

// ended waits for Run to return by itself.
func (r *running) ended() error {
	r.t.Helper()
	select {
	case err := <-r.end:
		r.end <- nil
		return err
	case <-time.After(40 * time.Second):
		r.t.Fatalf("the sink does not end; ready: %v", r.Ready())
		return nil
	}
}

// until polls a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// land runs a sink until it has landed n records, and stops it.
func (b *bed) land(o sink.Options, n int64) sink.Stats {
	b.t.Helper()
	r := b.start(o)
	until(b.t, fmt.Sprintf("%d records landed", n), func() bool {
		select {
		case err := <-r.end:
			b.t.Fatalf("the sink ended: %v", err)
		default:
		}
		return r.Stats().Records >= n
	})
	r.close()
	return r.Stats()
}

// object is a Parquet object as it lies in the lake.
type object struct {
	rows []customers.Customer
	meta map[string]string
}

// objects reads the whole lake; the keys begin behind the table's folder.
func (b *bed) objects() map[string]object {
	b.t.Helper()
	all := map[string]object{}
	root := filepath.Join(b.dir, filepath.FromSlash(customers.Table.Schema.Prefix()))
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".parquet") {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		o, err := b.read(path.Join(customers.Table.Schema.Prefix(), filepath.ToSlash(rel)))
		all[filepath.ToSlash(rel)] = o
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.t.Fatal(err)
	}
	return all
}

func (b *bed) read(key string) (o object, err error) {
	src, err := lake.NewLocal(b.dir).Open(b.t.Context(), key)
	if err != nil {
		return o, err
	}
	defer src.Close()
	if o.meta, _, err = lake.ReadMeta(src, src.Size(), key); err != nil {
		return o, err
	}
	file, err := lake.OpenFile(customers.Table.Schema, src, src.Size(), key)
	if err != nil {
		return o, err
	}
	var leaves []int
	for i := range customers.Table.Schema.Leaves {
		leaves = append(leaves, i)
	}
	rows := &bridge.RowsOf[customers.Customer]{T: customers.Table}
	pages := file.Pages(leaves)
	for {
		page, err := pages.Next()
		if errors.Is(err, io.EOF) {
			return o, nil
		}
		if err != nil {
			return o, err
		}
		rows.Resize(0)
		rows.Scan(page, 0)
		for _, r := range rows.R {
			r.Email = strings.Clone(r.Email)
			o.rows = append(o.rows, r)
		}
	}
}

// committed is the sink's offset of a partition, with its metadata.
func (b *bed) committed(partition int32) (int64, string) {
	b.t.Helper()
	offsets, err := b.admin.FetchOffsetsForTopics(b.t.Context(), group, topic)
	if err != nil {
		b.t.Fatal(err)
	}
	o, ok := offsets.Lookup(topic, partition)
	if !ok {
		return -1, ""
	}
	return o.At, o.Metadata
}

func (b *bed) commit(partition int32, at int64, metadata string) {
	b.t.Helper()
	offsets := kadm.Offsets{topic: {partition: kadm.Offset{Topic: topic, Partition: partition, At: at, LeaderEpoch: -1, Metadata: metadata}}}
	if err := b.admin.CommitAllOffsets(b.t.Context(), group, offsets); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bed) deleteGroup() {
	b.t.Helper()
	if _, err := b.admin.DeleteGroup(b.t.Context(), group); err != nil && !errors.Is(err, kerr.GroupIDNotFound) {
		b.t.Fatal(err)
	}
}

// wantRead counts the streamed rows that a reader of the lake finds.
func (b *bed) wantRead(n int64) {
	b.t.Helper()
	counts, err := serve.CountRows(b.t.Context(), customers.Table.Schema, lake.NewLocal(b.dir))
	if err != nil || counts.Streaming.Rows != n {
		b.t.Errorf("readers find %d streamed rows (%v), want %d", counts.Streaming.Rows, err, n)
	}
}

func (b *bed) topicID() string {
	b.t.Helper()
	details, err := b.admin.ListTopics(b.t.Context(), topic)
	if err != nil {
		b.t.Fatal(err)
	}
	id := details[topic].ID
	return fmt.Sprintf("%x", id[:])
}

// registerAnyway puts a schema under the table's subject, whatever the level says.
func (b *bed) registerAnyway(text string) int {
	b.t.Helper()
	client, err := stream.RegistryClient(b.cluster.Registry)
	if err != nil {
		b.t.Fatal(err)
	}
	id, err := client.RegisterSchema(b.t.Context(), "other", sr.Schema{Schema: text}, -1, -1)
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

func alter(key, value string) []kadm.AlterConfig {
	return []kadm.AlterConfig{{Op: kadm.SetConfig, Name: key, Value: &value}}
}

// deleteRecords moves the start of partition 0, as retention does.
func (b *bed) deleteRecords(before int64) {
	b.t.Helper()
	offsets := kadm.Offsets{topic: {0: kadm.Offset{Topic: topic, Partition: 0, At: before}}}
	r, err := b.admin.DeleteRecords(b.t.Context(), offsets)
	if err == nil {
		err = r.Error()
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// consume reads n records of a topic from its start.
func (b *bed) consume(from string, n int) []*kgo.Record {
	b.t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(b.cluster.Brokers...), kgo.ConsumeTopics(from), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		b.t.Fatal(err)
	}
	defer cl.Close()
	ctx, cancel := context.WithTimeout(b.t.Context(), 20*time.Second)
	defer cancel()
	var all []*kgo.Record
	for len(all) < n && ctx.Err() == nil {
		all = append(all, cl.PollFetches(ctx).Records()...)
	}
	if len(all) != n {
		b.t.Fatalf("%d records on %s, want %d", len(all), from, n)
	}
	return all
}
