package postgres

import (
	"bytes"
	"errors"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// arrayForm writes the text of an array as JSON.
type arrayForm struct {
	element   form // nil: the text is the element's
	bare      bool // JSON has it without quotes
	delimiter byte
}

var errArray = errors.New("an array is not in PostgreSQL's own form")

// json reads {1,NULL,"a \"b\""}, nested for further dimensions, behind bounds such as
// [0:1]= where they do not begin at 1.
func (a arrayForm) json(b, text []byte) ([]byte, error) {
	if len(text) > 0 && text[0] == '[' {
		_, rest, ok := bytes.Cut(text, []byte("="))
		if !ok {
			return b, errArray
		}
		text = rest
	}
	b, n, err := a.braces(b, text, 0)
	if err == nil && n != len(text) {
		err = errArray
	}
	return b, err
}

// maxDimensions is more than PostgreSQL's 6.
const maxDimensions = 16

// braces writes one dimension at the start of text and returns its length.
func (a arrayForm) braces(b, text []byte, depth int) ([]byte, int, error) {
	if len(text) < 2 || text[0] != '{' || depth > maxDimensions {
		return b, 0, errArray
	}
	b = append(b, '[')
	if text[1] == '}' {
		return append(b, ']'), 2, nil
	}
	for i := 1; ; {
		var n int
		var err error
		if i < len(text) && text[i] == '{' {
			b, n, err = a.braces(b, text[i:], depth+1)
		} else {
			b, n, err = a.value(b, text[i:])
		}
		if err != nil {
			return b, 0, err
		}
		i += n
		switch {
		case i >= len(text):
			return b, 0, errArray
		case text[i] == '}':
			return append(b, ']'), i + 1, nil
		case text[i] != a.delimiter:
			return b, 0, errArray
		}
		b = append(b, ',')
		i++
	}
}

// value writes the element at the start of text and returns its length there.
func (a arrayForm) value(b, text []byte) ([]byte, int, error) {
	var value []byte
	n, quoted := 0, len(text) > 0 && text[0] == '"'
	if quoted {
		for n = 1; ; n++ {
			if n < len(text) && text[n] == '\\' {
				n++
			} else if n < len(text) && text[n] == '"' {
				break
			}
			if n >= len(text) {
				return b, 0, errArray
			}
			value = append(value, text[n])
		}
		n++
	} else {
		for n < len(text) && text[n] != a.delimiter && text[n] != '}' {
			n++
		}
		value = text[:n]
	}
	if !quoted && string(value) == "NULL" {
		return append(b, "null"...), n, nil
	}
	b, err := a.put(b, value)
	return b, n, err
}

func (a arrayForm) put(b, value []byte) ([]byte, error) {
	var err error
	if a.element != nil {
		if value, err = a.element(nil, value); err != nil {
			return b, err
		}
	}
	if a.bare && !notFinite[string(value)] {
		return append(b, value...), nil
	}
	return bridge.AppendStringJSON(b, string(value)), nil
}

// notFinite are numbers that JSON has no form for.
var notFinite = map[string]bool{"NaN": true, "Infinity": true, "-Infinity": true}
