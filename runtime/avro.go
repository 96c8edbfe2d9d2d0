package bridge

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"unsafe"
)

// The Avro binary encoding by index writes: a caller grows the slice once to the
// longest possible form and every Put returns the position behind what it wrote. On
// the way back a position is carried along, negative once the message was malformed;
// it stays negative, so a reader tests it once at the end.

// MaxVarint is the longest form of an int or long.
const MaxVarint = 10

// ErrAvro says that a message is not the Avro form of the schema.
var ErrAvro = errors.New("the bytes are no record of the schema")

// Grow makes room for n bytes behind b and returns b with that length more.
func Grow(b []byte, n int) []byte {
	return slices.Grow(b, n)[:len(b)+n]
}

// PutLong writes a zigzag varint.
func PutLong(b []byte, i int, v int64) int {
	u := uint64(v)<<1 ^ uint64(v>>63)
	for u >= 0x80 {
		b[i] = byte(u) | 0x80
		u >>= 7
		i++
	}
	b[i] = byte(u)
	return i + 1
}

// PutInt writes a zigzag varint of 32 bits.
func PutInt(b []byte, i int, v int32) int { return PutLong(b, i, int64(v)) }

// PutBool writes one byte.
func PutBool(b []byte, i int, v bool) int {
	b[i] = BoolCode(v)
	return i + 1
}

// PutFloat writes four bytes.
func PutFloat(b []byte, i int, v float32) int {
	binary.LittleEndian.PutUint32(b[i:], math.Float32bits(v))
	return i + 4
}

// PutDouble writes eight bytes.
func PutDouble(b []byte, i int, v float64) int {
	binary.LittleEndian.PutUint64(b[i:], math.Float64bits(v))
	return i + 8
}

// PutString writes length and bytes.
func PutString(b []byte, i int, v string) int {
	i = PutLong(b, i, int64(len(v)))
	return i + copy(b[i:], v)
}

// PutBytes writes length and bytes.
func PutBytes(b []byte, i int, v []byte) int {
	i = PutLong(b, i, int64(len(v)))
	return i + copy(b[i:], v)
}

// PutDecimal writes a decimal as bytes of the least length.
func PutDecimal(b []byte, i int, v Decimal) int {
	var raw [16]byte
	putUint64(raw[:8], uint64(v.Hi))
	putUint64(raw[8:], v.Lo)
	return PutBytes(b, i, raw[leastDecimal(&raw):])
}

// PutUUID writes a UUID as its canonical text.
func PutUUID(b []byte, i int, v UUID) int {
	i = PutLong(b, i, 36)
	return i + len(AppendUUID(b[i:i:i+36], v))
}

// Long reads a zigzag varint at b[i:].
func Long(b []byte, i int) (int64, int) {
	if i < 0 {
		return 0, i
	}
	var u uint64
	for n := range MaxVarint {
		if i >= len(b) {
			return 0, -1
		}
		c := b[i]
		i++
		if n == MaxVarint-1 && c > 1 {
			return 0, -1
		}
		u |= uint64(c&0x7f) << (7 * n)
		if c < 0x80 {
			return int64(u>>1) ^ -int64(u&1), i
		}
	}
	return 0, -1
}

// Int reads a zigzag varint that must fit 32 bits.
func Int(b []byte, i int) (int32, int) {
	v, i := Long(b, i)
	if v != int64(int32(v)) {
		return 0, -1
	}
	return int32(v), i
}

// ReadBool reads one byte, 0 or 1.
func ReadBool(b []byte, i int) (bool, int) {
	if i < 0 || i >= len(b) || b[i] > 1 {
		return false, -1
	}
	return b[i] == 1, i + 1
}

// ReadFloat reads four bytes.
func ReadFloat(b []byte, i int) (float32, int) {
	if i < 0 || len(b)-i < 4 {
		return 0, -1
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(b[i:])), i + 4
}

// ReadDouble reads eight bytes.
func ReadDouble(b []byte, i int) (float64, int) {
	if i < 0 || len(b)-i < 8 {
		return 0, -1
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[i:])), i + 8
}

// ReadBytes reads length and bytes; the result aliases b.
func ReadBytes(b []byte, i int) ([]byte, int) {
	n, i := Long(b, i)
	if i < 0 || n < 0 || n > int64(len(b)-i) {
		return nil, -1
	}
	end := i + int(n)
	return b[i:end:end], end
}

// ReadString reads length and bytes as a string that aliases b.
func ReadString(b []byte, i int) (string, int) {
	v, i := ReadBytes(b, i)
	return unsafe.String(unsafe.SliceData(v), len(v)), i
}

// ReadDecimal reads a decimal from bytes.
func ReadDecimal(b []byte, i int, scale uint8) (Decimal, int) {
	v, i := ReadBytes(b, i)
	d, ok := DecimalFromBytes(v, scale)
	if i >= 0 && !ok {
		return d, -1
	}
	return d, i
}

// ReadUUID reads a UUID from its canonical text.
func ReadUUID(b []byte, i int) (UUID, int) {
	v, i := ReadBytes(b, i)
	u, ok := ParseUUID(v)
	if i >= 0 && !ok {
		return u, -1
	}
	return u, i
}

// ReadEnum reads the position of a symbol among n.
func ReadEnum(b []byte, i, n int) (int, int) {
	v, i := Long(b, i)
	if v < 0 || v >= int64(n) {
		return 0, -1
	}
	return int(v), i
}

// ReadBranch reads the branch of a ["null",T] union: true for T.
func ReadBranch(b []byte, i int) (bool, int) {
	if i < 0 || i >= len(b) || b[i] != 0 && b[i] != 2 {
		return false, -1
	}
	return b[i] == 2, i + 1
}

// SysSize is the longest Avro form of the system columns.
const SysSize = 1 + MaxVarint + 1 + MaxVarint + MaxVarint + 1

// PutSys writes the system columns; _deleted only with deletes.
func PutSys(b []byte, i int, s *System, deletes bool) int {
	b[i] = (uint8(s.Source) - 1) << 1 // a varint of 0 or 1
	i = PutLong(b, i+1, int64(s.IngestedAt))
	if s.Version.OK {
		b[i] = 2
		i = PutLong(b, i+1, s.Version.V)
	} else {
		b[i] = 0
		i++
	}
	i = PutLong(b, i, s.Seq)
	if deletes {
		i = PutBool(b, i, s.Deleted)
	}
	return i
}

// ReadSys reads the system columns.
func ReadSys(b []byte, i int, s *System, deletes bool) int {
	for field := range 4 {
		if field == 2 {
			var ok bool
			if ok, i = ReadBranch(b, i); !ok {
				s.Version = Opt[int64]{}
				continue
			}
		}
		i = ReadSysField(s, field, b, i)
	}
	if deletes {
		i = ReadSysField(s, 4, b, i)
	}
	return i
}

// ReadSysField reads one system column, counted from _source, without a union branch.
func ReadSysField(s *System, field int, b []byte, i int) int {
	switch field {
	case 0:
		var code int
		code, i = ReadEnum(b, i, 2)
		s.Source = Source(code + 1)
	case 1:
		var v int64
		v, i = Long(b, i)
		s.IngestedAt = Timestamp(v)
	case 2:
		s.Version.OK = true
		s.Version.V, i = Long(b, i)
	case 3:
		s.Seq, i = Long(b, i)
	case 4:
		s.Deleted, i = ReadBool(b, i)
	}
	return i
}
