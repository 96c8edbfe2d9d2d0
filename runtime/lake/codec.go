package lake

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// maxPage bounds the plain size of a page that is read, so that a damaged header cannot
// ask for all memory. Writers aim at pages of about 1 MiB.
const maxPage = 1 << 30

func codecOf(name string) (format.CompressionCodec, error) {
	switch name {
	case "", "snappy":
		return format.Snappy, nil
	case "none":
		return format.Uncompressed, nil
	case "gzip":
		return format.Gzip, nil
	case "zstd":
		return format.Zstd, nil
	}
	return 0, fmt.Errorf("codec %q is none of none, snappy, gzip, zstd", name)
}

// compressor compresses pages; it is made once and reused.
type compressor struct {
	codec format.CompressionCodec
	out   []byte
	gzip  *gzip.Writer
	zstd  *zstd.Encoder
}

// compress gives the compressed form of src; it lives until the next call.
func (c *compressor) compress(src []byte) ([]byte, error) {
	switch c.codec {
	case format.Snappy:
		if n := s2.MaxEncodedLen(len(src)); cap(c.out) < n {
			c.out = make([]byte, n+n/4)
		}
		return s2.EncodeSnappy(c.out[:cap(c.out)], src), nil
	case format.Gzip:
		buf := bytes.NewBuffer(c.out[:0])
		if c.gzip == nil {
			c.gzip = gzip.NewWriter(buf)
		}
		c.gzip.Reset(buf)
		if _, err := c.gzip.Write(src); err != nil {
			return nil, err
		}
		if err := c.gzip.Close(); err != nil {
			return nil, err
		}
		c.out = buf.Bytes()
		return c.out, nil
	case format.Zstd:
		if c.zstd == nil {
			var err error
			if c.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault)); err != nil {
				return nil, err
			}
		}
		c.out = c.zstd.EncodeAll(src, c.out[:0])
		return c.out, nil
	}
	return src, nil
}

var errSize = errors.New("a page has another size than its header says")

// decompressor restores pages; it is made once and reused.
type decompressor struct {
	gzip *gzip.Reader
	in   bytes.Reader
	zstd *zstd.Decoder
}

// decompress restores src, whose plain form has size bytes, into dst, and never
// allocates more than src can honestly hold.
func (d *decompressor) decompress(codec format.CompressionCodec, dst, src []byte, size int) ([]byte, error) {
	if size < 0 || size > maxPage {
		return nil, errSize
	}
	switch codec {
	case format.Uncompressed:
		if len(src) != size {
			return nil, errSize
		}
		return append(dst[:0], src...), nil
	case format.Snappy:
		return unsnappy(dst, src, size)
	case format.Gzip:
		return d.ungzip(dst, src, size)
	case format.Zstd:
		return d.unzstd(dst, src, size)
	}
	return nil, fmt.Errorf("it is compressed with %s, which is not read here; write it with snappy, gzip or zstd", codec)
}

func unsnappy(dst, src []byte, size int) ([]byte, error) {
	if size == 0 && len(src) == 0 {
		return dst[:0], nil
	}
	n, err := s2.DecodedLen(src)
	if err != nil || n != size || n > 64*len(src)+64 { // a copy of 64 bytes takes 2 at least
		return nil, errSize
	}
	// The slack lets the readers of packed integers load whole words.
	dst = sized(dst, n)
	return s2.Decode(dst[:n], src)
}

func (d *decompressor) ungzip(dst, src []byte, size int) ([]byte, error) {
	d.in.Reset(src)
	var err error
	if d.gzip == nil {
		d.gzip, err = gzip.NewReader(&d.in)
	} else {
		err = d.gzip.Reset(&d.in)
	}
	if err != nil {
		return nil, err
	}
	buf := bytes.NewBuffer(dst[:0])
	n, err := buf.ReadFrom(io.LimitReader(d.gzip, int64(size)+1))
	if err == nil && n != int64(size) {
		err = errSize
	}
	return buf.Bytes(), err
}

func (d *decompressor) unzstd(dst, src []byte, size int) ([]byte, error) {
	var h zstd.Header
	if err := h.Decode(src); err != nil {
		return nil, err
	}
	if h.HasFCS && h.FrameContentSize != uint64(size) {
		return nil, errSize
	}
	if d.zstd == nil {
		var err error
		if d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage), zstd.WithDecoderLowmem(true)); err != nil {
			return nil, err
		}
	}
	out, err := d.zstd.DecodeAll(src, dst[:0])
	if err == nil && len(out) != size {
		err = errSize
	}
	return out, err
}

// sized is dst with length n, reallocated with some slack if it is too small; what it
// held is lost.
func sized[T any](dst []T, n int) []T {
	if cap(dst) < n {
		return make([]T, n, n+n/4+16)
	}
	return dst[:n]
}

// extend is dst with n elements more; what it holds stays.
func extend[T any](dst []T, n int) []T {
	if need := len(dst) + n; cap(dst) < need {
		grown := make([]T, len(dst), need+need/4+16)
		copy(grown, dst)
		dst = grown
	}
	return dst[:len(dst)+n]
}

func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
