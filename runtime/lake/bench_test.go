package lake_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/parquet-go/parquet-go"
)

// peerRow is a customer as a user of parquet-go alone would declare it, with the same
// optional columns.
type peerRow struct {
	ID         int64   `parquet:"id"`
	Email      *string `parquet:"email,optional"`
	Status     *string `parquet:"status,optional,dict"`
	IsActive   *bool   `parquet:"is_active,optional"`
	CreatedAt  *int64  `parquet:"created_at,optional,timestamp(millisecond)"`
	UpdatedAt  *int64  `parquet:"updated_at,optional,timestamp(millisecond)"`
	Source     string  `parquet:"_source,dict"`
	IngestedAt int64   `parquet:"_ingested_at,timestamp(millisecond)"`
	Version    *int64  `parquet:"_version,optional"`
	Seq        int64   `parquet:"_seq"`
	Deleted    bool    `parquet:"_deleted"`
}

const (
	benchRows = 500_000
	benchPage = 8192
	hour      = 1_755_568_800_000 // 2025-08-19T02:00:00Z
)

var statuses = [...]customers.Status{customers.StatusActive, customers.StatusInactive, customers.StatusBanned, customers.StatusSuspended}

// sample is a load of customers: dense keys, a version per row, a delete in a hundred.
func sample(n int) []customers.Customer {
	rows := make([]customers.Customer, n)
	for i := range rows {
		r := &rows[i]
		mixed := uint64(i+1) * 0x9e3779b97f4a7c15
		r.ID = int64(i)
		seq, _ := bridge.BatchSeq(hour/3_600_000, 0, int64(i))
		r.Sys = bridge.System{Version: bridge.Some(int64(hour - mixed>>40)), Seq: seq, IngestedAt: hour, Source: bridge.Batch, Deleted: i%100 == 99}
		if r.Sys.Deleted {
			continue
		}
		r.Email = fmt.Sprintf("user%d.%d@example.com", i, mixed>>50)
		r.Status = statuses[mixed>>62]
		r.IsActive = r.Status == customers.StatusActive
		r.CreatedAt = bridge.Timestamp(hour - mixed>>28)
		r.UpdatedAt = bridge.Timestamp(r.Sys.Version.V)
	}
	return rows
}

func peers(rows []customers.Customer) []peerRow {
	out := make([]peerRow, len(rows))
	for i := range rows {
		r := &rows[i]
		p := &out[i]
		*p = peerRow{ID: r.ID, Source: r.Sys.Source.String(), IngestedAt: int64(r.Sys.IngestedAt), Seq: r.Sys.Seq, Deleted: r.Sys.Deleted}
		if r.Sys.Version.OK {
			p.Version = &r.Sys.Version.V
		}
		if r.Sys.Deleted {
			continue
		}
		created, updated, status := int64(r.CreatedAt), int64(r.UpdatedAt), string(r.Status)
		p.Email, p.Status, p.IsActive, p.CreatedAt, p.UpdatedAt = &r.Email, &status, &r.IsActive, &created, &updated
	}
	return out
}

// measure runs one file per iteration and reports rows per second and allocations per row.
func measure(b *testing.B, file func()) {
	file() // the buffers grow in the first
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for b.Loop() {
		file()
		n++
	}
	runtime.ReadMemStats(&after)
	rows := float64(n) * benchRows
	b.ReportMetric(rows/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/rows, "allocs/row")
}

func writeRows(tb testing.TB, w *lake.Writer, p *bridge.Page, out io.Writer, rows []customers.Customer) {
	w.Reset(out)
	for len(rows) > 0 {
		n := min(len(rows), benchPage)
		customers.Table.Fill(p, rows[:n])
		if err := w.WritePage(p); err != nil {
			tb.Fatal(err)
		}
		rows = rows[n:]
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}

func BenchmarkWrite(b *testing.B) {
	rows := sample(benchRows)
	b.Run("bridgegen", func(b *testing.B) {
		w := lake.NewWriter(customers.Table.Schema, lake.WriterOptions{})
		p := bridge.NewPage(customers.Table.Schema)
		var out bytes.Buffer
		measure(b, func() {
			out.Reset()
			writeRows(b, w, p, &out, rows)
		})
	})
	b.Run("GenericWriter", func(b *testing.B) {
		rows := peers(rows)
		var out bytes.Buffer
		w := parquet.NewGenericWriter[peerRow](&out, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(500_000))
		measure(b, func() {
			out.Reset()
			w.Reset(&out)
			for at := 0; at < len(rows); at += 1000 {
				if _, err := w.Write(rows[at:min(at+1000, len(rows))]); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		})
	})
}

func BenchmarkRead(b *testing.B) {
	var out bytes.Buffer
	writeRows(b, lake.NewWriter(customers.Table.Schema, lake.WriterOptions{}), bridge.NewPage(customers.Table.Schema), &out, sample(benchRows))
	src := bytes.NewReader(out.Bytes())
	b.Run("bridgegen", func(b *testing.B) {
		rows := make([]customers.Customer, 16<<10)
		measure(b, func() {
			f, err := lake.OpenFile(customers.Table.Schema, src, src.Size(), "bench")
			if err != nil {
				b.Fatal(err)
			}
			pages, n := f.Pages(nil), 0
			for {
				p, err := pages.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					b.Fatal(err)
				}
				customers.Table.Scan(p, rows[:p.N])
				n += p.N
			}
			if n != benchRows {
				b.Fatalf("read %d rows", n)
			}
		})
	})
	b.Run("GenericReader", func(b *testing.B) {
		rows := make([]peerRow, 1000)
		measure(b, func() {
			r := parquet.NewGenericReader[peerRow](src)
			n := 0
			for {
				k, err := r.Read(rows)
				n += k
				if err == io.EOF {
					break
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			if n != benchRows {
				b.Fatalf("read %d rows", n)
			}
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		})
	})
}
