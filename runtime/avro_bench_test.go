package bridge_test

import (
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/hamba/avro/v2"
)

// benchRows are rows as the stream carries them, one in twenty a delete.
func benchRows() []customers.Customer {
	rows := make([]customers.Customer, 1000)
	var env bridge.Env
	for i := range rows {
		id := int64(i)*7919 + 1_000_000
		rows[i] = customers.Customer{
			ID: id, Email: "customer" + bridge.Timestamp(id).Time().Format("150405") + "@example.com",
			Status: customers.StatusActive, CreatedAt: bridge.Timestamp(1_700_000_000_000 + id*1000), UpdatedAt: bridge.Timestamp(1_780_000_000_000 + id),
			Sys: bridge.System{Source: bridge.Streaming, IngestedAt: bridge.Timestamp(1_780_000_100_000 + id), Seq: 1_780_000_100_000_000 + id, Deleted: i%20 == 19},
		}
		if rows[i].Sys.Deleted {
			rows[i].Sys.Version = bridge.Some(1_780_000_100_000 + id)
		}
		if !customers.Apply(&env, &rows[i]) {
			panic("a row of the benchmark is invalid")
		}
	}
	return rows
}

// peer is the same record for hamba/avro, with pointers for unions as it wants them.
type peer struct {
	ID         int64   `avro:"id"`
	Email      *string `avro:"email"`
	Status     *string `avro:"status"`
	IsActive   *bool   `avro:"is_active"`
	CreatedAt  *int64  `avro:"created_at"`
	UpdatedAt  *int64  `avro:"updated_at"`
	Source     string  `avro:"_source"`
	IngestedAt int64   `avro:"_ingested_at"`
	Version    *int64  `avro:"_version"`
	Seq        int64   `avro:"_seq"`
	Deleted    bool    `avro:"_deleted"`
}

func peers(rows []customers.Customer) []peer {
	out := make([]peer, len(rows))
	for i := range rows {
		r := &rows[i]
		out[i] = peer{ID: r.ID, Source: r.Sys.Source.String(), IngestedAt: int64(r.Sys.IngestedAt), Version: &r.Sys.Version.V, Seq: r.Sys.Seq, Deleted: r.Sys.Deleted}
		if !r.Sys.Deleted {
			status, created, updated := string(r.Status), int64(r.CreatedAt), int64(r.UpdatedAt)
			out[i].Email, out[i].Status, out[i].IsActive, out[i].CreatedAt, out[i].UpdatedAt = &r.Email, &status, &r.IsActive, &created, &updated
		}
	}
	return out
}

// measure reports rows per second of f, which handles n rows a call.
func measure(b *testing.B, n int, f func()) {
	b.ReportAllocs()
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkAvroEncode(b *testing.B) {
	rows := benchRows()
	b.Run("bridgegen", func(b *testing.B) {
		var buf []byte
		measure(b, len(rows), func() {
			for i := range rows {
				buf = customers.AppendAvro(buf[:0], &rows[i])
			}
		})
	})
	b.Run("hamba", func(b *testing.B) {
		schema, others := avro.MustParse(customers.Table.Schema.Avro), peers(rows)
		measure(b, len(rows), func() {
			for i := range others {
				if _, err := avro.Marshal(schema, &others[i]); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}

func BenchmarkAvroDecode(b *testing.B) {
	rows := benchRows()
	wire := make([][]byte, len(rows))
	for i := range rows {
		wire[i] = customers.AppendAvro(nil, &rows[i])
	}
	b.Run("bridgegen", func(b *testing.B) {
		var r customers.Customer
		measure(b, len(rows), func() {
			for _, w := range wire {
				if err := customers.ReadAvro(&r, w); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
	b.Run("hamba", func(b *testing.B) {
		schema := avro.MustParse(customers.Table.Schema.Avro)
		measure(b, len(rows), func() {
			for _, w := range wire {
				var r peer
				if err := avro.Unmarshal(schema, w, &r); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}
