package lake

import (
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/format"
)

// byteArrays gives n strings as text and n+1 offsets, which live until the next call.
func (v *values) byteArrays(e format.Encoding, b []byte, n int) ([]byte, []uint32, error) {
	if v.width > 0 {
		return v.fixedBytes(e, b, n)
	}
	switch e {
	case format.Plain:
		return v.plainBytes(b, n)
	case format.DeltaLengthByteArray:
		return v.deltaLengthBytes(b, n)
	case format.DeltaByteArray:
		return v.deltaBytes(b, n)
	}
	return nil, nil, errEncoding(e)
}

func (v *values) fixedBytes(e format.Encoding, b []byte, n int) ([]byte, []uint32, error) {
	if e == format.DeltaByteArray {
		text, off, err := v.deltaBytes(b, n)
		for i := 1; err == nil && i < len(off); i++ {
			if off[i]-off[i-1] != uint32(v.width) {
				err = errShort
			}
		}
		return text, off, err
	}
	if e != format.Plain {
		return nil, nil, errEncoding(e)
	}
	if len(b) < n*v.width {
		return nil, nil, errShort
	}
	v.off = sized(v.off, n+1)
	for i := range v.off {
		v.off[i] = uint32(i * v.width)
	}
	return b, v.off, nil
}

func (v *values) plainBytes(b []byte, n int) ([]byte, []uint32, error) {
	if len(b) < 4*n {
		return nil, nil, errShort
	}
	v.off = sized(v.off, n+1)
	v.off[0] = 0
	text := v.bytes[:0]
	for i := range n {
		if len(b) < 4 || uint64(le32(b)) > uint64(len(b)-4) {
			return nil, nil, errShort
		}
		end := 4 + int(le32(b))
		text = append(text, b[4:end]...)
		b = b[end:]
		v.off[i+1] = uint32(len(text))
	}
	v.bytes = text
	return text, v.off, nil
}

// lengths reads n delta-packed lengths, none of them negative, and gives what follows.
func (v *values) lengths(to []int32, b []byte, n int) ([]int32, []byte, error) {
	end, err := deltaEnd(b, n, 32)
	if err != nil {
		return to, nil, err
	}
	if to, err = deltaInts.DecodeInt32(to, b[:end]); err != nil || len(to) != n {
		return to, nil, errDelta
	}
	for _, l := range to {
		if l < 0 {
			return to, nil, errDelta
		}
	}
	return to, b[end:], nil
}

func (v *values) deltaLengthBytes(b []byte, n int) ([]byte, []uint32, error) {
	var err error
	if v.i32, b, err = v.lengths(v.i32, b, n); err != nil {
		return nil, nil, err
	}
	v.off = sized(v.off, n+1)
	at := uint64(0)
	v.off[0] = 0
	for i, l := range v.i32 {
		at += uint64(l)
		v.off[i+1] = uint32(at)
	}
	if at > uint64(len(b)) {
		return nil, nil, errShort
	}
	return b[:at:at], v.off, nil
}

// deltaBytes reads strings that share a prefix with the one before.
func (v *values) deltaBytes(b []byte, n int) ([]byte, []uint32, error) {
	prefixes, b, err := v.lengths(nil, b, n)
	if err != nil {
		return nil, nil, err
	}
	if v.i32, b, err = v.lengths(v.i32, b, n); err != nil {
		return nil, nil, err
	}
	v.off = sized(v.off, n+1)
	v.off[0] = 0
	text, last := v.bytes[:0], 0
	for i, suffix := range v.i32 {
		prefix := int(prefixes[i])
		if prefix > len(text)-last || int(suffix) > len(b) || len(text)+prefix+int(suffix) > maxPage {
			return nil, nil, errShort
		}
		at := len(text)
		text = append(text, text[last:last+prefix]...)
		text = append(text, b[:suffix]...)
		b, last = b[suffix:], at
		v.off[i+1] = uint32(len(text))
	}
	v.bytes = text
	return text, v.off, nil
}

// putBytes appends strings to a column.
func (v *values) putBytes(to *bridge.Column, text []byte, off []uint32) error {
	n := len(off) - 1
	switch {
	case v.leaf.Kind == bridge.Code:
		return v.putCodes(to, text, off)
	case v.uuid:
		if len(to.Off) == 0 {
			to.Off = append(to.Off, 0)
		}
		for i := range n {
			to.Bytes = bridge.AppendUUID(to.Bytes, bridge.UUID(text[off[i]:off[i+1]]))
			to.Off = append(to.Off, uint32(len(to.Bytes)))
		}
	case !v.copy:
		to.Bytes, v.aliased = text, true
		to.Off, v.off = off, to.Off[:0]
	default:
		if len(to.Off) == 0 {
			to.Off = append(to.Off, 0)
		}
		base := uint32(len(to.Bytes)) - off[0]
		to.Bytes = append(to.Bytes, text[off[0]:off[n]]...)
		for _, o := range off[1:] {
			to.Off = append(to.Off, base+o)
		}
	}
	return nil
}

func (v *values) putCodes(to *bridge.Column, text []byte, off []uint32) error {
	for i := range len(off) - 1 {
		s := text[off[i]:off[i+1]]
		code, ok := v.symbols[string(s)]
		if !ok {
			return &valueError{i, v.noSymbol(string(s))}
		}
		to.U8 = append(to.U8, code)
	}
	return nil
}
