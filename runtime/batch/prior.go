package batch

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// prior is what the lake holds of an identity before a load.
type prior struct {
	marker  *marker // nil: none
	objects []ownObject
}

// ownObject is an object whose name is exactly of the identity.
type ownObject struct {
	key        string // from the table's folder on
	generation int
	size       int64
}

func findPrior(ctx context.Context, store lake.Store, id identity) (*prior, error) {
	m, err := readMarker(ctx, store, id)
	if err != nil {
		return nil, err
	}
	objects, err := ownObjects(ctx, store, id)
	return &prior{m, objects}, err
}

// ownObjects lists the objects of an identity. By a partition time of its own a table's
// rows, and so a load's objects, lie anywhere; else in the partition of the load.
func ownObjects(ctx context.Context, store lake.Store, id identity) (own []ownObject, err error) {
	table := id.schema.Prefix() + "/"
	prefix := table
	if id.schema.PartitionBy < 0 {
		prefix += id.schema.Partition(id.time) + "/" + id.String()
	}
	for object, err := range store.List(ctx, prefix) {
		if err != nil {
			return nil, fmt.Errorf("listing the objects of %s: %w", id, err)
		}
		key := strings.TrimPrefix(object.Key, table)
		folder, file, _ := cutLast(key, "/")
		if _, ok := parsePartition(id.schema, folder); !ok {
			continue
		}
		other, generation, _, ok := parseObject(id.schema, file)
		if ok && other.time == id.time && other.name == id.name {
			own = append(own, ownObject{key, generation, object.Size})
		}
	}
	return own, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

func (p *prior) exists() bool { return p.marker != nil || len(p.objects) > 0 }

// has reports whether the object is there. A generation's objects are written with one
// content only, so the size is enough.
func (p *prior) has(o *partObject) bool {
	for i := range p.objects {
		if p.objects[i].key == o.Key {
			return p.objects[i].size == o.Bytes
		}
	}
	return false
}

// intact reports whether the load is complete and all its objects are there.
func (p *prior) intact() bool {
	if p.marker == nil || p.marker.State != stateComplete {
		return false
	}
	for i := range p.marker.Objects {
		if !p.has(&p.marker.Objects[i]) {
			return false
		}
	}
	return true
}

// next is the first generation that nothing was written of.
func (p *prior) next() (int, error) {
	last := -1
	if p.marker != nil {
		last = p.marker.Generation
	}
	for _, o := range p.objects {
		last = max(last, o.generation)
	}
	if last >= maxGeneration {
		return 0, fmt.Errorf("this load was replaced %d times, the most that _seq can order; load under another name or time", maxGeneration)
	}
	return last + 1, nil
}

// attempt is one way to build a load.
type attempt struct {
	generation int
	asOf       bridge.Timestamp
	checksum   string // that the input must have; empty: any
	already    bool   // nothing to build: the same input is complete
}

// decide says what to do with an input whose identity is there already.
func (p *prior) decide(c *settings, checksum string, now bridge.Timestamp) (attempt, error) {
	m := p.marker
	same := m != nil && m.Checksum == checksum && (c.AsOf == 0 || c.AsOf == m.asOf())
	switch {
	case same && !c.Replace && p.intact():
		return attempt{already: true}, nil
	case same: // finish it, repair it, or see whether the spec makes other objects of it now
		return attempt{m.Generation, m.asOf(), checksum, false}, nil
	case !c.Replace:
		return attempt{}, p.refusal(c, checksum)
	}
	generation, err := p.next()
	return attempt{generation, c.asOfOr(now), checksum, false}, err
}

// refusal says why an input is not what its identity holds.
func (p *prior) refusal(c *settings, checksum string) error {
	m, what := p.marker, fmt.Sprintf("%s of table %q", c.id, c.schema.Table)
	switch {
	case m == nil:
		return fmt.Errorf("%s has %s in the lake but no marker %s; replace them with --replace", what, count(len(p.objects), "object"), c.Store.URL(c.id.markerKey()))
	case m.Checksum == checksum:
		return fmt.Errorf("%s was loaded from this input as of %s; with another --as-of it is another load: replace it with --replace, or leave --as-of out", what, m.AsOf)
	case m.State == stateIntent:
		return fmt.Errorf("%s was begun with other input (%s, %s) and did not finish; load that input again to finish it, or replace it with --replace", what, m.Checksum, count(int(m.Rows), "row"))
	}
	return fmt.Errorf("%s was loaded from other input (%s, %s as of %s); replace it with --replace, or load this one under a name of its own with --name", what, m.Checksum, count(int(m.Rows), "row"), m.AsOf)
}

// asOfOr is the as_of that was asked for, else when the input was taken, else now.
func (c *settings) asOfOr(now bridge.Timestamp) bridge.Timestamp {
	return cmp.Or(c.AsOf, c.TakenAt, now)
}
