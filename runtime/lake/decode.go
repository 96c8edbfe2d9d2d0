package lake

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go/format"
)

var (
	errShort  = errors.New("a page is shorter than its values")
	errLevels = errors.New("a page has other levels than its header says")
	errDelta  = errors.New("a page of delta-packed integers is damaged")
)

// runs reads the hybrid of run lengths and packed integers that levels, booleans and
// positions in dictionaries have. It gives n values or an error and allocates nothing.
type runs struct {
	b     []byte
	width int
}

// run is the next run: n values that are all v, or, if packed is not nil, n values in
// it, a multiple of 8.
func (r *runs) run() (n int, v uint32, packed []byte, err error) {
	head, size := binary.Uvarint(r.b)
	if size <= 0 || head>>1 > math.MaxInt32 {
		return 0, 0, nil, errShort
	}
	r.b = r.b[size:]
	n = int(head >> 1)
	if head&1 == 0 {
		bytes := (r.width + 7) / 8
		if len(r.b) < bytes {
			return 0, 0, nil, errShort
		}
		for i := range bytes {
			v |= uint32(r.b[i]) << (8 * i)
		}
		r.b = r.b[bytes:]
		return n, v, nil, nil
	}
	// Writers may cut the padding of the last run.
	packed = r.b[:min(len(r.b), n*r.width)]
	r.b = r.b[len(packed):]
	return n * 8, 0, packed, nil
}

// decodeBytes fills dst with values of at most 8 bits.
func decodeBytes(dst []uint8, b []byte, width int) error {
	r := runs{b, width}
	for len(dst) > 0 {
		n, v, packed, err := r.run()
		if err != nil {
			return err
		}
		if n == 0 {
			if len(r.b) == 0 {
				return errShort
			}
			continue
		}
		n = min(n, len(dst))
		if packed != nil {
			if len(packed)*8 < n*width {
				return errShort
			}
			unpackBytes(dst[:n], packed, width)
		} else {
			fillBytes(dst[:n], uint8(v))
		}
		dst = dst[n:]
	}
	return nil
}

func fillBytes(dst []uint8, v uint8) {
	for i := range dst {
		dst[i] = v
	}
}

// unpackBytes unpacks len(dst) values of width bits.
func unpackBytes(dst []uint8, b []byte, width int) {
	mask := uint8(1)<<width - 1
	for len(dst) >= 8 && len(b) >= 8 {
		w := le64(b)
		b = b[width:]
		dst[0] = uint8(w) & mask
		dst[1] = uint8(w>>width) & mask
		dst[2] = uint8(w>>(2*width)) & mask
		dst[3] = uint8(w>>(3*width)) & mask
		dst[4] = uint8(w>>(4*width)) & mask
		dst[5] = uint8(w>>(5*width)) & mask
		dst[6] = uint8(w>>(6*width)) & mask
		dst[7] = uint8(w>>(7*width)) & mask
		dst = dst[8:]
	}
	for i := range dst {
		bit := i * width
		w := uint16(b[bit/8])
		if bit/8+1 < len(b) {
			w |= uint16(b[bit/8+1]) << 8
		}
		dst[i] = uint8(w>>(bit%8)) & mask
	}
}

// decodeIndexes fills dst with positions below limit.
func decodeIndexes(dst []uint32, b []byte, limit int) error {
	if len(dst) == 0 {
		return nil
	}
	if len(b) == 0 || b[0] > 32 {
		return errShort
	}
	r := runs{b[1:], int(b[0])}
	for len(dst) > 0 {
		n, v, packed, err := r.run()
		if err != nil {
			return err
		}
		if n == 0 {
			if len(r.b) == 0 {
				return errShort
			}
			continue
		}
		n = min(n, len(dst))
		if packed == nil {
			if int64(v) >= int64(limit) {
				return errIndex(v, limit)
			}
			for i := range n {
				dst[i] = v
			}
		} else if err := unpackIndexes(dst[:n], packed, r.width, limit); err != nil {
			return err
		}
		dst = dst[n:]
	}
	return nil
}

func errIndex(v uint32, limit int) error {
	return fmt.Errorf("a page points at value %d of a dictionary of %d", v, limit)
}

func unpackIndexes(dst []uint32, b []byte, width, limit int) error {
	if len(b)*8 < len(dst)*width {
		return errShort
	}
	mask := uint64(1)<<width - 1
	for i := range dst {
		bit := i * width
		var w uint64
		if at := bit / 8; at+8 <= len(b) {
			w = le64(b[at:])
		} else {
			for k, c := range b[at:] {
				w |= uint64(c) << (8 * k)
			}
		}
		v := uint32(w >> (bit % 8) & mask)
		if int64(v) >= int64(limit) {
			return errIndex(v, limit)
		}
		dst[i] = v
	}
	return nil
}

// decodeLevels fills dst with levels up to top.
func decodeLevels(dst []uint8, b []byte, top uint8) error {
	if err := decodeBytes(dst, b, bits.Len8(top)); err != nil {
		return errLevels
	}
	if top&(top+1) != 0 { // the width leaves room for greater ones
		for _, v := range dst {
			if v > top {
				return errLevels
			}
		}
	}
	return nil
}

// bitTable spreads the bits of a byte over eight bytes.
var bitTable = func() (t [256]uint64) {
	for i := range t {
		for bit := range 8 {
			t[i] |= uint64(i>>bit&1) << (8 * bit)
		}
	}
	return t
}()

// decodeBools fills dst with 0 and 1.
func decodeBools(dst []uint8, b []byte, e format.Encoding) error {
	switch e {
	case format.Plain:
		if len(b) < (len(dst)+7)/8 {
			return errShort
		}
		for ; len(dst) >= 8; dst, b = dst[8:], b[1:] {
			binary.LittleEndian.PutUint64(dst, bitTable[b[0]])
		}
		for i := range dst {
			dst[i] = b[0] >> i & 1
		}
		return nil
	case format.RLE:
		if len(b) < 4 || uint64(le32(b)) > uint64(len(b)-4) {
			return errShort
		}
		return decodeBytes(dst, b[4:4+le32(b)], 1)
	}
	return errEncoding(e)
}

func errEncoding(e format.Encoding) error {
	return fmt.Errorf("its encoding %s is not read for this type; write the file with PLAIN, dictionary or DELTA encodings", e)
}

// deltaEnd is where n delta-packed integers of at most width bits end. The decoder trusts
// the numbers that it finds; this walk has seen that they are sane.
func deltaEnd(b []byte, n, width int) (int, error) {
	var head [4]uint64 // values of a block, its miniblocks, values in all, the first value
	at := 0
	for i := range head {
		v, size := binary.Uvarint(b[at:])
		if size <= 0 {
			return 0, errDelta
		}
		head[i], at = v, at+size
	}
	block, minis := head[0], head[1]
	if head[2] != uint64(n) || block == 0 || block > 1<<16 || block%128 != 0 || minis == 0 || block%minis != 0 || block/minis%32 != 0 {
		return 0, errDelta
	}
	per := int(block / minis)
	for left := n - 1; left > 0; {
		_, size := binary.Uvarint(b[at:]) // the least delta
		if at += size; size <= 0 || at > len(b)-int(minis) {
			return 0, errDelta
		}
		widths := b[at : at+int(minis)]
		at += int(minis)
		for _, w := range widths {
			if left <= 0 {
				break
			}
			if int(w) > width {
				return 0, errDelta
			}
			at += per * int(w) / 8
			left -= per
		}
		if at > len(b) {
			return 0, errDelta
		}
	}
	return at, nil
}
