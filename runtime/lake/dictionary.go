package lake

import (
	"errors"
	"fmt"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/parquet-go/parquet-go/format"
)

// oldDictionary is what writers of the first version, parquet-mr's default, call the
// encoding of dictionary pages and of positions in them.
const oldDictionary format.Encoding = 2

// dictionary takes a dictionary page.
func (v *values) dictionary(p *rawPage) error {
	if p.encoding != format.Plain && p.encoding != oldDictionary {
		return errEncoding(p.encoding)
	}
	truncate(&v.dict)
	v.unknown = v.unknown[:0]
	copied := v.copy
	v.copy = true // the next page takes the place of this one
	err := v.direct(&v.dict, format.Plain, p.data, p.values)
	v.copy = copied
	v.dictLen = p.values
	if _, unknown := err.(*valueError); unknown {
		return v.openDictionary(p)
	}
	return err
}

// openDictionary takes a dictionary with texts that are no symbols: an error only if a
// row points at one.
func (v *values) openDictionary(p *rawPage) error {
	text, off, err := v.plainBytes(p.data, p.values)
	if err != nil {
		return err
	}
	truncate(&v.dict)
	for i := range p.values {
		s := text[off[i]:off[i+1]]
		code, ok := v.symbols[string(s)]
		if !ok {
			code = 255
		}
		v.dict.U8 = append(v.dict.U8, code)
		v.unknown = append(v.unknown, string(s))
	}
	return nil
}

// gather appends n values that the page names by their position in the dictionary.
func (v *values) gather(to *bridge.Column, b []byte, n int) error {
	v.indexes = sized(v.indexes, n)
	if err := decodeIndexes(v.indexes, b, v.dictLen); err != nil {
		return err
	}
	switch v.leaf.Kind {
	case bridge.Bool:
		to.U8 = pick(to.U8, v.dict.U8, v.indexes)
	case bridge.Int32:
		to.I32 = pick(to.I32, v.dict.I32, v.indexes)
	case bridge.Int64:
		to.I64 = pick(to.I64, v.dict.I64, v.indexes)
	case bridge.Float:
		to.F32 = pick(to.F32, v.dict.F32, v.indexes)
	case bridge.Double:
		to.F64 = pick(to.F64, v.dict.F64, v.indexes)
	case bridge.Bytes:
		return v.gatherBytes(to)
	}
	return nil
}

func pick[T any](to, dict []T, indexes []uint32) []T {
	old := len(to)
	to = extend(to, len(indexes))
	for i, at := range indexes {
		to[old+i] = dict[at]
	}
	return to
}

func (v *values) gatherBytes(to *bridge.Column) error {
	size := uint64(len(to.Bytes))
	for _, at := range v.indexes {
		size += uint64(v.dict.Off[at+1] - v.dict.Off[at])
	}
	if size > maxPage {
		return errors.New("a page holds more than 1 GiB of text; write it with smaller pages")
	}
	if len(to.Off) == 0 {
		to.Off = append(to.Off, 0)
	}
	for _, at := range v.indexes {
		to.Bytes = append(to.Bytes, v.dict.Bytes[v.dict.Off[at]:v.dict.Off[at+1]]...)
		to.Off = append(to.Off, uint32(len(to.Bytes)))
	}
	return nil
}

func (v *values) gatherCodes(to *bridge.Column, b []byte, n int) error {
	old := len(to.U8)
	if len(b) == 0 {
		return errShort
	}
	to.U8 = extend(to.U8, n)
	dst := to.U8[old:]
	if width := int(b[0]); width >= 1 && width <= 8 {
		if err := decodeBytes(dst, b[1:], width); err != nil {
			return err
		}
		return v.translate(dst)
	}
	v.indexes = sized(v.indexes, n)
	if err := decodeIndexes(v.indexes, b, v.dictLen); err != nil {
		return err
	}
	for i, at := range v.indexes {
		if dst[i] = v.dict.U8[at]; dst[i] == 255 {
			return &valueError{i, v.noSymbol(v.unknown[at])}
		}
	}
	return nil
}

// translate turns positions in the file's dictionary into codes.
func (v *values) translate(dst []uint8) error {
	var table [256]uint8
	fillBytes(table[copy(table[:], v.dict.U8):], 255)
	for i, at := range dst {
		code := table[at]
		if code == 255 {
			if int(at) >= v.dictLen {
				return errIndex(uint32(at), v.dictLen)
			}
			return &valueError{i, v.noSymbol(v.unknown[at])}
		}
		dst[i] = code
	}
	return nil
}

func (v *values) noSymbol(text string) string {
	return fmt.Sprintf("%q is not one of %s; add it to the spec's symbols and generate again", clip(text), symbolList(v.leaf.Values))
}

func clip(text string) string {
	if len(text) > 64 {
		return text[:64] + "..."
	}
	return text
}

func symbolList(symbols []string) string {
	var b strings.Builder
	for i, s := range symbols {
		if i == 8 && len(symbols) > 9 {
			fmt.Fprintf(&b, ", ... (%d in all)", len(symbols))
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s)
	}
	return b.String()
}
