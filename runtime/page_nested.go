package bridge

// Nested columns are appended to a page value by value, level by level, for no one knows
// their numbers before. A stream has an entry for every value of its leaves, and one for
// every place where a null or an empty list or map above stands instead.

// Begin empties the leaves from..to-1 and the level streams first..last-1 of a nested
// column, before rows are filled in.
func (p *Page) Begin(from, to, first, last int) {
	for i := from; i < to; i++ {
		c := &p.Cols[i]
		c.I64, c.I32, c.F64, c.F32, c.U8, c.Bytes = c.I64[:0], c.I32[:0], c.F64[:0], c.F32[:0], c.U8[:0], c.Bytes[:0]
		c.Off = append(c.Off[:0], 0)
	}
	for i := first; i < last; i++ {
		l := &p.Levels[i]
		l.Def, l.Rep = l.Def[:0], l.Rep[:0]
	}
}

// Put appends an entry to a stream with repetition.
func (l *Levels) Put(rep, def uint8) { l.Def, l.Rep = append(l.Def, def), append(l.Rep, rep) }

// PutDef appends an entry to a stream without repetition.
func (l *Levels) PutDef(def uint8) { l.Def = append(l.Def, def) }

// Nulls appends the entry of what is not there to the streams from..to-1, which have
// repetition.
func (p *Page) Nulls(from, to int, rep, def uint8) {
	for i := from; i < to; i++ {
		p.Levels[i].Put(rep, def)
	}
}

// NullDefs is Nulls for streams without repetition.
func (p *Page) NullDefs(from, to int, def uint8) {
	for i := from; i < to; i++ {
		p.Levels[i].PutDef(def)
	}
}

// EmptyDef is the level of an optional list or map without elements: def, and one less
// for null.
func EmptyDef(null bool, def uint8) uint8 {
	if null {
		return def - 1
	}
	return def
}

// The Put functions append a value, named by type.

func (c *Column) PutBool(v bool)           { c.U8 = append(c.U8, BoolCode(v)) }
func (c *Column) PutInt(v int32)           { c.I32 = append(c.I32, v) }
func (c *Column) PutLong(v int64)          { c.I64 = append(c.I64, v) }
func (c *Column) PutFloat(v float32)       { c.F32 = append(c.F32, v) }
func (c *Column) PutDouble(v float64)      { c.F64 = append(c.F64, v) }
func (c *Column) PutDate(v Date)           { c.I32 = append(c.I32, int32(v)) }
func (c *Column) PutTimestamp(v Timestamp) { c.I64 = append(c.I64, int64(v)) }
func (c *Column) PutEnum(code uint8)       { c.U8 = append(c.U8, code) }
func (c *Column) PutString(v string)       { c.cell(append(c.Bytes, v...)) }
func (c *Column) PutBytes(v []byte)        { c.cell(append(c.Bytes, v...)) }
func (c *Column) PutUUID(v UUID)           { c.cell(AppendUUID(c.Bytes, v)) }
func (c *Column) PutDecimal(v Decimal)     { c.cell(AppendDecimalBytes(c.Bytes, v)) }

// cell ends a value of a Bytes column behind what is in b.
func (c *Column) cell(b []byte) { c.Bytes, c.Off = b, append(c.Off, uint32(len(b))) }

// Cursor goes over the nested columns of a page, entry by entry and value by value. It
// stops at the end of streams that do not fit each other: a damaged page gives wrong
// values and no panic.
type Cursor struct {
	page *Page
	at   []int // next entry, by stream
	next []int // next value, by leaf
}

// Cursor begins at the first row.
func (p *Page) Cursor() Cursor {
	at := make([]int, len(p.Levels)+len(p.Cols))
	return Cursor{page: p, at: at[:len(p.Levels)], next: at[len(p.Levels):]}
}

// Def is the level of a stream's next entry.
func (c *Cursor) Def(stream int) uint8 {
	if def, at := c.page.Levels[stream].Def, c.at[stream]; at < len(def) {
		return def[at]
	}
	return 0
}

// Take is Def, and goes past the entry.
func (c *Cursor) Take(stream int) uint8 {
	def := c.Def(stream)
	c.at[stream]++
	return def
}

// Skip goes past an entry of each of the streams from..to-1.
func (c *Cursor) Skip(from, to int) {
	for i := from; i < to; i++ {
		c.at[i]++
	}
}

// Count is the number of elements of the list or map that begins at the stream's next
// entry. Its elements have the repetition level rep.
func (c *Cursor) Count(stream int, rep uint8) int {
	l, n := &c.page.Levels[stream], 1
	for i := c.at[stream] + 1; i < len(l.Rep) && l.Rep[i] >= rep; i++ {
		if l.Rep[i] == rep {
			n++
		}
	}
	return n
}

// Total is the number of elements of all lists of a column in the page: entries of the
// stream of at least the level def that begin an element of repetition level rep.
func (c *Cursor) Total(stream int, rep, def uint8) int {
	l, n := &c.page.Levels[stream], 0
	for i, d := range l.Def {
		if d >= def && l.Rep[i] <= rep {
			n++
		}
	}
	return n
}

// CutList takes a list of n elements out of an arena.
func CutList[T any](arena *[]T, n int) []T {
	if n > len(*arena) {
		*arena = make([]T, n)
	}
	v := (*arena)[:n:n]
	*arena = (*arena)[n:]
	return v
}

func taken[T any](c *Cursor, leaf int, values []T) (v T) {
	if k := c.next[leaf]; k < len(values) {
		v = values[k]
	}
	c.next[leaf]++
	return v
}

// cell is the number of a leaf's next Bytes value; -1 if there is none.
func (c *Cursor) cell(leaf int) (*Column, int) {
	col, k := &c.page.Cols[leaf], c.next[leaf]
	c.next[leaf]++
	if k+1 >= len(col.Off) {
		return col, -1
	}
	return col, k
}

// The functions below take the next value of a leaf, named by type. Strings and bytes
// alias the page.

func (c *Cursor) Bool(leaf int) bool        { return taken(c, leaf, c.page.Cols[leaf].U8) != 0 }
func (c *Cursor) Int(leaf int) int32        { return taken(c, leaf, c.page.Cols[leaf].I32) }
func (c *Cursor) Long(leaf int) int64       { return taken(c, leaf, c.page.Cols[leaf].I64) }
func (c *Cursor) Float(leaf int) float32    { return taken(c, leaf, c.page.Cols[leaf].F32) }
func (c *Cursor) Double(leaf int) float64   { return taken(c, leaf, c.page.Cols[leaf].F64) }
func (c *Cursor) Date(leaf int) Date        { return Date(taken(c, leaf, c.page.Cols[leaf].I32)) }
func (c *Cursor) Timestamp(l int) Timestamp { return Timestamp(taken(c, l, c.page.Cols[l].I64)) }
func (c *Cursor) Enum(leaf int) uint8       { return taken(c, leaf, c.page.Cols[leaf].U8) }

func (c *Cursor) String(leaf int) string {
	col, k := c.cell(leaf)
	if k < 0 {
		return ""
	}
	return col.String(k)
}

func (c *Cursor) Bytes(leaf int) []byte {
	col, k := c.cell(leaf)
	if k < 0 {
		return []byte{}
	}
	return col.Slice(k)
}

func (c *Cursor) Decimal(leaf int, scale uint8) (v Decimal) {
	if col, k := c.cell(leaf); k >= 0 {
		v = col.Decimal(k, scale)
	}
	return v
}

func (c *Cursor) UUID(leaf int) (v UUID) {
	if col, k := c.cell(leaf); k >= 0 {
		v = col.UUID(k)
	}
	return v
}
