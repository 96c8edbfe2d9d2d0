package bridge

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a value.
const maxDepth = 64

// JSONScanner reads JSON by RFC 8259. It is stricter than encoding/json: a lone surrogate,
// a NUL unless it is allowed, and bytes that are no UTF-8 are refused, for they would not
// arrive as they were sent.
type JSONScanner struct {
	D       []byte
	I       int    // the next byte, or where it stopped
	Line    bool   // D is a line that holds one whole object
	NUL     bool   // strings may hold NUL
	Reason  string // why it stopped at D[I]
	depth   int
	scratch []byte // strings whose escapes were undone
}

// Reset begins another text. What the scanner returned before is lost.
func (s *JSONScanner) Reset(d []byte) {
	*s = JSONScanner{D: d, Line: s.Line, NUL: s.NUL, scratch: s.scratch[:0]}
}

// fail stops at the byte at.
func (s *JSONScanner) fail(at int, format string, args ...any) bool {
	if s.Reason == "" {
		s.I, s.Reason = at, fmt.Sprintf(format, args...)
	}
	return false
}

// Unexpected stops at what stands at I instead of what should.
func (s *JSONScanner) Unexpected(want string) bool {
	if s.I >= len(s.D) {
		return s.ended("where " + want + " should stand")
	}
	r, _ := utf8.DecodeRune(s.D[s.I:])
	return s.fail(s.I, "%q stands where %s should", r, want)
}

func (s *JSONScanner) ended(where string) bool {
	if s.Line {
		return s.fail(s.I, "the line ends %s (one whole object per line)", where)
	}
	return s.fail(s.I, "the text ends %s", where)
}

func (s *JSONScanner) space() {
	for s.I < len(s.D) {
		switch s.D[s.I] {
		case ' ', '\t', '\r', '\n':
			s.I++
		default:
			return
		}
	}
}

// take goes past c and white space around it.
func (s *JSONScanner) take(c byte) bool {
	s.space()
	if s.I >= len(s.D) || s.D[s.I] != c {
		return false
	}
	s.I++
	s.space()
	return true
}

// Object reads an object and calls member at each value, which has to read it.
func (s *JSONScanner) Object(member func(at int, key []byte) bool) bool {
	if !s.take('{') {
		return s.Unexpected("an object")
	}
	if s.take('}') {
		return true
	}
	for {
		at := s.I
		if s.I >= len(s.D) || s.D[s.I] != '"' {
			return s.Unexpected("a key in quotes")
		}
		key, ok := s.str()
		if !ok {
			return false
		}
		if !s.take(':') {
			return s.Unexpected("a colon")
		}
		if !member(at, key) {
			return false
		}
		if s.take(',') {
			continue
		}
		if s.take('}') {
			return true
		}
		return s.Unexpected("a comma or }")
	}
}

// Value reads any value: of a string its content, else its text.
func (s *JSONScanner) Value() (JSONToken, []byte, bool) {
	if s.I >= len(s.D) {
		return 0, nil, s.Unexpected("a value")
	}
	from := s.I
	switch c := s.D[s.I]; {
	case c == '"':
		text, ok := s.str()
		return JSONString, text, ok
	case c == '{' || c == '[':
		return s.nested(c)
	case c == '-' || c >= '0' && c <= '9':
		ok := s.number()
		return JSONNumber, s.D[from:s.I], ok
	}
	for _, word := range literals {
		if n := len(word.text); len(s.D)-s.I >= n && string(s.D[s.I:s.I+n]) == word.text {
			s.I += n
			return word.token, s.D[from:s.I], true
		}
	}
	return 0, nil, s.Unexpected("a value")
}

var literals = []struct {
	text  string
	token JSONToken
}{{"null", JSONNull}, {"true", JSONBool}, {"false", JSONBool}}

func (s *JSONScanner) nested(open byte) (JSONToken, []byte, bool) {
	from := s.I
	if s.depth++; s.depth > maxDepth {
		return 0, nil, s.fail(s.I, "the value is nested deeper than %d", maxDepth)
	}
	kind, ok := JSONObject, false
	if open == '{' {
		ok = s.Object(func(int, []byte) bool { _, _, ok := s.Value(); return ok })
	} else {
		kind, ok = JSONArray, s.array()
	}
	s.depth--
	end := s.I
	for ok && end > from && s.D[end-1] != '}' && s.D[end-1] != ']' {
		end-- // white space behind the value
	}
	if !ok {
		return 0, nil, false
	}
	return kind, s.D[from:end], true
}

func (s *JSONScanner) array() bool {
	s.take('[')
	if s.take(']') {
		return true
	}
	for {
		if _, _, ok := s.Value(); !ok {
			return false
		}
		if s.take(',') {
			continue
		}
		if s.take(']') {
			return true
		}
		return s.Unexpected("a comma or ]")
	}
}

func (s *JSONScanner) number() bool {
	if s.D[s.I] == '-' {
		s.I++
	}
	switch {
	case s.I < len(s.D) && s.D[s.I] == '0':
		s.I++
	case s.digits() == 0:
		return s.Unexpected("a digit")
	}
	if s.I < len(s.D) && s.D[s.I] == '.' {
		s.I++
		if s.digits() == 0 {
			return s.Unexpected("a digit")
		}
	}
	if s.I < len(s.D) && s.D[s.I]|0x20 == 'e' {
		s.I++
		if s.I < len(s.D) && (s.D[s.I] == '+' || s.D[s.I] == '-') {
			s.I++
		}
		if s.digits() == 0 {
			return s.Unexpected("a digit")
		}
	}
	return true
}

func (s *JSONScanner) digits() int {
	from := s.I
	for s.I < len(s.D) && s.D[s.I] >= '0' && s.D[s.I] <= '9' {
		s.I++
	}
	return s.I - from
}

// str reads a string and undoes its escapes.
func (s *JSONScanner) str() ([]byte, bool) {
	open := s.I
	s.I++
	from, out, escaped := s.I, len(s.scratch), false
	ascii := true
	for s.I < len(s.D) {
		switch c := s.D[s.I]; {
		case c == '"':
			text := s.D[from:s.I]
			if escaped {
				s.scratch = append(s.scratch, text...)
				text = s.scratch[out:]
			}
			if !ascii && !utf8.Valid(text) {
				return nil, s.fail(open, "the string is no valid UTF-8")
			}
			s.I++
			return text, true
		case c == '\\':
			s.scratch = append(s.scratch, s.D[from:s.I]...)
			if !s.escape() {
				return nil, false
			}
			from, escaped = s.I, true
		case c < ' ':
			return nil, s.fail(s.I, "the string holds a control character; write it as an escape")
		default:
			ascii = ascii && c < utf8.RuneSelf
			s.I++
		}
	}
	return nil, s.ended("inside a string")
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape undoes the escape at s.I into s.scratch.
func (s *JSONScanner) escape() bool {
	at := s.I
	if at+1 >= len(s.D) {
		s.I = at
		return s.ended("inside a string")
	}
	c := s.D[at+1]
	if plain := escapes[c]; plain != 0 {
		s.scratch = append(s.scratch, plain)
		s.I += 2
		return true
	}
	if c != 'u' {
		return s.fail(at, "JSON knows no escape \\%s", string(rune(c)))
	}
	r, ok := hex4(s.D, at+2)
	if !ok {
		return s.fail(at, "\\u needs four hex digits")
	}
	s.I += 6
	if r == 0 && !s.NUL {
		return s.fail(at, "the string holds a NUL, which no text may")
	}
	if utf16.IsSurrogate(r) {
		low := rune(0)
		if s.I+1 < len(s.D) && s.D[s.I] == '\\' && s.D[s.I+1] == 'u' {
			low, _ = hex4(s.D, s.I+2)
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return s.fail(at, "the escape is half of a surrogate pair, which is no character")
		}
		s.I += 6
	}
	s.scratch = utf8.AppendRune(s.scratch, r)
	return true
}

// hex4 reads the four hex digits at d[i].
func hex4(d []byte, i int) (rune, bool) {
	if i+4 > len(d) {
		return 0, false
	}
	var r rune
	for _, c := range d[i : i+4] {
		v := hexValue(c)
		if v < 0 {
			return 0, false
		}
		r = r<<4 | v
	}
	return r, true
}

func hexValue(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}
