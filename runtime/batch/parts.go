package batch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// Bounds of a load over many partitions. They are constants, since what they cut is
// cut the same in every run.
const (
	maxOpenParts    = 32             // with a row group in memory each
	maxBufferedRows = 64 * batchRows // over all partitions
	sharedGroupRows = 16 * batchRows // of a row group, where several are in memory
)

// footer keys of an object
const (
	metaLoad       = "bridge.load"
	metaGeneration = "bridge.generation"
	metaAsOf       = "bridge.as_of"
)

// parts turns rows into staged objects, by partition and size.
type parts struct {
	settings   *settings
	ctx        context.Context
	generation int
	asOf       bridge.Timestamp
	page       *bridge.Page
	newRows    func(n int) bridge.Rows
	sorter     *sorter // nil: in the order of the input

	folders  map[bridge.Timestamp]*folder
	buffered int     // rows in all folders
	room     int     // of them, at most
	open     []*part // the part written least recently first
	idle     []*lake.Writer
	done     []*part
}

// folder is one partition of the load.
type folder struct {
	path string // below the table's folder
	n    int    // parts begun
	part *part  // nil: none open
	rows bridge.Rows
}

// part is one object in the making.
type part struct {
	folder *folder
	object partObject
	staged lake.Staged
	sum    hash.Hash
	w      *lake.Writer
}

func newParts(ctx context.Context, c *settings, t bridge.Any, generation int, asOf bridge.Timestamp) *parts {
	p := &parts{settings: c, ctx: ctx, generation: generation, asOf: asOf, page: bridge.NewPage(c.schema),
		newRows: t.NewRows, folders: map[bridge.Timestamp]*folder{}, room: maxBufferedRows}
	if c.SortByKey {
		p.sorter = newSorter(c, t.NewRows)
	}
	return p
}

// add takes the first n rows.
func (p *parts) add(rows bridge.Rows, n int) error {
	switch {
	case n == 0:
		return nil
	case p.sorter != nil:
		return p.sorter.add(rows, n)
	}
	return p.place(rows, n)
}

// place puts the first n rows into their folders.
func (p *parts) place(rows bridge.Rows, n int) error {
	if p.settings.schema.PartitionBy < 0 {
		return p.write(p.folder(p.settings.Time), rows, n)
	}
	for i := range n {
		f := p.folder(p.settings.schema.FloorPartition(rows.PartitionTime(i)))
		at := f.rows.Len()
		f.rows.Resize(at + 1)
		f.rows.Copy(at, rows, i)
		p.buffered++
		if at+1 == batchRows {
			if err := p.flush(f); err != nil {
				return err
			}
		}
	}
	if p.buffered > p.room {
		return p.relieve()
	}
	return nil
}

func (p *parts) folder(t bridge.Timestamp) *folder {
	f := p.folders[t]
	if f == nil {
		f = &folder{path: p.settings.schema.Partition(t), rows: p.newRows(0)}
		p.folders[t] = f
	}
	return f
}

// flush writes the rows that a folder has gathered.
func (p *parts) flush(f *folder) error {
	n := f.rows.Len()
	if n == 0 {
		return nil
	}
	err := p.write(f, f.rows, n)
	f.rows.Resize(0)
	p.buffered -= n
	return err
}

// relieve empties the fullest folders until half of the room is free.
func (p *parts) relieve() error {
	for _, f := range p.sorted(func(a, b *folder) int { return b.rows.Len() - a.rows.Len() }) {
		if p.buffered <= p.room/2 {
			return nil
		}
		if err := p.flush(f); err != nil {
			return err
		}
		f.rows = p.newRows(0) // lets go of its memory
	}
	return nil
}

// write appends n rows to the folder's part and ends it at its size.
func (p *parts) write(f *folder, rows bridge.Rows, n int) error {
	if f.part == nil {
		if err := p.begin(f); err != nil {
			return err
		}
	}
	part := f.part
	p.touch(part)
	rows.Fill(p.page, 0, n)
	if err := part.w.WritePage(p.page); err != nil {
		return fmt.Errorf("writing %s: %w", part.object.Key, err)
	}
	part.object.Rows += int64(n)
	if part.staged.Size() >= p.settings.PartBytes {
		return p.end(part)
	}
	return nil
}

// touch makes part the last to be ended for want of room.
func (p *parts) touch(part *part) {
	for i, other := range p.open {
		if other == part {
			p.open = append(append(p.open[:i], p.open[i+1:]...), part)
			return
		}
	}
}

func (p *parts) begin(f *folder) error {
	if len(p.open) == maxOpenParts {
		if err := p.end(p.open[0]); err != nil {
			return err
		}
	}
	f.n++
	key := f.path + "/" + p.settings.id.object(p.generation, f.n)
	staged, err := p.stage(key)
	if err != nil {
		return fmt.Errorf("staging %s: %w", key, err)
	}
	part := &part{folder: f, object: partObject{Key: key}, staged: staged, sum: sha256.New(), w: p.writer()}
	part.w.Reset(io.MultiWriter(staged, part.sum))
	part.w.SetMeta(metaLoad, p.settings.id.String())
	part.w.SetMeta(metaGeneration, strconv.Itoa(p.generation))
	part.w.SetMeta(metaAsOf, p.asOf.String())
	f.part = part
	p.open = append(p.open, part)
	return nil
}

func (p *parts) stage(key string) (lake.Staged, error) {
	if p.settings.DryRun {
		return new(unwritten), nil
	}
	return p.settings.Store.Stage(p.ctx, p.settings.schema.Prefix()+"/"+key)
}

func (p *parts) writer() *lake.Writer {
	if n := len(p.idle); n > 0 {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return w
	}
	o := lake.WriterOptions{RowGroupRows: p.settings.RowGroupRows}
	if p.sorter != nil {
		o.SortedBy = keyLeaves(p.settings.schema)
	}
	return lake.NewWriter(p.settings.schema, o)
}

// end closes a part; it stays staged.
func (p *parts) end(part *part) error {
	if err := part.w.Close(); err != nil {
		return fmt.Errorf("writing %s: %w", part.object.Key, err)
	}
	if err := part.staged.Close(); err != nil {
		return fmt.Errorf("staging %s: %w", part.object.Key, err)
	}
	part.object.Bytes = part.staged.Size()
	part.object.SHA256 = hex.EncodeToString(part.sum.Sum(nil))
	p.idle, part.w, part.folder.part = append(p.idle, part.w), nil, nil
	for i, other := range p.open {
		if other == part {
			p.open = append(p.open[:i], p.open[i+1:]...)
			break
		}
	}
	p.done = append(p.done, part)
	return nil
}

// finish ends all parts and sorts them by key.
func (p *parts) finish() error {
	if p.sorter != nil {
		if err := p.sorter.emit(p.ctx, p.place); err != nil {
			return err
		}
		p.sorter.drop()
	}
	for _, f := range p.sorted(func(a, b *folder) int { return strings.Compare(a.path, b.path) }) {
		if err := p.flush(f); err != nil {
			return err
		}
	}
	for len(p.open) > 0 {
		if err := p.end(p.open[0]); err != nil {
			return err
		}
	}
	slices.SortFunc(p.done, func(a, b *part) int { return strings.Compare(a.object.Key, b.object.Key) })
	return nil
}

// sorted are the folders by less, and by path where that leaves it open, so that the
// same rows always make the same parts.
func (p *parts) sorted(compare func(a, b *folder) int) []*folder {
	return slices.SortedFunc(maps.Values(p.folders), func(a, b *folder) int {
		return cmp.Or(compare(a, b), strings.Compare(a.path, b.path))
	})
}

// discard drops all that is staged and not committed.
func (p *parts) discard() {
	for _, part := range append(p.open, p.done...) {
		_ = part.staged.Discard() // what it leaves, the store's own cleaning takes
	}
	p.open, p.done = nil, nil
	if p.sorter != nil {
		p.sorter.drop()
	}
}

func (p *parts) objects() []partObject {
	objects := make([]partObject, 0, len(p.done)) // [] in JSON, not null
	for _, part := range p.done {
		objects = append(objects, part.object)
	}
	return objects
}

// unwritten is the staged object of a dry run.
type unwritten struct{ n int64 }

func (u *unwritten) Write(b []byte) (int, error) {
	u.n += int64(len(b))
	return len(b), nil
}

func (u *unwritten) Size() int64                  { return u.n }
func (u *unwritten) Close() error                 { return nil }
func (u *unwritten) Commit(context.Context) error { return nil }
func (u *unwritten) Discard() error               { return nil }
