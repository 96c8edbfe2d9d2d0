// Command orders runs nested rows through the whole bridge in one process: a nightly dump
// of JSON lines and a stream of changes land in one lake, Redis holds the freshest state,
// and one reader merges both. A second table, of shipments, is loaded from CSV.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/bridgegen/bridgegen/examples/internal/roads"
	"github.com/bridgegen/bridgegen/generated/orders"
	orderserve "github.com/bridgegen/bridgegen/generated/orders/serve"
	orderstream "github.com/bridgegen/bridgegen/generated/orders/stream"
	"github.com/bridgegen/bridgegen/generated/shipments"
	shipmentserve "github.com/bridgegen/bridgegen/generated/shipments/serve"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

func main() {
	folder := flag.String("dir", "", "where the run puts its files (default: a new temporary folder)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, *folder)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "orders:", err)
		os.Exit(1)
	}
}

// tour is one run.
type tour struct {
	out     io.Writer
	dir     string
	store   lake.Store
	cluster *embedded.Cluster
	night   time.Time // logical time of the loads
}

func run(ctx context.Context, out io.Writer, dir string) (err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp("", "bridgegen-orders-"); err != nil {
			return err
		}
	}
	cluster, err := embedded.Start(ctx, embedded.Options{})
	if err != nil {
		return err
	}
	defer cluster.Close()
	t := &tour{out, dir, lake.NewLocal(filepath.Join(dir, "lake")), cluster, time.Now().UTC().Add(-24 * time.Hour).Truncate(24 * time.Hour)}
	for _, step := range []func(context.Context) error{t.loadOrders, t.loadShipments, t.change, t.show} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\nAll checks passed. The lake is %s, the specs are in examples/orders.\n", filepath.Join(dir, "lake"))
	return nil
}

// load writes a dump and loads it.
func (t *tour) load(ctx context.Context, table bridge.Any, name, dump string) (*batch.Result, error) {
	path := filepath.Join(t.dir, name)
	if err := os.WriteFile(path, []byte(dump), 0o666); err != nil {
		return nil, err
	}
	in := batch.Input{Name: name, Open: func(context.Context) (io.ReadCloser, error) { return os.Open(path) }}
	return batch.Load(ctx, table, []batch.Input{in}, batch.Options{
		Store: t.store, Time: bridge.TimestampOf(t.night), Rejects: path + ".rejects", Now: time.Now,
	})
}

func (t *tour) loadOrders(ctx context.Context) error {
	r, err := t.load(ctx, orders.Any, "orders.jsonl", dumpOfOrders(t.night))
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "Orders, loaded from JSON lines: %d rows in %d object, %d rejected\n", r.Rows, len(r.Objects), r.Rejected)
	rejects, err := os.ReadFile(filepath.Join(t.dir, "orders.jsonl.rejects"))
	for line := range strings.Lines(string(rejects)) {
		var rejected struct {
			Reason string `json:"_reason"`
		}
		err = errors.Join(err, json.Unmarshal([]byte(line), &rejected))
		fmt.Fprintf(t.out, "  %s\n", rejected.Reason)
	}
	return errors.Join(err, check("orders loaded", r.Rows, int64(lines)), check("orders rejected", r.Rejected, int64(len(brokenOrders))))
}

func (t *tour) loadShipments(ctx context.Context) error {
	r, err := t.load(ctx, shipments.Any, "shipments.csv", dumpOfShipments(t.night))
	if err != nil {
		return err
	}
	reader, err := shipmentserve.Open(shipmentserve.Options{Store: t.store})
	if err != nil {
		return err
	}
	found, err := reader.Get(ctx, shipments.Key{Carrier: shipments.CarrierDhl, Parcel: "P-1"})
	if err = errors.Join(err, reader.Close()); err != nil {
		return err
	}
	p := found.Live()
	if p == nil {
		return errors.New("CHECK FAILED: parcel P-1 is not there")
	}
	fmt.Fprintf(t.out, "Shipments, loaded from CSV: %d rows in %d days' folders; P-1 is at scan %d, over %d legs\n", r.Rows, len(r.Objects), p.Scan, len(p.Legs))
	return errors.Join(check("scan of P-1", p.Scan, int32(2)), check("legs of P-1", len(p.Legs), 2), check("depot of P-1", p.Depot, "unknown"))
}

// change streams changes of the first order and a delete of the second.
func (t *tour) change(ctx context.Context) error {
	running, err := roads.Start(ctx, orders.Any, t.cluster, t.store)
	if err != nil {
		return err
	}
	err = t.send(ctx)
	if err == nil {
		err = running.Wait(ctx, 2)
	}
	return errors.Join(err, running.Stop())
}

func (t *tour) send(ctx context.Context) error {
	w, err := orderstream.Open(ctx, orderstream.Options{Brokers: t.cluster.Brokers, Registry: t.cluster.Registry})
	if err != nil {
		return err
	}
	changed := changedOrder(t.night.Add(time.Hour))
	err = w.Write(ctx, &changed)
	if err == nil {
		err = w.Delete(ctx, keyOf(2), bridge.Opt[int64]{})
	}
	return errors.Join(err, w.Close(ctx))
}

func (t *tour) show(ctx context.Context) (err error) {
	reader, err := orderserve.Open(orderserve.Options{Store: t.store, Redis: roads.Redis(t.cluster)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	counts, err := reader.Counts(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "Changes, streamed: %d rows by batch, %d by stream, %d live after dedup\n", counts.Batch.Rows, counts.Streaming.Rows, counts.Live())
	changed, err := reader.Get(ctx, keyOf(1))
	if err != nil {
		return err
	}
	gone, err := reader.Get(ctx, keyOf(2))
	if err != nil {
		return err
	}
	if changed.Live() == nil || gone.Live() != nil {
		return errors.New("CHECK FAILED: the changed order must be there, and the deleted one must not")
	}
	order := *changed.Live()
	fmt.Fprintf(t.out, "The changed order, merged: %s\n", orders.AppendJSON(nil, &order))
	return errors.Join(
		check("live orders", counts.Live(), int64(lines-1)),
		check("items", len(order.Items), 2), check("sku", order.Items[0].Sku, "SKU-9"), check("tags", strings.Join(order.Tags, ","), "express,vip"),
		check("street", order.ShipTo.V.Street, "Unter den Linden 1"), check("discount", order.Discounts["spring"].String(), "5.00"),
		check("size class", order.SizeClass, "L"), check("wrapped", order.Wrapped, true))
}

// check fails the run when what came out is not what went in.
func check[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("CHECK FAILED: %s: %v, want %v", what, got, want)
	}
	return nil
}
