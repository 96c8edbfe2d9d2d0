package serve_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/serve"
	"github.com/parquet-go/parquet-go"
)

const (
	batchRows  = 1_000_000
	streamRows = 200_000
	hour       = 1_755_568_800_000 // 2025-08-19T02:00:00Z
)

var statuses = [...]customers.Status{customers.StatusActive, customers.StatusInactive, customers.StatusBanned, customers.StatusSuspended}

// row i of a dump of all keys, then of changes to some of them, one delete in a hundred.
func row(i int) customers.Customer {
	mixed := uint64(i+1) * 0x9e3779b97f4a7c15
	r := customers.Customer{ID: int64(i)}
	r.Sys = bridge.System{Version: bridge.Some(int64(hour - mixed>>40)), IngestedAt: hour, Source: bridge.Batch}
	r.Sys.Seq, _ = bridge.BatchSeq(hour/3_600_000, 0, int64(i))
	if i >= batchRows {
		r.ID = int64(mixed % batchRows)
		r.Sys = bridge.System{Version: bridge.Some(int64(hour + mixed>>40)), IngestedAt: hour, Source: bridge.Streaming, Seq: hour*1000 + int64(i), Deleted: i%100 == 99}
	}
	if !r.Sys.Deleted {
		r.Email = fmt.Sprintf("user%d@example.com", r.ID)
		r.Status = statuses[mixed>>62]
		r.IsActive = r.Status == customers.StatusActive
		r.CreatedAt, r.UpdatedAt = hour-bridge.Timestamp(mixed>>28), bridge.Timestamp(r.Sys.Version.V)
	}
	return r
}

// peerRow is a customer as a user of parquet-go alone would declare it.
type peerRow struct {
	ID         int64  `parquet:"id"`
	Email      string `parquet:"email,optional"`
	Status     string `parquet:"status,optional,dict"`
	IsActive   bool   `parquet:"is_active,optional"`
	CreatedAt  int64  `parquet:"created_at,optional,timestamp(millisecond)"`
	UpdatedAt  int64  `parquet:"updated_at,optional,timestamp(millisecond)"`
	Source     string `parquet:"_source,dict"`
	IngestedAt int64  `parquet:"_ingested_at,timestamp(millisecond)"`
	Version    int64  `parquet:"_version,optional"`
	Seq        int64  `parquet:"_seq"`
	Deleted    bool   `parquet:"_deleted"`
}

func peerOf(r *customers.Customer) peerRow {
	return peerRow{ID: r.ID, Email: r.Email, Status: string(r.Status), IsActive: r.IsActive, CreatedAt: int64(r.CreatedAt), UpdatedAt: int64(r.UpdatedAt),
		Source: r.Sys.Source.String(), IngestedAt: int64(r.Sys.IngestedAt), Version: r.Sys.Version.V, Seq: r.Sys.Seq, Deleted: r.Sys.Deleted}
}

func (r *peerRow) newer(o *peerRow) bool {
	if r.Version != o.Version {
		return r.Version > o.Version
	}
	if r.Source != o.Source {
		return r.Source == "streaming"
	}
	if r.Seq != o.Seq {
		return r.Seq > o.Seq
	}
	return r.IngestedAt > o.IngestedAt
}

var ranges = [...]struct {
	from, to int
	file     string
}{{0, batchRows, "batch_2025081902.parquet"}, {batchRows, batchRows + streamRows, "customer-events+0+0000000000.parquet"}}

func writeLake(b *testing.B) lake.Store {
	store := lake.NewLocal(b.TempDir())
	w := lake.NewWriter(customers.Table.Schema, lake.WriterOptions{})
	p, rows := bridge.NewPage(customers.Table.Schema), customers.Any.NewRows(8192)
	for _, r := range ranges {
		staged, err := store.Stage(b.Context(), "lake/customer-events/year=2025/month=08/day=19/hour=02/"+r.file)
		if err != nil {
			b.Fatal(err)
		}
		w.Reset(staged)
		for from := r.from; from < r.to; from += rows.Len() {
			n := min(rows.Len(), r.to-from)
			for i := range n {
				rows.(*bridge.RowsOf[customers.Customer]).R[i] = row(from + i)
			}
			rows.Fill(p, 0, n)
			if err := w.WritePage(p); err != nil {
				b.Fatal(err)
			}
		}
		if err := errors.Join(w.Close(), staged.Commit(b.Context())); err != nil {
			b.Fatal(err)
		}
	}
	return store
}

func writePeer(b *testing.B) (files []string) {
	for _, r := range ranges {
		name := filepath.Join(b.TempDir(), r.file)
		f, err := os.Create(name)
		if err != nil {
			b.Fatal(err)
		}
		w := parquet.NewGenericWriter[peerRow](f, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(500_000))
		chunk := make([]peerRow, 0, 1000)
		for i := r.from; i < r.to; i++ {
			c := row(i)
			if chunk = append(chunk, peerOf(&c)); len(chunk) == cap(chunk) {
				if _, err := w.Write(chunk); err != nil {
					b.Fatal(err)
				}
				chunk = chunk[:0]
			}
		}
		if err := errors.Join(w.Close(), f.Close()); err != nil {
			b.Fatal(err)
		}
		files = append(files, name)
	}
	return files
}

// measure reports rows per second and allocations per row of a dedup that counts live keys.
func measure(b *testing.B, live func() int) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var got int
	for b.Loop() {
		got = live()
	}
	runtime.ReadMemStats(&after)
	rows := float64(b.N) * (batchRows + streamRows)
	b.ReportMetric(rows/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/rows, "allocs/row")
	if want := liveKeys(); got != want {
		b.Fatalf("%d live keys, want %d", got, want)
	}
}

// liveKeys is the expected result, without files.
func liveKeys() int {
	newest := make([]bridge.System, batchRows)
	for i := range batchRows + streamRows {
		r := row(i)
		if s := &newest[r.ID]; s.Source == 0 || bridge.Compare(&r.Sys, s, bridge.Streaming) > 0 {
			*s = r.Sys
		}
	}
	n := 0
	for i := range newest {
		if !newest[i].Deleted {
			n++
		}
	}
	return n
}

// BenchmarkDedup reads a load of a million rows and 200,000 streamed changes and hands
// out the newest live row of each key. The peer reads parquet-go's own files.
func BenchmarkDedup(b *testing.B) {
	b.Run("bridgegen", func(b *testing.B) {
		store := writeLake(b)
		measure(b, func() int {
			n := 0
			_, err := serve.Dedup(context.Background(), customers.Any, store, true, func(rows bridge.Rows) error {
				n += rows.Len()
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			return n
		})
	})
	b.Run("map", func(b *testing.B) {
		files := writePeer(b)
		measure(b, func() int { return mapDedup(b, files) })
	})
}

func mapDedup(b *testing.B, files []string) int {
	newest := map[int64]peerRow{}
	chunk := make([]peerRow, 1000)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		r := parquet.NewGenericReader[peerRow](f)
		for {
			n, err := r.Read(chunk)
			for i := range chunk[:n] {
				if old, ok := newest[chunk[i].ID]; !ok || chunk[i].newer(&old) {
					newest[chunk[i].ID] = chunk[i]
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		if err := errors.Join(r.Close(), f.Close()); err != nil {
			b.Fatal(err)
		}
	}
	n := 0
	for _, r := range newest {
		if !r.Deleted {
			n++
		}
	}
	return n
}
