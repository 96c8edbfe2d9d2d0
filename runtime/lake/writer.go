package lake

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const (
	magic             = "PAR1"
	defaultGroupRows  = 500_000
	maxGroupBytes     = 128 << 20 // a row group is held in memory until it is full
	maxRowGroups      = 1<<15 - 1 // 16 bits number them in the footer
	createdBy         = "bridgegen"
	parquetV2         = 2
	errAfterClose     = "the writer is closed; Reset it for another file"
	messageOutOfOrder = "the writer has no file; Reset it first"
)

// WriterOptions are the settings of a Writer.
type WriterOptions struct {
	// RowGroupRows bounds the rows of a row group; 0 is what the schema says, else 500,000.
	// A group ends at a page's end, so it is passed only by a page that is greater by
	// itself.
	RowGroupRows int
	// SortedBy are the leaves that the rows come sorted by, ascending, so that the footer
	// says so. The writer does not look whether they do.
	SortedBy []int
}

// Writer writes Parquet files of one table, page by page. It is kept and Reset for the
// next file: its buffers hold one row group and do not grow with the file (T96). It is
// not safe for concurrent use.
type Writer struct {
	schema    *bridge.Schema
	groupRows int
	sortedBy  []int
	elements  []format.SchemaElement
	order     []int // leaves in the order of their chunks
	chunks    []chunkWriter
	levels    []levelBytes // one per level stream of the page
	scratch   pageScratch

	w      io.Writer
	err    error
	offset int64 // bytes written
	rows   int64
	inPage int64 // rows in the open row group
	groups []format.RowGroup
	meta   []format.KeyValue
}

// NewWriter makes a writer of files of s, with the codec that s names. An error of the
// schema itself comes from the first WritePage or Close.
func NewWriter(s *bridge.Schema, o WriterOptions) *Writer {
	w := &Writer{schema: s, groupRows: o.RowGroupRows, sortedBy: o.SortedBy, levels: make([]levelBytes, s.NLevels)}
	if w.groupRows <= 0 {
		w.groupRows = cmp.Or(s.RowGroupRows, defaultGroupRows)
	}
	w.err = errors.New(messageOutOfOrder)
	return w
}

// Reset begins a file on out and forgets the one before, finished or not.
func (w *Writer) Reset(out io.Writer) {
	w.w, w.err = out, nil
	w.offset, w.rows, w.inPage = 0, 0, 0
	w.groups, w.meta = nil, nil
	if w.chunks == nil {
		w.err = w.prepare()
	}
	for i := range w.chunks {
		w.chunks[i].reset()
	}
}

func (w *Writer) prepare() error {
	codec, err := codecOf(w.schema.Codec)
	if err != nil {
		return fmt.Errorf("table %q: %w", w.schema.Table, err)
	}
	if w.elements, w.order, err = elementsOf(w.schema); err != nil {
		return err
	}
	w.scratch.compressor.codec = codec
	w.chunks = make([]chunkWriter, len(w.order))
	for i, leaf := range w.order {
		w.chunks[i].leaf = &w.schema.Leaves[leaf]
		w.chunks[i].bloom = hasBloom(w.schema, w.chunks[i].leaf)
	}
	return nil
}

// SetMeta sets a key of the footer's metadata, until Close; the last value of a key holds.
func (w *Writer) SetMeta(key, value string) {
	for i := range w.meta {
		if w.meta[i].Key == key {
			w.meta[i].Value = value
			return
		}
	}
	w.meta = append(w.meta, format.KeyValue{Key: key, Value: value})
}

// Rows is the number of rows written since Reset.
func (w *Writer) Rows() int64 { return w.rows }

// WritePage appends the rows of p, of which it keeps nothing. An error is final for the
// file.
func (w *Writer) WritePage(p *bridge.Page) error {
	if w.err == nil && p.N > 0 {
		w.err = w.writePage(p)
	}
	return w.err
}

func (w *Writer) writePage(p *bridge.Page) error {
	if w.inPage > 0 && w.inPage+int64(p.N) > int64(w.groupRows) {
		if err := w.flushGroup(); err != nil {
			return err
		}
	}
	for i := range w.levels {
		w.levels[i].known = false
	}
	var held int
	for i := range w.chunks {
		c := &w.chunks[i]
		if err := w.writeColumn(c, p, &p.Cols[w.order[i]]); err != nil {
			return fmt.Errorf("table %q, column %q: %w", w.schema.Table, pathText(c.leaf.Path), err)
		}
		held += len(c.pages)
	}
	w.rows += int64(p.N)
	w.inPage += int64(p.N)
	if w.inPage >= int64(w.groupRows) || held >= maxGroupBytes {
		return w.flushGroup()
	}
	return nil
}

// flushGroup writes the open row group.
func (w *Writer) flushGroup() error {
	if len(w.groups) == maxRowGroups {
		return fmt.Errorf("table %q: a file holds at most %d row groups; begin another file", w.schema.Table, maxRowGroups)
	}
	if err := w.begin(); err != nil {
		return err
	}
	g := format.RowGroup{NumRows: w.inPage, FileOffset: w.offset, Ordinal: int16(len(w.groups)), Columns: make([]format.ColumnChunk, len(w.chunks))}
	for i := range w.chunks {
		c := &w.chunks[i]
		if err := c.begin(&w.scratch); err != nil {
			return err
		}
		c.describe(&g.Columns[i], w.offset, w.scratch.compressor.codec)
		g.TotalByteSize += g.Columns[i].MetaData.TotalUncompressedSize
		g.TotalCompressedSize += g.Columns[i].MetaData.TotalCompressedSize
		if err := w.put(c.dict); err != nil {
			return err
		}
		if err := w.put(c.pages); err != nil {
			return err
		}
	}
	for _, leaf := range w.sortedBy {
		g.SortingColumns = append(g.SortingColumns, format.SortingColumn{ColumnIdx: int32(slices.Index(w.order, leaf))})
	}
	if err := w.putFilters(&g); err != nil {
		return err
	}
	for i := range w.chunks {
		w.chunks[i].reset()
	}
	w.groups = append(w.groups, g)
	w.inPage = 0
	return nil
}

func (w *Writer) begin() error {
	if w.offset > 0 {
		return nil
	}
	return w.put([]byte(magic))
}

func (w *Writer) put(b []byte) error {
	n, err := w.w.Write(b)
	w.offset += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

// Close writes what is left and the footer; without it the file is no Parquet file
// (T98). It does not close the file below.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	err := w.finish()
	w.err = errors.New(errAfterClose)
	if err != nil {
		w.err = err
	}
	return err
}

func (w *Writer) finish() error {
	if w.inPage > 0 {
		if err := w.flushGroup(); err != nil {
			return err
		}
	}
	if err := w.begin(); err != nil {
		return err
	}
	groups := w.groups
	if groups == nil {
		groups = []format.RowGroup{}
	}
	orders := make([]format.ColumnOrder, len(w.order))
	for i := range orders {
		orders[i].Value = new(format.TypeDefinedOrder)
	}
	footer := format.FileMetaData{Version: parquetV2, Schema: w.elements, NumRows: w.rows, RowGroups: groups,
		KeyValueMetadata: w.meta, CreatedBy: createdBy, ColumnOrders: orders}
	b, err := thrift.Marshal(new(thrift.CompactProtocol), &footer)
	if err != nil {
		return err
	}
	n := len(b)
	b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	return w.put(append(b, magic...))
}
