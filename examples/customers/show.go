package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bridgegen/bridgegen/examples/internal/roads"
	"github.com/bridgegen/bridgegen/generated/customers"
	customerserve "github.com/bridgegen/bridgegen/generated/customers/serve"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/serve"
)

// showLake prints the lake's tree: what Trino would read.
func (t *tour) showLake(ctx context.Context) error {
	t.title("3. The lake: both roads, one layout")
	folder := ""
	for o, err := range t.store.List(ctx, customers.Table.Schema.Prefix()+"/") {
		if err != nil {
			return err
		}
		if dir := path.Dir(o.Key); dir != folder {
			folder = dir
			fmt.Fprintf(t.out, "  %s/\n", dir)
		}
		fmt.Fprintf(t.out, "    %-50s %9s\n", path.Base(o.Key), size(o.Size))
	}
	return nil
}

func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}

func (t *tour) reader() (*customerserve.Reader, error) {
	return customerserve.Open(customerserve.Options{Store: t.store, Redis: roads.Redis(t.cluster)})
}

// showRows prints what each road landed and what dedup leaves, and compares every live
// customer in the lake with the truth.
func (t *tour) showRows(ctx context.Context) (err error) {
	t.title("4. Rows by source, before and after dedup")
	reader, err := t.reader()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	live := map[int64]customers.Customer{}
	counts, err := reader.Latest(ctx, func(rows []customers.Customer) error {
		for _, r := range rows {
			r.Email = strings.Clone(r.Email)
			live[r.ID] = r
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "  %-12s %12s %12s\n", "source", "before dedup", "after dedup")
	for _, s := range []struct {
		name string
		c    serve.SourceCounts
	}{{"batch", counts.Batch}, {"streaming", counts.Streaming}} {
		fmt.Fprintf(t.out, "  %-12s %12d %12d\n", s.name, s.c.Rows, s.c.Winners)
	}
	fmt.Fprintf(t.out, "  %-12s %12d %12d   of these %d deleted, %d live\n", "all", counts.Rows(), counts.Keys(), counts.Deleted(), counts.Live())
	return errors.Join(
		check("rows by batch", counts.Batch.Rows, int64(nightly)),
		check("rows by stream", counts.Streaming.Rows, t.sent),
		check("distinct keys", counts.Keys(), int64(len(t.shop.truth))),
		t.compare(live),
	)
}

// compare holds the live customers against the truth.
func (t *tour) compare(live map[int64]customers.Customer) error {
	want := 0
	for id, truth := range t.shop.truth {
		got, there := live[id]
		if truth.Sys.Deleted == there {
			return fmt.Errorf("CHECK FAILED: customer %d: in the lake: %t, deleted in truth: %t", id, there, truth.Sys.Deleted)
		}
		if truth.Sys.Deleted {
			continue
		}
		want++
		got.Sys, truth.Sys = bridge.System{}, bridge.System{}
		if got != truth {
			return fmt.Errorf("CHECK FAILED: customer %d: %+v, want %+v", id, got, truth)
		}
	}
	return check("live customers", len(live), want)
}

// showCustomers prints one customer as each side sees it, and one that was deleted.
func (t *tour) showCustomers(ctx context.Context) (err error) {
	reader, err := t.reader()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	changed, deleted := t.pick()
	t.title(fmt.Sprintf("5. Customer %d, changed after the dump", changed))
	if err := t.show(ctx, reader, changed); err != nil {
		return err
	}
	t.title(fmt.Sprintf("6. Customer %d, deleted after the dump", deleted))
	return t.show(ctx, reader, deleted)
}

// pick chooses the first customer of the dump that the day changed, and the first that
// it deleted.
func (t *tour) pick() (changed, deleted int64) {
	for _, id := range slices.Sorted(slices.Values(t.shop.ids[:nightly])) {
		switch truth := t.shop.truth[id]; {
		case truth.Sys.Deleted && deleted == 0:
			deleted = id
		case !truth.Sys.Deleted && truth.Sys.Version.V > t.hour.UnixMilli() && changed == 0:
			changed = id
		}
	}
	return changed, deleted
}

// show prints a customer as batch, fresh and merged, and checks the merge.
func (t *tour) show(ctx context.Context, reader *customerserve.Reader, id int64) error {
	result, err := reader.Get(ctx, customers.Key{ID: id})
	if err != nil {
		return err
	}
	key := customers.FromKey(customers.Key{ID: id})
	history, err := reader.History(ctx, &key)
	if err != nil {
		return err
	}
	var batch *customers.Customer
	for i := range history {
		if history[i].Sys.Source == bridge.Batch {
			batch = &history[i]
			break
		}
	}
	views := []view{{"batch", batch}, {"fresh", result.Fresh.Row}, {"merged", result.Merged.Row}}
	t.table(views)
	truth := t.shop.truth[id]
	if live := result.Live(); live == nil || truth.Sys.Deleted {
		fmt.Fprintf(t.out, "  deleted: the older row in the lake stays hidden; the reader answers that there is no such customer\n")
		return check(fmt.Sprintf("customer %d deleted", id), live == nil, truth.Sys.Deleted)
	}
	merged := *result.Live()
	merged.Sys, truth.Sys = bridge.System{}, bridge.System{}
	return check(fmt.Sprintf("customer %d merged", id), merged, truth)
}

type view struct {
	name string
	row  *customers.Customer
}

// table prints views side by side, as the text of each column.
func (t *tour) table(views []view) {
	line := func(label string, cell func(view) string) {
		text := fmt.Sprintf("  %-12s", label)
		for _, v := range views {
			text += fmt.Sprintf("  %-32s", cell(v))
		}
		fmt.Fprintln(t.out, strings.TrimRight(text, " "))
	}
	line("", func(v view) string { return v.name })
	for col, f := range customers.Table.Schema.Fields {
		line(f.Name, func(v view) string {
			if v.row == nil || v.row.Sys.Deleted && !f.Key {
				return "-"
			}
			return string(customers.Table.AppendText(nil, v.row, col))
		})
	}
	line("_version", func(v view) string {
		if v.row == nil {
			return "-"
		}
		text := time.UnixMilli(v.row.Sys.Version.V).UTC().Format(time.RFC3339)
		if v.row.Sys.Deleted {
			text += " (deleted)"
		}
		return text
	})
}

// indent sets text off from what the tour says.
func indent(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		b.WriteString("    ")
		b.Write(line)
	}
	return b.Bytes()
}
