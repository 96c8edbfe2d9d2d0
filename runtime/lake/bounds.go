package lake

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/format"
)

// maxBound is the longest string or byte value that a footer repeats as a bound; a
// chunk with a longer one gets none.
const maxBound = 128

// bounds are the least and the greatest value of a column chunk.
type bounds struct {
	any              bool // a value was seen
	void             bool // no bounds can be given
	minI, maxI       int64
	minF, maxF       float64
	minB, maxB       []byte
	minHead, maxHead uint64 // the first eight bytes, to reject most strings by one comparison
	codes            [256]bool
}

func (b *bounds) reset() {
	*b = bounds{minB: b.minB[:0], maxB: b.maxB[:0]}
}

func (b *bounds) add(kind bridge.Kind, c *bridge.Column, from, to int) {
	if from == to || b.void {
		return
	}
	switch kind {
	case bridge.Bool, bridge.Code:
		for _, v := range c.U8[from:to] {
			b.codes[v] = true
		}
	case bridge.Int32:
		lo, hi := rangeOf(c.I32[from:to])
		b.ints(int64(lo), int64(hi))
	case bridge.Int64:
		b.ints(rangeOf(c.I64[from:to]))
	case bridge.Float:
		for _, v := range c.F32[from:to] {
			b.float(float64(v))
		}
	case bridge.Double:
		for _, v := range c.F64[from:to] {
			b.float(v)
		}
	case bridge.Bytes:
		b.strings(c, from, to)
	}
	b.any = true
}

func rangeOf[T int32 | int64](v []T) (lo, hi T) {
	lo, hi = v[0], v[0]
	for _, x := range v[1:] {
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

func (b *bounds) ints(lo, hi int64) {
	if !b.any {
		b.minI, b.maxI = lo, hi
		return
	}
	b.minI, b.maxI = min(b.minI, lo), max(b.maxI, hi)
}

// float leaves bounds out where there is a NaN, which has no place in the order.
func (b *bounds) float(v float64) {
	if v != v {
		b.void = true
	}
	if !b.any {
		b.minF, b.maxF, b.any = v, v, true
		return
	}
	b.minF, b.maxF = min(b.minF, v), max(b.maxF, v)
}

func (b *bounds) strings(c *bridge.Column, from, to int) {
	k := from
	if !b.any {
		b.setMin(c.Slice(k))
		b.setMax(c.Slice(k))
		k++
	}
	for ; k < to; k++ {
		v := c.Slice(k)
		h := head(v)
		if h <= b.minHead && bytes.Compare(v, b.minB) < 0 {
			b.setMin(v)
		}
		if h >= b.maxHead && bytes.Compare(v, b.maxB) > 0 {
			b.setMax(v)
		}
	}
}

func (b *bounds) setMin(v []byte) {
	b.minB, b.minHead = append(b.minB[:0], v...), head(v)
}

func (b *bounds) setMax(v []byte) {
	b.maxB, b.maxHead = append(b.maxB[:0], v...), head(v)
}

// head orders as the first eight bytes of v do, the missing ones as zero.
func head(v []byte) uint64 {
	if len(v) >= 8 {
		return binary.BigEndian.Uint64(v)
	}
	var h uint64
	for i, c := range v {
		h |= uint64(c) << (56 - 8*i)
	}
	return h
}

// put writes the bounds as a footer holds them. Decimals get none: readers differ in
// how they compare them (T89).
func (b *bounds) put(s *format.Statistics, l *bridge.Leaf) {
	if !b.any || b.void {
		return
	}
	switch l.Kind {
	case bridge.Bool, bridge.Code:
		b.putCodes(s, l)
	case bridge.Int32:
		s.MinValue = binary.LittleEndian.AppendUint32(nil, uint32(b.minI))
		s.MaxValue = binary.LittleEndian.AppendUint32(nil, uint32(b.maxI))
	case bridge.Int64:
		s.MinValue = binary.LittleEndian.AppendUint64(nil, uint64(b.minI))
		s.MaxValue = binary.LittleEndian.AppendUint64(nil, uint64(b.maxI))
	case bridge.Float, bridge.Double:
		b.putFloats(s, l.Kind)
	case bridge.Bytes:
		if isDecimal(l) || len(b.minB) > maxBound || len(b.maxB) > maxBound {
			return
		}
		s.MinValue, s.MaxValue = notNil(b.minB), notNil(b.maxB)
	}
}

func (b *bounds) putCodes(s *format.Statistics, l *bridge.Leaf) {
	var seen [][]byte
	for code, ok := range b.codes {
		if !ok {
			continue
		}
		if l.Kind == bridge.Bool {
			seen = append(seen, []byte{byte(code)})
		} else {
			seen = append(seen, []byte(l.Values[code]))
		}
	}
	s.MinValue = notNil(slices.MinFunc(seen, bytes.Compare))
	s.MaxValue = notNil(slices.MaxFunc(seen, bytes.Compare))
}

// putFloats widens a zero bound to the zero of the other sign, as the format asks, for
// a reader must not prune -0 by +0.
func (b *bounds) putFloats(s *format.Statistics, kind bridge.Kind) {
	lo, hi := b.minF, b.maxF
	if lo == 0 {
		lo = math.Copysign(0, -1)
	}
	if hi == 0 {
		hi = math.Copysign(0, 1)
	}
	if kind == bridge.Float {
		s.MinValue = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(lo)))
		s.MaxValue = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(hi)))
		return
	}
	s.MinValue = binary.LittleEndian.AppendUint64(nil, math.Float64bits(lo))
	s.MaxValue = binary.LittleEndian.AppendUint64(nil, math.Float64bits(hi))
}

// notNil is a copy that is there even if it is empty: nil would say that there is no bound.
func notNil(b []byte) []byte { return append([]byte{}, b...) }

func isDecimal(l *bridge.Leaf) bool { return len(l.Logical) > 8 && l.Logical[:8] == "decimal(" }
