package batch_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/parquet-go/parquet-go"
)

const benchRows = 1_000_000

func benchDump() []byte {
	var b bytes.Buffer
	b.WriteString("id,email,status,created_at,updated_at\n")
	statuses := []string{"active", "inactive", "banned", "suspended"}
	for id := range benchRows {
		at := time.Date(2026, 1, 1, 0, 0, id*7%5000000, 0, time.UTC).Format(time.RFC3339)
		fmt.Fprintf(&b, "%d,Customer.%d@Example.com,%s,%s,%s\n", id, id*31, statuses[id*7%4], at, at)
	}
	return b.Bytes()
}

// reportRows adds rows/s and the allocations per row of all iterations.
func reportRows(b *testing.B, run func() error) {
	b.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		if err := run(); err != nil {
			b.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	rows := float64(b.N) * benchRows
	b.ReportMetric(rows/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/rows, "allocs/row")
}

// BenchmarkLoad makes Parquet of a CSV dump: a whole load, with checksum, marker and
// validation, beside encoding/csv and parquet-go's GenericWriter, which do the same
// normalising and nothing of the rest.
func BenchmarkLoad(b *testing.B) {
	dump := benchDump()
	hour := time.Date(2026, 8, 19, 2, 0, 0, 0, time.UTC)
	b.Run("bridgegen", func(b *testing.B) {
		reportRows(b, func() error {
			store, err := lake.OpenStore(b.Context(), b.TempDir(), lake.StoreOptions{})
			if err != nil {
				return err
			}
			in := batch.Input{Name: "dump.csv", Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(dump)), nil }}
			r, err := batch.Load(b.Context(), customers.Any, []batch.Input{in}, batch.Options{Store: store, Time: bridge.TimestampOf(hour)})
			if err == nil && r.Rows != benchRows {
				err = fmt.Errorf("%d rows", r.Rows)
			}
			return err
		})
	})
	b.Run("encoding_csv_GenericWriter", func(b *testing.B) {
		reportRows(b, func() error { return peerLoad(filepath.Join(b.TempDir(), "x.parquet"), dump, hour) })
	})
}

type peerRow struct {
	ID         int64   `parquet:"id"`
	Email      *string `parquet:"email,optional"`
	Status     *string `parquet:"status,optional,dict"`
	IsActive   *bool   `parquet:"is_active,optional"`
	CreatedAt  *int64  `parquet:"created_at,optional,timestamp"`
	UpdatedAt  *int64  `parquet:"updated_at,optional,timestamp"`
	Source     string  `parquet:"_source,dict"`
	IngestedAt int64   `parquet:"_ingested_at,timestamp"`
	Version    *int64  `parquet:"_version,optional"`
	Seq        int64   `parquet:"_seq"`
	Deleted    bool    `parquet:"_deleted"`
}

func peerLoad(path string, dump []byte, hour time.Time) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := parquet.NewGenericWriter[peerRow](f, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(500_000))
	in := csv.NewReader(bytes.NewReader(dump))
	in.ReuseRecord = true
	if _, err := in.Read(); err != nil {
		return err
	}
	rows := make([]peerRow, 0, 1000)
	for n := int64(0); ; n++ {
		record, err := in.Read()
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF || len(rows) == cap(rows) {
			if _, err := w.Write(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
		if err == io.EOF {
			return w.Close()
		}
		row, err := parsePeer(record, hour, n)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
}

func parsePeer(record []string, hour time.Time, n int64) (r peerRow, err error) {
	if r.ID, err = strconv.ParseInt(record[0], 10, 64); err != nil {
		return r, err
	}
	email, status := strings.ToLower(strings.TrimSpace(record[1])), strings.Clone(record[2])
	if !slices.Contains([]string{"active", "inactive", "banned", "suspended"}, status) {
		return r, fmt.Errorf("status %q", status)
	}
	active := status == "active"
	created, err := time.Parse(time.RFC3339, record[3])
	if err != nil {
		return r, err
	}
	updated, err := time.Parse(time.RFC3339, record[4])
	if err != nil {
		return r, err
	}
	c, u := created.UnixMilli(), updated.UnixMilli()
	r.Email, r.Status, r.IsActive, r.CreatedAt, r.UpdatedAt, r.Version = &email, &status, &active, &c, &u, &u
	r.Source, r.IngestedAt, r.Seq = "batch", hour.UnixMilli(), n
	return r, nil
}
