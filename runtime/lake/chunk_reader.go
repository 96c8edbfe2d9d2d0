package lake

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

const (
	// localAhead is what is read of a chunk at once, where the source wants no more.
	localAhead = 256 << 10
	// maxHeader bounds a page header; its statistics may repeat long values.
	maxHeader = 16 << 20
	// maxPageValues bounds the values of a page: a run of any length takes a few bytes.
	maxPageValues = 1 << 24
)

// window is the part of a file that was read of a chunk.
type window struct {
	src  io.ReaderAt
	next int64 // where the bytes behind buf lie
	end  int64 // of the chunk
	buf  []byte
	at   int // position in buf

	ahead int // read at once
}

func (w *window) reset(src io.ReaderAt, from, end int64) {
	w.src, w.next, w.end, w.buf, w.at, w.ahead = src, from, end, w.buf[:0], 0, localAhead
	if far, ok := src.(interface{ readAhead() int }); ok {
		w.ahead = far.readAhead()
	}
}

// rest is the number of bytes up to the chunk's end.
func (w *window) rest() int64 { return w.end - w.next + int64(len(w.buf)-w.at) }

// peek gives the next n bytes, or fewer at the chunk's end; they live until the next call.
func (w *window) peek(n int) ([]byte, error) {
	n = int(min(int64(n), w.rest()))
	if have := len(w.buf) - w.at; have < n {
		kept := copy(w.buf, w.buf[w.at:])
		w.at = 0
		want := int(min(int64(max(n-kept, w.ahead)), w.end-w.next))
		w.buf = extend(w.buf[:kept], want)
		if err := readFull(w.src, w.buf[kept:], w.next); err != nil {
			w.buf = w.buf[:kept]
			return nil, err
		}
		w.next += int64(want)
	}
	return w.buf[w.at : w.at+n], nil
}

// chunkReader gives the pages of a column chunk.
type chunkReader struct {
	window   window
	codec    format.CompressionCodec
	left     int64 // values
	compact  compactReader
	inflate  decompressor
	header   format.PageHeader
	body     []byte
	node     *fileNode
	anyPages bool
}

func (r *chunkReader) reset(src io.ReaderAt, m *format.ColumnMetaData, n *fileNode) {
	start := chunkStart(m)
	r.window.reset(src, start, start+m.TotalCompressedSize)
	r.codec, r.left, r.node, r.anyPages = m.Codec, m.NumValues, n, false
}

// rawPage is a page before its values are decoded. It lives until the next one is read.
type rawPage struct {
	dictionary bool
	values     int
	encoding   format.Encoding
	rep, def   []byte // encoded levels
	data       []byte
}

// next reads a page; io.EOF once all values were given.
func (r *chunkReader) next() (p rawPage, err error) {
	for {
		if r.left == 0 && r.anyPages || r.left == 0 && r.window.rest() == 0 {
			return p, io.EOF
		}
		packed, err := r.readPage()
		if err != nil {
			return p, err
		}
		h := &r.header
		switch h.Type {
		case format.DictionaryPage:
			if !h.DictionaryPageHeader.Valid {
				return p, errThrift
			}
			p.dictionary, p.values, p.encoding = true, int(h.DictionaryPageHeader.V.NumValues), h.DictionaryPageHeader.V.Encoding
			r.body, err = r.inflate.decompress(r.codec, r.body, packed, int(h.UncompressedPageSize))
			p.data = r.body
		case format.DataPage:
			err = r.dataPage(&p, packed)
		case format.DataPageV2:
			err = r.dataPageV2(&p, packed)
		default:
			continue // a reader skips kinds of pages that it does not know
		}
		if err == nil && (p.values < 0 || p.values > maxPageValues) {
			err = fmt.Errorf("a page claims to hold %d values", p.values)
		}
		if err == nil && !p.dictionary {
			r.anyPages = true
			if r.left -= int64(p.values); r.left < 0 {
				err = errors.New("its pages hold more values than the footer says")
			}
		}
		return p, err
	}
}

// readPage reads the header and the packed body of a page.
func (r *chunkReader) readPage() ([]byte, error) {
	size := -1
	var raw []byte
	for peek := 512; size < 0; peek *= 8 {
		var err error
		if raw, err = r.window.peek(peek); err != nil {
			return nil, err
		}
		size = structEnd(raw, 0, thriftDepth)
		if size < 0 && (len(raw) < peek || peek > maxHeader) {
			if len(raw) == 0 {
				return nil, errors.New("its pages hold fewer values than the footer says")
			}
			return nil, errThrift
		}
	}
	r.header = format.PageHeader{}
	if err := r.compact.decode(raw[:size], &r.header); err != nil {
		return nil, err
	}
	r.window.at += size
	packed := int(r.header.CompressedPageSize)
	if packed < 0 || int64(packed) > r.window.rest() {
		return nil, errSize
	}
	body, err := r.window.peek(packed)
	if err != nil {
		return nil, err
	}
	r.window.at += packed
	if sum := uint32(r.header.CRC); sum != 0 && sum != crc32.ChecksumIEEE(body) {
		return nil, errors.New("a page does not match its checksum")
	}
	return body, nil
}

// dataPage unpacks a data page of version 1: levels and values are compressed together.
func (r *chunkReader) dataPage(p *rawPage, packed []byte) (err error) {
	h := &r.header.DataPageHeader.V
	if !r.header.DataPageHeader.Valid {
		return errThrift
	}
	p.values, p.encoding = int(h.NumValues), h.Encoding
	if r.body, err = r.inflate.decompress(r.codec, r.body, packed, int(r.header.UncompressedPageSize)); err != nil {
		return err
	}
	p.data = r.body
	if r.node.maxRep > 0 {
		if p.rep, p.data, err = cutLevels(p.data, h.RepetitionLevelEncoding); err != nil {
			return err
		}
	}
	if r.node.maxDef > 0 {
		p.def, p.data, err = cutLevels(p.data, h.DefinitionLevelEncoding)
	}
	return err
}

func cutLevels(b []byte, e format.Encoding) (levels, rest []byte, err error) {
	if e != format.RLE {
		return nil, nil, fmt.Errorf("its levels are in the deprecated encoding %s; write the file anew", e)
	}
	if len(b) < 4 || uint64(le32(b)) > uint64(len(b)-4) {
		return nil, nil, errSize
	}
	n := 4 + int(le32(b))
	return b[4:n], b[n:], nil
}

// dataPageV2 unpacks a data page of version 2: levels lie before the compressed values.
func (r *chunkReader) dataPageV2(p *rawPage, packed []byte) (err error) {
	h := &r.header.DataPageHeaderV2.V
	if !r.header.DataPageHeaderV2.Valid {
		return errThrift
	}
	rep, def := int(h.RepetitionLevelsByteLength), int(h.DefinitionLevelsByteLength)
	if rep < 0 || def < 0 || rep > len(packed) || def > len(packed)-rep {
		return errSize
	}
	p.values, p.encoding = int(h.NumValues), h.Encoding
	codec := r.codec
	if h.IsCompressed.Valid && !h.IsCompressed.V {
		codec = format.Uncompressed
	}
	head := rep + def
	plain := int(r.header.UncompressedPageSize) - head
	if len(packed) == head && plain == 0 {
		codec = format.Uncompressed // a page of nulls has nothing to compress
	}
	if r.body, err = r.inflate.decompress(codec, r.body, packed[head:], plain); err != nil {
		return err
	}
	p.rep, p.def, p.data = packed[:rep], packed[rep:head], r.body
	return nil
}
