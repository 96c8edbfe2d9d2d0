package batch

import (
	"encoding/binary"
	"strconv"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// textOf writes value k of a column as CSV has it. A value that no column of the table
// can hold is written as its number: what reads it says what is wrong. Chars are their
// own text.
var textOf = map[lake.Form]func(b []byte, s *shape, c *bridge.Column, k int) ([]byte, string){
	lake.Boolean: func(b []byte, _ *shape, c *bridge.Column, k int) ([]byte, string) {
		return bridge.AppendBoolText(b, c.U8[k] != 0), ""
	},
	lake.Integer: textOfInteger,
	lake.Single: func(b []byte, s *shape, c *bridge.Column, k int) ([]byte, string) {
		if s.wide {
			return bridge.AppendDoubleText(b, float64(c.F32[k])), ""
		}
		return bridge.AppendFloatText(b, c.F32[k]), ""
	},
	lake.Real: func(b []byte, _ *shape, c *bridge.Column, k int) ([]byte, string) {
		return bridge.AppendDoubleText(b, c.F64[k]), ""
	},
	lake.Number: textOfNumber,
	lake.Blob: func(b []byte, _ *shape, c *bridge.Column, k int) ([]byte, string) {
		return bridge.AppendBytesText(b, c.Slice(k)), ""
	},
	lake.Ident: func(b []byte, _ *shape, c *bridge.Column, k int) ([]byte, string) {
		return bridge.AppendUUIDText(b, bridge.UUID(c.Slice(k))), ""
	},
	lake.Day: func(b []byte, _ *shape, c *bridge.Column, k int) ([]byte, string) {
		if d := bridge.Date(c.I32[k]); d.Valid() {
			return bridge.AppendDateText(b, d), ""
		}
		return strconv.AppendInt(b, int64(c.I32[k]), 10), "days since 1970 lie outside the years 1 to 9999"
	},
	lake.Moment: textOfMoment,
}

func textOfInteger(b []byte, s *shape, c *bridge.Column, k int) ([]byte, string) {
	switch {
	case s.Kind == bridge.Int64: // unsigned ones of 64 bits fit no column
		return strconv.AppendInt(b, c.I64[k], 10), ""
	case s.Unsigned:
		return strconv.AppendUint(b, uint64(uint32(c.I32[k])), 10), ""
	}
	return strconv.AppendInt(b, int64(c.I32[k]), 10), ""
}

func textOfNumber(b []byte, s *shape, c *bridge.Column, k int) ([]byte, string) {
	switch s.Kind {
	case bridge.Int32:
		return bridge.AppendDecimal(b, bridge.DecimalOf(int64(c.I32[k]), uint8(s.Scale))), ""
	case bridge.Int64:
		return bridge.AppendDecimal(b, bridge.DecimalOf(c.I64[k], uint8(s.Scale))), ""
	}
	d, ok := bridge.DecimalFromBytes(c.Slice(k), uint8(s.Scale))
	if !ok {
		return bridge.AppendBytesText(b, c.Slice(k)), "are the bytes of no decimal of up to 38 digits"
	}
	return bridge.AppendDecimal(b, d), ""
}

// julian1970 is 1970-01-01 as INT96 counts days.
const julian1970 = 2440588

// textOfMoment writes RFC 3339, and of a local time SQL text without an offset.
func textOfMoment(b []byte, s *shape, c *bridge.Column, k int) ([]byte, string) {
	var ms, finer int64
	perMilli := s.Ticks / 1e3
	if s.Kind == bridge.Bytes {
		raw := c.Slice(k)
		nanos, day := int64(binary.LittleEndian.Uint64(raw)), int64(int32(binary.LittleEndian.Uint32(raw[8:])))
		perMilli = 1e6
		ms, finer = floorMod(nanos, perMilli)
		ms += (day - julian1970) * 86400000
	} else {
		ms, finer = floorMod(c.I64[k], perMilli)
	}
	t := bridge.Timestamp(ms)
	if !t.Valid() {
		return strconv.AppendInt(b, ms, 10), "milliseconds since 1970 lie outside the years 1 to 9999"
	}
	b = bridge.AppendTimestamp(b, t)
	b = b[:len(b)-1] // Z
	for finer > 0 {
		perMilli /= 10
		b = append(b, byte('0'+finer/perMilli))
		finer %= perMilli
	}
	if s.Local {
		return b, ""
	}
	return append(b, 'Z'), ""
}

// floorMod divides v by per, downwards.
func floorMod(v, per int64) (q, rest int64) {
	q, rest = v/per, v%per
	if rest < 0 {
		q, rest = q-1, rest+per
	}
	return q, rest
}
