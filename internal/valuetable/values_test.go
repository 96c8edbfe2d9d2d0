package valuetable_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/internal/valuetable"
	"github.com/bridgegen/bridgegen/internal/valuetable/generated/values"
	valuestream "github.com/bridgegen/bridgegen/internal/valuetable/generated/values/stream"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/hamba/avro/v2"
)

var hour = bridge.TimestampOf(time.Date(2026, 8, 19, 2, 0, 0, 0, time.UTC))

func TestTheTableIsLong(t *testing.T) {
	rows := valuetable.Rows()
	if len(rows) < 200 {
		t.Errorf("%d values", len(rows))
	}
	used := map[string]bool{"id": true}
	for _, r := range rows {
		used[r.Column] = true
	}
	for _, f := range values.Table.Schema.Fields {
		if !used[f.Name] {
			t.Errorf("no value stands in column %q", f.Name)
		}
	}
}

// differ is the path at which two values differ, bit by bit; empty if they do not. The
// system columns are the roads' own.
func differ(got, want reflect.Value) string {
	switch want.Kind() {
	case reflect.Float32, reflect.Float64:
		a, b := got.Float(), want.Float()
		if math.Float64bits(a) != math.Float64bits(b) && !(math.IsNaN(a) && math.IsNaN(b)) {
			return fmt.Sprintf(": %v, want %v", a, b)
		}
		return ""
	case reflect.Struct:
		for i := range want.NumField() {
			if name := want.Type().Field(i).Name; name != "Sys" {
				if d := differ(got.Field(i), want.Field(i)); d != "" {
					return "." + name + d
				}
			}
		}
		return ""
	case reflect.Slice:
		if got.IsNil() != want.IsNil() || got.Len() != want.Len() {
			return fmt.Sprintf(": %d items (nil: %t), want %d (nil: %t)", got.Len(), got.IsNil(), want.Len(), want.IsNil())
		}
		for i := range want.Len() {
			if d := differ(got.Index(i), want.Index(i)); d != "" {
				return fmt.Sprintf("[%d]%s", i, d)
			}
		}
		return ""
	case reflect.Map:
		if got.IsNil() != want.IsNil() || got.Len() != want.Len() {
			return fmt.Sprintf(": %d entries (nil: %t), want %d (nil: %t)", got.Len(), got.IsNil(), want.Len(), want.IsNil())
		}
		for _, key := range want.MapKeys() {
			v := got.MapIndex(key)
			if !v.IsValid() {
				return fmt.Sprintf("[%v]: missing", key)
			}
			if d := differ(v, want.MapIndex(key)); d != "" {
				return fmt.Sprintf("[%v]%s", key, d)
			}
		}
		return ""
	}
	if !reflect.DeepEqual(got.Interface(), want.Interface()) {
		return fmt.Sprintf(": %.80v, want %.80v", got.Interface(), want.Interface())
	}
	return ""
}

func same(t *testing.T, where string, got, want *values.Values) {
	t.Helper()
	if d := differ(reflect.ValueOf(*got), reflect.ValueOf(*want)); d != "" {
		t.Errorf("%s: %s", where, d)
	}
}

// landed are the rows of all objects of the table, by id.
func landed(t *testing.T, store lake.Store) map[int64]values.Values {
	t.Helper()
	all := map[int64]values.Values{}
	for o, err := range store.List(t.Context(), values.Table.Schema.Prefix()+"/") {
		if err != nil {
			t.Fatal(err)
		}
		if !lake.IsData(values.Table.Schema, o.Key) {
			continue
		}
		source, err := store.Open(t.Context(), o.Key)
		if err != nil {
			t.Fatal(err)
		}
		file, err := lake.OpenFile(values.Table.Schema, source, source.Size(), o.Key)
		if err != nil {
			t.Fatal(err)
		}
		pages := file.Pages(nil)
		for {
			page, err := pages.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			rows := &bridge.RowsOf[values.Values]{T: values.Table}
			rows.Scan(page, 0)
			for i := range page.N {
				all[rows.R[i].ID] = copied(rows, i)
			}
		}
		pages.Close()
		if err := source.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// copied is a row that outlives its page.
func copied(rows bridge.Rows, i int) values.Values {
	wire := rows.AppendAvro(nil, i)
	var r values.Values
	if err := values.ReadAvro(&r, wire); err != nil {
		panic(err) // of a row that was scanned
	}
	return r
}

func sameRows(t *testing.T, store lake.Store) {
	t.Helper()
	got := landed(t, store)
	rows := valuetable.Rows()
	if len(got) != len(rows) {
		t.Fatalf("%d rows landed, want %d", len(got), len(rows))
	}
	for _, r := range rows {
		v := got[r.Want.ID]
		same(t, r.Name, &v, &r.Want)
	}
}

func load(t *testing.T, format, text string) lake.Store {
	t.Helper()
	store := lake.NewLocal(t.TempDir())
	in := batch.Input{Name: "values." + format, Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	r, err := batch.Load(t.Context(), values.Any, []batch.Input{in}, batch.Options{Store: store, Time: hour, Format: format})
	if err != nil {
		t.Fatalf("%.2000v", err)
	}
	if r.Floored != 0 || r.Differed != 0 {
		t.Errorf("%d floored, %d differed", r.Floored, r.Differed)
	}
	return store
}

func TestValuesOfCSV(t *testing.T) { sameRows(t, load(t, "csv", valuetable.CSV(valuetable.Rows()))) }

func TestValuesOfJSONLines(t *testing.T) {
	sameRows(t, load(t, "jsonl", valuetable.JSONLines(valuetable.Rows())))
}

func TestValuesOfTheStream(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cluster, err := embedded.Start(ctx, embedded.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	registry, err := stream.RegistryClient(cluster.Registry)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Register(ctx, registry, values.Table.Schema); err != nil {
		t.Fatal(err)
	}
	w, err := valuestream.Open(ctx, valuestream.Options{Brokers: cluster.Brokers, Registry: cluster.Registry})
	if err != nil {
		t.Fatal(err)
	}
	rows := valuetable.Rows()
	for _, r := range rows {
		if err := w.Write(ctx, &r.Want); err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
	}
	if err := w.Close(ctx); err != nil {
		t.Fatal(err)
	}
	store := lake.NewLocal(t.TempDir())
	s, err := sink.New(values.Any, sink.Options{Brokers: cluster.Brokers, Registry: cluster.Registry, Store: store, Group: "lake", FlushInterval: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(running) }()
	for s.Stats().Records < int64(len(rows)) && ctx.Err() == nil {
		time.Sleep(20 * time.Millisecond)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	sameRows(t, store)
}

func TestValuesOfTheState(t *testing.T) {
	rows := &bridge.RowsOf[values.Values]{T: values.Table, R: make([]values.Values, 1)}
	for _, r := range valuetable.Rows() {
		want := r.Want
		want.Sys = bridge.System{Source: bridge.Streaming, IngestedAt: hour, Seq: 1}
		document := values.AppendJSON(nil, &want)
		if _, err := bridge.ReadState(values.Table.Schema, rows, 0, document); err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		same(t, r.Name, &rows.R[0], &want)
	}
}

// What hamba/avro reads of ours, it writes again, and that is the same row.
func TestValuesOfHamba(t *testing.T) {
	schema, err := avro.Parse(values.Table.Schema.Avro)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range valuetable.Rows() {
		want := r.Want
		want.Sys = bridge.System{Source: bridge.Batch, IngestedAt: hour, Seq: 1}
		var generic map[string]any
		if err := avro.Unmarshal(schema, values.AppendAvro(nil, &want), &generic); err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		logical(t, r.Name, generic, &want)
		back, err := avro.Marshal(schema, generic)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		var got values.Values
		if err := values.ReadAvro(&got, back); err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		same(t, r.Name, &got, &want)
	}
}
