// Command customers runs the whole bridge in one process: a nightly dump and a day of
// changes land in one lake, Redis holds the freshest state, and one reader merges both.
// Broker, registry and Redis are embedded; the lake is a new folder.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

func main() {
	seed := flag.Uint64("seed", 7, "of the generated data")
	folder := flag.String("dir", "", "where the run puts its files (default: a new temporary folder)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, *folder, *seed)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "customers:", err)
		os.Exit(1)
	}
}

// tour is one run: the places, the data, and where to print.
type tour struct {
	out     io.Writer
	dir     string
	store   lake.Store
	cluster *embedded.Cluster
	shop    *shop
	hour    time.Time      // logical time of the nightly load
	counts  map[string]int // of the day's changes, by kind
	sent    int64          // records on the topic
}

func run(ctx context.Context, out io.Writer, dir string, seed uint64) error {
	start := time.Now()
	t, err := prepare(ctx, out, dir, seed)
	if err != nil {
		return err
	}
	defer t.cluster.Close()
	for _, step := range []func(context.Context) error{t.load, t.stream, t.showLake, t.showRows, t.showCustomers} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	t.title("Where everything lies")
	fmt.Fprintf(out, "  lake       %s\n  dump       %s\n  rejects    %s\n", filepath.Join(t.dir, "lake"), t.path("customers.csv"), t.path("rejects.csv"))
	fmt.Fprintf(out, "  generated  generated/customers, from examples/customers/customers.yaml\n")
	fmt.Fprintf(out, "\nAll checks passed in %.1f s. Broker, registry and Redis were embedded and are gone;\n`go run ./generated/bridge dev` starts them again and keeps them.\n", time.Since(start).Seconds())
	return nil
}

func prepare(ctx context.Context, out io.Writer, dir string, seed uint64) (*tour, error) {
	if dir == "" {
		made, err := os.MkdirTemp("", "bridgegen-customers-")
		if err != nil {
			return nil, err
		}
		dir = made
	}
	store := lake.NewLocal(filepath.Join(dir, "lake"))
	cluster, err := embedded.Start(ctx, embedded.Options{})
	if err != nil {
		return nil, err
	}
	// The last 02:00 that is at least an hour ago: the changes come after it.
	hour := time.Now().UTC().Add(-time.Hour).Add(-2 * time.Hour).Truncate(24 * time.Hour).Add(2 * time.Hour)
	fmt.Fprintf(out, "One customer table, two roads, in %s\n", dir)
	return &tour{out: out, dir: dir, store: store, cluster: cluster, shop: newShop(seed, hour), hour: hour, counts: map[string]int{}}, nil
}

func (t *tour) path(name string) string { return filepath.Join(t.dir, name) }

func (t *tour) title(text string) { fmt.Fprintf(t.out, "\n%s\n", text) }

// check fails the run when what came out is not what went in.
func check(what string, got, want any) error {
	if got != want {
		return fmt.Errorf("CHECK FAILED: %s: %v, want %v", what, got, want)
	}
	return nil
}
