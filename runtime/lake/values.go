package lake

import (
	"math"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/format"
)

// valueError is a value that the table cannot hold; at counts from the page's first value.
type valueError struct {
	at   int
	text string
}

func (e *valueError) Error() string { return e.text }

// values decodes the values of a column's pages into the kind of its leaf.
type values struct {
	leaf  *bridge.Leaf
	node  *fileNode
	ticks int64 // per second, of a timestamp in the file
	width int   // of a value of fixed length
	uuid  bool  // fixed bytes become the text of a UUID
	copy  bool  // strings may not alias the page: several pages are put together

	aliased bool // the column's strings lie in the page

	dict    bridge.Column
	dictLen int
	symbols map[string]uint8
	unknown []string // texts of the dictionary that are no symbol, by position

	i32     []int32
	i64     []int64
	off     []uint32
	bytes   []byte
	indexes []uint32
}

func truncate(c *bridge.Column) {
	c.I64, c.I32, c.F64, c.F32, c.U8, c.Off, c.Bytes = c.I64[:0], c.I32[:0], c.F64[:0], c.F32[:0], c.U8[:0], c.Off[:0], c.Bytes[:0]
}

// data appends the n values of a data page to a column.
func (v *values) data(to *bridge.Column, p *rawPage, n int) error {
	if n == 0 {
		return nil
	}
	if p.encoding == format.RLEDictionary || p.encoding == oldDictionary {
		if v.leaf.Kind == bridge.Code {
			return v.gatherCodes(to, p.data, n)
		}
		return v.gather(to, p.data, n)
	}
	return v.direct(to, p.encoding, p.data, n)
}

// direct appends n values that lie in the page themselves.
func (v *values) direct(to *bridge.Column, e format.Encoding, b []byte, n int) error {
	switch v.node.element.Type.V {
	case format.Boolean:
		old := len(to.U8)
		if len(b) < n/8 && e == format.Plain {
			return errShort
		}
		to.U8 = extend(to.U8, n)
		return decodeBools(to.U8[old:], b, e)
	case format.Int32:
		return v.int32s(to, e, b, n)
	case format.Int64:
		return v.int64s(to, e, b, n)
	case format.Int96:
		if v.leaf.Kind == bridge.Int64 {
			return v.int96s(to, e, b, n)
		}
	case format.Float, format.Double:
		return v.floats(to, e, b, n)
	}
	text, off, err := v.byteArrays(e, b, n)
	if err != nil {
		return err
	}
	return v.putBytes(to, text, off)
}

func (v *values) int32s(to *bridge.Column, e format.Encoding, b []byte, n int) error {
	old := len(to.I32)
	direct := v.leaf.Kind == bridge.Int32
	dst := v.i32[:0]
	if direct {
		dst = to.I32[old:]
	}
	switch e {
	case format.Plain:
		if len(b) < 4*n {
			return errShort
		}
		if cap(dst) < n {
			dst = make([]int32, n)
		}
		dst = dst[:n]
		for i := range dst {
			dst[i] = int32(le32(b[4*i:]))
		}
	case format.DeltaBinaryPacked:
		end, err := deltaEnd(b, n, 32)
		if err != nil {
			return err
		}
		if dst, err = deltaInts.DecodeInt32(dst, b[:end]); err != nil || len(dst) != n {
			return errDelta
		}
	default:
		return errEncoding(e)
	}
	if direct {
		to.I32 = adopt(to.I32, dst)
		return nil
	}
	v.i32 = dst
	return v.putInts(to, n, func(i int) int64 { return int64(dst[i]) })
}

// adopt appends what was decoded behind old, which is usually its place already.
func adopt[T any](old, decoded []T) []T {
	if len(old) == 0 {
		return decoded
	}
	if n := len(old) + len(decoded); len(decoded) > 0 && cap(old) >= n && &old[:n][len(old)] == &decoded[0] {
		return old[:n]
	}
	return append(old, decoded...)
}

func (v *values) int64s(to *bridge.Column, e format.Encoding, b []byte, n int) error {
	direct := v.leaf.Kind == bridge.Int64
	dst := v.i64[:0]
	if direct {
		dst = to.I64[len(to.I64):]
	}
	switch e {
	case format.Plain:
		if len(b) < 8*n {
			return errShort
		}
		if cap(dst) < n {
			dst = make([]int64, n, n+n/4)
		}
		dst = dst[:n]
		for i := range dst {
			dst[i] = int64(le64(b[8*i:]))
		}
	case format.DeltaBinaryPacked:
		end, err := deltaEnd(b, n, 64)
		if err != nil {
			return err
		}
		if dst, err = deltaInts.DecodeInt64(dst, b[:end]); err != nil || len(dst) != n {
			return errDelta
		}
	default:
		return errEncoding(e)
	}
	if direct {
		if per := v.ticks / 1000; per > 1 {
			for i, t := range dst {
				dst[i] = floorDiv(t, per)
			}
		}
		to.I64 = adopt(to.I64, dst)
		return nil
	}
	v.i64 = dst
	return v.putInts(to, n, func(i int) int64 { return dst[i] })
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// putInts appends integers to a column of another kind: a wider one, or a decimal.
func (v *values) putInts(to *bridge.Column, n int, at func(int) int64) error {
	if v.leaf.Kind == bridge.Int64 {
		for i := range n {
			to.I64 = append(to.I64, at(i))
		}
		return nil
	}
	if len(to.Off) == 0 {
		to.Off = append(to.Off, 0)
	}
	for i := range n {
		to.Bytes = bridge.AppendDecimalBytes(to.Bytes, bridge.DecimalOf(at(i), 0))
		to.Off = append(to.Off, uint32(len(to.Bytes)))
	}
	return nil
}

// int96s reads the timestamps of old Spark and Impala: nanoseconds of the day, then the
// Julian day.
func (v *values) int96s(to *bridge.Column, e format.Encoding, b []byte, n int) error {
	if e != format.Plain {
		return errEncoding(e)
	}
	if len(b) < 12*n {
		return errShort
	}
	const julian1970 = 2440588
	for i := range n {
		nanos, day := int64(le64(b[12*i:])), int64(int32(le32(b[12*i+8:])))
		to.I64 = append(to.I64, (day-julian1970)*86400000+floorDiv(nanos, 1e6))
	}
	return nil
}

func (v *values) floats(to *bridge.Column, e format.Encoding, b []byte, n int) error {
	size := 4
	if v.node.element.Type.V == format.Double {
		size = 8
	}
	if e != format.Plain && e != format.ByteStreamSplit {
		return errEncoding(e)
	}
	if len(b) < size*n {
		return errShort
	}
	stride, step := size, 1
	if e == format.ByteStreamSplit {
		stride, step = 1, len(b)/size
	}
	for i := range n {
		var raw uint64
		for k := range size {
			raw |= uint64(b[i*stride+k*step]) << (8 * k)
		}
		switch {
		case size == 8:
			to.F64 = append(to.F64, math.Float64frombits(raw))
		case v.leaf.Kind == bridge.Double:
			to.F64 = append(to.F64, float64(math.Float32frombits(uint32(raw))))
		default:
			to.F32 = append(to.F32, math.Float32frombits(uint32(raw)))
		}
	}
	return nil
}
