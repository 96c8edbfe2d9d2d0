package batch

import (
	"encoding/binary"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// sortKey makes bytes that compare as partition and key of rows do: numbers by value,
// texts and symbols by their bytes, as the bounds in a footer count.
type sortKey struct {
	schema *bridge.Schema
	leaves []int
	page   *bridge.Page
}

func newSortKey(s *bridge.Schema) sortKey {
	return sortKey{schema: s, leaves: keyLeaves(s), page: bridge.NewPage(s)}
}

// keyLeaves are the physical columns of the key, in its order.
func keyLeaves(s *bridge.Schema) (leaves []int) {
	for _, col := range s.Key {
		for i := range s.Leaves {
			if s.Leaves[i].Field == col {
				leaves = append(leaves, i)
			}
		}
	}
	return leaves
}

// append appends the keys of the first n rows, and where each ends.
func (k *sortKey) append(keys []byte, ends []int, rows bridge.Rows, n int) ([]byte, []int) {
	rows.Fill(k.page, 0, n)
	for i := range n {
		if k.schema.PartitionBy >= 0 {
			keys = appendOrdered(keys, int64(k.schema.FloorPartition(rows.PartitionTime(i))))
		}
		for _, leaf := range k.leaves {
			keys = appendSortKey(keys, &k.schema.Leaves[leaf], &k.page.Cols[leaf], i)
		}
		ends = append(ends, len(keys))
	}
	return keys, ends
}

// appendOrdered appends v so that bytes compare as numbers do.
func appendOrdered(b []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(v)^1<<63)
}

func appendSortKey(b []byte, l *bridge.Leaf, c *bridge.Column, i int) []byte {
	switch l.Kind {
	case bridge.Bool:
		return append(b, c.U8[i])
	case bridge.Int32:
		return appendOrdered(b, int64(c.I32[i]))
	case bridge.Int64:
		return appendOrdered(b, c.I64[i])
	case bridge.Code:
		return appendEnded(b, []byte(l.Values[c.U8[i]]))
	}
	if strings.HasPrefix(l.Logical, "decimal(") {
		d := c.Decimal(i, 0) // of one scale, so the unscaled values compare
		return binary.BigEndian.AppendUint64(appendOrdered(b, d.Hi), d.Lo)
	}
	return appendEnded(b, c.Slice(i))
}

// appendEnded appends a text and its end, so that a text that begins another comes
// first whatever follows it.
func appendEnded(b, text []byte) []byte {
	for _, c := range text {
		if b = append(b, c); c == 0 {
			b = append(b, 1)
		}
	}
	return append(b, 0, 0)
}
