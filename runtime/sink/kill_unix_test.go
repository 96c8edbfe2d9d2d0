//go:build unix

package sink_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/twmb/franz-go/pkg/kgo"
)

// child is what a child process needs to run a sink; it comes as JSON in an
// environment variable.
type child struct {
	Brokers       []string
	Registry, Dir string
}

const (
	childVariable = "BRIDGE_SINK_TEST_CHILD"
	session       = time.Second
)

func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv(childVariable); ok {
		if err := runChild(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func runChild(text string) error {
	var c child
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := sink.New(customers.Any, sink.Options{
		Brokers: c.Brokers, Registry: c.Registry, Store: slowStore{lake.NewLocal(c.Dir)}, FlushInterval: 60 * time.Millisecond,
		FlushRows: 10 + rand.IntN(50), // members cut differently; a plan is kept all the same
		Kafka:     []kgo.Opt{kgo.SessionTimeout(session), kgo.RebalanceTimeout(2 * session), kgo.HeartbeatInterval(session / 10), kgo.MetadataMinAge(50 * time.Millisecond)},
	})
	if err != nil {
		return err
	}
	return s.Run(ctx)
}

// slowStore is a store across a network: an object takes up to 20 ms, and one that is
// on its way arrives, even if its sender was stopped or has lost its partition since.
type slowStore struct{ lake.Store }

func (s slowStore) Stage(ctx context.Context, key string) (lake.Staged, error) {
	staged, err := s.Store.Stage(ctx, key)
	return slowStaged{staged}, err
}

type slowStaged struct{ lake.Staged }

func (s slowStaged) Commit(ctx context.Context) error {
	time.Sleep(time.Duration(rand.Int64N(int64(20 * time.Millisecond))))
	return s.Staged.Commit(context.WithoutCancel(ctx))
}

// process is a running child.
type process struct {
	cmd    *exec.Cmd
	output *bytes.Buffer
}

func (b *bed) spawn() *process {
	b.t.Helper()
	text, err := json.Marshal(child{b.cluster.Brokers, b.cluster.Registry, b.dir})
	if err != nil {
		b.t.Fatal(err)
	}
	p := &process{exec.Command(os.Args[0]), &bytes.Buffer{}}
	p.cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	p.cmd.Stderr = p.output
	if err := p.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it has ended already, unless the test failed
		_ = p.cmd.Wait()
	})
	return p
}

func (p *process) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatalf("%v: %v\n%s", s, err, p.output)
	}
}

// end waits for a clean end.
func (p *process) end(t *testing.T) {
	t.Helper()
	p.signal(t, syscall.SIGTERM)
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("a member ended with %v\n%s", err, p.output)
	}
}

// place is where a record lies in the topic.
type place struct {
	partition int32
	offset    int64
	hour      bridge.Timestamp
}

// feed produces records of interleaved hours until told to stop, in transactions:
// their markers leave gaps between offsets, and aborted ones must never land.
type feed struct {
	b      *bed
	client *kgo.Client
	landed map[int64]place // what has to land, by customer
}

func (b *bed) newFeed() *feed {
	b.t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(b.cluster.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.TransactionalID("feed"))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(client.Close)
	return &feed{b: b, client: client, landed: map[int64]place{}}
}

func (f *feed) run(ctx context.Context) error {
	for n := 0; ctx.Err() == nil; n++ {
		if err := f.transaction(n%4 != 3); err != nil {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

func (f *feed) transaction(commit bool) error {
	if err := f.client.BeginTransaction(); err != nil {
		return err
	}
	rows := map[string]*customers.Customer{}
	var records []*kgo.Record
	for range 1 + rand.IntN(12) {
		row := f.b.row(rand.IntN(180))
		r := f.b.record(rand.Int32N(3), &row)
		rows[string(r.Key)], records = &row, append(records, r)
	}
	ctx := context.Background()
	if err := f.client.ProduceSync(ctx, records...).FirstErr(); err != nil {
		return err
	}
	if err := f.client.EndTransaction(ctx, kgo.TransactionEndTry(commit)); err != nil || !commit {
		return err
	}
	for _, r := range records {
		row := rows[string(r.Key)]
		f.landed[row.ID] = place{r.Partition, r.Offset, customers.Table.Schema.FloorPartition(row.Sys.IngestedAt)}
	}
	return nil
}

// TestKill kills and stops members at random points. BRIDGE_KILL_ROUNDS says how often
// (default 5). In the end every record is in exactly one object, under its right name.
func TestKillLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	rounds := 5
	if text, ok := os.LookupEnv("BRIDGE_KILL_ROUNDS"); ok {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		rounds = n
	}
	b := newBed(t, 3)
	f := b.newFeed()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	fed := make(chan error, 1)
	go func() { fed <- f.run(ctx) }()
	members := []*process{b.spawn(), b.spawn()}
	for round := range rounds {
		time.Sleep(time.Duration(rand.Int64N(int64(700 * time.Millisecond))))
		victim := rand.IntN(2)
		if round%2 == 1 { // away for longer than its session, then back with old news
			members[victim].signal(t, syscall.SIGSTOP)
			time.Sleep(session + time.Duration(rand.Int64N(int64(session))))
			members[victim].signal(t, syscall.SIGCONT)
			continue
		}
		members[victim].signal(t, syscall.SIGKILL)
		_ = members[victim].cmd.Wait() // killed, as asked
		members[victim] = b.spawn()
	}
	stop()
	if err := <-fed; err != nil {
		t.Fatal(err)
	}
	f.waitLanded()
	for _, m := range members {
		m.end(t)
	}
	f.verify()
}

// waitLanded waits until a plain last record of each partition is committed, without a
// plan behind it.
func (f *feed) waitLanded() {
	ends := map[int32]int64{}
	for p := range int32(3) {
		row := f.b.row(0)
		r := f.b.record(p, &row)
		f.b.produce(r)
		ends[p] = r.Offset + 1
		f.landed[row.ID] = place{p, r.Offset, customers.Table.Schema.FloorPartition(row.Sys.IngestedAt)}
	}
	for p, end := range ends {
		until(f.b.t, fmt.Sprintf("partition %d is landed to its end", p), func() bool {
			at, _ := f.b.committed(p)
			return at == end
		})
	}
}

func (f *feed) verify() {
	t := f.b.t
	seen := map[int64]string{}
	for key, o := range f.b.objects() {
		for i, r := range o.rows {
			where, ok := f.landed[r.ID]
			if !ok {
				t.Errorf("%s holds customer %d of an aborted transaction", key, r.ID)
				continue
			}
			if other, twice := seen[r.ID]; twice {
				t.Errorf("customer %d (%+v) is in %s and in %s", r.ID, where, other, key)
			}
			seen[r.ID] = key
			first := f.landed[o.rows[0].ID]
			want := fmt.Sprintf("%s/customer-events+%d+%010d.snappy.parquet", customers.Table.Schema.Partition(where.hour), where.partition, first.offset)
			if key != want {
				t.Errorf("customer %d (row %d, %+v) is in %s, want %s", r.ID, i, where, key, want)
			}
		}
	}
	for id, where := range f.landed {
		if _, ok := seen[id]; !ok {
			t.Errorf("customer %d (%+v) is lost", id, where)
		}
	}
	if len(seen) < 100 {
		t.Errorf("only %d records: the test is too small to prove anything", len(seen))
	}
	t.Logf("%d records in %d objects", len(seen), len(f.b.objects()))
}
