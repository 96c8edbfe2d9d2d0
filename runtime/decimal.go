package bridge

import (
	"cmp"
	"math/bits"
)

// Decimal is an exact number: Hi and Lo are the unscaled value as a 128 bit two's
// complement integer, Scale the digits behind the point. In a column all decimals
// have the column's scale, so == compares them.
type Decimal struct {
	Hi    int64
	Lo    uint64
	Scale uint8
}

// DecimalOf is unscaled × 10^-scale.
func DecimalOf(unscaled int64, scale uint8) Decimal {
	return Decimal{Hi: unscaled >> 63, Lo: uint64(unscaled), Scale: scale}
}

// Cmp is -1, 0 or +1 as d is less than, equal to or greater than e, by value.
func (d Decimal) Cmp(e Decimal) int {
	if d.Scale == e.Scale {
		return cmp128(d, e)
	}
	if s := d.Sign() - e.Sign(); s != 0 {
		return cmp.Compare(s, 0)
	}
	for d.Scale < e.Scale {
		var over bool
		if d, over = d.times10(); over {
			return d.Sign()
		}
	}
	for e.Scale < d.Scale {
		var over bool
		if e, over = e.times10(); over {
			return -e.Sign()
		}
	}
	return cmp128(d, e)
}

func cmp128(d, e Decimal) int {
	if d.Hi != e.Hi {
		return cmp.Compare(d.Hi, e.Hi)
	}
	return cmp.Compare(d.Lo, e.Lo)
}

// Sign is -1, 0 or +1.
func (d Decimal) Sign() int {
	if d.Hi < 0 {
		return -1
	}
	if d.Hi == 0 && d.Lo == 0 {
		return 0
	}
	return 1
}

// times10 multiplies the unscaled value and raises the scale, so the value stays; over
// reports that 128 bits do not hold it, and then d comes back as it was.
func (d Decimal) times10() (r Decimal, over bool) {
	neg, hi, lo := d.abs()
	c, l := bits.Mul64(lo, 10)
	o, h := bits.Mul64(hi, 10)
	h, carry := bits.Add64(h, c, 0)
	if o != 0 || carry != 0 || h > 1<<63-1 {
		return d, true
	}
	return fromAbs(neg, h, l, d.Scale+1), false
}

func (d Decimal) abs() (neg bool, hi, lo uint64) {
	hi, lo = uint64(d.Hi), d.Lo
	if d.Hi < 0 {
		var b uint64
		lo, b = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, b)
		return true, hi, lo
	}
	return false, hi, lo
}

func fromAbs(neg bool, hi, lo uint64, scale uint8) Decimal {
	if neg {
		var b uint64
		lo, b = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, b)
	}
	return Decimal{Hi: int64(hi), Lo: lo, Scale: scale}
}

// String is the plain form with exactly Scale digits behind the point.
func (d Decimal) String() string { return string(AppendDecimal(nil, d)) }

// AppendDecimal appends the plain form of d, with exactly d.Scale digits behind the point.
func AppendDecimal(b []byte, d Decimal) []byte {
	neg, hi, lo := d.abs()
	var digits [40]byte
	at := len(digits)
	for n := 0; hi != 0 || lo != 0 || n <= int(d.Scale); n++ {
		var rem uint64
		hi, rem = hi/10, hi%10
		lo, rem = bits.Div64(rem, lo, 10)
		at--
		digits[at] = byte('0' + rem)
	}
	if neg {
		b = append(b, '-')
	}
	text := digits[at:]
	whole := len(text) - int(d.Scale)
	b = append(b, text[:whole]...)
	if d.Scale > 0 {
		b = append(append(b, '.'), text[whole:]...)
	}
	return b
}

// ParseDecimal reads [+-]digits[.digits] as a number of at most precision digits,
// scale of them behind the point. It never rounds: a digit too many behind the point
// is not ok, unless it is a zero.
func ParseDecimal(s []byte, precision, scale int) (d Decimal, ok bool) {
	i, neg := 0, false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		neg, i = s[0] == '-', 1
	}
	var hi, lo uint64
	digits, behind, point := 0, 0, false
	for ; i < len(s); i++ {
		c := s[i]
		if c == '.' && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			return Decimal{}, false
		}
		digits++
		if point {
			if behind == scale {
				if c != '0' {
					return Decimal{}, false
				}
				continue
			}
			behind++
		}
		if hi, lo, ok = shift10(hi, lo, uint64(c-'0')); !ok {
			return Decimal{}, false
		}
	}
	if digits == 0 {
		return Decimal{}, false
	}
	for ; behind < scale; behind++ {
		if hi, lo, ok = shift10(hi, lo, 0); !ok {
			return Decimal{}, false
		}
	}
	d = fromAbs(neg, hi, lo, uint8(scale))
	return d, d.Fits(precision)
}

func shift10(hi, lo, digit uint64) (uint64, uint64, bool) {
	c, l := bits.Mul64(lo, 10)
	o, h := bits.Mul64(hi, 10)
	l, c1 := bits.Add64(l, digit, 0)
	h, c2 := bits.Add64(h, c, c1)
	return h, l, o == 0 && c2 == 0 && h <= 1<<63-1
}

// Fits reports whether the unscaled value has at most precision digits (1 to 38).
func (d Decimal) Fits(precision int) bool {
	_, hi, lo := d.abs()
	var mh, ml uint64 = 0, 1
	for range precision {
		mh, ml, _ = shift10(mh, ml, 0)
	}
	return hi < mh || hi == mh && lo < ml
}

// AppendDecimalBytes appends the unscaled value as big-endian two's complement of the
// least length, at least one byte: Avro's bytes decimal and Parquet's BINARY DECIMAL.
func AppendDecimalBytes(b []byte, d Decimal) []byte {
	var raw [16]byte
	putUint64(raw[:8], uint64(d.Hi))
	putUint64(raw[8:], d.Lo)
	return append(b, raw[leastDecimal(&raw):]...)
}

// leastDecimal is where the shortest two's complement form of raw begins.
func leastDecimal(raw *[16]byte) int {
	at := 0
	for at < 15 && (raw[at] == 0 && raw[at+1] < 128 || raw[at] == 255 && raw[at+1] >= 128) {
		at++
	}
	return at
}

func putUint64(b []byte, v uint64) {
	for i := range 8 {
		b[i] = byte(v >> (56 - 8*i))
	}
}

// DecimalFromBytes reads big-endian two's complement; not ok if it is empty or does
// not fit 128 bits.
func DecimalFromBytes(b []byte, scale uint8) (d Decimal, ok bool) {
	if len(b) == 0 {
		return d, false
	}
	fill := byte(0)
	if b[0] >= 128 {
		fill = 255
	}
	for len(b) > 16 {
		if b[0] != fill || (b[1] >= 128) != (fill == 255) {
			return d, false
		}
		b = b[1:]
	}
	var hi, lo uint64
	if fill == 255 {
		hi, lo = ^uint64(0), ^uint64(0)
	}
	for _, c := range b {
		hi, lo = hi<<8|lo>>56, lo<<8|uint64(c)
	}
	return Decimal{Hi: int64(hi), Lo: lo, Scale: scale}, true
}

// Fit gives d the scale and reports whether it then has at most precision digits; it
// leaves d alone if that would lose a digit. A zero Decimal fits every scale.
func (d *Decimal) Fit(precision, scale int) bool {
	if int(d.Scale) == scale {
		return d.Fits(precision)
	}
	v, ok := ParseDecimal(AppendDecimal(nil, *d), precision, scale)
	if ok {
		*d = v
	}
	return ok
}
