package bridge

// Opt is an optional value. Its zero value is null. It is a value and no pointer, so a
// row costs no allocation per optional column.
type Opt[T any] struct {
	V  T    // the zero value where OK is false, so that == compares
	OK bool // false: null
}

// Some is a value that is there.
func Some[T any](v T) Opt[T] { return Opt[T]{V: v, OK: true} }

// Columns is a set of column positions.
type Columns []uint64

// Has reports whether column i is in the set.
func (c Columns) Has(i int) bool { return i>>6 < len(c) && c[i>>6]>>(i&63)&1 != 0 }

// Add puts column i into the set.
func (c *Columns) Add(i int) {
	for len(*c) <= i>>6 {
		*c = append(*c, 0)
	}
	(*c)[i>>6] |= 1 << (i & 63)
}

// Clear empties the set and keeps its memory.
func (c Columns) Clear() { clear(c) }
