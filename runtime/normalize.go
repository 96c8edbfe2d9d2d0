package bridge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The normalisers of a spec. White space is Unicode White_Space (so NBSP, but not
// U+200B or U+FEFF); lower and upper are simple case mapping, one code point to one.

// Trim cuts white space at both ends.
func Trim(s string) string {
	if n := len(s); n == 0 || (s[0] > ' ' && s[0] < utf8.RuneSelf && s[n-1] > ' ' && s[n-1] < utf8.RuneSelf) {
		return s
	}
	return strings.TrimFunc(s, unicode.IsSpace)
}

// Lower maps every code point to its simple lower case.
func Lower(s string) string { return strings.ToLower(s) }

// Upper maps every code point to its simple upper case.
func Upper(s string) string { return strings.ToUpper(s) }

// CollapseSpace makes one blank of every run of white space, also at the ends.
func CollapseSpace(s string) string {
	var b strings.Builder
	from, in, clean := 0, false, true
	for i, r := range s {
		if !unicode.IsSpace(r) {
			in = false
			continue
		}
		if in || r != ' ' {
			clean = false
			b.WriteString(s[from:i])
			from = i + utf8.RuneLen(r)
			if !in {
				b.WriteByte(' ')
			}
		}
		in = true
	}
	if clean {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// NFC is Unicode normalisation form C.
func NFC(s string) string {
	if norm.NFC.IsNormalString(s) {
		return s
	}
	return norm.NFC.String(s)
}

// NullIfEmpty makes null of the empty string.
func NullIfEmpty(s Opt[string]) Opt[string] {
	if s.V == "" {
		return Opt[string]{}
	}
	return s
}

// ValidText reports whether s is valid UTF-8, which Avro and Parquet strings must be.
func ValidText(s string) bool { return utf8.ValidString(s) }
