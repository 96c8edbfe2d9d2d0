package lake

import (
	"errors"
	"slices"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// isList knows lists by their annotation.
func isList(n *fileNode) bool {
	e := n.element
	_, logical := e.LogicalType.Value.(*format.ListType)
	converted := e.LogicalType.Value == nil && e.ConvertedType.Valid && e.ConvertedType.V == deprecated.List
	return (logical || converted) && n.leaf < 0 && len(n.children) == 1 && n.children[0].rep == format.Repeated
}

// isMap knows maps by their annotation: a repeated pair of a text and a value.
func isMap(n *fileNode) bool {
	e := n.element
	_, logical := e.LogicalType.Value.(*format.MapType)
	converted := e.LogicalType.Value == nil && e.ConvertedType.Valid &&
		(e.ConvertedType.V == deprecated.Map || e.ConvertedType.V == deprecated.MapKeyValue)
	if !logical && !converted || n.leaf >= 0 || len(n.children) != 1 {
		return false
	}
	pairs := n.children[0]
	return pairs.rep == format.Repeated && len(pairs.children) == 2 && pairs.children[0].leaf >= 0
}

// elementOfList finds the element below the repeated node by the format's rules for
// lists of two levels, which old writers made.
func elementOfList(list *fileNode) *Foreign {
	repeated := list.children[0]
	name := repeated.element.Name
	if repeated.leaf >= 0 || len(repeated.children) != 1 || name == "array" || name == list.element.Name+"_tuple" {
		return foreign(repeated, true)
	}
	return foreign(repeated.children[0], false)
}

// scalar describes a leaf by its annotation, the newer one first.
func (d *Foreign) scalar() {
	d.Fixed = d.node.element.Type.V == format.FixedLenByteArray
	if d.node.element.LogicalType.Value != nil {
		d.logical()
	} else {
		d.converted()
	}
	if d.Is != Unknown && !slices.Contains(carriers[d.Is], d.node.element.Type.V) {
		d.Is = Unknown // the annotation stands on a type that cannot carry it
	}
}

// carriers are the physical types that a form may lie in.
var carriers = map[Form][]format.Type{
	Boolean: {format.Boolean},
	Integer: {format.Int32, format.Int64},
	Single:  {format.Float},
	Real:    {format.Double},
	Number:  {format.Int32, format.Int64, format.ByteArray, format.FixedLenByteArray},
	Chars:   {format.ByteArray},
	Blob:    {format.ByteArray, format.FixedLenByteArray},
	Ident:   {format.FixedLenByteArray},
	Day:     {format.Int32},
	Moment:  {format.Int64, format.Int96},
}

// plain are the forms of types without an annotation.
var plain = map[format.Type]Form{
	format.Boolean: Boolean, format.Int32: Integer, format.Int64: Integer, format.Int96: Moment, format.Float: Single,
	format.Double: Real, format.ByteArray: Blob, format.FixedLenByteArray: Blob,
}

func (d *Foreign) logical() {
	e := d.node.element
	switch t := e.LogicalType.Value.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		d.Is = Chars
	case *format.UUIDType:
		d.Is = Ident
		if e.TypeLength.V != 16 {
			d.Is = Unknown
		}
	case *format.DateType:
		d.Is = Day
	case *format.IntType:
		d.Is, d.Bits, d.Unsigned = Integer, int(t.BitWidth), !t.IsSigned
	case *format.DecimalType:
		d.decimal(t.Precision, t.Scale)
	case *format.TimestampType:
		if t.Unit.Value != nil {
			d.Is, d.Local, d.Ticks = Moment, !t.IsAdjustedToUTC, int64(1e9)/int64(t.Unit.Value.Duration())
		}
	}
}

// integers are the converted types of numbers: their bits, negative where unsigned.
var integers = map[deprecated.ConvertedType]int{
	deprecated.Int8: 8, deprecated.Int16: 16, deprecated.Int32: 32, deprecated.Int64: 64,
	deprecated.Uint8: -8, deprecated.Uint16: -16, deprecated.Uint32: -32, deprecated.Uint64: -64,
}

func (d *Foreign) converted() {
	e := d.node.element
	if !e.ConvertedType.Valid {
		d.Is, d.Bits = plain[e.Type.V], 32
		if e.Type.V == format.Int64 {
			d.Bits = 64
		}
		return
	}
	if bits, ok := integers[e.ConvertedType.V]; ok {
		d.Is, d.Bits, d.Unsigned = Integer, max(bits, -bits), bits < 0
		return
	}
	switch e.ConvertedType.V {
	case deprecated.UTF8, deprecated.Enum, deprecated.Json:
		d.Is = Chars
	case deprecated.Date:
		d.Is = Day
	case deprecated.Decimal:
		d.decimal(e.Precision.V, e.Scale.V)
	case deprecated.TimestampMillis:
		d.Is, d.Ticks = Moment, 1e3
	case deprecated.TimestampMicros:
		d.Is, d.Ticks = Moment, 1e6
	}
}

// decimal takes what 128 bits hold.
func (d *Foreign) decimal(precision, scale int32) {
	if precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision {
		d.Is, d.Precision, d.Scale = Number, int(precision), int(scale)
	}
}

// fixedWidth is the size of a FIXED_LEN_BYTE_ARRAY in bytes.
func fixedWidth(n *fileNode) (int, error) {
	if w := int(n.element.TypeLength.V); w >= 1 && w <= 1<<16 {
		return w, nil
	}
	return 0, errors.New("its fixed length is none")
}
