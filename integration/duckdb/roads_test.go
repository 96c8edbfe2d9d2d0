//go:build cgo

package duckdb

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	everytype "github.com/bridgegen/bridgegen/integration/generated/every_type"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/bridgetest"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/twmb/franz-go/pkg/kgo"
)

const rowsOfATable = 600

// TestDuckDB lands random rows of each table by every road in one lake: by the writer
// itself, by a load, and by the sink.
func TestDuckDB(t *testing.T) {
	for _, table := range []bridge.Any{customers.Any, everytype.Any} {
		t.Run(table.Info().Table, func(t *testing.T) {
			dir := t.TempDir()
			rows := crowded(t, table)
			landed := write(t, table, dir, rows) + load(t, table, dir, rows) + sinkAll(t, table, dir, rows)
			if read := Compare(t, table, dir); read != landed {
				t.Errorf("%d rows landed, %d were compared", landed, read)
			}
		})
	}
}

// crowded are random rows of which the second half has keys of the first, with all that
// the order compares now equal, now not.
func crowded(t *testing.T, table bridge.Any) bridge.Rows {
	rows := bridgetest.Rows(t, table, rowsOfATable, 7)
	rng := rand.New(rand.NewPCG(7, 7))
	half := rows.Len() / 2
	for i := half; i < rows.Len(); i++ {
		sys := *rows.Sys(i)
		rows.Copy(i, rows, rng.IntN(half))
		if rng.IntN(3) > 0 {
			sys.Version = rows.Sys(i).Version
		}
		sys.Deleted = rows.Sys(i).Deleted
		*rows.Sys(i) = sys
	}
	return rows
}

// write lands the rows by the writer itself, in pages of odd sizes.
func write(t *testing.T, table bridge.Any, dir string, rows bridge.Rows) int {
	s := table.Info()
	staged, err := lake.NewLocal(dir).Stage(t.Context(), s.Prefix()+"/"+s.Partition(0)+"/"+s.Topic+"+99+0000000000.parquet")
	if err != nil {
		t.Fatal(err)
	}
	w := lake.NewWriter(s, lake.WriterOptions{RowGroupRows: 200})
	w.Reset(staged)
	page := bridge.NewPage(s)
	for from := 0; from < rows.Len(); from += 37 {
		rows.Fill(page, from, min(from+37, rows.Len()))
		if err := w.WritePage(page); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := staged.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return rows.Len()
}

// load lands the live rows as a load of JSON lines.
func load(t *testing.T, table bridge.Any, dir string, rows bridge.Rows) int {
	s := table.Info()
	var lines bytes.Buffer
	n := 0
	for i := range rows.Len() {
		if line := jsonLine(t, s, rows, i); line != nil {
			lines.Write(append(line, '\n'))
			n++
		}
	}
	input := batch.Input{Name: "rows.jsonl", Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(lines.Bytes())), nil
	}}
	result, err := batch.Load(t.Context(), table, []batch.Input{input}, batch.Options{Store: lake.NewLocal(dir), Format: "jsonl", RowGroupRows: 150,
		Time: s.FloorPartition(bridge.TimestampOf(time.Date(2026, 8, 19, 2, 0, 0, 0, time.UTC))), AsOf: bridge.TimestampOf(time.Date(2150, 1, 1, 0, 0, 0, 0, time.UTC))})
	if err != nil {
		t.Fatal(err)
	}
	if result.Rows != int64(n) || n == 0 {
		t.Fatalf("%d of %d rows were loaded", result.Rows, n)
	}
	return n
}

// jsonLine is the row as an object of the source; nil for a delete, and for a text with a
// NUL, which no load takes.
func jsonLine(t *testing.T, s *bridge.Schema, rows bridge.Rows, i int) []byte {
	document := rows.AppendJSON(nil, i)
	if rows.Sys(i).Deleted || bytes.Contains(document, []byte(`\u0000`)) {
		return nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(document, &members); err != nil {
		t.Fatal(err)
	}
	line := map[string]json.RawMessage{}
	for _, f := range s.Fields {
		line[f.From] = members[f.Name]
	}
	out, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sinkAll lands the rows by the sink, off a topic.
func sinkAll(t *testing.T, table bridge.Any, dir string, rows bridge.Rows) int {
	s := table.Info()
	cluster, err := embedded.Start(t.Context(), embedded.Options{Topics: []string{s.Topic}, Partitions: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	produce(t, table, cluster, rows)
	land, err := sink.New(table, sink.Options{Brokers: cluster.Brokers, Registry: cluster.Registry, Store: lake.NewLocal(dir), FlushInterval: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- land.Run(ctx) }()
	for deadline := time.Now().Add(time.Minute); land.Stats().Records < int64(rows.Len()) && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if stats := land.Stats(); stats.Records != int64(rows.Len()) || stats.DeadLetters > 0 {
		t.Fatalf("the sink landed %+v of %d records", stats, rows.Len())
	}
	return rows.Len()
}

// produce writes the rows to the topic, as streamed ones.
func produce(t *testing.T, table bridge.Any, cluster *embedded.Cluster, rows bridge.Rows) {
	s := table.Info()
	registry, err := stream.RegistryClient(cluster.Registry)
	if err != nil {
		t.Fatal(err)
	}
	id, err := stream.Register(t.Context(), registry, s)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(strings.Join(cluster.Brokers, ",")))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var records []*kgo.Record
	one := table.NewRows(1)
	for i := range rows.Len() {
		one.Copy(0, rows, i)
		one.Sys(0).Source = bridge.Streaming
		value := one.AppendAvro(binary.BigEndian.AppendUint32([]byte{0}, uint32(id)), 0)
		records = append(records, &kgo.Record{Topic: s.Topic, Key: one.AppendKey(nil, 0), Value: value})
	}
	if err := client.ProduceSync(t.Context(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}
