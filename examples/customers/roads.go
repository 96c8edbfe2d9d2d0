package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/bridgegen/bridgegen/examples/internal/roads"
	"github.com/bridgegen/bridgegen/generated/customers"
	customerstream "github.com/bridgegen/bridgegen/generated/customers/stream"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/stream"
)

// load lands the nightly dump; invalid rows are set aside, each with its reason.
func (t *tour) load(ctx context.Context) error {
	t.title("1. The nightly dump, loaded for " + t.hour.Format("2006-01-02 15:04") + " UTC")
	dump, err := os.Create(t.path("customers.csv"))
	if err != nil {
		return err
	}
	if err := errors.Join(t.shop.writeDump(dump), dump.Close()); err != nil {
		return err
	}
	input := batch.Input{Name: "customers.csv", Open: func(context.Context) (io.ReadCloser, error) { return os.Open(t.path("customers.csv")) }}
	result, err := batch.Load(ctx, customers.Any, []batch.Input{input}, batch.Options{
		Store: t.store, Time: bridge.TimestampOf(t.hour), Rejects: t.path("rejects.csv"), Now: time.Now,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "  %d rows landed in %d object, %d rejected, %.0f ms\n", result.Rows, len(result.Objects), result.Rejected, float64(result.Elapsed.Microseconds())/1000)
	rejects, err := os.ReadFile(t.path("rejects.csv"))
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s", indent(rejects))
	return errors.Join(check("rows loaded", result.Rows, int64(nightly)), check("rows rejected", result.Rejected, int64(brokenRows)))
}

// stream sends the day's changes while sink and speed processor run, and waits until
// both have taken every record.
func (t *tour) stream(ctx context.Context) error {
	t.title("2. The day's changes, streamed")
	running, err := roads.Start(ctx, customers.Any, t.cluster, t.store)
	if err != nil {
		return err
	}
	t.sent, err = t.send(ctx)
	if err == nil {
		err = running.Wait(ctx, t.sent)
	}
	if err := errors.Join(err, running.Stop()); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "  the sink landed %d records in %d objects; the speed processor took %d\n", running.Sink.Stats().Records, running.Sink.Stats().Objects, running.Speed.Stats().Records)
	return nil
}

// send writes the changes and returns the number of records on the topic.
func (t *tour) send(ctx context.Context) (int64, error) {
	w, err := customerstream.Open(ctx, customerstream.Options{Brokers: t.cluster.Brokers, Registry: t.cluster.Registry})
	if err != nil {
		return 0, err
	}
	var sent int64
	var reason string
	for _, c := range t.shop.day(t.hour.Add(5*time.Minute), time.Now()) {
		t.counts[c.kind]++
		row := c.row
		if c.kind == "delete" {
			err = w.Delete(ctx, customers.KeyOf(&row), row.Sys.Version)
		} else {
			err = w.Write(ctx, &row)
		}
		var invalid *stream.Invalid
		if errors.As(err, &invalid) && c.kind == "invalid" {
			reason = err.Error()
			continue
		}
		if err != nil {
			return sent, errors.Join(err, w.Close(ctx))
		}
		sent++
	}
	fmt.Fprintf(t.out, "  %d changes: %d updates, %d new, %d deletes, %d repeats, %d older than what is there, %d invalid\n", changes,
		t.counts["update"], t.counts["new"], t.counts["delete"], t.counts["repeat"], t.counts["older"], t.counts["invalid"])
	fmt.Fprintf(t.out, "  an invalid one never reaches the topic: %s\n", reason)
	return sent, w.Close(ctx)
}
