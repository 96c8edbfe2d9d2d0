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
	badNull      = "is null"
)

// branch reads the union's branch at b[i:]: whether a value follows, and where.
func (f *form) branch(b []byte, i int) (value bool, at int) {
	if f.null < 0 {
		return true, i
	}
	n, i := bridge.Long(b, i)
	if i >= 0 && n != 0 && n != 1 {
		return false, -1
	}
	return n != int64(f.null), i
}

// check is skip for any value. A fault has the path below the value.
func (f *form) check(b []byte, i int) (at int, fault bridge.Fault) {
	switch {
	case f.elem != nil:
		return f.checkItems(b, i)
	case f.order != nil:
		for k := range f.members {
			m := &f.members[k]
			if i, fault = m.checkBranch(b, i, m.required); fault.Why != "" {
				return -1, fault.Below(m.name)
			}
		}
		return i, bridge.Fault{}
	}
	at, fault.Why = f.skip(b, i)
	return at, fault
}

// checkBranch is check of a value that may be null.
func (f *form) checkBranch(b []byte, i int, required bool) (at int, fault bridge.Fault) {
	value, i := f.branch(b, i)
	switch {
	case i < 0:
		return -1, bridge.Fault{Why: badForm}
	case value:
		return f.check(b, i)
	case required:
		return -1, bridge.Fault{Why: badNull}
	}
	return i, bridge.Fault{}
}

// checkItems checks the blocks of an array or a map, whose items are never null.
func (f *form) checkItems(b []byte, i int) (at int, fault bridge.Fault) {
	for count := 0; ; {
		n, end, next := bridge.ReadBlock(b, i, 1)
		if i = next; i < 0 || n == 0 {
			break
		}
		for range n {
			from := i
			if i, fault = f.checkItem(b, i); fault.Why != "" {
				return -1, fault.Below(f.segment(b, from, count))
			}
			count++
		}
		if i = bridge.EndBlock(i, end); i < 0 {
			break
		}
	}
	if i < 0 {
		fault.Why = badForm
	}
	return i, fault
}

// checkItem checks an item, in a map its key too.
func (f *form) checkItem(b []byte, i int) (at int, fault bridge.Fault) {
	if f.wire == avro.Map {
		var key []byte
		key, i = bridge.ReadBytes(b, i)
		switch {
		case i < 0:
			return -1, bridge.Fault{Why: badForm}
		case !utf8.Valid(key):
			return -1, bridge.Fault{Why: "has a key that " + badText}
		}
	}
	return f.elem.checkBranch(b, i, true)
}

// segment is the path of the item at b[i:]: its position, in a map its key.
func (f *form) segment(b []byte, i, count int) string {
	if f.wire != avro.Map {
		return bridge.AtIndex(count)
	}
	key, _ := bridge.ReadBytes(b, i)
	return bridge.AtKey(string(key))
}

// skip checks the scalar at b[i:] and returns the position behind it; bad ends a
// sentence that begins with the column's name, and is empty for a good value.
func (f *form) skip(b []byte, i int) (at int, bad string) {
	switch f.wire {
	case avro.Boolean:
		_, i = bridge.ReadBool(b, i)
	case avro.Int:
		var v int32
		if v, i = bridge.Int(b, i); f.logical == avro.Date && i >= 0 && (bridge.Date(v) < bridge.MinDate || bridge.Date(v) > bridge.MaxDate) {
			bad = badTimestamp
		}
	case avro.Long:
		var v int64
		if v, i = bridge.Long(b, i); f.logical == avro.TimestampMillis && i >= 0 && !bridge.Timestamp(v).Valid() {
			bad = badTimestamp
		}
	case avro.Float:
		_, i = bridge.ReadFloat(b, i)
	case avro.Double:
		_, i = bridge.ReadDouble(b, i)
	case avro.Enum:
		_, i = bridge.ReadEnum(b, i, f.symbols)
	default:
		var v []byte
		if v, i = bridge.ReadBytes(b, i); i >= 0 {
			bad = f.bytes(v)
		}
	}
	if i < 0 {
		return i, badForm
	}
	return i, bad
}

func (f *form) bytes(v []byte) (bad string) {
	switch {
	case f.logical == avro.UUID:
		if _, ok := bridge.ParseUUID(v); !ok {
			return badUUID
		}
	case f.logical == avro.Decimal:
		if d, ok := bridge.DecimalFromBytes(v, 0); !ok || !d.Fits(f.precision) {
			return badDecimal
		}
	case f.wire == avro.String && !utf8.Valid(v):
		return badText
	}
	return ""
}
