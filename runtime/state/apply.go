// Package state holds the newest state per key in Redis: one JSON document per key,
// written by an atomic compare-and-set in the one order; one GET and a JSON parser read
// it. Redis 6.2 or later (SET PXAT). It knows no Kafka: who only reads compiles none.
package state

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"
	"unsafe"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/redis/go-redis/v9"
)

// batchKeys are the keys of one call of the script, at most: Redis serves nobody else
// meanwhile, and Lua's unpack takes a few thousand.
const batchKeys = 1000

// Applied is what became of rows.
type Applied struct {
	Written int64 // documents set
	Expired int64 // rows whose state has expired: not written
	Removed int64 // older documents that such a row outdated
	Stale   int64 // rows that were no newer than what is there, or than another row of the batch
}

// Apply brings rows from..to-1 to Redis: of each key the newest, if it is newer than
// the document there. A document expires at its row's _ingested_at plus Schema.StateTTL,
// that of a delete at twice the TTL; what has expired at now is not written, so a replay
// prolongs nothing and resurrects nobody (design, "State in Redis"). Applying rows again,
// or in another order, changes nothing, with one exception: a row whose state has expired
// leaves no trace, so that an older row of its key which came later than it (its own
// state has not expired) is written if a later call brings it. The error is a *Foreign if a key holds what
// bridgegen did not write.
func Apply(ctx context.Context, client redis.UniversalClient, t bridge.Any, rows bridge.Rows, from, to int, now bridge.Timestamp) (Applied, error) {
	return NewApplier(client, t).Apply(ctx, rows, from, to, now)
}

// expiry is the instant at which the state of a row expires.
func expiry(s *bridge.Schema, sys *bridge.System) bridge.Timestamp {
	ttl := bridge.Timestamp(s.StateTTL / time.Millisecond)
	if sys.Deleted {
		ttl *= 2
	}
	return sys.IngestedAt + ttl
}

// Applier is Apply that keeps its memory from batch to batch. It is for one goroutine.
type Applier struct {
	client redis.UniversalClient
	schema *bridge.Schema
	one    bool
	newest map[string]int // key -> row
	text   []byte         // keys and documents
	picked []pick
}

// pick is the newest row of a key in a batch.
type pick struct {
	key  string
	row  int
	slot uint16
}

// NewApplier brings rows of table t to client.
func NewApplier(client redis.UniversalClient, t bridge.Any) *Applier {
	return &Applier{client: client, schema: t.Info(), one: oneNode(client), newest: map[string]int{}}
}

// Apply is the function of that name.
func (a *Applier) Apply(ctx context.Context, rows bridge.Rows, from, to int, now bridge.Timestamp) (Applied, error) {
	a.pick(rows, from, to)
	groups, expired := a.groups(rows, now)
	done, err := run(ctx, a.client, groups)
	done.Expired = expired
	done.Stale = int64(to-from) - done.Written - done.Expired
	if err != nil {
		done.Stale = 0 // unknown: the batch comes again
	}
	return done, err
}

// pick finds the newest row of each key. Keys are texts of the batch's own arena.
func (a *Applier) pick(rows bridge.Rows, from, to int) {
	clear(a.newest)
	a.text = a.text[:0]
	for i := from; i < to; i++ {
		at := len(a.text)
		a.text = rows.AppendStateKey(a.text, i)
		key := a.text[at:]
		if old, ok := a.newest[string(key)]; ok {
			if bridge.Compare(rows.Sys(i), rows.Sys(old), a.schema.Preferred) > 0 {
				a.newest[string(key)] = i
			}
			a.text = a.text[:at]
			continue
		}
		a.newest[unsafe.String(unsafe.SliceData(key), len(key))] = i
	}
	a.picked = a.picked[:0]
	for key, row := range a.newest {
		p := pick{key: key, row: row}
		if !a.one {
			p.slot = slot(key)
		}
		a.picked = append(a.picked, p)
	}
	slices.SortFunc(a.picked, func(x, y pick) int {
		return cmp.Or(cmp.Compare(x.slot, y.slot), cmp.Compare(x.row, y.row))
	})
}

// groups are the calls of the script. Of a document that has expired only the order is sent.
func (a *Applier) groups(rows bridge.Rows, now bridge.Timestamp) (groups []group, expired int64) {
	last := -1
	for i, p := range a.picked {
		if i == 0 || p.slot != a.picked[i-1].slot || len(groups[last].keys) == batchKeys {
			groups = append(groups, group{})
			last++
		}
		at := len(a.text)
		a.text = rows.AppendJSON(a.text, p.row)
		expires := expiry(a.schema, rows.Sys(p.row))
		if expires <= now {
			a.text = a.text[:at+len(bridge.StatePrefix)+bridge.OrderWidth]
			expires = 0
			expired++
		}
		doc := a.text[at:len(a.text):len(a.text)]
		g := &groups[last]
		g.keys = append(g.keys, p.key)
		g.args = append(g.args, doc, strconv.FormatInt(int64(expires), 10))
	}
	return groups, expired
}
