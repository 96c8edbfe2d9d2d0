package lake

import (
	"fmt"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// zero is one value of any kind: what a derived column reads as until bridge.Derive
// computes it.
var zero = &bridge.Column{U8: []uint8{0}, I32: []int32{0}, I64: []int64{0}, F32: []float32{0}, F64: []float64{0}, Off: []uint32{0, 0}}

// defaultOf is one value: what a column reads as where a file, or a row of it, does not
// have it. Nil if the spec gives no default.
func defaultOf(l *bridge.Leaf, f *bridge.Field) (*bridge.Column, error) {
	if !f.HasDefault {
		return nil, nil
	}
	t := bridge.Text{B: []byte(f.Default)}
	c := new(bridge.Column)
	switch l.Kind {
	case bridge.Bool:
		var v bool
		t.Bool(&v)
		c.U8 = []uint8{bridge.BoolCode(v)}
	case bridge.Int32:
		c.I32 = []int32{defaultInt(l, &t)}
	case bridge.Int64:
		c.I64 = []int64{defaultLong(l, &t)}
	case bridge.Float:
		c.F32 = make([]float32, 1)
		t.Float(&c.F32[0])
	case bridge.Double:
		c.F64 = make([]float64, 1)
		t.Double(&c.F64[0])
	case bridge.Code:
		c.U8 = []uint8{defaultCode(l, &t)}
	case bridge.Bytes:
		c.Bytes = defaultBytes(l, f, &t)
		c.Off = []uint32{0, uint32(len(c.Bytes))}
	}
	if t.Reason != "" {
		return nil, fmt.Errorf("its default %q %s", f.Default, t.Reason)
	}
	return c, nil
}

func defaultInt(l *bridge.Leaf, t *bridge.Text) (v int32) {
	if l.Logical == "date" {
		t.Date((*bridge.Date)(&v))
	} else {
		t.Int(&v)
	}
	return v
}

func defaultLong(l *bridge.Leaf, t *bridge.Text) (v int64) {
	if l.Logical == "timestamp" {
		t.Timestamp((*bridge.Timestamp)(&v))
	} else {
		t.Long(&v)
	}
	return v
}

func defaultCode(l *bridge.Leaf, t *bridge.Text) uint8 {
	var v string
	t.Enum(&v, &bridge.EnumText{Symbols: l.Values, Want: "is not one of " + symbolList(l.Values)})
	for i, s := range l.Values {
		if s == v {
			return uint8(i)
		}
	}
	return 255
}

func defaultBytes(l *bridge.Leaf, f *bridge.Field, t *bridge.Text) []byte {
	switch {
	case isDecimal(l):
		var d bridge.Decimal
		t.Decimal(&d, f.Precision, f.Scale)
		return bridge.AppendDecimalBytes(nil, d)
	case f.Type == "uuid":
		var u bridge.UUID
		t.UUID(&u)
		return bridge.AppendUUID(nil, u)
	case l.Logical == "string":
		var v string
		t.String(&v)
		return []byte(v)
	}
	var v []byte
	t.Bytes(&v)
	return v
}

// appendValue appends value k of src to dst; both are of the kind.
func appendValue(dst *bridge.Column, kind bridge.Kind, src *bridge.Column, k int) {
	switch kind {
	case bridge.Bool, bridge.Code:
		dst.U8 = append(dst.U8, src.U8[k])
	case bridge.Int32:
		dst.I32 = append(dst.I32, src.I32[k])
	case bridge.Int64:
		dst.I64 = append(dst.I64, src.I64[k])
	case bridge.Float:
		dst.F32 = append(dst.F32, src.F32[k])
	case bridge.Double:
		dst.F64 = append(dst.F64, src.F64[k])
	case bridge.Bytes:
		if len(dst.Off) == 0 {
			dst.Off = append(dst.Off, 0)
		}
		dst.Bytes = append(dst.Bytes, src.Bytes[src.Off[k]:src.Off[k+1]]...)
		dst.Off = append(dst.Off, uint32(len(dst.Bytes)))
	}
}
