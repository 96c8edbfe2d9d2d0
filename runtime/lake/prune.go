package lake

import (
	"bytes"
	"cmp"
	"encoding/binary"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/format"
)

// MayHold tells of each row group whether it may hold a row whose leaves have the values
// of the first row of p, which has no nulls there, by the bounds in the footer and by
// bloom filters. A column of which the file says nothing excludes nothing.
func (f *File) MayHold(leaves []int, p *bridge.Page) ([]bool, error) {
	groups := make([]bool, len(f.meta.RowGroups))
	for i := range groups {
		groups[i] = true
	}
	for _, index := range leaves {
		v, ok := f.sought(index, &p.Cols[index])
		for i := range groups {
			if !ok || !groups[i] {
				continue
			}
			m := &f.meta.RowGroups[i].Columns[v.node.leaf].MetaData
			if v.outside(&m.Statistics) {
				groups[i] = false
				continue
			}
			absent, err := f.filtered(m, bloom.XXH64{}.Sum64(v.plain))
			if err != nil {
				return nil, notReadable(f.name, err)
			}
			groups[i] = !absent
		}
	}
	return groups, nil
}

// GroupsOf tells of each row group whether it holds one of the rows, which count from 0.
func (f *File) GroupsOf(rows []int64) []bool {
	groups := make([]bool, len(f.meta.RowGroups))
	from := int64(0)
	for i := range groups {
		to := from + f.meta.RowGroups[i].NumRows
		for _, row := range rows {
			groups[i] = groups[i] || row >= from && row < to
		}
		from = to
	}
	return groups
}

// sought is a value as the footer and the filters of a file have it.
type sought struct {
	node  *fileNode
	kind  bridge.Kind
	plain []byte
}

// sought is the first value of a column. Not ok where the file holds the column in
// another form than the table, or in one whose bounds readers do not agree on (T89).
func (f *File) sought(index int, c *bridge.Column) (v sought, ok bool) {
	plan, err := f.plan(index)
	if err != nil || plan.node == nil || f.asWritten != nil {
		return v, false // reading the column says what is wrong with it
	}
	l, n := plan.leaf, plan.node
	sameForm := n.element.Type.V == physical(l.Kind) && (l.Logical != "timestamp" || plan.ticks == 1e3) && !isDecimal(l)
	if !sameForm || n.leaf >= len(f.meta.ColumnOrders) {
		return v, false
	}
	if _, typed := f.meta.ColumnOrders[n.leaf].Value.(*format.TypeDefinedOrder); !typed {
		return v, false
	}
	v = sought{node: n, kind: l.Kind}
	switch l.Kind {
	case bridge.Int32:
		v.plain = binary.LittleEndian.AppendUint32(nil, uint32(c.I32[0]))
	case bridge.Int64:
		v.plain = binary.LittleEndian.AppendUint64(nil, uint64(c.I64[0]))
	case bridge.Bytes:
		v.plain = c.Slice(0)
	case bridge.Code:
		v.plain = []byte(l.Values[c.U8[0]])
	default:
		return v, false
	}
	return v, true
}

// outside reports whether the bounds of a chunk exclude the value.
func (v *sought) outside(s *format.Statistics) bool {
	if s.MinValue == nil || s.MaxValue == nil {
		return false
	}
	if v.kind == bridge.Bytes || v.kind == bridge.Code {
		return bytes.Compare(v.plain, s.MinValue) < 0 || bytes.Compare(v.plain, s.MaxValue) > 0
	}
	if len(s.MinValue) != len(v.plain) || len(s.MaxValue) != len(v.plain) {
		return false
	}
	return compareInts(v.plain, s.MinValue) < 0 || compareInts(v.plain, s.MaxValue) > 0
}

func compareInts(a, b []byte) int {
	if len(a) == 4 {
		return cmp.Compare(int32(le32(a)), int32(le32(b)))
	}
	return cmp.Compare(int64(le64(a)), int64(le64(b)))
}
