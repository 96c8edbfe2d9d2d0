package stream_test

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/hamba/avro/v2"
)

// The value is what any client of the registry can read: here hamba with the schema
// that the record's id names, values by the spec.
func TestWriteIsTheConfluentWireFormat(t *testing.T) {
	c := cluster(t)
	w := writer(t, c, nil)
	given := customer(42)
	if err := errors.Join(w.Write(t.Context(), given), w.Flush(t.Context())); err != nil {
		t.Fatal(err)
	}
	if given.Email != "  Ada@Example.COM " {
		t.Error("the caller's row was changed")
	}
	r := consume(t, c, 1)[0]
	if string(r.Key) != `{"id":42}` {
		t.Errorf("key %s", r.Key)
	}
	if r.Value[0] != 0 {
		t.Fatalf("no magic byte: %x", r.Value)
	}
	schema, err := client(t, c).SchemaByID(t.Context(), int(binary.BigEndian.Uint32(r.Value[1:5])))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := avro.ParseBytesWithCache([]byte(schema.Schema), "", &avro.SchemaCache{})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		ID        int64      `avro:"id"`
		Email     *string    `avro:"email"`
		Status    *string    `avro:"status"`
		IsActive  *bool      `avro:"is_active"`
		CreatedAt *time.Time `avro:"created_at"`
		Source    string     `avro:"_source"`
		Ingested  time.Time  `avro:"_ingested_at"`
		Version   *int64     `avro:"_version"`
		Seq       int64      `avro:"_seq"`
		Deleted   bool       `avro:"_deleted"`
	}
	if err := avro.Unmarshal(parsed, r.Value[5:], &got); err != nil {
		t.Fatal(err)
	}
	if got.ID != 42 || *got.Email != "ada@example.com" || *got.Status != "active" || !*got.IsActive || got.Source != "streaming" || got.Deleted {
		t.Errorf("%+v", got)
	}
	if !got.CreatedAt.Equal(noon.Add(-time.Hour).Truncate(time.Millisecond)) || !got.Ingested.Equal(noon.Truncate(time.Millisecond)) ||
		*got.Version != noon.Add(-time.Minute).UnixMilli() || got.Seq != noon.UnixMicro() {
		t.Errorf("times and order: %+v", got)
	}
}

// Kafka's own partitioner: murmur2 of the key, sign bit off, modulo the partitions.
func TestPartitionIsMurmur2OfTheKey(t *testing.T) {
	for text, want := range map[string]int32{"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536} { // Kafka's UtilsTest
		if got := murmur2([]byte(text)); got != want {
			t.Fatalf("murmur2(%q) = %d, want %d", text, got, want)
		}
	}
	c := cluster(t)
	w := writer(t, c, nil)
	const n = 40
	for id := range int64(n) {
		if err := w.Write(t.Context(), customer(id)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, r := range consume(t, c, n) {
		if want := (murmur2(r.Key) & 0x7fffffff) % 4; r.Partition != want {
			t.Errorf("key %s lies in partition %d, want %d", r.Key, r.Partition, want)
		}
	}
}

func murmur2(b []byte) int32 {
	const m, shift = 0x5bd1e995, 24
	h := 0x9747b28c ^ uint32(len(b))
	for ; len(b) >= 4; b = b[4:] {
		k := binary.LittleEndian.Uint32(b) * m
		k ^= k >> shift
		h = h*m ^ k*m
	}
	switch len(b) {
	case 3:
		h ^= uint32(b[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(b[1]) << 8
		fallthrough
	case 1:
		h = (h ^ uint32(b[0])) * m
	}
	h ^= h >> 13
	h *= m
	h ^= h >> 15
	return int32(h)
}

// The clock stands still, _seq does not.
func TestSeqAlwaysGrows(t *testing.T) {
	c := cluster(t)
	w := writer(t, c, nil)
	for range 5 {
		if err := w.Write(t.Context(), customer(1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, row := range rowsOf(t, c, 5) {
		if want := noon.UnixMicro() + int64(i); row.Sys.Seq != want {
			t.Errorf("row %d has _seq %d, want %d", i, row.Sys.Seq, want)
		}
	}
}

func rowsOf(t *testing.T, c *embedded.Cluster, n int) []customers.Customer {
	t.Helper()
	d, rows := stream.NewDecoder(customers.Any, client(t, c)), &bridge.RowsOf[customers.Customer]{T: customers.Table, R: make([]customers.Customer, n)}
	for i, r := range consume(t, c, n) {
		if err := d.Decode(t.Context(), r.Value, rows, i); err != nil {
			t.Fatal(err)
		}
	}
	return rows.R
}

func TestInvalidRowsAreNotSent(t *testing.T) {
	c := cluster(t)
	w := writer(t, c, nil)
	bad := customer(1)
	bad.Status, bad.CreatedAt = "asleep", bridge.MaxTimestamp+1
	err := w.Write(t.Context(), bad)
	var invalid *stream.Invalid
	if !errors.As(err, &invalid) || len(invalid.Rejects) != 2 {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{`"status" is not one of active, inactive, banned, suspended`, `"created_at" is outside the years 1 to 9999`, `"customers"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	ahead := customer(2)
	ahead.UpdatedAt = bridge.TimestampOf(noon.Add(61 * time.Minute)) // max_future is an hour
	if err := w.Write(t.Context(), ahead); !errors.As(err, &invalid) {
		t.Errorf("a version ahead of max_future: %v", err)
	}
	if err := errors.Join(w.Write(t.Context(), customer(3)), w.Flush(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got := consume(t, c, 1); string(got[0].Key) != `{"id":3}` || got[0].Offset != 0 {
		t.Errorf("the first record is %s at %d", got[0].Key, got[0].Offset)
	}
}

// A delete outlives the row that its caller knows, also with a clock that is behind.
func TestDeleteVersions(t *testing.T) {
	c := cluster(t)
	w := writer(t, c, nil)
	now := noon.UnixMilli()
	for i, last := range []bridge.Opt[int64]{{}, bridge.Some(now - 5), bridge.Some(now + 5)} {
		row := *customer(int64(i))
		if err := w.Delete(t.Context(), &row, last); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[int64]int64{0: now, 1: now, 2: now + 6}
	for _, row := range rowsOf(t, c, 3) {
		empty := customers.Customer{ID: row.ID, Sys: row.Sys}
		if row != empty || !row.Sys.Deleted || row.Sys.Version != bridge.Some(want[row.ID]) {
			t.Errorf("%+v, want version %d", row, want[row.ID])
		}
	}
	if err := w.Delete(t.Context(), customer(9), bridge.Some(int64(1<<63-1))); err == nil {
		t.Error("a delete cannot outlive the greatest version")
	}
}

// variant is the customers table with another schema.
func variant(change func(*bridge.Schema)) *bridge.Table[customers.Customer] {
	t, s := *customers.Table, *customers.Table.Schema
	change(&s)
	t.Schema = &s
	return &t
}

func TestDeleteNeedsWhatTheSpecSays(t *testing.T) {
	c := cluster(t)
	o := stream.Options{Brokers: c.Brokers, Registry: c.Registry, AutoRegister: true}
	keeps, err := stream.NewWriter(t.Context(), variant(func(s *bridge.Schema) { s.Deletes = false }), o)
	if err != nil {
		t.Fatal(err)
	}
	defer keeps.Close(context.Background())
	if err := keeps.Delete(t.Context(), customer(1), bridge.Opt[int64]{}); err == nil || !strings.Contains(err.Error(), "deletes: true") {
		t.Errorf("no deletes: %v", err)
	}
	counted, err := stream.NewWriter(t.Context(), variant(func(s *bridge.Schema) { s.Version = 0 }), o) // id is a long
	if err != nil {
		t.Fatal(err)
	}
	if err := counted.Delete(t.Context(), customer(1), bridge.Opt[int64]{}); err == nil {
		t.Error("a number has no clock: the last version is needed")
	}
	if err := errors.Join(counted.Delete(t.Context(), customer(1), bridge.Some(int64(7))), counted.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	if rows := rowsOf(t, c, 1); rows[0].Sys.Version != bridge.Some(int64(8)) {
		t.Errorf("version %v, want 8", rows[0].Sys.Version)
	}
}
