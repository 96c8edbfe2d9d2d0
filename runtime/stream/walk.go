package stream

import (
	"unicode/utf8"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/hamba/avro/v2"
)

// Other producers may write what Avro allows and a row of the table does not: a null in
// a required column of a live row, a text that is no UTF-8, an instant of the year
// 30000. The walk finds it before the row is built, so that no such row reaches a page.

const (
	badForm      = "is malformed"
	badText      = "is no valid UTF-8"
	badUUID      = "is no UUID"
	badTimestamp = "is outside the years 1 to 9999"
	badDecimal   = "does not fit the decimal's precision"
)

// branch reads the union's branch at b[i:]: whether a value follows, and where.
func (st *step) branch(b []byte, i int) (value bool, at int) {
	if st.null < 0 {
		return true, i
	}
	n, i := bridge.Long(b, i)
	if i >= 0 && n != 0 && n != 1 {
		return false, -1
	}
	return n != int64(st.null), i
}

// skip checks the value at b[i:] and returns the position behind it; bad ends a
// sentence that begins with the column's name, and is empty for a good value.
func (st *step) skip(b []byte, i int) (at int, bad string) {
	switch st.wire {
	case avro.Boolean:
		_, i = bridge.ReadBool(b, i)
	case avro.Int:
		var v int32
		if v, i = bridge.Int(b, i); st.logical == avro.Date && i >= 0 && (bridge.Date(v) < bridge.MinDate || bridge.Date(v) > bridge.MaxDate) {
			bad = badTimestamp
		}
	case avro.Long:
		var v int64
		if v, i = bridge.Long(b, i); st.logical == avro.TimestampMillis && i >= 0 && !bridge.Timestamp(v).Valid() {
			bad = badTimestamp
		}
	case avro.Float:
		_, i = bridge.ReadFloat(b, i)
	case avro.Double:
		_, i = bridge.ReadDouble(b, i)
	case avro.Enum:
		_, i = bridge.ReadEnum(b, i, st.symbols)
	default:
		var v []byte
		if v, i = bridge.ReadBytes(b, i); i >= 0 {
			bad = st.bytes(v)
		}
	}
	if i < 0 {
		return i, badForm
	}
	return i, bad
}

func (st *step) bytes(v []byte) (bad string) {
	switch {
	case st.logical == avro.UUID:
		if _, ok := bridge.ParseUUID(v); !ok {
			return badUUID
		}
	case st.logical == avro.Decimal:
		if d, ok := bridge.DecimalFromBytes(v, 0); !ok || !d.Fits(st.precision) {
			return badDecimal
		}
	case st.wire == avro.String && !utf8.Valid(v):
		return badText
	}
	return ""
}
