package bridge

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The JSON forms of the state document and of the Kafka key. Append functions are
// named by type; a null is the caller's.

// AppendStringJSON appends a JSON string. Bytes that are no UTF-8 become U+FFFD.
func AppendStringJSON(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || n != 1 {
				i += n
				continue
			}
			b = append(append(b, s[from:i]...), "\ufffd"...)
			i++
			from = i
			continue
		}
		b = appendEscape(append(b, s[from:i]...), c)
		i++
		from = i
	}
	return append(append(b, s[from:]...), '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// AppendBoolJSON appends true or false.
func AppendBoolJSON(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }

// AppendIntJSON appends a number.
func AppendIntJSON(b []byte, v int32) []byte { return strconv.AppendInt(b, int64(v), 10) }

// AppendLongJSON appends a number.
func AppendLongJSON(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }

// AppendFloatJSON appends a number, or "NaN", "Infinity", "-Infinity" as strings.
func AppendFloatJSON(b []byte, v float32) []byte { return appendNumber(b, float64(v), 32) }

// AppendDoubleJSON appends a number, or "NaN", "Infinity", "-Infinity" as strings.
func AppendDoubleJSON(b []byte, v float64) []byte { return appendNumber(b, v, 64) }

func appendNumber(b []byte, v float64, bits int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(appendDouble(append(b, '"'), v, bits), '"')
	}
	return appendDouble(b, v, bits)
}

// appendDouble is the shortest text that reads back as v.
func appendDouble(b []byte, v float64, bits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(b, "NaN"...)
	case math.IsInf(v, 1):
		return append(b, "Infinity"...)
	case math.IsInf(v, -1):
		return append(b, "-Infinity"...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, bits)
}

// AppendDecimalJSON appends a string, since readers make doubles of numbers.
func AppendDecimalJSON(b []byte, v Decimal) []byte {
	return append(AppendDecimal(append(b, '"'), v), '"')
}

// AppendBytesJSON appends standard base64 as a string.
func AppendBytesJSON(b []byte, v []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), v), '"')
}

// AppendDateJSON appends the ISO form as a string.
func AppendDateJSON(b []byte, v Date) []byte { return append(AppendDate(append(b, '"'), v), '"') }

// AppendTimestampJSON appends RFC 3339 in UTC as a string.
func AppendTimestampJSON(b []byte, v Timestamp) []byte {
	return append(AppendTimestamp(append(b, '"'), v), '"')
}

// AppendUUIDJSON appends the canonical form as a string.
func AppendUUIDJSON(b []byte, v UUID) []byte { return append(AppendUUID(append(b, '"'), v), '"') }

// AppendKeyText appends a text to a key in Redis that holds several columns: % and the
// bytes of between, the template's own text, are written %XX, so that two keys never meet.
func AppendKeyText(b []byte, s, between string) []byte {
	for i := range len(s) {
		if c := s[i]; c == '%' || strings.IndexByte(between, c) >= 0 {
			b = append(b, '%', hexUpper[c>>4], hexUpper[c&15])
		} else {
			b = append(b, c)
		}
	}
	return b
}

const hexUpper = "0123456789ABCDEF"

// AppendSysJSON appends the system columns as members, with a leading comma. 64 bit
// numbers are strings: most JSON parsers make doubles of numbers.
func AppendSysJSON(b []byte, s *System, deletes bool) []byte {
	b = append(append(append(b, `,"_source":"`...), s.Source.String()...), `","_ingested_at":"`...)
	b = strconv.AppendInt(b, int64(s.IngestedAt), 10)
	if s.Version.OK {
		b = append(strconv.AppendInt(append(b, `","_version":"`...), s.Version.V, 10), '"')
	} else {
		b = append(b, `","_version":null`...)
	}
	b = append(strconv.AppendInt(append(b, `,"_seq":"`...), s.Seq, 10), '"')
	if deletes {
		b = strconv.AppendBool(append(b, `,"_deleted":`...), s.Deleted)
	}
	return b
}

// The text forms, as CSV writes them: AppendText of a table is made of these.

// AppendBoolText appends true or false.
func AppendBoolText(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }

// AppendIntText appends digits.
func AppendIntText(b []byte, v int32) []byte { return strconv.AppendInt(b, int64(v), 10) }

// AppendLongText appends digits.
func AppendLongText(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }

// AppendFloatText appends the shortest text that reads back as v.
func AppendFloatText(b []byte, v float32) []byte { return appendDouble(b, float64(v), 32) }

// AppendDoubleText appends the shortest text that reads back as v.
func AppendDoubleText(b []byte, v float64) []byte { return appendDouble(b, v, 64) }

// AppendDecimalText appends the plain form.
func AppendDecimalText(b []byte, v Decimal) []byte { return AppendDecimal(b, v) }

// AppendStringText appends the text itself.
func AppendStringText(b []byte, v string) []byte { return append(b, v...) }

// AppendBytesText appends standard base64.
func AppendBytesText(b []byte, v []byte) []byte { return base64.StdEncoding.AppendEncode(b, v) }

// AppendDateText appends the ISO form.
func AppendDateText(b []byte, v Date) []byte { return AppendDate(b, v) }

// AppendTimestampText appends RFC 3339 in UTC.
func AppendTimestampText(b []byte, v Timestamp) []byte { return AppendTimestamp(b, v) }

// AppendUUIDText appends the canonical form.
func AppendUUIDText(b []byte, v UUID) []byte { return AppendUUID(b, v) }
