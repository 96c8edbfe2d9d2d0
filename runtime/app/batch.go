package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/spf13/cobra"
)

func batchCommand(a *program) *cobra.Command {
	return parent("batch", "Bulk loads: load, list, remove", batchLoadCommand(a), batchListCommand(a), batchRemoveCommand(a))
}

func batchLoadCommand(a *program) *cobra.Command {
	var o batch.Options
	var q querySource
	var logical, asOf string
	var form inputForm
	cmd := &cobra.Command{
		Use:   "load TABLE --hour 2026-08-19T02 FILE...",
		Short: "Load CSV, JSON lines, Parquet or a query for one logical hour or day; - is standard input",
		Args:  atLeast(1, "the table and a file (- is standard input)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.table(args[0])
			if err != nil {
				return err
			}
			if o.Time, err = logicalTime(logical, t.Info()); err != nil {
				return err
			}
			if o.AsOf, err = asOfTime(asOf); err != nil {
				return err
			}
			if o.Format, err = form.of(args[1:]); err != nil {
				return err
			}
			o.CSV = form.csv
			return a.load(cmd.Context(), t, &q, args[1:], o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&logical, "hour", "", "logical `time` of the load, UTC: 2026-08-19T02, or 2026-08-19 for a table by day")
	f.StringVar(&logical, "day", "", "the same, for a table by day")
	f.StringVar(&o.Name, "name", "", "`name` of one of several loads of the same time, which hold disjoint keys")
	f.StringVar(&asOf, "as-of", "", "`time` at which the dump was taken (default: when the load first began)")
	form.flags(f)
	f.StringVar(&o.Rejects, "rejects", "", "`file` that takes invalid rows; without it an invalid row stops the load")
	f.StringVar(&o.MaxRejects, "max-rejects", "", "`limit` of invalid rows, as 100 or 2%")
	f.BoolVar(&o.Replace, "replace", false, "replace a complete load of the same identity by this input")
	f.BoolVar(&o.DryRun, "dry-run", false, "read and check everything, write nothing")
	f.Int64Var(&o.PartBytes, "part-bytes", 0, "`size` at which a new object begins (default: the spec's, else 128 MiB)")
	f.IntVar(&o.RowGroupRows, "row-group-rows", 0, "`rows` of a row group (default: the spec's)")
	f.BoolVar(&o.SortByKey, "sort-by-key", false, "lay rows by key within a partition, so that lookups read less")
	q.flags(f)
	return cmd
}

// asOfTime reads when a dump was taken; 0: not given.
func asOfTime(text string) (bridge.Timestamp, error) {
	if text == "" {
		return 0, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, fmt.Errorf("--as-of %q is no RFC 3339 time, as 2026-08-19T02:15:00Z", text)
	}
	if bridge.TimestampOf(at) < batch.MinAsOf {
		return 0, fmt.Errorf("--as-of %q lies before 1970-01-02; give the time at which the dump was taken, or leave it out", text)
	}
	return bridge.TimestampOf(at), nil
}

// logicalTime reads the time of a load to the table's granularity.
func logicalTime(text string, s *bridge.Schema) (bridge.Timestamp, error) {
	layout, flag, example := "2006-01-02T15", "--hour", "2026-08-19T02"
	if !s.ByHour {
		layout, flag, example = "2006-01-02", "--day", "2026-08-19"
	}
	if text == "" {
		return 0, fmt.Errorf("give the load's logical time: %s %s (UTC)", flag, example)
	}
	at, err := time.ParseInLocation(layout, text, time.UTC)
	if err != nil {
		return 0, fmt.Errorf("%s %q: write it as %s (UTC); table %q is partitioned so", flag, text, example, s.Table)
	}
	return bridge.TimestampOf(at), nil
}

func (a *program) load(ctx context.Context, t bridge.Any, q *querySource, files []string, o batch.Options) (err error) {
	store, err := a.store(ctx, t.Info(), writing)
	if err != nil {
		return err
	}
	o.Store, o.TempDir, o.Now = store, a.endpoints.temp, time.Now
	line := a.progress(loadLabel(t.Info(), o.Time))
	o.Progress = line.show
	inputs, done, err := a.source(ctx, t.Info(), q, files, &o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	result, err := batch.Load(ctx, t, inputs, o)
	line.done()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s: stopped before its end; run it again: %w", loadLabel(t.Info(), o.Time), err)
	}
	if err != nil {
		return err
	}
	a.showLoad(t.Info(), result, o)
	return nil
}

// loadLabel is customers 2026-08-19T02.
func loadLabel(s *bridge.Schema, t bridge.Timestamp) string {
	if s.ByHour {
		return s.Table + " " + t.Time().Format("2006-01-02T15")
	}
	return s.Table + " " + t.Time().Format("2006-01-02")
}

func (a *program) showLoad(s *bridge.Schema, r *batch.Result, o batch.Options) {
	head := loadLabel(s, o.Time)
	rows, objects := count(r.Rows, "row"), count(int64(len(r.Objects)), "object")
	if r.Already {
		fmt.Fprintf(a.out, "%s: complete since before, from the same input: %s in %s; nothing to do\n", head, rows, objects)
	} else {
		fmt.Fprintf(a.out, "%s: %s in %s, %s, %.1f s", head, rows, objects, size(r.Bytes), r.Elapsed.Seconds())
		if r.Rejected > 0 {
			fmt.Fprintf(a.out, "; %s rejected, in %s", grouped(r.Rejected), o.Rejects)
		}
		if o.DryRun {
			fmt.Fprint(a.out, " (dry run: nothing was written to the lake)")
		}
		fmt.Fprintln(a.out)
		a.showObjects(r.Objects)
	}
	if r.Replaced > 0 || r.Removed > 0 {
		fmt.Fprintf(a.out, "  replaced %s of an earlier run, removed %d\n", count(int64(r.Replaced), "object"), r.Removed)
	}
	if r.Floored > 0 {
		fmt.Fprintf(a.out, "  %s finer than a millisecond, floored\n", count(r.Floored, "timestamp"))
	}
	if r.Differed > 0 {
		fmt.Fprintf(a.out, "  %s carried a derived column with another value than the spec derives\n", count(r.Differed, "row"))
	}
}

// shownObjects are named one by one; a load of more says how many there are.
const shownObjects = 10

func (a *program) showObjects(objects []batch.Object) {
	for i, object := range objects {
		if i == shownObjects {
			fmt.Fprintf(a.out, "  ... and %s\n", count(int64(len(objects)-i), "more object"))
			return
		}
		fmt.Fprintf(a.out, "  %s\n", object.URL)
	}
}

func batchListCommand(a *program) *cobra.Command {
	var from, to string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [TABLE...]",
		Short: "What lies in the lake by date: source, objects, rows, size, completeness",
		RunE: func(cmd *cobra.Command, args []string) error {
			lo, hi, err := window(from, to)
			if err != nil {
				return err
			}
			tables, err := a.tables(args)
			if err != nil {
				return err
			}
			for _, t := range tables {
				if err := a.list(cmd.Context(), t.Info(), lo, hi, asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "first `day`, 2026-08-19 (default: all)")
	f.StringVar(&to, "to", "", "last `day`, 2026-08-19 (default: all)")
	f.BoolVar(&asJSON, "json", false, "one JSON object per line")
	return cmd
}

// window reads an inclusive range of days; the end is the day's last millisecond.
func window(from, to string) (lo, hi bridge.Timestamp, err error) {
	lo, hi = bridge.MinTimestamp, bridge.MaxTimestamp
	for _, b := range []struct {
		text string
		dst  *bridge.Timestamp
		add  time.Duration
	}{{from, &lo, 0}, {to, &hi, 24*time.Hour - time.Millisecond}} {
		if b.text == "" {
			continue
		}
		day, err := time.Parse("2006-01-02", b.text)
		if err != nil {
			return 0, 0, fmt.Errorf("%q is no day, as 2026-08-19", b.text)
		}
		*b.dst = bridge.TimestampOf(day.Add(b.add))
	}
	if lo > hi {
		return 0, 0, errors.New("--from lies after --to")
	}
	return lo, hi, nil
}

// listed is an entry of batch list --json.
type listed struct {
	Table string `json:"table"`
	batch.Entry
}

func (a *program) list(ctx context.Context, s *bridge.Schema, from, to bridge.Timestamp, asJSON bool) error {
	store, err := a.store(ctx, s, reading)
	if err != nil {
		return err
	}
	entries, err := batch.List(ctx, store, s, from, to)
	if err != nil {
		return err
	}
	if asJSON {
		out := json.NewEncoder(a.out)
		for _, e := range entries {
			if err := out.Encode(listed{s.Table, e}); err != nil {
				return err
			}
		}
		return nil
	}
	if len(entries) == 0 {
		fmt.Fprintf(a.out, "%s: nothing in the lake\n", s.Table)
		return nil
	}
	rows := [][]string{{s.Table, "source", "load", "objects", "rows", "size", "state"}}
	for _, e := range entries {
		rows = append(rows, []string{e.Partition, e.Source, e.Load, grouped(int64(e.Objects)), grouped(e.Rows), size(e.Bytes), e.State})
	}
	return writeTable(a.out, rows)
}
