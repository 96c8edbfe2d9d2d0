package serve

import (
	"bytes"
	"math/bits"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// The dedup core reads the key and the system columns of pages, in any order, and tells
// which rows are the newest of their key. Rows are numbered in the order of reading.
//
// Entries go into parts by the hash of their key, so that the table of a part stays in
// the processor's cache. A part that has grown to compactAt drops its losers and may
// double if that freed little: memory is 40 bytes per row up to compactAt × parts rows,
// beyond that at most 80 per distinct key (both plus the key's own bytes, unless it is a
// single integer), and one bit per row.

// entry is a row: the fields of the one order, in a form that compares unsigned.
type entry struct {
	key      uint64 // the key itself, or its hash
	version  uint64
	seq      uint64
	ingested uint64
	row      uint64 // number, and the flags
}

// Flags of entry.row.
const (
	versioned = 1 << 63 // _version is not null
	preferred = 1 << 62 // the preferred source
	deleted   = 1 << 61
	rowMask   = deleted - 1
)

const signBit = 1 << 63

// newer is bridge.Compare(a, b) > 0.
func newer(a, b *entry) bool {
	if x, y := a.row&versioned, b.row&versioned; x != y {
		return x > y
	}
	if a.version != b.version {
		return a.version > b.version
	}
	if x, y := a.row&preferred, b.row&preferred; x != y {
		return x > y
	}
	if a.seq != b.seq {
		return a.seq > b.seq
	}
	return a.ingested > b.ingested
}

// text is where the key of an entry lies in its part's arena.
type text struct{ at, n uint32 }

type part struct {
	entries []entry
	texts   []text // one per entry, unless keys are exact
	arena   []byte
	limit   int // entries at which losers are dropped
}

const (
	compactAt = 16384
	perPart   = 8192
	maxParts  = 1024

	leastRow = 10 // bytes of a row in a file, at least
	usualRow = 20 // and of one with few columns
)

type dedup struct {
	schema  *bridge.Schema
	keys    *keyReader
	leaves  []int // that the first scan reads
	parts   []part
	shift   uint // of a hash: the part
	first   int  // entries that a part begins with
	rows    uint64
	table   []uint32 // positions in a part's entries, from 1
	ints    []uint64
	scratch []byte
	counts  Counts
}

// newDedup prepares for the rows of that many bytes of files; a wrong guess costs time only.
func newDedup(s *bridge.Schema, size int64) *dedup {
	d := &dedup{schema: s, keys: newKeyReader(s)}
	d.leaves = append(d.leaves, d.keys.leaves...)
	for leaf := s.Sys; leaf < len(s.Leaves); leaf++ {
		d.leaves = append(d.leaves, leaf)
	}
	n := min(max(size/leastRow/perPart, 1), maxParts)
	width := uint(bits.Len64(uint64(n - 1)))
	d.parts, d.shift = make([]part, 1<<width), 64-width
	d.first = int(min(max(size/usualRow>>width, 16), compactAt))
	for i := range d.parts {
		d.parts[i].limit = compactAt
	}
	return d
}

// add takes the rows of a page.
func (d *dedup) add(p *bridge.Page) {
	c := p.Cols[d.schema.Sys:]
	source, ingested, version, seq := c[0].U8[:p.N], c[1].I64[:p.N], c[2].I64, c[3].I64[:p.N]
	hasVersion := p.Levels[d.schema.Leaves[d.schema.Sys+2].Levels].Def[:p.N]
	var dead []uint8
	if d.schema.Deletes {
		dead = c[4].U8[:p.N]
	}
	if d.keys.exact {
		d.ints = d.keys.integers(d.ints[:0], p)
	}
	want, k := d.schema.Preferred.Code(), 0
	for i := range source {
		e := entry{seq: uint64(seq[i]) ^ signBit, ingested: uint64(ingested[i]) ^ signBit, row: d.rows + uint64(i)}
		if hasVersion[i] != 0 {
			e.version = uint64(version[k]) ^ signBit
			e.row |= versioned
			k++
		}
		if source[i] == want {
			e.row |= preferred
		}
		if dead != nil && dead[i] != 0 {
			e.row |= deleted
		}
		if d.keys.exact {
			e.key = d.ints[i]
			d.put(&d.parts[mix(e.key)>>d.shift], &e)
			continue
		}
		d.scratch = d.keys.appendText(d.scratch[:0], p, i)
		e.key = d.keys.hash(d.scratch)
		d.putText(&d.parts[e.key>>d.shift], &e, d.scratch)
	}
	d.count(source)
	d.rows += uint64(p.N)
}

func (d *dedup) count(source []uint8) {
	streaming := int64(0)
	for _, code := range source {
		streaming += int64(code) // Batch is 0 in a page, Streaming 1
	}
	d.counts.Streaming.Rows += streaming
	d.counts.Batch.Rows += int64(len(source)) - streaming
}

func (d *dedup) put(p *part, e *entry) {
	if len(p.entries) >= p.limit {
		d.compact(p)
	}
	if p.entries == nil {
		p.entries = make([]entry, 0, d.first)
	}
	p.entries = append(p.entries, *e)
}

func (d *dedup) putText(p *part, e *entry, key []byte) {
	if len(p.entries) >= p.limit || len(p.arena)+len(key) > 1<<31 {
		d.compact(p)
	}
	p.entries = append(p.entries, *e)
	p.texts = append(p.texts, text{uint32(len(p.arena)), uint32(len(key))})
	p.arena = append(p.arena, key...)
}

// newest fills d.table with the newest entry of each key in p.
func (d *dedup) newest(p *part) {
	size := 1 << bits.Len(uint(2*max(len(p.entries), 1)-1))
	if cap(d.table) < size {
		d.table = make([]uint32, size)
	}
	d.table = d.table[:size]
	clear(d.table)
	mask := uint64(size - 1)
	for i := range p.entries {
		e := &p.entries[i]
		at := e.key & mask
		if d.keys.exact {
			at = mix(e.key) & mask // the part is its upper bits
		}
		for {
			old := d.table[at]
			if old == 0 {
				d.table[at] = uint32(i + 1)
				break
			}
			o := &p.entries[old-1]
			if o.key == e.key && (d.keys.exact || p.sameText(int(old-1), i)) {
				if newer(e, o) {
					d.table[at] = uint32(i + 1)
				}
				break
			}
			at = (at + 1) & mask
		}
	}
}

func (p *part) sameText(i, j int) bool { return bytes.Equal(p.text(i), p.text(j)) }

func (p *part) text(i int) []byte {
	t := p.texts[i]
	return p.arena[t.at : t.at+t.n]
}

// compact drops the losers of a part. Where few were dropped, the next time comes later.
func (d *dedup) compact(p *part) {
	d.newest(p)
	kept := part{limit: p.limit}
	for _, at := range d.table {
		if at == 0 {
			continue
		}
		kept.entries = append(kept.entries, p.entries[at-1])
		if !d.keys.exact {
			key := p.text(int(at - 1))
			kept.texts = append(kept.texts, text{uint32(len(kept.arena)), uint32(len(key))})
			kept.arena = append(kept.arena, key...)
		}
	}
	kept.limit = max(p.limit, 2*len(kept.entries))
	*p = kept
}

// winners ends the first scan: a bit per row, set for the newest row of each key. Live
// leaves out those that are deletes.
func (d *dedup) winners(live bool) bitmap {
	w := newBitmap(d.rows)
	for i := range d.parts {
		p := &d.parts[i]
		d.newest(p)
		for _, at := range d.table {
			if at == 0 {
				continue
			}
			e := p.entries[at-1]
			d.counts.winner(d.schema, &e)
			if !live || e.row&deleted == 0 {
				w.set(e.row & rowMask)
			}
		}
		*p = part{}
	}
	return w
}

// bitmap is a set of row numbers.
type bitmap []uint64

func newBitmap(n uint64) bitmap { return make(bitmap, (n+63)/64) }

func (b bitmap) set(i uint64)      { b[i>>6] |= 1 << (i & 63) }
func (b bitmap) has(i uint64) bool { return b[i>>6]>>(i&63)&1 != 0 }

// any reports whether one of the n bits from i on is set.
func (b bitmap) any(i, n uint64) bool {
	for end := i + n; i < end; {
		if i&63 == 0 && end-i >= 64 {
			if b[i>>6] != 0 {
				return true
			}
			i += 64
			continue
		}
		if b.has(i) {
			return true
		}
		i++
	}
	return false
}
