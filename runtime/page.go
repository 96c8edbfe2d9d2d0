package bridge

import "unsafe"

// Page is a batch of rows as columns. Values are dense: a null has a level and no slot.
// A page that a road hands to Scan keeps the promise of the table's Schema: every
// column is there, levels are those of Leaf.Levels, codes are inside Leaf.Values.
type Page struct {
	N      int      // rows
	Cols   []Column // one per Schema.Leaves
	Levels []Levels // one per level stream, which leaves may share
}

// Levels are the definition and repetition levels of a stream; Rep is empty unless a
// leaf of the stream lies in a list or map.
type Levels struct{ Def, Rep []uint8 }

// Column holds the values of a leaf in the slice that its Kind names.
type Column struct {
	I64   []int64
	I32   []int32
	F64   []float64
	F32   []float32
	U8    []uint8
	Off   []uint32 // of Bytes: value k is Bytes[Off[k]:Off[k+1]]; one entry more than values
	Bytes []byte
}

// NewPage makes an empty page for s.
func NewPage(s *Schema) *Page {
	return &Page{Cols: make([]Column, len(s.Leaves)), Levels: make([]Levels, s.NLevels)}
}

func resize[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n, n+n/4)
	}
	*s = (*s)[:n]
	return *s
}

// The accessors size a column for n values and return its slice. They run once per
// page, so they are kept out of the emitted code.

//go:noinline
func (c *Column) Int64s(n int) []int64 { return resize(&c.I64, n) }

//go:noinline
func (c *Column) Int32s(n int) []int32 { return resize(&c.I32, n) }

//go:noinline
func (c *Column) Doubles(n int) []float64 { return resize(&c.F64, n) }

//go:noinline
func (c *Column) Floats(n int) []float32 { return resize(&c.F32, n) }

//go:noinline
func (c *Column) Codes(n int) []uint8 { return resize(&c.U8, n) }

//go:noinline
func (c *Column) Offsets(n int) []uint32 {
	off := resize(&c.Off, n+1)
	off[0] = 0
	return off
}

// Defs sizes the definition levels of a stream without repetition for n rows.
//
//go:noinline
func (l *Levels) Defs(n int) []uint8 { return resize(&l.Def, n) }

// Cut drops the values of a column after the first k.
func (c *Column) Cut(kind Kind, k int) {
	switch kind {
	case Bool, Code:
		c.U8 = c.U8[:k]
	case Int32:
		c.I32 = c.I32[:k]
	case Int64:
		c.I64 = c.I64[:k]
	case Float:
		c.F32 = c.F32[:k]
	case Double:
		c.F64 = c.F64[:k]
	case Bytes:
		c.Off = c.Off[:k+1]
	}
}

// Len is the number of values that a column of the kind holds.
func (c *Column) Len(kind Kind) int {
	switch kind {
	case Bool, Code:
		return len(c.U8)
	case Int32:
		return len(c.I32)
	case Int64:
		return len(c.I64)
	case Float:
		return len(c.F32)
	case Double:
		return len(c.F64)
	}
	return max(len(c.Off)-1, 0)
}

// String is value k of a Bytes column; it aliases the page.
func (c *Column) String(k int) string {
	b := c.Bytes[c.Off[k]:c.Off[k+1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Slice is value k of a Bytes column; it aliases the page. It is never nil, which would be
// a null.
func (c *Column) Slice(k int) []byte {
	if c.Off[k] == c.Off[k+1] {
		return []byte{}
	}
	return c.Bytes[c.Off[k]:c.Off[k+1]:c.Off[k+1]]
}

// Decimal is value k of a Bytes column that holds decimals of the scale; the zero
// value if the bytes are none.
func (c *Column) Decimal(k int, scale uint8) Decimal {
	d, _ := DecimalFromBytes(c.Slice(k), scale)
	return d
}

// UUID is value k of a Bytes column that holds UUIDs as text; the zero value if the
// text is none.
func (c *Column) UUID(k int) UUID {
	u, _ := ParseUUID(c.Slice(k))
	return u
}

// AppendBytes appends the value of a Bytes column.
func AppendBytes(b []byte, s string) []byte { return append(b, s...) }

// BoolCode is the page form of a boolean.
func BoolCode(v bool) uint8 {
	if v {
		return 1
	}
	return 0
}

// SysWriter fills the system columns of a page, one row at a time.
type SysWriter struct {
	source, versionDef, deleted []uint8
	ingested, version, seq      []int64
	nVersion                    int
	page                        *Page
	schema                      *Schema
}

// SysFill sizes the system columns for n rows.
func (p *Page) SysFill(s *Schema, n int) SysWriter {
	c := p.Cols[s.Sys:]
	w := SysWriter{page: p, schema: s,
		source: c[0].Codes(n), ingested: c[1].Int64s(n), version: c[2].Int64s(n), seq: c[3].Int64s(n),
		versionDef: p.Levels[s.Leaves[s.Sys+2].Levels].Defs(n)}
	if s.Deletes {
		w.deleted = c[4].Codes(n)
	}
	return w
}

// Put writes the system columns of row i but for _deleted. Rows come in order.
func (w *SysWriter) Put(i int, s *System) {
	w.source[i] = uint8(s.Source) - 1
	w.ingested[i] = int64(s.IngestedAt)
	w.version[w.nVersion] = s.Version.V
	ok := BoolCode(s.Version.OK)
	w.versionDef[i] = ok
	w.nVersion += int(ok)
	w.seq[i] = s.Seq
}

// PutDeleted writes _deleted of row i.
func (w *SysWriter) PutDeleted(i int, deleted bool) { w.deleted[i] = BoolCode(deleted) }

// Done cuts the columns to what was written.
func (w *SysWriter) Done() { w.page.Cols[w.schema.Sys+2].Cut(Int64, w.nVersion) }

// SysReader reads the system columns of a page, one row at a time.
type SysReader struct {
	source, versionDef, deleted []uint8
	ingested, version, seq      []int64
	nVersion                    int
}

// SysScan reads the system columns of p.
func (p *Page) SysScan(s *Schema) SysReader {
	c := p.Cols[s.Sys:]
	r := SysReader{source: c[0].U8, ingested: c[1].I64, version: c[2].I64, seq: c[3].I64,
		versionDef: p.Levels[s.Leaves[s.Sys+2].Levels].Def}
	if s.Deletes {
		r.deleted = c[4].U8
	}
	return r
}

// Get reads row i into s. Rows come in order.
func (r *SysReader) Get(i int, s *System) {
	s.Source = Source(r.source[i] + 1)
	s.IngestedAt = Timestamp(r.ingested[i])
	s.Seq = r.seq[i]
	s.Version = Opt[int64]{}
	if r.versionDef[i] != 0 {
		s.Version = Opt[int64]{r.version[r.nVersion], true}
		r.nVersion++
	}
	s.Deleted = r.deleted != nil && r.deleted[i] != 0
}
