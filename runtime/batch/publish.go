package batch

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// parallelCommits bounds the objects on their way to the store at a time.
const parallelCommits = 4

// conclude publishes what a body has built, or says that it has to be built as another
// generation: the objects of one generation never change, and these would.
func (b *body) conclude(ctx context.Context, p *prior, checksum string) (*Result, *attempt, error) {
	m := b.plan(checksum)
	same := p.marker != nil && p.marker.Checksum == m.Checksum && p.marker.samePlan(m)
	if p.marker != nil && !same && p.marker.Generation >= m.Generation {
		generation, err := p.next()
		return nil, &attempt{generation, b.parts.asOf, checksum, false}, err
	}
	if same && p.intact() {
		r, err := alreadyComplete(ctx, b.settings, p)
		return r, nil, err
	}
	r := b.settings.result(m)
	r.Floored, r.Differed = b.floored, b.differed
	if b.settings.DryRun {
		return r, nil, nil
	}
	if err := b.publish(ctx, p, m, same); err != nil {
		return nil, nil, err
	}
	replaced, removed, err := removeOthers(ctx, b.settings, m)
	r.Replaced, r.Removed = replaced, removed
	return r, nil, err
}

// publish makes the parts visible: intent, objects, complete.
func (b *body) publish(ctx context.Context, p *prior, m *marker, same bool) error {
	store, id := b.settings.Store, b.settings.id
	m.State = stateIntent
	if err := writeMarker(ctx, store, id, m); err != nil {
		return err
	}
	group, commits := errgroup.WithContext(ctx)
	group.SetLimit(parallelCommits)
	var written atomic.Int64
	for _, part := range b.parts.done {
		if same && p.has(&part.object) {
			continue
		}
		group.Go(func() error {
			if err := part.staged.Commit(commits); err != nil {
				return fmt.Errorf("writing %s: %w", store.URL(id.schema.Prefix()+"/"+part.object.Key), err)
			}
			written.Add(1)
			return nil
		})
		b.progress(Progress{Stage: "writing", Objects: int(written.Load())})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("%w; the load is incomplete: run it again with the same input to finish it", err)
	}
	b.progress(Progress{Stage: "writing", Objects: int(written.Load())})
	if err := stillOurs(ctx, b.settings, m); err != nil {
		return err
	}
	m.State = stateComplete
	return writeMarker(ctx, store, id, m)
}

// stillOurs finds another process that loads the same identity at the same time. It is
// no lock; it keeps a mistake from being called complete.
func stillOurs(ctx context.Context, c *settings, m *marker) error {
	now, err := readMarker(ctx, c.Store, c.id)
	if err != nil {
		return err
	}
	if now == nil || now.Checksum != m.Checksum || !now.samePlan(m) {
		return fmt.Errorf("another process loads %s of table %q at the same time; let it end, then run this load again", c.id, c.schema.Table)
	}
	return nil
}

// removeOthers removes the identity's objects that are not in its complete marker:
// those of older generations (replaced), and what unfinished runs left (removed).
func removeOthers(ctx context.Context, c *settings, m *marker) (replaced, removed int, err error) {
	own, err := ownObjects(ctx, c.Store, c.id)
	if err != nil {
		return 0, 0, err
	}
	keep := map[string]bool{}
	for i := range m.Objects {
		keep[m.Objects[i].Key] = true
	}
	for _, o := range own {
		if keep[o.key] {
			continue
		}
		key := c.schema.Prefix() + "/" + o.key
		if err := c.Store.Delete(ctx, key); err != nil {
			return replaced, removed, fmt.Errorf("the load is complete, but %s, which it replaces, could not be removed: %w; run it again", c.Store.URL(key), err)
		}
		if o.generation < m.Generation {
			replaced++
		} else {
			removed++
		}
	}
	return replaced, removed, nil
}

// alreadyComplete is the result of a load that was complete before, after what it
// should have removed is gone.
func alreadyComplete(ctx context.Context, c *settings, p *prior) (*Result, error) {
	r := c.result(p.marker)
	r.Already = true
	if c.DryRun || len(p.objects) == len(p.marker.Objects) {
		return r, nil
	}
	var err error
	r.Replaced, r.Removed, err = removeOthers(ctx, c, p.marker)
	return r, err
}

// result is what m says of a load.
func (c *settings) result(m *marker) *Result {
	r := &Result{Rows: m.Rows, Rejected: m.Rejected, Bytes: m.bytes(), Generation: m.Generation, AsOf: m.asOf()}
	for _, o := range m.Objects {
		key := c.schema.Prefix() + "/" + o.Key
		r.Objects = append(r.Objects, Object{URL: c.Store.URL(key), Key: key, Rows: o.Rows, Size: o.Bytes})
	}
	return r
}
