package lake

import (
	"io"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// bloomBits are the bits per distinct value: about one answer in a hundred is wrongly yes.
const bloomBits = 10

// hasBloom reports whether the schema asks for a bloom filter of a leaf.
func hasBloom(s *bridge.Schema, l *bridge.Leaf) bool {
	return l.Field >= 0 && len(l.Path) == 1 && l.MaxRep == 0 && slices.Contains(s.Bloom, l.Field)
}

// hash takes the hashes of the values from..to-1, as the format hashes their plain form.
func (c *chunkWriter) hash(col *bridge.Column, from, to int) {
	var h bloom.XXH64
	switch c.leaf.Kind {
	case bridge.Int32:
		for _, v := range col.I32[from:to] {
			c.hashes = append(c.hashes, h.Sum64Uint32(uint32(v)))
		}
	case bridge.Int64:
		for _, v := range col.I64[from:to] {
			c.hashes = append(c.hashes, h.Sum64Uint64(uint64(v)))
		}
	case bridge.Bytes:
		for k := from; k < to; k++ {
			c.hashes = append(c.hashes, h.Sum64(col.Slice(k)))
		}
	case bridge.Code:
		for _, v := range col.U8[from:to] {
			if !c.hashed[v] {
				c.hashed[v] = true
				c.hashes = append(c.hashes, h.Sum64([]byte(c.leaf.Values[v])))
			}
		}
	}
}

// filter is the bloom filter of the chunk with its header. Its size goes by the distinct
// values, so the same rows always make the same bytes.
func (c *chunkWriter) filter() ([]byte, error) {
	slices.Sort(c.hashes)
	distinct := slices.Compact(c.hashes)
	f := make(bloom.SplitBlockFilter, max(bloom.NumSplitBlocksOf(int64(len(distinct)), bloomBits), 1))
	f.InsertBulk(distinct)
	header := format.BloomFilterHeader{NumBytes: int32(len(f) * bloom.BlockSize),
		Algorithm:   format.BloomFilterAlgorithm{Value: new(format.SplitBlockAlgorithm)},
		Hash:        format.BloomFilterHash{Value: new(format.XxHash)},
		Compression: format.BloomFilterCompression{Value: new(format.BloomFilterUncompressed)}}
	b, err := thrift.Marshal(new(thrift.CompactProtocol), &header)
	return append(b, f.Bytes()...), err
}

// putFilters writes the bloom filters of a row group behind its chunks.
func (w *Writer) putFilters(g *format.RowGroup) error {
	for i := range w.chunks {
		c := &w.chunks[i]
		if !c.bloom {
			continue
		}
		b, err := c.filter()
		if err != nil {
			return err
		}
		m := &g.Columns[i].MetaData
		m.BloomFilterOffset, m.BloomFilterLength = w.offset, int32(len(b))
		if err := w.put(b); err != nil {
			return err
		}
	}
	return nil
}

// bloomHeader is more than a header takes.
const bloomHeader = 64

// filtered reports whether the bloom filter of a chunk says that a value of the hash is
// not there. A filter of another kind, or one that makes no sense, says nothing.
func (f *File) filtered(m *format.ColumnMetaData, hash uint64) (bool, error) {
	at := m.BloomFilterOffset
	if at < 4 || at >= f.footerAt {
		return false, nil
	}
	b := make([]byte, min(bloomHeader, f.footerAt-at))
	if err := readFull(f.src, b, at); err != nil {
		return false, err
	}
	n := structEnd(b, 0, thriftDepth)
	if n < 0 {
		return false, nil
	}
	var header format.BloomFilterHeader
	var r compactReader
	if r.decode(b[:n], &header) != nil {
		return false, nil
	}
	_, block := header.Algorithm.Value.(*format.SplitBlockAlgorithm)
	_, xx := header.Hash.Value.(*format.XxHash)
	_, plain := header.Compression.Value.(*format.BloomFilterUncompressed)
	size := int64(header.NumBytes)
	if !block || !xx || !plain || size < bloom.BlockSize || size%bloom.BlockSize != 0 || size > f.footerAt-at-int64(n) {
		return false, nil
	}
	there, err := bloom.CheckSplitBlock(io.NewSectionReader(f.src, at+int64(n), size), size, hash)
	if err != nil {
		return false, &readError{err}
	}
	return !there, nil
}
