package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// Removal is a load that may be taken back: what is in the lake of one identity.
type Removal struct {
	Load    string   // batch_2026081902_eu
	Marker  string   // URL of its marker; empty: it has none
	Objects []Object // those that are there, of all its generations
	Rows    int64
	Bytes   int64
	Unread  int  // objects that say nothing of their rows
	Resumed bool // an earlier removal did not come to its end

	store lake.Store
	id    identity
	prior *prior
}

// ErrNothingToRemove says that the lake holds nothing of an identity.
var ErrNothingToRemove = errors.New("nothing of this load is in the lake")

// FindRemoval tells what Remove of the load of a table at its logical time would remove.
// It changes nothing. The error is ErrNothingToRemove if there is neither an object nor
// a marker.
func FindRemoval(ctx context.Context, store lake.Store, s *bridge.Schema, time bridge.Timestamp, name string) (*Removal, error) {
	id, err := newIdentity(s, time, name)
	if err != nil {
		return nil, err
	}
	p, err := findPrior(ctx, store, id)
	if err != nil {
		return nil, err
	}
	if !p.exists() {
		return nil, fmt.Errorf("%s of table %q: %w", id, s.Table, ErrNothingToRemove)
	}
	r := &Removal{Load: id.String(), store: store, id: id, prior: p}
	rows := map[string]int64{}
	if p.marker != nil {
		r.Marker, r.Resumed = store.URL(id.markerKey()), p.marker.State == stateRemoving
		for _, o := range p.marker.Objects {
			rows[o.Key] = o.Rows
		}
	}
	for _, o := range p.oldestFirst() {
		key := s.Prefix() + "/" + o.key
		n, known := rows[o.key]
		if !known {
			if n, err = footerRows(ctx, store, key); err != nil {
				r.Unread++ // it goes all the same, and a cut one can say nothing
			}
		}
		r.Objects = append(r.Objects, Object{URL: store.URL(key), Key: key, Rows: n, Size: o.size})
		r.Rows += n
		r.Bytes += o.size
	}
	return r, nil
}

// Remove takes the load back: the marker says first that it is being removed, then the
// objects go, then the marker. After a kill or a failure the same removal goes on where
// it stood. It removes exactly what r tells; if the load has changed since, it removes
// nothing.
func (r *Removal) Remove(ctx context.Context) error {
	now, err := findPrior(ctx, r.store, r.id)
	if err != nil {
		return err
	}
	if !now.sameAs(r.prior) {
		return fmt.Errorf("%s of table %q has changed since it was looked at; nothing was removed: look again", r.id, r.id.schema.Table)
	}
	if !r.Resumed {
		if err := writeMarker(ctx, r.store, r.id, r.intent()); err != nil {
			return err
		}
	}
	for _, o := range r.Objects {
		if err := r.delete(ctx, o.Key); err != nil {
			return err
		}
	}
	return r.delete(ctx, r.id.markerKey())
}

// intent is the marker of a load that is being removed. One without a marker gets one,
// so that a kill leaves no half load that looks like a whole one.
func (r *Removal) intent() *marker {
	if m := r.prior.marker; m != nil {
		removing := *m
		removing.State = stateRemoving
		return &removing
	}
	m := &marker{Format: 1, Table: r.id.schema.Table, Load: r.id.String(), Name: r.id.name, Time: r.id.time.String(), State: stateRemoving,
		AsOf: r.id.time.String(), Rows: r.Rows, Objects: []partObject{}}
	for i, o := range r.prior.oldestFirst() {
		m.Generation = max(m.Generation, o.generation)
		m.Objects = append(m.Objects, partObject{Key: o.key, Rows: r.Objects[i].Rows, Bytes: o.size})
	}
	return m
}

func (r *Removal) delete(ctx context.Context, key string) error {
	err := ctx.Err()
	if err == nil {
		err = r.store.Delete(ctx, key)
	}
	if err != nil {
		return fmt.Errorf("removing %s: %w; the load is half removed: remove it again", r.store.URL(key), err)
	}
	return nil
}

// oldestFirst are the objects by generation, so that while they are removed no row of a
// replaced one comes to the light.
func (p *prior) oldestFirst() []ownObject {
	return slices.SortedFunc(slices.Values(p.objects), func(a, b ownObject) int {
		return cmp.Or(cmp.Compare(a.generation, b.generation), strings.Compare(a.key, b.key))
	})
}

// sameAs reports whether both are one state of the lake.
func (p *prior) sameAs(other *prior) bool {
	if !slices.Equal(p.oldestFirst(), other.oldestFirst()) || (p.marker == nil) != (other.marker == nil) {
		return false
	}
	m, o := p.marker, other.marker
	return m == nil || m.State == o.State && m.Checksum == o.Checksum && m.samePlan(o)
}

// beingRemoved refuses to load what a removal has not finished.
func (p *prior) beingRemoved(c *settings) error {
	if p.marker == nil || p.marker.State != stateRemoving {
		return nil
	}
	return fmt.Errorf("%s of table %q is half removed; end that first: bridge batch remove", c.id, c.schema.Table)
}
