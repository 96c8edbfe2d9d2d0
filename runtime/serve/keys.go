package serve

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// keyReader turns the key columns of a page into something that compares. A single
// integer is exact in 64 bits; any other key is a text of its columns, and its hash.
type keyReader struct {
	schema *bridge.Schema
	leaves []int
	exact  bool
	hash   func(text []byte) uint64
}

func newKeyReader(s *bridge.Schema) *keyReader {
	seed := maphash.MakeSeed()
	k := &keyReader{schema: s, hash: func(text []byte) uint64 { return maphash.Bytes(seed, text) }}
	for _, col := range s.Key {
		for leaf := range s.Leaves {
			if s.Leaves[leaf].Field == col {
				k.leaves = append(k.leaves, leaf)
			}
		}
	}
	if len(k.leaves) == 1 {
		kind := s.Leaves[k.leaves[0]].Kind
		k.exact = kind == bridge.Int64 || kind == bridge.Int32
	}
	return k
}

// integers appends the keys of an exact reader's page, as bits.
func (k *keyReader) integers(dst []uint64, p *bridge.Page) []uint64 {
	c := &p.Cols[k.leaves[0]]
	if k.schema.Leaves[k.leaves[0]].Kind == bridge.Int32 {
		for _, v := range c.I32[:p.N] {
			dst = append(dst, uint64(int64(v)))
		}
		return dst
	}
	for _, v := range c.I64[:p.N] {
		dst = append(dst, uint64(v))
	}
	return dst
}

// appendText appends the key of row i: its columns one by one, texts with their length
// first, so that no two keys are one text.
func (k *keyReader) appendText(b []byte, p *bridge.Page, i int) []byte {
	for _, leaf := range k.leaves {
		c := &p.Cols[leaf]
		switch k.schema.Leaves[leaf].Kind {
		case bridge.Bytes:
			v := c.Slice(i)
			b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
		case bridge.Int64:
			b = binary.LittleEndian.AppendUint64(b, uint64(c.I64[i]))
		case bridge.Int32:
			b = binary.LittleEndian.AppendUint32(b, uint32(c.I32[i]))
		case bridge.Float:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(c.F32[i]))
		case bridge.Double:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.F64[i]))
		default:
			b = append(b, c.U8[i])
		}
	}
	return b
}

// mix spreads an integer over 64 bits.
func mix(v uint64) uint64 {
	hi, lo := bits.Mul64(v^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}
