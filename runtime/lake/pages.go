package lake

import (
	"errors"
	"fmt"
	"io"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// maxPageRows bounds the rows that Next gives at once, however long the file's pages are.
const maxPageRows = 16 << 10

// Pages reads a file page by page. It is not safe for concurrent use.
type Pages struct {
	file    *File
	page    bridge.Page
	plans   []*leafPlan // of the leaves that are asked for
	cursors []*cursor   // of those that the file has, in their order; nil: a missing one
	deleted *cursor     // the _deleted column, if other columns need it
	isDead  []uint8     // of the page at hand; nil if no row is

	repair []bridge.Column // room for repaired columns, by plan
	fills  []bridge.Column // of missing columns
	levels [][]uint8       // definition levels that were made here, by level stream
	zeros  []uint8

	group int   // row groups opened
	left  int64 // rows left of the open one
	row   int64 // rows given
	err   error
}

var errPagesClosed = errors.New("the pages are closed")

func (p *Pages) plan(leaves []int) error {
	s := p.file.schema
	needDeleted := false
	for _, index := range leaves {
		if index < 0 || index >= len(s.Leaves) {
			return fmt.Errorf("%s: table %q has no leaf %d", p.file.name, s.Table, index)
		}
		plan, err := planLeaf(s, index, p.file.root)
		if err != nil {
			return fmt.Errorf("%s: %w", p.file.name, err)
		}
		p.plans = append(p.plans, plan)
		var c *cursor
		if plan.node != nil {
			c = newCursor(plan)
		}
		p.cursors = append(p.cursors, c)
		if s.Deletes && index == s.Sys+4 {
			p.deleted = c
		}
		needDeleted = needDeleted || p.obeysDeleted(plan)
	}
	p.repair = make([]bridge.Column, len(p.plans))
	p.fills = make([]bridge.Column, len(p.plans))
	p.levels = make([][]uint8, s.NLevels)
	if needDeleted && !slices.Contains(leaves, s.Sys+4) {
		plan, err := planLeaf(s, s.Sys+4, p.file.root)
		if err != nil {
			return fmt.Errorf("%s: %w", p.file.name, err)
		}
		if plan.node != nil {
			p.deleted = newCursor(plan)
		}
	}
	return nil
}

// obeysDeleted says whether a column is null in the rows that _deleted marks.
func (p *Pages) obeysDeleted(plan *leafPlan) bool {
	return p.file.schema.Deletes && plan.leaf.Field >= 0 && plan.leaf.MaxDef > 0
}

// Next gives the next rows, io.EOF after the last. Only the leaves that were asked for
// are filled, and the level streams that they use. The page and the strings in it live
// until the next call. It keeps the promise of bridge.Page whatever the file looks like.
func (p *Pages) Next() (page *bridge.Page, err error) {
	if p.err != nil {
		return nil, p.err
	}
	defer func() {
		if v := recover(); v != nil {
			err = notReadable(p.file.name, fmt.Errorf("it is damaged (%v)", v))
		}
		if p.err = err; err != nil {
			page = nil
		}
	}()
	for p.left == 0 {
		if p.group == len(p.file.meta.RowGroups) {
			return nil, io.EOF
		}
		p.openGroup()
	}
	n, err := p.ensure()
	if err != nil {
		return nil, err
	}
	p.page.N = n
	if err := p.fill(n); err != nil {
		return nil, err
	}
	p.left -= int64(n)
	p.row += int64(n)
	return &p.page, p.checkEnd()
}

// Underived tells whether rows were handed out that lack a derived column, by a writer
// that did not have it: it reads as zero or null there, and bridge.Derive computes it.
func (p *Pages) Underived() bool {
	return slices.ContainsFunc(p.plans, func(plan *leafPlan) bool { return plan.derived && plan.filled })
}

// Close gives the buffers back. It does not close the source.
func (p *Pages) Close() error {
	if p.err == nil || p.err == io.EOF {
		p.err = errPagesClosed
	}
	p.plans, p.cursors, p.deleted, p.repair, p.fills = nil, nil, nil, nil, nil
	return nil
}

func (p *Pages) openGroup() {
	g := &p.file.meta.RowGroups[p.group]
	p.group++
	p.left = g.NumRows
	p.each(func(c *cursor) error {
		c.open(p.file.src, &g.Columns[c.plan.node.leaf].MetaData, p.row)
		return nil
	})
}

// each calls do for all cursors, once for each.
func (p *Pages) each(do func(*cursor) error) error {
	seen := false
	for _, c := range p.cursors {
		if c == nil {
			continue
		}
		seen = seen || c == p.deleted
		if err := do(c); err != nil {
			return p.file.columnError(c.plan.leaf, err)
		}
	}
	if p.deleted != nil && !seen {
		if err := do(p.deleted); err != nil {
			return p.file.columnError(p.deleted.plan.leaf, err)
		}
	}
	return nil
}

// ensure decodes until all columns can hand out n rows.
func (p *Pages) ensure() (n int, err error) {
	n = int(min(p.left, maxPageRows))
	err = p.each(func(c *cursor) error {
		err := c.ensure()
		if err == io.EOF {
			return fmt.Errorf("it ends before row %d, the footer says there are %d", p.row+1, p.file.Rows())
		}
		n = min(n, c.held)
		return err
	})
	return n, err
}

// checkEnd compares the rows of all columns when a row group was read.
func (p *Pages) checkEnd() error {
	if p.left > 0 {
		return nil
	}
	return p.each(func(c *cursor) error {
		err := c.ensure()
		if err == nil {
			err = fmt.Errorf("it has more rows than the footer says (%d)", p.file.Rows())
		}
		if err == io.EOF {
			err = nil
		}
		return err
	})
}

// fill makes the page of n rows.
func (p *Pages) fill(n int) error {
	for i := range p.page.Levels {
		p.page.Levels[i] = bridge.Levels{}
	}
	p.isDead = nil
	var deleted bridge.Column
	if p.deleted != nil {
		deleted, _ = p.deleted.take(n)
		if slices.Contains(deleted.U8, 1) {
			p.isDead = deleted.U8
		}
	}
	for i, plan := range p.plans {
		col, lv := &p.page.Cols[plan.index], bridge.Levels{}
		switch c := p.cursors[i]; {
		case c == nil:
			*col, lv = p.missing(i, n)
		case c == p.deleted:
			*col = deleted
		default:
			*col, lv = c.take(n)
		}
		err := p.keepPromise(i, col, &lv)
		if err == nil && plan.leaf.Levels >= 0 {
			err = p.share(plan, &p.page.Levels[plan.leaf.Levels], lv)
		}
		if err != nil {
			return p.file.columnError(plan.leaf, err)
		}
	}
	if err := p.file.schema.CheckNested(&p.page); err != nil {
		return fmt.Errorf("%s: in rows %d to %d: %w", p.file.name, p.row+1, p.row+int64(n), err)
	}
	return nil
}

// share sets the levels of a stream, or compares them with those of a leaf before.
func (p *Pages) share(plan *leafPlan, to *bridge.Levels, lv bridge.Levels) error {
	if to.Def == nil {
		*to = lv
		return nil
	}
	if !slices.Equal(to.Def, lv.Def) || !slices.Equal(to.Rep, lv.Rep) {
		return contentf("in rows %d to %d it disagrees with a column of the same group about which elements are there", p.row+1, p.row+int64(p.page.N))
	}
	return nil
}
