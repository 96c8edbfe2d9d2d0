package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"golang.org/x/sync/errgroup"
)

// Entry is what one load, or the stream, has in one partition.
type Entry struct {
	Partition string           `json:"partition"` // year=2026/month=08/day=19/hour=02
	Time      bridge.Timestamp `json:"time"`      // start of the partition, milliseconds
	Source    string           `json:"source"`    // batch, streaming, or other: by object name
	Load      string           `json:"load,omitempty"`
	Objects   int              `json:"objects"`
	Rows      int64            `json:"rows"`
	Bytes     int64            `json:"bytes"`
	State     string           `json:"state,omitempty"` // of a load: one of the states below; or Unreadable and why

	Generation int              `json:"generation,omitempty"`
	AsOf       bridge.Timestamp `json:"as_of,omitempty"` // milliseconds
	Rejected   int64            `json:"rejected,omitempty"`
}

// The states of a load in a listing.
const (
	Complete   = "complete"   // the marker says so, and its objects are there
	Incomplete = "incomplete" // it did not finish: run it again
	Damaged    = "damaged"    // complete, but objects are missing or of another size: run it again
	Unmarked   = "unmarked"   // objects without a marker
	// HalfRemoved: a removal did not come to its end.
	HalfRemoved = "half removed: remove it again"

	// Leftovers: complete, but objects of a generation that it replaced, or of a run that
	// did not finish, are still there; they are not counted.
	Leftovers = "complete, leftovers: run it again"
	// Unreadable begins the state of what has a marker or an object that cannot be read.
	Unreadable = "unreadable: "
)

// parallelFooters bounds the footers that are read at a time.
const parallelFooters = 8

// List tells what lies in a table's partitions from..to (both included, to the
// partition that holds the instant), by partition, source and load. Rows come from
// markers, and from footers where no marker tells.
func List(ctx context.Context, store lake.Store, s *bridge.Schema, from, to bridge.Timestamp) ([]Entry, error) {
	l := &listing{store: store, schema: s, from: s.FloorPartition(from), to: to, loads: map[string]*loadState{}, entries: map[string]*Entry{}}
	if err := l.findObjects(ctx); err != nil {
		return nil, err
	}
	if err := l.findLoads(ctx); err != nil {
		return nil, err
	}
	l.judge()
	l.countRows(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := make([]Entry, 0, len(l.entries))
	for _, e := range l.entries {
		all = append(all, *e)
	}
	slices.SortFunc(all, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), strings.Compare(a.Source, b.Source), strings.Compare(a.Load, b.Load))
	})
	return all, nil
}

type listing struct {
	store    lake.Store
	schema   *bridge.Schema
	from, to bridge.Timestamp
	objects  []listedObject
	loads    map[string]*loadState
	entries  map[string]*Entry
}

type listedObject struct {
	lake.Object
	entry *Entry
	load  *loadState // nil: not of a load
}

// loadState is a load of which something was found.
type loadState struct {
	id     identity
	marker *marker
	err    error            // why the marker cannot be read
	rows   map[string]int64 // by key from the table's folder on
	state  string
}

// streamObject is the name of an object of the sink or of the S3 sink, whose names end in
// .snappy.parquet and the like.
var streamObject = regexp.MustCompile(`^.+\+[0-9]+\+[0-9]+(?:\.[a-z0-9]+)?\.parquet$`)

// prefix is the longest folder that all partitions of the range have in common.
func (l *listing) prefix() string {
	a, b := l.schema.Partition(l.from), l.schema.Partition(l.to)
	table := l.schema.Prefix() + "/"
	for strings.Contains(a, "/") {
		if a == b {
			return table + a + "/"
		}
		a, _, _ = cutLast(a, "/")
		b, _, _ = cutLast(b, "/")
	}
	if a == b {
		return table + a + "/"
	}
	return table
}

func (l *listing) findObjects(ctx context.Context) error {
	table := l.schema.Prefix() + "/"
	for object, err := range l.store.List(ctx, l.prefix()) {
		if err != nil {
			return fmt.Errorf("listing table %q: %w", l.schema.Table, err)
		}
		folder, file, _ := cutLast(strings.TrimPrefix(object.Key, table), "/")
		t, ok := parsePartition(l.schema, folder)
		if !ok || t < l.from || t > l.to {
			continue
		}
		o := listedObject{Object: object}
		id, _, _, isBatch := parseObject(l.schema, file)
		switch {
		case isBatch:
			o.load = l.load(id)
			o.entry = l.entry(folder, t, bridge.Batch.String(), id.String())
		case streamObject.MatchString(file):
			o.entry = l.entry(folder, t, bridge.Streaming.String(), "")
		default:
			o.entry = l.entry(folder, t, "other", "")
		}
		l.objects = append(l.objects, o)
	}
	return nil
}

func (l *listing) entry(folder string, t bridge.Timestamp, source, load string) *Entry {
	key := folder + "\x00" + source + "\x00" + load
	e := l.entries[key]
	if e == nil {
		e = &Entry{Partition: folder, Time: t, Source: source, Load: load}
		l.entries[key] = e
	}
	return e
}

func (l *listing) load(id identity) *loadState {
	s := l.loads[id.String()]
	if s == nil {
		s = &loadState{id: id}
		l.loads[id.String()] = s
	}
	return s
}

// findLoads reads the markers of the loads that were found, and of those whose own
// time lies in the range, which may have no objects.
func (l *listing) findLoads(ctx context.Context) error {
	folder := l.schema.Prefix() + "/" + markerFolder + "/"
	for object, err := range l.store.List(ctx, folder) {
		if err != nil {
			return fmt.Errorf("listing the loads of table %q: %w", l.schema.Table, err)
		}
		id, ok := parseMarker(l.schema, strings.TrimPrefix(object.Key, folder))
		if ok && id.time >= l.from && id.time <= l.to {
			l.load(id)
			l.entry(l.schema.Partition(id.time), id.time, bridge.Batch.String(), id.String()) // it may have no objects
		}
	}
	var group errgroup.Group
	group.SetLimit(parallelFooters)
	for _, s := range l.loads {
		group.Go(func() error {
			s.marker, s.err = readMarker(ctx, l.store, s.id)
			return nil
		})
	}
	return group.Wait()
}

// key is the object's key from the table's folder on, as markers name it.
func (l *listing) key(o *listedObject) string {
	return strings.TrimPrefix(o.Key, l.schema.Prefix()+"/")
}

// judge gives every load its state, and leaves objects out that a complete load does not
// have. Of a load over many partitions only the objects inside the range were looked at.
func (l *listing) judge() {
	sizes := map[string]int64{}
	for i := range l.objects {
		sizes[l.key(&l.objects[i])] = l.objects[i].Size
	}
	for _, s := range l.loads {
		s.state = l.stateOf(s, sizes)
	}
	l.objects = slices.DeleteFunc(l.objects, func(o listedObject) bool {
		if s := o.load; s != nil && s.marker != nil && s.marker.State == stateComplete {
			if _, has := s.rows[l.key(&o)]; !has {
				if s.state == Complete {
					s.state = Leftovers
				}
				return true
			}
		}
		o.entry.Objects++
		o.entry.Bytes += o.Size
		return false
	})
	for _, e := range l.entries {
		if s := l.loads[e.Load]; s != nil {
			e.State = s.state
			if m := s.marker; m != nil {
				e.Generation, e.AsOf, e.Rejected = m.Generation, m.asOf(), m.Rejected
			}
		}
	}
}

func (l *listing) stateOf(s *loadState, sizes map[string]int64) string {
	switch {
	case s.err != nil:
		s.marker = nil
		return Unreadable + s.err.Error()
	case s.marker == nil:
		return Unmarked
	}
	s.rows = map[string]int64{}
	state := Complete
	for _, o := range s.marker.Objects {
		s.rows[o.Key] = o.Rows
		folder, _, _ := cutLast(o.Key, "/")
		t, ok := parsePartition(l.schema, folder)
		if size, there := sizes[o.Key]; ok && t >= l.from && t <= l.to && (!there || size != o.Bytes) {
			state = Damaged
		}
	}
	switch s.marker.State {
	case stateRemoving:
		return HalfRemoved
	case stateIntent:
		return Incomplete
	}
	return state
}

// countRows adds up the rows; objects that no marker tells of are asked themselves.
func (l *listing) countRows(ctx context.Context) {
	var group errgroup.Group
	group.SetLimit(parallelFooters)
	rows, failures := make([]int64, len(l.objects)), make([]error, len(l.objects))
	for i := range l.objects {
		o := &l.objects[i]
		if o.load != nil {
			if n, ok := o.load.rows[l.key(o)]; ok {
				rows[i] = n
				continue
			}
		}
		if strings.HasSuffix(o.Key, ".parquet") {
			group.Go(func() error {
				rows[i], failures[i] = footerRows(ctx, l.store, o.Key)
				return nil
			})
		}
	}
	_ = group.Wait() // every failure is its object's
	for i, o := range l.objects {
		o.entry.Rows += rows[i]
		if failures[i] != nil && !strings.HasPrefix(o.entry.State, Unreadable) {
			o.entry.State = Unreadable + failures[i].Error()
		}
	}
}

// footerRows is the number of rows of an object; none if it has gone since.
func footerRows(ctx context.Context, store lake.Store, key string) (int64, error) {
	src, err := store.Open(ctx, key)
	if errors.Is(err, lake.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", store.URL(key), err)
	}
	defer src.Close()
	_, rows, err := lake.ReadMeta(src, src.Size(), store.URL(key))
	return rows, err
}
