package lake

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

var (
	deltaInts    delta.BinaryPackedEncoding
	deltaLengths delta.LengthByteArrayEncoding
)

// encodingOf is how the values of a leaf are written. DuckDB reads no decimals of delta
// lengths (1.5: "only supported for string/blob data").
func encodingOf(l *bridge.Leaf) format.Encoding {
	switch l.Kind {
	case bridge.Int32, bridge.Int64:
		return format.DeltaBinaryPacked
	case bridge.Bytes:
		if isDecimal(l) {
			return format.Plain
		}
		return format.DeltaLengthByteArray
	case bridge.Code:
		return format.RLEDictionary
	}
	return format.Plain
}

// appendValues appends the encoded values from..to-1.
func (s *pageScratch) appendValues(b []byte, l *bridge.Leaf, c *bridge.Column, from, to int) ([]byte, error) {
	n := to - from
	switch l.Kind {
	case bridge.Bool:
		return appendBits(b, c.U8[from:to]), nil
	case bridge.Int32:
		b = slices.Grow(b, deltaBound(n, 4))
		out, err := deltaInts.EncodeInt32(b[len(b):], c.I32[from:to])
		return joined(b, out), err
	case bridge.Int64:
		b = slices.Grow(b, deltaBound(n, 8))
		out, err := deltaInts.EncodeInt64(b[len(b):], c.I64[from:to])
		return joined(b, out), err
	case bridge.Float:
		b = slices.Grow(b, 4*n)
		for _, v := range c.F32[from:to] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		return b, nil
	case bridge.Double:
		b = slices.Grow(b, 8*n)
		for _, v := range c.F64[from:to] {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b, nil
	case bridge.Code:
		return s.appendCodes(b, l, c.U8[from:to])
	}
	if isDecimal(l) {
		return appendPlainBytes(b, c, from, to), nil
	}
	return appendStrings(b, c, from, to)
}

func appendPlainBytes(b []byte, c *bridge.Column, from, to int) []byte {
	for k := from; k < to; k++ {
		v := c.Slice(k)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
		b = append(b, v...)
	}
	return b
}

func appendStrings(b []byte, c *bridge.Column, from, to int) ([]byte, error) {
	off := []uint32{0} // a page of nulls may have no offsets at all
	if to > from {
		off = c.Off[from : to+1]
	}
	var data []byte
	if to > from {
		data = c.Bytes[off[0]:off[to-from]]
	}
	b = slices.Grow(b, deltaBound(to-from, 4)+len(data))
	out, err := deltaLengths.EncodeByteArray(b[len(b):], data, off)
	return joined(b, out), err
}

// deltaBound is room for n delta-packed integers of size bytes, with what the encoder
// writes past its end.
func deltaBound(n, size int) int { return 128 + (n/128+1)*(128*size+32) }

// joined is b followed by out, which an encoder has usually written in place.
func joined(b, out []byte) []byte {
	if len(out) > 0 && cap(b)-len(b) >= len(out) && &b[:len(b)+1][len(b)] == &out[0] {
		return b[:len(b)+len(out)]
	}
	return append(b, out...)
}

// codeWidth is the number of bits of an index into a dictionary of n values, at least 1.
func codeWidth(n int) int { return max(bits.Len(uint(n-1)), 1) }

// appendCodes appends positions in a dictionary; a constant page is one run.
func (s *pageScratch) appendCodes(b []byte, l *bridge.Leaf, codes []uint8) ([]byte, error) {
	for i, v := range codes {
		if int(v) >= len(l.Values) {
			return b, fmt.Errorf("value %d of the page is none of its %d symbols; was the row applied and valid?", i, len(l.Values))
		}
	}
	width := codeWidth(len(l.Values))
	e := rle.Encoding{BitWidth: width}
	var err error
	if s.codes, err = e.EncodeLevels(s.codes, codes); err != nil {
		return b, err
	}
	b = append(b, byte(width))
	return append(b, s.codes...), nil
}

// appendBits packs booleans of 0 and 1, least bit first.
func appendBits(b []byte, v []uint8) []byte {
	for ; len(v) >= 8; v = v[8:] {
		// The product moves the lowest bit of byte i to bit 56+i.
		b = append(b, byte(le64(v)&0x0101010101010101*0x0102040810204080>>56))
	}
	if len(v) > 0 {
		var last byte
		for i, x := range v {
			last |= x & 1 << i
		}
		b = append(b, last)
	}
	return b
}
