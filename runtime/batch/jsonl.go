package batch

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// token is the kind of a JSON value.
type token uint8

const (
	noToken token = 0
	isNull  token = 1 << (iota - 1)
	isBool
	isNumber
	isString
	isArray
	isObject
)

var tokenNames = map[token]string{isNull: "null", isBool: "a boolean", isNumber: "a number", isString: "a string", isArray: "an array", isObject: "an object"}

// maxDepth bounds the nesting of a value.
const maxDepth = 64

// jsonScanner reads one line of JSON, by RFC 8259. It is stricter than encoding/json:
// a lone surrogate, a NUL, and bytes that are no UTF-8 are refused, for they would not
// arrive as they were sent.
type jsonScanner struct {
	d       []byte
	i       int
	depth   int
	scratch []byte // strings whose escapes were undone
	reason  string // why it stopped at d[i]
}

// fail stops at the byte at.
func (s *jsonScanner) fail(at int, format string, args ...any) bool {
	if s.reason == "" {
		s.i, s.reason = at, fmt.Sprintf(format, args...)
	}
	return false
}

// unexpected stops at what stands at s.i instead of what should.
func (s *jsonScanner) unexpected(want string) bool {
	if s.i >= len(s.d) {
		return s.fail(s.i, "the line ends where %s should stand (one whole object per line)", want)
	}
	r, _ := utf8.DecodeRune(s.d[s.i:])
	return s.fail(s.i, "%q stands where %s should", r, want)
}

func (s *jsonScanner) space() {
	for s.i < len(s.d) {
		switch s.d[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

// take goes past c and white space around it.
func (s *jsonScanner) take(c byte) bool {
	s.space()
	if s.i >= len(s.d) || s.d[s.i] != c {
		return false
	}
	s.i++
	s.space()
	return true
}

// object reads an object and calls member at each value, which has to read it.
func (s *jsonScanner) object(member func(at int, key []byte) bool) bool {
	if !s.take('{') {
		return s.unexpected("an object")
	}
	if s.take('}') {
		return true
	}
	for {
		at := s.i
		if s.i >= len(s.d) || s.d[s.i] != '"' {
			return s.unexpected("a key in quotes")
		}
		key, ok := s.str()
		if !ok {
			return false
		}
		if !s.take(':') {
			return s.unexpected("a colon")
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
		return s.unexpected("a comma or }")
	}
}

// value reads any value: of a string its content, else its text.
func (s *jsonScanner) value() (token, []byte, bool) {
	if s.i >= len(s.d) {
		return 0, nil, s.unexpected("a value")
	}
	from := s.i
	switch c := s.d[s.i]; {
	case c == '"':
		text, ok := s.str()
		return isString, text, ok
	case c == '{' || c == '[':
		return s.nested(c)
	case c == '-' || c >= '0' && c <= '9':
		ok := s.number()
		return isNumber, s.d[from:s.i], ok
	}
	for _, word := range literals {
		if n := len(word.text); len(s.d)-s.i >= n && string(s.d[s.i:s.i+n]) == word.text {
			s.i += n
			return word.token, s.d[from:s.i], true
		}
	}
	return 0, nil, s.unexpected("a value")
}

var literals = []struct {
	text  string
	token token
}{{"null", isNull}, {"true", isBool}, {"false", isBool}}

func (s *jsonScanner) nested(open byte) (token, []byte, bool) {
	from := s.i
	if s.depth++; s.depth > maxDepth {
		return 0, nil, s.fail(s.i, "the value is nested deeper than %d", maxDepth)
	}
	kind, ok := isObject, false
	if open == '{' {
		ok = s.object(func(int, []byte) bool { _, _, ok := s.value(); return ok })
	} else {
		kind, ok = isArray, s.array()
	}
	s.depth--
	end := s.i
	for ok && end > from && s.d[end-1] != '}' && s.d[end-1] != ']' {
		end-- // white space behind the value
	}
	if !ok {
		return 0, nil, false
	}
	return kind, s.d[from:end], true
}

func (s *jsonScanner) array() bool {
	s.take('[')
	if s.take(']') {
		return true
	}
	for {
		if _, _, ok := s.value(); !ok {
			return false
		}
		if s.take(',') {
			continue
		}
		if s.take(']') {
			return true
		}
		return s.unexpected("a comma or ]")
	}
}

func (s *jsonScanner) number() bool {
	if s.d[s.i] == '-' {
		s.i++
	}
	switch {
	case s.i < len(s.d) && s.d[s.i] == '0':
		s.i++
	case s.digits() == 0:
		return s.unexpected("a digit")
	}
	if s.i < len(s.d) && s.d[s.i] == '.' {
		s.i++
		if s.digits() == 0 {
			return s.unexpected("a digit")
		}
	}
	if s.i < len(s.d) && s.d[s.i]|0x20 == 'e' {
		s.i++
		if s.i < len(s.d) && (s.d[s.i] == '+' || s.d[s.i] == '-') {
			s.i++
		}
		if s.digits() == 0 {
			return s.unexpected("a digit")
		}
	}
	return true
}

func (s *jsonScanner) digits() int {
	from := s.i
	for s.i < len(s.d) && s.d[s.i] >= '0' && s.d[s.i] <= '9' {
		s.i++
	}
	return s.i - from
}

// str reads a string and undoes its escapes.
func (s *jsonScanner) str() ([]byte, bool) {
	open := s.i
	s.i++
	from, out, escaped := s.i, len(s.scratch), false
	ascii := true
	for s.i < len(s.d) {
		switch c := s.d[s.i]; {
		case c == '"':
			text := s.d[from:s.i]
			if escaped {
				s.scratch = append(s.scratch, text...)
				text = s.scratch[out:]
			}
			if !ascii && !utf8.Valid(text) {
				return nil, s.fail(open, "the string is no valid UTF-8")
			}
			s.i++
			return text, true
		case c == '\\':
			s.scratch = append(s.scratch, s.d[from:s.i]...)
			if !s.escape() {
				return nil, false
			}
			from, escaped = s.i, true
		case c < ' ':
			return nil, s.fail(s.i, "the string holds a control character; write it as an escape")
		default:
			ascii = ascii && c < utf8.RuneSelf
			s.i++
		}
	}
	return nil, s.fail(s.i, "the line ends inside a string (one whole object per line)")
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape undoes the escape at s.i into s.scratch.
func (s *jsonScanner) escape() bool {
	at := s.i
	if at+1 >= len(s.d) {
		return s.fail(at, "the line ends inside a string (one whole object per line)")
	}
	c := s.d[at+1]
	if plain := escapes[c]; plain != 0 {
		s.scratch = append(s.scratch, plain)
		s.i += 2
		return true
	}
	if c != 'u' {
		return s.fail(at, "JSON knows no escape \\%s", string(rune(c)))
	}
	r, ok := hex4(s.d, at+2)
	if !ok {
		return s.fail(at, "\\u needs four hex digits")
	}
	s.i += 6
	if r == 0 {
		return s.fail(at, "the string holds a NUL, which no text may")
	}
	if utf16.IsSurrogate(r) {
		low := rune(0)
		if s.i+1 < len(s.d) && s.d[s.i] == '\\' && s.d[s.i+1] == 'u' {
			low, _ = hex4(s.d, s.i+2)
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return s.fail(at, "the escape is half of a surrogate pair, which is no character")
		}
		s.i += 6
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
