package lake

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

var errThrift = errors.New("its structures are damaged")

// Types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12

	thriftDepth = 16
)

// structEnd is the position behind the struct at b[i:], negative if it is cut off or
// malformed. The decoder trusts the sizes of lists and allocates by them; after this
// walk each element is known to be there.
func structEnd(b []byte, i, depth int) int {
	for i >= 0 && i < len(b) && depth > 0 {
		head := b[i]
		i++
		if head == 0 {
			return i
		}
		if head>>4 == 0 {
			i = varintEnd(b, i)
		}
		if kind := head & 15; kind > thriftFalse {
			i = valueEnd(b, i, kind, depth-1)
		}
	}
	return -1
}

func varintEnd(b []byte, i int) int {
	if i < 0 || i > len(b) {
		return -1
	}
	_, n := binary.Uvarint(b[i:])
	if n <= 0 {
		return -1
	}
	return i + n
}

func valueEnd(b []byte, i int, kind byte, depth int) int {
	if i < 0 || i > len(b) {
		return -1
	}
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		i++
	case thriftI16, thriftI32, thriftI64:
		i = varintEnd(b, i)
	case thriftDouble:
		i += 8
	case thriftBinary:
		size, n := binary.Uvarint(b[i:])
		if n <= 0 || size > uint64(len(b)-i-n) {
			return -1
		}
		i += n + int(size)
	case thriftList, thriftSet:
		return listEnd(b, i, depth)
	case thriftMap:
		return mapEnd(b, i, depth)
	case thriftStruct:
		return structEnd(b, i, depth)
	default:
		return -1
	}
	if i > len(b) {
		return -1
	}
	return i
}

func listEnd(b []byte, i, depth int) int {
	if i >= len(b) || depth <= 0 {
		return -1
	}
	kind, size := b[i]&15, uint64(b[i]>>4)
	i++
	if size == 15 {
		var n int
		if size, n = binary.Uvarint(b[i:]); n <= 0 {
			return -1
		}
		i += n
	}
	if size > uint64(len(b)-i) { // each element has a byte at least
		return -1
	}
	for range size {
		if i = valueEnd(b, i, kind, depth-1); i < 0 {
			return -1
		}
	}
	return i
}

func mapEnd(b []byte, i, depth int) int {
	size, n := binary.Uvarint(b[i:])
	if n <= 0 || depth <= 0 {
		return -1
	}
	if i += n; size == 0 {
		return i
	}
	if i >= len(b) || size > uint64(len(b)-i) {
		return -1
	}
	kinds := b[i]
	i++
	for range size {
		if i = valueEnd(b, i, kinds>>4, depth-1); i < 0 {
			return -1
		}
		if i = valueEnd(b, i, kinds&15, depth-1); i < 0 {
			return -1
		}
	}
	return i
}

// compactReader decodes page headers without an allocation per header.
type compactReader struct {
	bytes   thrift.BytesReader
	decoder *thrift.Decoder
}

// decode fills v from b, which structEnd has walked.
func (r *compactReader) decode(b []byte, v any) error {
	if r.bytes == nil {
		r.bytes = new(thrift.CompactProtocol).NewReaderFromBytes(nil)
		r.decoder = thrift.NewDecoder(r.bytes)
	}
	r.bytes.ResetBytes(b)
	if err := r.decoder.Decode(v); err != nil {
		return errThrift
	}
	return nil
}

// compactWriter encodes page headers into one buffer.
type compactWriter struct {
	buf     bytes.Buffer
	encoder *thrift.Encoder
	header  format.PageHeader
}

// encode is the compact form of v; it lives until the next call.
func (w *compactWriter) encode(v any) ([]byte, error) {
	if w.encoder == nil {
		w.encoder = thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(&w.buf))
	}
	w.buf.Reset()
	if err := w.encoder.Encode(v); err != nil {
		return nil, err
	}
	return w.buf.Bytes(), nil
}
