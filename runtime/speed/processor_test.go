package speed

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

const topic = "customer-events"

// town is a broker and a registry with the table's topic, and a writer.
type town struct {
	*embedded.Cluster
	kafka  *kgo.Client
	writer *stream.Writer[customers.Customer]
}

func startTown(t *testing.T) *town {
	t.Helper()
	cluster, err := embedded.Start(t.Context(), embedded.Options{Topics: []string{topic}, Partitions: 2})
	if err != nil {
		t.Fatal(err)
	}
	kafka, err := kgo.NewClient(kgo.SeedBrokers(cluster.Brokers...))
	if err != nil {
		t.Fatal(err)
	}
	writer, err := stream.NewWriter(t.Context(), customers.Table, stream.Options{Brokers: cluster.Brokers, Registry: cluster.Registry,
		AutoRegister: true, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = writer.Close(context.WithoutCancel(t.Context()))
		kafka.Close()
		_ = cluster.Close()
	})
	return &town{cluster, kafka, writer}
}

func (c *town) write(t *testing.T, rows ...customers.Customer) {
	t.Helper()
	for i := range rows {
		if err := c.writer.Write(t.Context(), &rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.writer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// start runs a processor and returns it with a function that stops it and gives Run's error.
func (c *town) start(t *testing.T, client redis.UniversalClient) (*Processor, func() error) {
	t.Helper()
	p, err := New(customers.Any, Options{Brokers: c.Brokers, Registry: c.Registry, Redis: client, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	if !errors.Is(p.Ready(), errNotStarted) {
		t.Errorf("before Run: %v", p.Ready())
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	stop := func() error {
		cancel()
		err := <-ended
		ended <- err
		return err
	}
	t.Cleanup(func() { _ = stop() })
	return p, stop
}

// until polls for a condition; a deadline, not a sleep, decides.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestProcessor(t *testing.T) {
	town := startTown(t)
	server, client := startRedis(t)
	town.write(t, live(1, 10, now), live(2, 10, now), live(1, 30, now), live(1, 20, now))
	if err := town.writer.Delete(t.Context(), &customers.Customer{ID: 2}, bridge.Some[int64](10)); err != nil {
		t.Fatal(err)
	}
	town.write(t)
	if err := town.kafka.ProduceSync(t.Context(), &kgo.Record{Topic: topic, Key: []byte(`{"id":3}`), Value: []byte("rubbish")}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	p, stop := town.start(t, client)
	until(t, "six records are taken", func() bool { return p.Stats().Records == 6 })
	until(t, "ready", func() bool { return p.Ready() == nil })
	if got := read(t, client, 1); got == nil || got.Sys.Version.V != 30 || got.Email != "a@example.com" {
		t.Errorf("key 1: %+v", got)
	}
	if got := read(t, client, 2); got == nil || !got.Sys.Deleted {
		t.Errorf("key 2: %+v", got)
	}
	if s := p.Stats(); s.DeadLetters != 1 || s.Written+s.Stale != 5 || s.Expired != 0 {
		t.Errorf("%+v", s)
	}
	town.wantLetter(t)

	server.SetError("LOADING Redis is loading the dataset in memory")
	town.write(t, live(5, 1, now))
	until(t, "not ready, and why", func() bool { return p.Ready() != nil && strings.Contains(p.Ready().Error(), "LOADING") })
	server.SetError("")
	until(t, "the record is taken all the same", func() bool { return p.Stats().Records == 7 && p.Ready() == nil })
	if read(t, client, 5) == nil || p.Stats().Retries == 0 {
		t.Errorf("after the outage: %+v", p.Stats())
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if p.Ready() == nil {
		t.Error("a stopped processor is ready")
	}
	town.wantCommitted(t, 7)

	server.FlushAll()
	next, _ := town.start(t, client)
	town.write(t, live(6, 1, now))
	until(t, "the next processor takes what is new", func() bool { return next.Stats().Records == 1 })
	if keys := server.Keys(); len(keys) != 1 || keys[0] != "customer:6" {
		t.Errorf("it took again what was committed: %v", keys)
	}
}

// A letter is larger than its record: one of nearly 1 MB must not hold up its partition.
func TestALargeDeadLetterDoesNotBlockItsPartition(t *testing.T) {
	town := startTown(t)
	_, client := startRedis(t)
	if err := town.kafka.ProduceSync(t.Context(), &kgo.Record{Topic: topic, Value: make([]byte, 999_900)}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	p, _ := town.start(t, client)
	until(t, "the letter is written", func() bool { return p.Stats().DeadLetters == 1 && p.Ready() == nil })
	if letters := town.letters(t); len(letters) != 1 || len(letters[0].Value) != 999_900 {
		t.Errorf("%d letters", len(letters))
	}
}

// letters reads the topic of dead letters.
func (c *town) letters(t *testing.T) []*kgo.Record {
	t.Helper()
	reader, err := kgo.NewClient(kgo.SeedBrokers(c.Brokers...), kgo.ConsumeTopics(topic+"-dead"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	return reader.PollFetches(ctx).Records()
}

// wantLetter reads the dead letter: the record as it was, and where and why.
func (c *town) wantLetter(t *testing.T) {
	t.Helper()
	letters := c.letters(t)
	if len(letters) != 1 || string(letters[0].Key) != `{"id":3}` || string(letters[0].Value) != "rubbish" {
		t.Fatalf("dead letters: %v", letters)
	}
	headers := map[string]string{}
	for _, h := range letters[0].Headers {
		headers[h.Key] = string(h.Value)
	}
	if headers["bridge.topic"] != topic || !strings.Contains(headers["bridge.cause"], "wire format") || headers["bridge.offset"] == "" {
		t.Errorf("headers %v", headers)
	}
	if partition, err := strconv.Atoi(headers["bridge.partition"]); err != nil || partition > 1 {
		t.Errorf("headers %v", headers)
	}
}

func (c *town) wantCommitted(t *testing.T, want int64) {
	t.Helper()
	offsets, err := kadm.NewClient(c.kafka).FetchOffsets(t.Context(), "bridge-speed-"+topic)
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	offsets.Each(func(o kadm.OffsetResponse) { sum += max(o.At, 0) })
	if sum != want {
		t.Errorf("%d records are committed, want %d", sum, want)
	}
}

// A writer with a column that this program does not know stops it: it would write the
// row without that column.
func TestProcessorStopsAtAnUnknownSchema(t *testing.T) {
	town := startTown(t)
	server, client := startRedis(t)
	registry, err := stream.RegistryClient(town.Registry)
	if err != nil {
		t.Fatal(err)
	}
	newer := strings.Replace(customers.Table.Schema.Avro, `{"name":"_source"`, `{"name":"phone","type":["null","string"],"default":null},{"name":"_source"`, 1)
	schema, err := registry.CreateSchema(t.Context(), topic+"-value", sr.Schema{Schema: newer})
	if err != nil {
		t.Fatal(err)
	}
	value := append([]byte{0, 0, 0, 0, byte(schema.ID)}, make([]byte, 40)...)
	if err := town.kafka.ProduceSync(t.Context(), &kgo.Record{Topic: topic, Value: value}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	p, err := New(customers.Any, Options{Brokers: town.Brokers, Registry: town.Registry, Redis: client})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	err = p.Run(ctx)
	var unknown *stream.UnknownSchema
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "phone") {
		t.Errorf("Run: %v", err)
	}
	if !errors.As(p.Ready(), &unknown) {
		t.Errorf("Ready: %v", p.Ready())
	}
	if len(server.Keys()) != 0 {
		t.Errorf("it wrote %v", server.Keys())
	}
	town.wantCommitted(t, 0)
}

// Order case 4: an application deletes with a clock that is behind the row's version.
func TestOrderCase4DeleteWithAClockThatIsBehind(t *testing.T) {
	town := startTown(t)
	_, client := startRedis(t)
	ahead := now.Add(30 * time.Minute).UnixMilli()
	town.write(t, live(1, ahead, now))
	if err := town.writer.Delete(t.Context(), &customers.Customer{ID: 1}, bridge.Some(ahead)); err != nil {
		t.Fatal(err)
	}
	town.write(t)
	p, _ := town.start(t, client)
	until(t, "both are taken", func() bool { return p.Stats().Records == 2 })
	if got := read(t, client, 1); got == nil || !got.Sys.Deleted || got.Sys.Version.V != ahead+1 {
		t.Errorf("%+v, want a delete of version last + 1", got)
	}
}

// What is wrong stays said until the group or a fetch says that it is over: a time in
// which nothing comes is no sign while the processor is no member.
func TestReadyDoesNotFlap(t *testing.T) {
	_, client := startRedis(t)
	p, err := New(customers.Any, Options{Brokers: []string{"127.0.0.1:1"}, Registry: "http://127.0.0.1:1", Redis: client})
	if err != nil {
		t.Fatal(err)
	}
	away := errors.New("away")
	for i, step := range []struct {
		do   func()
		want error
	}{
		{func() { p.polled(nil) }, errNotStarted},
		{func() { p.polled(away) }, away},
		{func() { p.polled(nil) }, away},
		{func() { p.joined(true, nil) }, nil},
		{func() { p.polled(away) }, away},
		{func() { p.polled(nil) }, nil},
		{func() { p.joined(false, errNotStarted) }, errNotStarted},
		{func() { p.polled(nil) }, errNotStarted},
		{func() { p.joined(true, nil) }, nil},
	} {
		if step.do(); !errors.Is(p.Ready(), step.want) {
			t.Errorf("step %d: %v, want %v", i, p.Ready(), step.want)
		}
	}
}

// A broker that is not there is named, with the reason, and not after minutes.
func TestReadySaysWhyItCannotJoin(t *testing.T) {
	_, client := startRedis(t)
	p, err := New(customers.Any, Options{Brokers: []string{"127.0.0.1:1"}, Registry: "http://127.0.0.1:1", Redis: client})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	until(t, "why", func() bool { return strings.Contains(p.Ready().Error(), "connecting to 127.0.0.1:1: ") })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestNewSaysWhatIsMissing(t *testing.T) {
	_, client := startRedis(t)
	for want, o := range map[string]Options{
		"no Redis":           {Brokers: []string{"127.0.0.1:1"}, Registry: "http://127.0.0.1:1"},
		"no brokers":         {Redis: client, Registry: "http://127.0.0.1:1"},
		"no schema registry": {Redis: client, Brokers: []string{"127.0.0.1:1"}},
	} {
		if _, err := New(customers.Any, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
