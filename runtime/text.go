package bridge

import (
	"encoding/base64"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
	"unsafe"
)

// Text is one text cell on its way into a record: a CSV field, a JSON scalar, a default.
// A road fills B, Null and Zone, calls a table's Set, and reads Reason.
type Text struct {
	B       []byte
	Null    bool
	Zone    *time.Location // of timestamps without an offset; nil: refused
	Symbols bool           // by the spec's symbols and names only, as bridgegen writes them: not by the source's spellings
	Reason  string         // "" or the end of the sentence `column "x": "value" ...`
	Floored int            // values that were finer than a millisecond, counted over all cells
	// Arena, where it is set, takes the texts of strings, so that they cost no allocation
	// each: for roads whose rows live and die together.
	Arena []byte
	json  *JSONCursor // of nested columns, used again
}

// Reasons of Set. They end a sentence that begins with the value.
const (
	reasonNull      = "is null, but the column is not optional"
	reasonBool      = "is neither true nor false"
	reasonInt       = "is no int (32 bit, digits, optionally signed)"
	reasonLong      = "is no long (64 bit, digits, optionally signed)"
	reasonFloat     = "is no float (32 bit; NaN, Infinity and -Infinity are legal)"
	reasonDouble    = "is no double (NaN, Infinity and -Infinity are legal)"
	reasonDecimal   = "does not fit the decimal's precision and scale exactly"
	reasonUTF8      = "is no valid UTF-8"
	reasonBase64    = "is no base64 (standard alphabet, padded)"
	reasonDate      = "is no date (2026-01-31)"
	reasonTimestamp = "is no timestamp (RFC 3339; for epochs declare their unit)"
	reasonZone      = "has no offset; write one, or declare batch: {zone: UTC}"
	reasonLocal     = "is skipped or repeated by a clock change in the declared zone; write the offset"
	reasonLeap      = "is a leap second, which no system of the bridge can hold"
	reasonUUID      = "is no UUID (8-4-4-4-12 hex digits)"
)

// view is the cell as a string that lives as long as B.
func (t *Text) view() string { return unsafe.String(unsafe.SliceData(t.B), len(t.B)) }

func (t *Text) null() bool {
	if t.Null {
		t.Reason = reasonNull
	}
	return t.Null
}

// Bool reads true or false.
func (t *Text) Bool(dst *bool) {
	if t.null() {
		return
	}
	switch string(t.B) {
	case "true":
		*dst = true
	case "false":
		*dst = false
	default:
		t.Reason = reasonBool
	}
}

// Int reads a 32 bit integer.
func (t *Text) Int(dst *int32) {
	if t.null() {
		return
	}
	v, err := strconv.ParseInt(t.view(), 10, 32)
	if err != nil {
		t.Reason = reasonInt
		return
	}
	*dst = int32(v)
}

// Long reads a 64 bit integer.
func (t *Text) Long(dst *int64) {
	if t.null() {
		return
	}
	v, err := strconv.ParseInt(t.view(), 10, 64)
	if err != nil {
		t.Reason = reasonLong
		return
	}
	*dst = v
}

// Float reads a 32 bit number; a finite one that 32 bits cannot hold is refused.
func (t *Text) Float(dst *float32) {
	if t.null() {
		return
	}
	if v, ok := t.number(32); ok {
		*dst = float32(v)
		return
	}
	t.Reason = reasonFloat
}

// Double reads a 64 bit number.
func (t *Text) Double(dst *float64) {
	if t.null() {
		return
	}
	if v, ok := t.number(64); ok {
		*dst = v
		return
	}
	t.Reason = reasonDouble
}

func (t *Text) number(bits int) (float64, bool) {
	switch string(t.B) {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	for _, c := range t.B { // ParseFloat also takes hex, inf, nan and underscores
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(t.view(), bits)
	return v, err == nil
}

// Decimal reads an exact number of the precision and scale.
func (t *Text) Decimal(dst *Decimal, precision, scale int) {
	if t.null() {
		return
	}
	d, ok := ParseDecimal(t.B, precision, scale)
	if !ok {
		t.Reason = reasonDecimal
		return
	}
	*dst = d
}

// String copies the text; it must be valid UTF-8.
func (t *Text) String(dst *string) {
	if t.null() {
		return
	}
	if !utf8.Valid(t.B) {
		t.Reason = reasonUTF8
		return
	}
	*dst = t.text()
}

// arenaText is the longest text that goes into an arena; a longer one would waste it.
const arenaText = 1 << 10

// text is a copy of the cell.
func (t *Text) text() string {
	if t.Arena == nil || len(t.B) > arenaText {
		return string(t.B)
	}
	if cap(t.Arena)-len(t.Arena) < len(t.B) { // the old one lives as long as its texts
		t.Arena = make([]byte, 0, max(cap(t.Arena), arenaText))
	}
	from := len(t.Arena)
	t.Arena = append(t.Arena, t.B...)
	return unsafe.String(unsafe.SliceData(t.Arena[from:]), len(t.B))
}

// Bytes reads standard base64.
func (t *Text) Bytes(dst *[]byte) {
	if t.null() {
		return
	}
	b, err := base64.StdEncoding.AppendDecode([]byte{}, t.B)
	if err != nil {
		t.Reason = reasonBase64
		return
	}
	*dst = b
}

// UUID reads the canonical form.
func (t *Text) UUID(dst *UUID) {
	if t.null() {
		return
	}
	u, ok := ParseUUID(t.B)
	if !ok {
		t.Reason = reasonUUID
		return
	}
	*dst = u
}

// EnumText are the spellings of an enum.
type EnumText struct {
	Symbols []string
	Sources []string // the input's spellings, position by position; nil: the symbols
	Want    string   // the reason for any other text
}

// Enum reads a symbol, or the source's spelling of one.
func (t *Text) Enum(dst *string, e *EnumText) {
	if t.null() {
		return
	}
	if e.Sources != nil && !t.Symbols {
		for i, s := range e.Sources {
			if string(t.B) == s {
				*dst = e.Symbols[i]
				return
			}
		}
	}
	for _, s := range e.Symbols {
		if string(t.B) == s {
			*dst = s
			return
		}
	}
	t.Reason = e.Want
}

// Date reads 2026-01-31.
func (t *Text) Date(dst *Date) {
	if t.null() {
		return
	}
	d, rest, ok := parseDate(t.B)
	if !ok || len(rest) != 0 {
		t.Reason = reasonDate
		return
	}
	*dst = Date(d)
}

// parseDate reads yyyy-mm-dd of years 1 to 9999 at the start of b.
func parseDate(b []byte) (days int64, rest []byte, ok bool) {
	if len(b) < 10 || b[4] != '-' || b[7] != '-' {
		return 0, nil, false
	}
	y, m, d := digits(b[:4]), digits(b[5:7]), digits(b[8:10])
	if y < 1 || m < 1 || m > 12 || d < 1 || d > daysIn(y, m) {
		return 0, nil, false
	}
	return daysOf(y, m, d), b[10:], true
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// digits is the number that b spells; -1 if a character is no digit.
func digits(b []byte) int {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}
