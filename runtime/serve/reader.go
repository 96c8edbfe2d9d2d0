package serve

import (
	"context"
	"errors"
	"fmt"
	"sync"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/state"
	"github.com/redis/go-redis/v9"
)

// Options say which sides a reader has. One of Store, Trino and Redis is enough.
type Options struct {
	Store lake.Store            // the lake's files
	Redis redis.UniversalClient // the state; the caller closes it
	// Trino is the URL of a coordinator, http://user@host:8080, with the client's
	// parameters if any. It answers History instead of the files, and Get where there is
	// no Store. Catalog and Schema say where the table is.
	Trino, Catalog, Schema string
}

// AnyReader is the unified reader of a table with its record type hidden.
type AnyReader struct {
	table bridge.Any
	store lake.Store
	redis redis.UniversalClient
	trino *trinoTable // nil: not configured
}

// Open makes a reader of table t; nothing is connected yet. Close it after use.
func Open(t bridge.Any, o Options) (*AnyReader, error) {
	r := &AnyReader{table: t, store: o.Store, redis: o.Redis}
	if o.Trino != "" {
		var err error
		if r.trino, err = openTrino(t, o); err != nil {
			return nil, fmt.Errorf("table %q: %w", t.Info().Table, err)
		}
	}
	if r.store == nil && r.redis == nil && r.trino == nil {
		return nil, fmt.Errorf("table %q: nothing to read from: give a lake, Redis or Trino", t.Info().Table)
	}
	return r, nil
}

// Close closes the connection to Trino.
func (r *AnyReader) Close() error {
	if r.trino == nil {
		return nil
	}
	return r.trino.close()
}

// Answer is what is known of a key.
type Answer struct {
	Lake, Fresh Record
	// Carried are the columns that Fresh has, as positions in Schema.Fields.
	Carried bridge.Columns
	// Merged is the newest state. It may be a delete: ask Live. With a side down it is
	// what the other one says, and Partial.
	Merged Record
}

// Partial reports whether a side could not be asked, so that Merged may be old.
func (a *Answer) Partial() bool { return a.Lake.Err != nil || a.Fresh.Err != nil }

// errAbsent marks a side that the reader does not have: no failure.
var errAbsent = errors.New("not configured")

// Get reads the key of record i of keys, normalised as the roads do, from both sides at
// once and merges them. An error means that no side could be asked; the failure of one
// is in its Record.
func (r *AnyReader) Get(ctx context.Context, keys bridge.Rows, i int) (*Answer, error) {
	key, err := normalized(r.table, keys, i)
	if err != nil {
		return nil, err
	}
	var a Answer
	var wg sync.WaitGroup
	wg.Go(func() { a.Lake = r.fromLake(ctx, key) })
	wg.Go(func() { a.Fresh, a.Carried = r.fromRedis(ctx, key) })
	wg.Wait()
	if a.Lake.Err != nil && a.Fresh.Err != nil {
		return nil, fmt.Errorf("table %q: no side answers: %w", r.table.Info().Table, errors.Join(failure("lake", a.Lake.Err), failure("redis", a.Fresh.Err)))
	}
	for _, side := range []*Record{&a.Lake, &a.Fresh} {
		if errors.Is(side.Err, errAbsent) {
			side.Err = nil
		}
	}
	if a.Merged, err = merge(r.table, &a.Lake, &a.Fresh, a.Carried); err != nil {
		return nil, fmt.Errorf("table %q: %w", r.table.Info().Table, err)
	}
	return &a, nil
}

func failure(side string, err error) error {
	if errors.Is(err, errAbsent) {
		return nil
	}
	return fmt.Errorf("%s: %w", side, err)
}

func (r *AnyReader) fromLake(ctx context.Context, key bridge.Rows) Record {
	var rows bridge.Rows
	var err error
	switch {
	case r.store != nil:
		rows, err = newLookup(r.table, r.store, key).rows(ctx, true)
	case r.trino != nil:
		rows, err = r.trino.history(ctx, key, 1)
	default:
		err = errAbsent
	}
	if err != nil {
		return Record{Err: err}
	}
	return Record{Rows: rows, Found: rows.Len() > 0}
}

func (r *AnyReader) fromRedis(ctx context.Context, key bridge.Rows) (Record, bridge.Columns) {
	if r.redis == nil {
		return Record{Err: errAbsent}, nil
	}
	rows := r.table.NewRows(1)
	found, carried, err := state.Read(ctx, r.redis, r.table, key, 0, rows, 0)
	return Record{Rows: rows, Found: found, Err: err}, carried
}

// History is every row of the key in the lake, deletes included, newest first by the one
// order: from Trino where it is configured, else from the files.
func (r *AnyReader) History(ctx context.Context, keys bridge.Rows, i int) (bridge.Rows, error) {
	key, err := normalized(r.table, keys, i)
	if err != nil {
		return nil, err
	}
	if r.trino != nil {
		return r.trino.history(ctx, key, 0)
	}
	if err := r.needStore("history"); err != nil {
		return nil, err
	}
	return newLookup(r.table, r.store, key).rows(ctx, false)
}

// Counts counts the rows of the lake by source, before and after dedup.
func (r *AnyReader) Counts(ctx context.Context) (Counts, error) {
	if err := r.needStore("counts"); err != nil {
		return Counts{}, err
	}
	return CountRows(ctx, r.table.Info(), r.store)
}

// Latest hands the newest row of each key in the lake to emit, deletes left out; see Dedup.
func (r *AnyReader) Latest(ctx context.Context, emit func(bridge.Rows) error) (Counts, error) {
	if err := r.needStore("the latest rows"); err != nil {
		return Counts{}, err
	}
	return Dedup(ctx, r.table, r.store, true, emit)
}

func (r *AnyReader) needStore(what string) error {
	if r.store == nil {
		return fmt.Errorf("table %q: %s come from the lake's files, but no lake is given", r.table.Info().Table, what)
	}
	return nil
}
