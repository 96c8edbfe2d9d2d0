package lake

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// maxBody is the plain size above which a page of strings is cut in two.
const maxBody = 16 << 20

// chunkWriter gathers the pages of one column of the open row group.
type chunkWriter struct {
	leaf          *bridge.Leaf
	dict          []byte // the dictionary page of a Code, ready to be written
	pages         []byte // data pages with their headers
	plain         int64  // size of the pages before compression, headers included
	values, nulls int64
	count         int32
	bounds        bounds
	bloom         bool      // a bloom filter is wanted
	hashes        []uint64  // for it
	hashed        [256]bool // codes that are among them
}

func (c *chunkWriter) reset() {
	c.dict, c.pages = c.dict[:0], c.pages[:0]
	c.plain, c.values, c.nulls, c.count = 0, 0, 0, 0
	c.bounds.reset()
	c.hashes, c.hashed = c.hashes[:0], [256]bool{}
}

// pageScratch is what building a page needs; all columns share it.
type pageScratch struct {
	body, levels, codes []byte
	compressor          compressor
	compact             compactWriter
}

// levelBytes are the encoded levels of a stream in the page at hand. They are encoded
// once for all leaves that share the stream.
type levelBytes struct {
	known          bool
	maxDef, maxRep uint8
	encoded        []byte
	present        int // values that are there
}

// span is a part of a column in a page.
type span struct {
	level, levelEnd int // rows, if there are no levels
	value, valueEnd int
}

func pathText(path []string) string { return strings.Join(path, ".") }

// writeColumn appends a column of p to its chunk.
func (w *Writer) writeColumn(c *chunkWriter, p *bridge.Page, col *bridge.Column) error {
	l := c.leaf
	values := col.Len(l.Kind)
	whole := span{levelEnd: p.N, valueEnd: values}
	if l.Levels < 0 {
		if values != p.N {
			return fmt.Errorf("a page of %d rows has %d values", p.N, values)
		}
		return w.writeSpan(c, p, col, whole, nil)
	}
	lv := &p.Levels[l.Levels]
	whole.levelEnd = len(lv.Def)
	e := &w.levels[l.Levels]
	if !e.known || e.maxDef != l.MaxDef || e.maxRep != l.MaxRep {
		if err := e.encode(l, lv, p.N, &w.scratch); err != nil {
			return err
		}
	}
	if values != e.present {
		return fmt.Errorf("a page of %d rows has %d values where its levels say %d", p.N, values, e.present)
	}
	return w.writeSpan(c, p, col, whole, e.encoded)
}

func (e *levelBytes) encode(l *bridge.Leaf, lv *bridge.Levels, rows int, s *pageScratch) (err error) {
	e.known, e.maxDef, e.maxRep = true, l.MaxDef, l.MaxRep
	n := len(lv.Def)
	if l.MaxRep > 0 {
		if len(lv.Rep) != n {
			return fmt.Errorf("a page has %d repetition levels and %d definition levels", len(lv.Rep), n)
		}
		n = bytes.Count(lv.Rep, []byte{0})
	}
	if n != rows {
		return fmt.Errorf("a page of %d rows has levels for %d", rows, n)
	}
	e.present = bytes.Count(lv.Def, []byte{l.MaxDef})
	e.encoded, err = s.appendLevels(e.encoded[:0], l, lv, 0, len(lv.Def))
	return err
}

// appendLevels appends levels as data pages of version 1 hold them: repetition, then
// definition, each with its length.
func (s *pageScratch) appendLevels(b []byte, l *bridge.Leaf, lv *bridge.Levels, from, to int) ([]byte, error) {
	if l.MaxRep > 0 {
		var err error
		if b, err = s.appendLevel(b, lv.Rep[from:to], l.MaxRep); err != nil {
			return b, err
		}
	}
	return s.appendLevel(b, lv.Def[from:to], l.MaxDef)
}

func (s *pageScratch) appendLevel(b []byte, levels []uint8, top uint8) ([]byte, error) {
	e := rle.Encoding{BitWidth: bits.Len8(top)}
	var err error
	if s.levels, err = e.EncodeLevels(s.levels, levels); err != nil {
		return b, err
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s.levels)))
	return append(b, s.levels...), nil
}

// writeSpan appends a part of a column as one data page, or two if it is long; levels is
// nil for it to encode them.
func (w *Writer) writeSpan(c *chunkWriter, p *bridge.Page, col *bridge.Column, s span, levels []byte) error {
	l := c.leaf
	if l.Kind == bridge.Bytes && s.valueEnd > s.value && col.Off[s.valueEnd]-col.Off[s.value] > maxBody {
		if mid, ok := halve(l, p, s); ok {
			if err := w.writeSpan(c, p, col, span{s.level, mid.level, s.value, mid.value}, nil); err != nil {
				return err
			}
			return w.writeSpan(c, p, col, span{mid.level, s.levelEnd, mid.value, s.valueEnd}, nil)
		}
	}
	body := append(w.scratch.body[:0], levels...)
	var err error
	if l.Levels >= 0 && levels == nil {
		if body, err = w.scratch.appendLevels(body, l, &p.Levels[l.Levels], s.level, s.levelEnd); err != nil {
			return err
		}
	}
	if body, err = w.scratch.appendValues(body, l, col, s.value, s.valueEnd); err != nil {
		return err
	}
	w.scratch.body = body
	c.bounds.add(l.Kind, col, s.value, s.valueEnd)
	if c.bloom {
		c.hash(col, s.value, s.valueEnd)
	}
	return c.addPage(&w.scratch, s)
}

// halve finds the row in the middle of s.
func halve(l *bridge.Leaf, p *bridge.Page, s span) (mid span, ok bool) {
	mid.level = s.level + (s.levelEnd-s.level)/2
	if l.Levels < 0 {
		mid.value = mid.level
		return mid, mid.level > s.level
	}
	lv := &p.Levels[l.Levels]
	if l.MaxRep > 0 {
		for mid.level < s.levelEnd && lv.Rep[mid.level] != 0 {
			mid.level++
		}
		if mid.level == s.levelEnd {
			for mid.level--; mid.level > s.level && lv.Rep[mid.level] != 0; {
				mid.level--
			}
		}
	}
	mid.value = s.value + bytes.Count(lv.Def[s.level:mid.level], []byte{l.MaxDef})
	return mid, mid.level > s.level
}

// addPage appends the scratch body as a data page.
func (c *chunkWriter) addPage(s *pageScratch, of span) error {
	if len(s.body) > math.MaxInt32-64 {
		return errors.New("a page is longer than 2 GiB; write fewer rows at once")
	}
	values := of.levelEnd - of.level
	nulls := values - (of.valueEnd - of.value)
	h := &s.compact.header
	*h = format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(format.DataPageHeader{
		NumValues: int32(values), Encoding: encodingOf(c.leaf), DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
		Statistics: format.Statistics{NullCount: int64(nulls)}})}
	var err error
	c.pages, err = c.appendPage(c.pages, s)
	c.values += int64(values)
	c.nulls += int64(nulls)
	c.count++
	return err
}

func (c *chunkWriter) appendPage(to []byte, s *pageScratch) ([]byte, error) {
	packed, err := s.compressor.compress(s.body)
	if err != nil {
		return to, err
	}
	h := &s.compact.header
	h.UncompressedPageSize, h.CompressedPageSize = int32(len(s.body)), int32(len(packed))
	h.CRC = int32(crc32.ChecksumIEEE(packed))
	header, err := s.compact.encode(h)
	if err != nil {
		return to, err
	}
	c.plain += int64(len(header) + len(s.body))
	to = append(to, header...)
	return append(to, packed...), nil
}

// begin builds the dictionary page, which comes before the data pages.
func (c *chunkWriter) begin(s *pageScratch) (err error) {
	if c.leaf.Kind != bridge.Code {
		return nil
	}
	s.body = s.body[:0]
	for _, v := range c.leaf.Values {
		s.body = binary.LittleEndian.AppendUint32(s.body, uint32(len(v)))
		s.body = append(s.body, v...)
	}
	s.compact.header = format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{
		NumValues: int32(len(c.leaf.Values)), Encoding: format.Plain})}
	c.dict, err = c.appendPage(c.dict[:0], s)
	return err
}

// describe fills the footer's entry of the chunk that begins at offset.
func (c *chunkWriter) describe(f *format.ColumnChunk, offset int64, codec format.CompressionCodec) {
	m := &f.MetaData
	m.Type, m.Codec = physical(c.leaf.Kind), codec
	m.PathInSchema = slices.Clone(c.leaf.Path)
	encoding := encodingOf(c.leaf)
	m.Encoding = []format.Encoding{encoding}
	if c.leaf.Levels >= 0 {
		m.Encoding = append(m.Encoding, format.RLE)
	}
	m.EncodingStats = []format.PageEncodingStats{{PageType: format.DataPage, Encoding: encoding, Count: c.count}}
	m.NumValues = c.values
	m.TotalUncompressedSize = c.plain
	m.TotalCompressedSize = int64(len(c.dict) + len(c.pages))
	m.DataPageOffset = offset
	if len(c.dict) > 0 {
		m.Encoding = append(m.Encoding, format.Plain)
		m.EncodingStats = append(m.EncodingStats, format.PageEncodingStats{PageType: format.DictionaryPage, Encoding: format.Plain, Count: 1})
		m.DictionaryPageOffset = offset
		m.DataPageOffset += int64(len(c.dict))
	}
	m.Statistics.NullCount = c.nulls
	c.bounds.put(&m.Statistics, c.leaf)
	f.FileOffset = m.DataPageOffset
}
