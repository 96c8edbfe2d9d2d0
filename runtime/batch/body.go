package batch

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// body is what the roads into a load share: rows get their system columns, are applied,
// and go to the parts or to the rejects.
type body struct {
	settings *settings
	parts    *parts
	env      bridge.Env
	hour     int64
	problems problems
	rejects  *rejects // nil: an invalid row stops the load
	position int64    // of the next record in the input
	rejected int64
	floored  int64
	differed int64
	started  time.Time
	told     time.Time // when Progress was called last
	read     func() int64
	total    int64
}

func newBody(ctx context.Context, c *settings, t bridge.Any, generation int, asOf bridge.Timestamp) (*body, error) {
	b := &body{settings: c, parts: newParts(ctx, c, t, generation, asOf), env: c.env(asOf), hour: c.id.hour(),
		problems: problems{max: c.MaxErrors}, read: func() int64 { return 0 }}
	if c.Rejects != "" {
		var err error
		if b.rejects, err = createRejects(c.Rejects, comma(c.schema.Delimiter)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// discard drops everything that is not in the lake.
func (b *body) discard() {
	b.parts.discard()
	if b.rejects != nil {
		b.rejects.discard()
	}
}

// stopped reports whether the load cannot succeed any more.
func (b *body) stopped() bool { return b.problems.n > 0 && !b.tolerant() }

// tolerant reports whether invalid rows are set aside.
func (b *body) tolerant() bool { return b.settings.Rejects != "" || b.settings.MaxRejects != "" }

// tag gives record i its place in the order; it counts the record.
func (b *body) tag(rows bridge.Rows, i int) error {
	seq, ok := bridge.BatchSeq(b.hour, b.parts.generation, b.position)
	if !ok {
		return fmt.Errorf("the input has more than %s records, the most that _seq can order; split it into named loads", grouped(b.position))
	}
	b.position++
	*rows.Sys(i) = bridge.System{Source: bridge.Batch, IngestedAt: b.settings.Time, Seq: seq}
	return nil
}

// flush sends the first n rows to the parts; of a load that is lost it only drops them.
func (b *body) flush(ctx context.Context, rows bridge.Rows, n int) error {
	b.progress(Progress{Stage: "reading"})
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.stopped() {
		b.parts.discard()
		return nil
	}
	return b.parts.add(rows, n)
}

// progress tells the caller, but not too often.
func (b *body) progress(p Progress) {
	if b.settings.Progress == nil {
		return
	}
	now := b.settings.Now()
	if p.Stage == "reading" && now.Sub(b.told) < 100*time.Millisecond {
		return
	}
	b.told = now
	p.Rows, p.Rejected, p.Read, p.Total, p.Elapsed = b.position, b.rejected, b.read(), b.total, now.Sub(b.started)
	b.settings.Progress(p)
}

// finish ends the parts and decides whether the load may become visible.
func (b *body) finish() error {
	if b.rejects != nil {
		if err := b.rejects.finish(); err != nil {
			return err
		}
	}
	if err := b.verdict(); err != nil {
		return err
	}
	return b.parts.finish()
}

func (b *body) verdict() error {
	remedy := ""
	switch {
	case b.problems.n == 0:
		return nil
	case !b.tolerant():
		remedy = "Fix them, or set them aside with --rejects FILE"
	case b.rejected > 0 && b.rejected == b.position:
		remedy = "No row is valid" + b.whereRejects()
	case !b.settings.limit.allows(b.rejected, b.position):
		remedy = fmt.Sprintf("That is more than --max-rejects %s allows%s", b.settings.limit.text, b.whereRejects())
	default:
		return nil
	}
	return b.failure(remedy)
}

func (b *body) whereRejects() string {
	if b.settings.Rejects == "" {
		return ""
	}
	return "; they are in " + filepath.ToSlash(b.settings.Rejects)
}

func (b *body) failure(remedy string) error {
	return &Errors{Problems: b.problems.list, Found: b.problems.n, Invalid: b.rejected, Rows: b.position, Remedy: remedy}
}

// plan is the marker that the parts make true.
func (b *body) plan(checksum string) *marker {
	id := b.settings.id
	m := &marker{Format: 1, Table: b.settings.schema.Table, Load: id.String(), Name: id.name, Time: id.time.String(), Checksum: checksum,
		AsOf: b.parts.asOf.String(), Generation: b.parts.generation, Rejected: b.rejected, Objects: b.parts.objects()}
	for _, o := range m.Objects {
		m.Rows += o.Rows
	}
	return m
}
