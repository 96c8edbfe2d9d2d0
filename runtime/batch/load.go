package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// Load reads the inputs into the lake as one load: whole, or not at all. The error is
// an *Errors if the input is to blame, with every place; what else can fail is the
// store, the inputs, or an identity that holds other input.
func Load(ctx context.Context, t bridge.Any, files []Input, o Options) (*Result, error) {
	c, err := newSettings(t.Info(), o)
	if err != nil {
		return nil, err
	}
	if formats[c.Format] == nil {
		return nil, unknownFormat(c.Format)
	}
	if o.MaxRejects != "" && o.Rejects == "" {
		return nil, errors.New("--max-rejects limits what --rejects FILE takes; name that file too")
	}
	if err := checkRejects(o.Rejects, files); err != nil {
		return nil, err
	}
	in, err := newInputs(files, o.TempDir)
	if err != nil {
		return nil, err
	}
	defer in.close()
	l := &load{settings: c, table: t, in: in, started: c.Now()}
	r, err := l.run(ctx)
	if r != nil {
		r.Elapsed = c.Now().Sub(l.started)
	}
	return r, err
}

// load is one run of Load.
type load struct {
	*settings
	table   bridge.Any
	in      *inputs
	started time.Time
}

// run decides what this input is to its identity, builds the objects, and publishes
// them. Where the identity is there already, the input is read once more, before, for
// its checksum: as_of and generation depend on it.
func (l *load) run(ctx context.Context) (*Result, error) {
	now := bridge.TimestampOf(l.started)
	p, err := findPrior(ctx, l.Store, l.id)
	if err != nil {
		return nil, err
	}
	if err := p.beingRemoved(l.settings); err != nil {
		return nil, err
	}
	next := attempt{asOf: l.asOfOr(now)}
	if p.exists() {
		sum, err := l.in.digest(ctx, l.checking())
		if err != nil {
			return nil, err
		}
		if next, err = p.decide(l.settings, sum, now); err != nil {
			return nil, err
		}
		if next.already {
			return alreadyComplete(ctx, l.settings, p)
		}
	}
	for {
		result, again, err := l.build(ctx, p, next)
		if again == nil || err != nil {
			return result, err
		}
		next = *again
	}
}

// checking tells Progress of the pass for the checksum.
func (l *load) checking() func() {
	told := l.started
	return func() {
		if now := l.Now(); l.Progress != nil && now.Sub(told) >= 100*time.Millisecond {
			told = now
			l.Progress(Progress{Stage: "checking", Read: l.in.read.Load(), Total: l.in.size(), Elapsed: now.Sub(l.started)})
		}
	}
}

// build reads all inputs into objects and publishes them, or returns what to try next.
func (l *load) build(ctx context.Context, p *prior, a attempt) (*Result, *attempt, error) {
	b, err := newBody(ctx, l.settings, l.table, a.generation, a.asOf)
	if err != nil {
		return nil, nil, err
	}
	defer b.discard()
	b.started, b.total = l.started, l.in.size()
	b.read = l.in.read.Load
	sum, err := l.readAll(ctx, b, p.exists())
	if err != nil {
		return nil, nil, err
	}
	if a.checksum != "" && sum != a.checksum {
		return nil, nil, errors.New("the input changed while it was read twice; load it again when nobody writes to it (an Input that opens only once has to say Once)")
	}
	if err := b.finish(); err != nil {
		return nil, nil, err
	}
	return b.conclude(ctx, p, sum)
}

// readAll reads the inputs one after the other and returns their checksum.
func (l *load) readAll(ctx context.Context, b *body, again bool) (string, error) {
	l.in.read.Store(0)
	rows := l.table.NewRows(batchRows)
	var sums [][]byte
	n := 0
	for i := range l.in.files {
		src, err := l.in.open(ctx, i, again)
		if err != nil {
			return "", err
		}
		r := formats[l.Format](l.schema, l.zone, l.in.files[i].Name, src)
		n, err = b.readInput(ctx, r, rows, n)
		if err := errors.Join(err, src.Close()); err != nil {
			return "", l.named(i, err)
		}
		sums = append(sums, src.sum.Sum(nil))
	}
	if err := b.flush(ctx, rows, n); err != nil {
		return "", err
	}
	return checksum(sums), nil
}

// named adds the input's name to an error that does not name a place itself.
func (l *load) named(i int, err error) error {
	var invalid *Errors
	if errors.As(err, &invalid) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if name := l.in.files[i].Name; !strings.HasPrefix(err.Error(), name+": ") {
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// readInput reads the records of one input behind the n rows that wait in rows, and
// returns how many wait then.
func (b *body) readInput(ctx context.Context, r reader, rows bridge.Rows, n int) (int, error) {
	problems, err := r.begin()
	if err != nil {
		return n, err
	}
	if len(problems) > 0 {
		b.problems.add(problems...)
		return n, b.failure("")
	}
	if b.rejects != nil {
		b.rejects.begin(r.title())
	}
	var rec record
	for seen := 0; ; seen++ {
		if n == batchRows || seen == batchRows {
			if err := b.flush(ctx, rows, n); err != nil {
				return n, err
			}
			rows.Resize(0)
			rows.Resize(batchRows) // empties the records
			n, seen = 0, 0
		}
		rec.reset()
		before := r.floored()
		err := r.next(rows, n, &rec)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, b.brokenOff(err)
		}
		if err := b.tag(rows, n); err != nil {
			return n, err
		}
		if b.accept(r, rows, n, &rec) {
			b.floored += int64(r.floored() - before)
			n++
		}
	}
}

// brokenOff makes an input that cannot be read to its end the load's failure.
func (b *body) brokenOff(err error) error {
	var p *broken
	if !errors.As(err, &p) {
		return err
	}
	b.problems.max = max(b.problems.max, len(b.problems.list)+1) // it is the one that matters
	b.problems.add(p.Problem)
	return b.failure("The input cannot be read any further from there")
}

// accept applies record n and reports whether it stays.
func (b *body) accept(r reader, rows bridge.Rows, n int, rec *record) bool {
	if len(rec.problems) == 0 {
		b.env.Given = rec.given
		b.env.Differed = 0
		if rows.Apply(&b.env, n) {
			if b.env.Differed > 0 || rec.differed {
				b.differed++
			}
			return true
		}
		b.explain(r, rec)
	}
	b.reject(r, rec)
	rows.Clear(n)
	return false
}

// explain makes problems of what Apply found.
func (b *body) explain(r cells, rec *record) {
	rec.problems = append(rec.problems, explained(b.settings.schema, r, rec.line, b.env.Rejects)...)
}

// explained are the problems of a record that Apply refused, each with its cell.
func explained(s *bridge.Schema, r cells, line int64, rejects []bridge.Reject) (problems []Problem) {
	for _, reject := range rejects {
		f := &s.Fields[reject.Col]
		p := Problem{File: r.name(), Line: line, Column: f.Name, Reason: fmt.Sprintf("column %q %s", f.Name, reject.Reason)}
		at, text, null, ok := r.cell(reject.Col)
		if ok || at == atRow {
			p.At = at
		}
		if ok {
			p.Reason = sentence(f.Name, text, null, reject.Reason)
		}
		problems = append(problems, p)
	}
	return problems
}

// reject counts an invalid record and sets it aside.
func (b *body) reject(r cells, rec *record) {
	b.rejected++
	b.problems.add(rec.problems...)
	if b.rejects != nil {
		title, _ := r.title()
		b.rejects.put(rec, title, rec.problems)
	}
}
