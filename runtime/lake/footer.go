package lake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// footerRead is what is read of a file's end at first: most footers fit.
const footerRead = 32 << 10

// guard turns a panic of a decoder below into an error.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("it is damaged (%v)", p)
	}
}

// readFooter reads and checks the footer of a file. The magic number at its head is not
// looked at, for that would cost an object store one more request.
func readFooter(src io.ReaderAt, size int64) (meta *format.FileMetaData, footerAt int64, err error) {
	defer guard(&err)
	if size < 12 {
		return nil, 0, fmt.Errorf("it has %d bytes", size)
	}
	tail := make([]byte, min(size, footerRead))
	if err := readFull(src, tail, size-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	end := tail[len(tail)-8:]
	if string(end[4:]) == "PARE" {
		return nil, 0, errors.New("its footer is encrypted")
	}
	if string(end[4:]) != magic {
		return nil, 0, errors.New("it does not end in PAR1, so it is cut off or something else")
	}
	length := int64(le32(end))
	if length > size-12 {
		return nil, 0, errors.New("its footer is longer than the file")
	}
	footerAt = size - 8 - length
	var raw []byte
	if n := int64(len(tail)) - 8; length <= n {
		raw = tail[n-length : n]
	} else if raw, err = readLong(src, footerAt, length); err != nil {
		return nil, 0, err
	}
	n := structEnd(raw, 0, thriftDepth)
	if n < 0 {
		return nil, 0, errThrift
	}
	meta = new(format.FileMetaData)
	var r compactReader
	if err := r.decode(raw[:n], meta); err != nil {
		return nil, 0, err
	}
	if meta.EncryptionAlgorithm.Value != nil {
		return nil, 0, errors.New("it is encrypted or signed")
	}
	return meta, footerAt, nil
}

func readFull(src io.ReaderAt, b []byte, at int64) error {
	n, err := src.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF || err == io.ErrUnexpectedEOF {
		return io.ErrUnexpectedEOF
	}
	return &readError{err}
}

// readLong reads n bytes that a damaged file may not have: memory grows with what is there.
func readLong(src io.ReaderAt, at, n int64) ([]byte, error) {
	var b bytes.Buffer
	got, err := b.ReadFrom(io.NewSectionReader(src, at, n))
	if err != nil {
		return nil, &readError{err}
	}
	if got != n {
		return nil, io.ErrUnexpectedEOF
	}
	return b.Bytes(), nil
}

// ReadMeta reads the key and value metadata and the number of rows from a file's footer.
// The name is for errors.
func ReadMeta(src io.ReaderAt, size int64, name string) (map[string]string, int64, error) {
	meta, at, err := readFooter(src, size)
	if err == nil {
		_, err = checkFooter(meta, at)
	}
	if err != nil {
		return nil, 0, notReadable(name, err)
	}
	return keyValues(meta), meta.NumRows, nil
}

func keyValues(meta *format.FileMetaData) map[string]string {
	m := make(map[string]string, len(meta.KeyValueMetadata))
	for _, kv := range meta.KeyValueMetadata {
		m[kv.Key] = kv.Value
	}
	return m
}

// fileNode is a node of a file's Parquet tree.
type fileNode struct {
	element  *format.SchemaElement
	rep      format.FieldRepetitionType
	children []*fileNode
	leaf     int // position of its chunk in a row group; -1: a group
	maxDef   uint8
	maxRep   uint8
}

func (n *fileNode) child(name string) *fileNode {
	for _, c := range n.children {
		if c.element.Name == name {
			return c
		}
	}
	return nil
}

// annotation names what the file says of a leaf, for errors.
func (n *fileNode) annotation() string {
	physical := n.element.Type.V.String()
	if n.element.LogicalType.Value != nil {
		return physical + " (" + n.element.LogicalType.String() + ")"
	}
	if n.element.ConvertedType.Valid {
		return fmt.Sprintf("%s (converted type %d)", physical, n.element.ConvertedType.V)
	}
	return physical
}

// checkFooter builds the tree and checks that the numbers of the footer agree, since a
// flipped bit in it goes unnoticed otherwise.
func checkFooter(meta *format.FileMetaData, footerAt int64) (root *fileNode, err error) {
	defer guard(&err)
	b := treeBuilder{elements: meta.Schema}
	root, err = b.node(0, 0, 0)
	if err != nil {
		return nil, err
	}
	if b.next != len(meta.Schema) || root.leaf >= 0 {
		return nil, errors.New("its schema is no tree")
	}
	rows := int64(0)
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		if g.NumRows < 0 || g.NumRows > meta.NumRows || len(g.Columns) != len(b.leaves) {
			return nil, fmt.Errorf("row group %d has %d rows in %d columns, the file %d in %d", i, g.NumRows, len(g.Columns), meta.NumRows, len(b.leaves))
		}
		rows += g.NumRows
		for j := range g.Columns {
			if err := checkChunk(&g.Columns[j], b.leaves[j], g.NumRows, footerAt); err != nil {
				return nil, fmt.Errorf("row group %d, column %q: %w", i, pathText(g.Columns[j].MetaData.PathInSchema), err)
			}
		}
	}
	if rows != meta.NumRows {
		return nil, fmt.Errorf("its row groups have %d rows, its footer says %d", rows, meta.NumRows)
	}
	return root, nil
}

func checkChunk(c *format.ColumnChunk, n *fileNode, rows, footerAt int64) error {
	m := &c.MetaData
	switch start := chunkStart(m); {
	case c.FilePath != "" || len(c.EncryptedColumnMetadata) > 0 || c.CryptoMetadata.Value != nil:
		return errors.New("it lies in another file or is encrypted")
	case start < 4 || m.TotalCompressedSize < 0 || m.TotalCompressedSize > footerAt-start:
		return errors.New("it lies outside the file")
	case m.Type != n.element.Type.V:
		return errors.New("it has another type than the schema says")
	case m.NumValues < 0 || n.maxRep == 0 && m.NumValues != rows || m.NumValues < rows:
		return fmt.Errorf("it has %d values for %d rows", m.NumValues, rows)
	case !slices.Contains(readCodecs, m.Codec):
		return fmt.Errorf("it is compressed with %s, which is not read here; write it with snappy, gzip or zstd", m.Codec)
	}
	return nil
}

var readCodecs = []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Gzip, format.Zstd}

// chunkStart is where a chunk's pages begin. Some writers leave the place of the
// dictionary at zero, or point it behind the data.
func chunkStart(m *format.ColumnMetaData) int64 {
	if m.DictionaryPageOffset > 0 && m.DictionaryPageOffset < m.DataPageOffset {
		return m.DictionaryPageOffset
	}
	return m.DataPageOffset
}

// treeBuilder turns the depth-first list of elements into a tree.
type treeBuilder struct {
	elements []format.SchemaElement
	next     int
	leaves   []*fileNode
}

const maxTreeDepth = 64

func (b *treeBuilder) node(depth int, def, rep uint8) (*fileNode, error) {
	if b.next >= len(b.elements) || depth > maxTreeDepth {
		return nil, errors.New("its schema is no tree")
	}
	e := &b.elements[b.next]
	b.next++
	n := &fileNode{element: e, leaf: -1, rep: e.RepetitionType.V, maxDef: def, maxRep: rep}
	switch {
	case depth == 0: // the root's repetition means nothing, and some writers set it
		n.rep = format.Required
	case n.rep == format.Optional:
		n.maxDef++
	case n.rep == format.Repeated:
		n.maxDef++
		n.maxRep++
	case n.rep != format.Required:
		return nil, fmt.Errorf("column %q is neither required, optional nor repeated", e.Name)
	}
	if e.Type.Valid {
		n.leaf = len(b.leaves)
		b.leaves = append(b.leaves, n)
		return n, nil
	}
	count := int(e.NumChildren.V)
	if count < 0 || count > len(b.elements)-b.next {
		return nil, errors.New("its schema is no tree")
	}
	for range count {
		child, err := b.node(depth+1, n.maxDef, n.maxRep)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	return n, nil
}

// unitOf is the ticks per second of a timestamp column that is adjusted to UTC; 0 if it
// is none.
func (n *fileNode) unitOf() int64 {
	if t, ok := n.element.LogicalType.Value.(*format.TimestampType); ok {
		if !t.IsAdjustedToUTC || t.Unit.Value == nil {
			return 0
		}
		return int64(1e9) / int64(t.Unit.Value.Duration())
	}
	if n.element.LogicalType.Value == nil && n.element.ConvertedType.Valid {
		switch n.element.ConvertedType.V {
		case deprecated.TimestampMillis:
			return 1e3
		case deprecated.TimestampMicros:
			return 1e6
		}
	}
	return 0
}
