package lake

import (
	"bytes"
	"errors"
	"io"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/format"
)

// cursor reads one leaf of a row group: it decodes page after page and hands out rows.
type cursor struct {
	plan   *leafPlan
	chunk  chunkReader
	values values
	flat   bool
	same   bool // the file's definition levels are the table's

	col      bridge.Column // decoded, in the leaf's kind
	def, rep []uint8       // decoded, as the table counts; def is empty for a leaf without levels
	level    int           // handed out, of def, or of the rows of a leaf without levels
	value    int           // handed out
	held     int           // rows decoded and not handed out
	rows     int64         // rows of the file before the page at hand
	ended    bool

	cut   bridge.Column // what is handed out
	off   []uint32
	fixed bridge.Column // a column that was repaired
}

// open begins the column's chunk in a row group, whose first row is the file's row base.
func (c *cursor) open(src io.ReaderAt, m *format.ColumnMetaData, base int64) {
	c.chunk.reset(src, m, c.plan.node)
	truncate(&c.col)
	c.def, c.rep = c.def[:0], c.rep[:0]
	c.level, c.value, c.held, c.rows, c.ended = 0, 0, 0, base, false
	c.values.dictLen = 0
}

func newCursor(p *leafPlan) *cursor {
	c := &cursor{plan: p, values: p.reader(), flat: p.leaf.MaxRep == 0, same: true}
	for i, l := range p.levels {
		c.same = c.same && int(l) == i
	}
	return c
}

// ensure decodes until a row can be handed out; io.EOF at the end of the row group.
func (c *cursor) ensure() error {
	for c.held == 0 {
		if c.ended {
			return io.EOF
		}
		if err := c.load(); err != nil {
			return err
		}
	}
	return nil
}

// load decodes the next data page.
func (c *cursor) load() error {
	p, err := c.chunk.next()
	if err == io.EOF {
		c.ended = true
		if !c.flat {
			c.held = bytes.Count(c.rep[c.level:], []byte{0})
		}
		return nil
	}
	if err != nil {
		return err
	}
	if p.dictionary {
		return c.values.dictionary(&p)
	}
	if c.flat {
		return c.loadFlat(&p)
	}
	return c.loadNested(&p)
}

func (c *cursor) loadFlat(p *rawPage) error {
	if c.values.aliased {
		c.col.Bytes, c.values.aliased = nil, false
	}
	truncate(&c.col)
	c.level, c.value = 0, 0
	present, err := c.levels(p, 0)
	if err != nil {
		return err
	}
	if err := c.decode(p, present); err != nil {
		return err
	}
	if c.plan.leaf.MaxDef == 0 && present < p.values {
		if err := c.fillNulls(); err != nil {
			return err
		}
	}
	c.held = p.values
	c.rows += int64(p.values)
	return nil
}

// levels decodes the definition levels of a page behind the first old ones, and counts
// the values.
func (c *cursor) levels(p *rawPage, old int) (present int, err error) {
	top := c.plan.node.maxDef
	if top == 0 && c.plan.leaf.MaxDef == 0 {
		return p.values, nil
	}
	c.def = extend(c.def[:old], p.values)
	def := c.def[old:]
	if top == 0 {
		fillBytes(def, c.plan.leaf.MaxDef)
		return p.values, nil
	}
	if err := decodeLevels(def, p.def, top); err != nil {
		return 0, err
	}
	present = bytes.Count(def, []byte{top})
	if c.same {
		return present, nil
	}
	for i, l := range def {
		def[i] = c.plan.levels[l]
	}
	if c.plan.leaf.MaxDef > 0 && bytes.IndexByte(def, noLevel) >= 0 {
		return 0, contentf("a row after row %d has a null inside, where the table always has a value", c.rows)
	}
	return present, nil
}

func (c *cursor) decode(p *rawPage, n int) error {
	err := c.values.data(&c.col, p, n)
	if e, ok := err.(*valueError); ok {
		return contentf("row %d: %s", c.rows+c.rowOf(e.at)+1, e.text)
	}
	return err
}

// rowOf counts the rows of the page before the value at.
func (c *cursor) rowOf(at int) int64 {
	if !c.flat || len(c.def) == 0 {
		return int64(at)
	}
	for i, l := range c.def {
		if l == c.plan.leaf.MaxDef {
			if at == 0 {
				return int64(i)
			}
			at--
		}
	}
	return 0
}

// fillNulls puts the default where the file has a null and the table has none.
func (c *cursor) fillNulls() error {
	truncate(&c.fixed)
	k := 0
	for i, l := range c.def {
		switch {
		case l != noLevel:
			appendValue(&c.fixed, c.plan.leaf.Kind, &c.col, k)
			k++
		case c.plan.fill != nil:
			appendValue(&c.fixed, c.plan.leaf.Kind, c.plan.fill, 0)
			c.plan.filled = true
		default:
			return errNull(c.rows + int64(i))
		}
	}
	c.col, c.fixed = c.fixed, c.col
	if c.values.aliased {
		c.fixed.Bytes, c.values.aliased = nil, false
	}
	return nil
}

func errNull(row int64) error {
	return contentf("row %d is null, but the column is not optional and has no default", row+1)
}

// loadNested decodes a page behind what is not handed out yet. A row may go on in the
// next page, so the last one is held back until another begins.
func (c *cursor) loadNested(p *rawPage) error {
	c.compact()
	old := len(c.rep)
	c.rep = extend(c.rep, p.values)
	if err := decodeLevels(c.rep[old:], p.rep, c.plan.node.maxRep); err != nil {
		return err
	}
	if old == 0 && p.values > 0 && c.rep[0] != 0 {
		return errors.New("its first row has no beginning")
	}
	present, err := c.levels(p, old)
	if err != nil {
		return err
	}
	if err := c.decode(p, present); err != nil {
		return err
	}
	c.rows += int64(bytes.Count(c.rep[old:], []byte{0}))
	c.held = max(bytes.Count(c.rep, []byte{0})-1, 0)
	return nil
}

// compact moves what is not handed out yet to the front.
func (c *cursor) compact() {
	c.def = c.def[:copy(c.def, c.def[c.level:])]
	c.rep = c.rep[:copy(c.rep, c.rep[c.level:])]
	c.level = 0
	col, k := &c.col, c.value
	c.value = 0
	switch c.plan.leaf.Kind {
	case bridge.Bool, bridge.Code:
		col.U8 = col.U8[:copy(col.U8, col.U8[k:])]
	case bridge.Int32:
		col.I32 = col.I32[:copy(col.I32, col.I32[k:])]
	case bridge.Int64:
		col.I64 = col.I64[:copy(col.I64, col.I64[k:])]
	case bridge.Float:
		col.F32 = col.F32[:copy(col.F32, col.F32[k:])]
	case bridge.Double:
		col.F64 = col.F64[:copy(col.F64, col.F64[k:])]
	case bridge.Bytes:
		if len(col.Off) == 0 {
			return
		}
		base := col.Off[k]
		col.Bytes = col.Bytes[:copy(col.Bytes, col.Bytes[base:])]
		col.Off = col.Off[:copy(col.Off, col.Off[k:])]
		for i := range col.Off {
			col.Off[i] -= base
		}
	}
}

// take hands out n rows, which were ensured. They live until the next ensure.
func (c *cursor) take(n int) (col bridge.Column, lv bridge.Levels) {
	l := c.plan.leaf
	end, values := c.level+n, n
	if !c.flat {
		end = c.level + levelsOf(c.rep[c.level:], n)
		lv.Rep = c.rep[c.level:end]
	}
	if l.MaxDef > 0 {
		lv.Def = c.def[c.level:end]
		values = bytes.Count(lv.Def, []byte{l.MaxDef})
	}
	c.slice(c.value, c.value+values)
	c.level, c.value, c.held = end, c.value+values, c.held-n
	return c.cut, lv
}

// levelsOf is the number of levels of the first n rows.
func levelsOf(rep []uint8, n int) int {
	for i, r := range rep {
		if r == 0 {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return len(rep)
}

func (c *cursor) slice(from, to int) {
	switch c.plan.leaf.Kind {
	case bridge.Bool, bridge.Code:
		c.cut.U8 = c.col.U8[from:to:to]
	case bridge.Int32:
		c.cut.I32 = c.col.I32[from:to:to]
	case bridge.Int64:
		c.cut.I64 = c.col.I64[from:to:to]
	case bridge.Float:
		c.cut.F32 = c.col.F32[from:to:to]
	case bridge.Double:
		c.cut.F64 = c.col.F64[from:to:to]
	case bridge.Bytes:
		c.sliceBytes(from, to)
	}
}

// sliceBytes makes offsets count from 0, so that a page carries no bytes of its
// neighbours.
func (c *cursor) sliceBytes(from, to int) {
	if from == to {
		c.off = append(c.off[:0], 0)
		c.cut.Off, c.cut.Bytes = c.off, nil
		return
	}
	off := c.col.Off[from : to+1]
	c.cut.Bytes = c.col.Bytes[off[0]:off[to-from]:off[to-from]]
	if off[0] != 0 {
		c.off = sized(c.off, len(off))
		for i, o := range off {
			c.off[i] = o - off[0]
		}
		off = c.off
	}
	c.cut.Off = off
}
