package batch

import (
	"bytes"
	"fmt"
	"io"
)

// Limits of an input. They bound the memory that a broken file can take.
const (
	maxField  = 16 << 20 // bytes of a field
	maxRecord = 64 << 20 // bytes of a record or line
	windowLen = 256 << 10
)

// cell is one field of a CSV record. It aliases the reader's memory until the next
// record.
type cell struct {
	text   []byte // without the quotes
	quoted bool
}

// csvScanner splits CSV by RFC 4180 with LF or CRLF between records. Inside quotes it
// keeps every byte; a quote stands doubled there. It is stricter than encoding/csv: a
// lone CR outside quotes and a NUL are refused. A NUL makes its record unfit but means
// nothing: the record ends where it would without.
type csvScanner struct {
	window window
	comma  byte       // between fields
	stops  *[256]bool // the bytes that end the run of an unquoted field
	blank  bool       // an empty line is a record of one empty field, not nothing

	fields  []cell
	raw     []byte // the record without its line end
	line    int64  // the record's first line, from 1
	scratch []byte // fields whose doubled quotes were undone
}

// fault is what makes a record unfit: the number of the field, from 1, and why; of
// field 0 the reason is of the whole record.
type fault struct {
	field  int
	reason string
}

const (
	reasonBareQuote    = `holds a quote, but does not begin with one; quote the field and double the quote`
	reasonAfterQuote   = `goes on after its closing quote; double a quote inside a quoted field`
	reasonBareCR       = `holds a carriage return outside quotes; end lines with LF or CRLF, or quote the field`
	reasonNUL          = `holds a NUL byte, which no text may (is the file UTF-16?)`
	reasonUnterminated = `begins with a quote that is never closed`
	reasonLongField    = `is longer than 16 MiB; is a closing quote missing?`
	reasonLongRecord   = `the record is longer than 64 MiB; is a line break missing?`
)

// newCSVScanner splits at the delimiter; empty: a comma.
func newCSVScanner(src io.Reader, delimiter string) *csvScanner {
	c := &csvScanner{window: newWindow(src), comma: comma(delimiter), stops: &[256]bool{'\n': true, '\r': true, '"': true, 0: true}}
	c.stops[c.comma] = true
	return c
}

// comma is the delimiter as a byte; that of an empty one is a comma.
func comma(delimiter string) byte {
	if delimiter == "" {
		return ','
	}
	return delimiter[0]
}

// errBroken says that the rest of the input cannot be split either.
type errBroken struct {
	line int64
	fault
}

func (e *errBroken) Error() string {
	return fmt.Sprintf("line %d, field %d: %s", e.line, e.field, e.reason)
}

// next splits the next record. f.reason is not empty if the record is malformed; the
// next one begins behind the line end that follows. io.EOF after the last record;
// *errBroken if the input cannot be split any further.
func (c *csvScanner) next() (f fault, err error) {
	for {
		d := c.window.bytes()
		n, f, whole := c.split(d, c.window.eof)
		if f.reason == reasonLongField {
			return f, &errBroken{c.window.line, f}
		}
		if !whole && len(d) > maxRecord || n > maxRecord {
			f = fault{0, reasonLongRecord}
			return f, &errBroken{c.window.line, f}
		}
		if !whole {
			if err := c.window.more(); err != nil {
				return f, err
			}
			continue
		}
		if f.reason == reasonUnterminated {
			return f, &errBroken{c.window.line, f}
		}
		if n == 0 {
			return f, io.EOF
		}
		c.line, c.raw = c.window.line, cutLineEnd(d[:n])
		c.window.skip(n)
		if len(c.raw) == 0 && !c.blank {
			continue
		}
		return f, nil
	}
}

func cutLineEnd(d []byte) []byte {
	if n := len(d); n > 0 && d[n-1] == '\n' {
		d = d[:n-1]
	}
	if n := len(d); n > 0 && d[n-1] == '\r' {
		d = d[:n-1]
	}
	return d
}

// split splits the first record of d into c.fields. n counts its bytes with the line
// end; not whole if the record may go on behind d.
func (c *csvScanner) split(d []byte, eof bool) (n int, f fault, whole bool) {
	c.fields, c.scratch = c.fields[:0], c.scratch[:0]
	if len(d) == 0 {
		return 0, fault{}, eof
	}
	stops := c.stops
	for i := 0; ; {
		start := i
		for i < len(d) && !stops[d[i]] {
			i++
		}
		field := cell{text: d[start:i]}
		if i < len(d) && (d[i] == 0 || d[i] == '"' && i == start) {
			var reason string
			field, i, reason, whole = c.field(d, start, eof)
			switch {
			case !whole && len(d)-start <= maxField+2:
				return 0, fault{}, false
			case !whole:
				return 0, fault{len(c.fields) + 1, reasonLongField}, true
			case reason == reasonUnterminated:
				return len(d), fault{len(c.fields) + 1, reason}, true
			case reason != "" && f.reason == "":
				f = fault{len(c.fields) + 1, reason}
			}
		}
		if len(field.text) > maxField {
			return 0, fault{len(c.fields) + 1, reasonLongField}, true
		}
		c.fields = append(c.fields, field)
		if i < len(d) && d[i] == c.comma {
			i++
			continue
		}
		n, reason, whole := lineEnd(d, i, eof, field.quoted)
		if !whole || reason == "" {
			return n, f, whole
		}
		if f.reason == "" {
			f = fault{len(c.fields), reason}
		}
		return resync(d, i, eof, f)
	}
}

// field reads the field at d[at], which is quoted or holds a NUL, and returns the
// position behind it. Not whole if that may lie behind d.
func (c *csvScanner) field(d []byte, at int, eof bool) (f cell, i int, reason string, whole bool) {
	i = skipNUL(d, at)
	nul := i > at
	if i < len(d) && d[i] == '"' {
		if f, i, reason, whole = c.quotedField(d, i, eof); !whole {
			return f, i, reason, whole
		}
		end := skipNUL(d, i)
		nul = nul || end > i
		i = end
	} else {
		for {
			for i < len(d) && !c.stops[d[i]] {
				i++
			}
			if i == len(d) || d[i] != 0 {
				break
			}
			nul, i = true, i+1
		}
		f.text, whole = d[at:i], true
	}
	if nul && reason == "" {
		reason = reasonNUL
	}
	return f, i, reason, whole
}

func skipNUL(d []byte, i int) int {
	for i < len(d) && d[i] == 0 {
		i++
	}
	return i
}

// lineEnd looks at what follows a field at d[i], which is no delimiter.
func lineEnd(d []byte, i int, eof, quoted bool) (n int, reason string, whole bool) {
	switch {
	case i == len(d):
		return i, "", eof
	case d[i] == '\n':
		return i + 1, "", true
	case d[i] == '\r' && i+1 == len(d):
		return i + 1, "", eof
	case d[i] == '\r' && d[i+1] == '\n':
		return i + 2, "", true
	case quoted:
		return i, reasonAfterQuote, true
	case d[i] == '"':
		return i, reasonBareQuote, true
	}
	return i, reasonBareCR, true
}

// resync ends a malformed record at the next line end.
func resync(d []byte, i int, eof bool, f fault) (int, fault, bool) {
	if end := bytes.IndexByte(d[i:], '\n'); end >= 0 {
		return i + end + 1, f, true
	}
	return len(d), f, eof
}

// quotedField reads the field whose opening quote is d[at] and returns the position
// behind its closing quote. Not whole if that may lie behind d.
func (c *csvScanner) quotedField(d []byte, at int, eof bool) (f cell, i int, reason string, whole bool) {
	f.quoted = true
	doubled := 0
	for i = at + 1; ; {
		j := bytes.IndexByte(d[i:], '"')
		if j < 0 {
			if eof {
				return f, len(d), reasonUnterminated, true
			}
			return f, 0, "", false
		}
		i += j + 1
		if i == len(d) && !eof {
			return f, 0, "", false
		}
		if i == len(d) || d[i] != '"' {
			break
		}
		doubled++
		i++
	}
	f.text = d[at+1 : i-1]
	if bytes.IndexByte(f.text, 0) >= 0 {
		reason = reasonNUL
	}
	if doubled > 0 {
		from := len(c.scratch)
		c.scratch = appendUndoubled(c.scratch, f.text)
		f.text = c.scratch[from:]
	}
	return f, i, reason, true
}

func appendUndoubled(b, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '"')
		if i < 0 {
			return append(b, s...)
		}
		b, s = append(b, s[:i+1]...), s[i+2:]
	}
}
