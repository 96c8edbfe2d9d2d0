package bridge

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// SortedKeys appends the keys of a map to keys, in order: maps are written so, that equal
// rows are equal bytes.
func SortedKeys[V any](keys []string, m map[string]V) []string {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Fault says where a nested value is none of its type; the zero value is none.
type Fault struct {
	Path string // below the column: [2].kind
	Rule string // as Reject.Rule
	Why  string // ends the sentence that begins with the path
}

// Below is the fault of what holds the value, under a segment: .field, AtIndex or AtKey.
func (f Fault) Below(segment string) Fault {
	f.Path = segment + f.Path
	return f
}

// Or is f, or g if that has the lesser path; a fault that is none gives way.
func (f Fault) Or(g Fault) Fault {
	if f.Rule == "" || g.Rule != "" && g.Path < f.Path {
		return g
	}
	return f
}

// AtIndex is the segment of a list's element.
func AtIndex(i int) string { return "[" + strconv.Itoa(i) + "]" }

// AtKey is the segment of a map's value.
func AtKey(k string) string { return "[" + strconv.Quote(k) + "]" }

// BadKey is the fault of a map's key that is no text.
func BadKey(k string) Fault { return Fault{AtKey(k), "string", "is no key, for it " + reasonUTF8} }

// RejectNested adds the reason that a nested column, which is called name, has a fault.
func (e *Env) RejectNested(col int, name string, f Fault) {
	if f.Rule != "" {
		e.Reject(col, f.Rule, wrongAt(name+f.Path, f.Why))
	}
}

// wrongAt ends the sentence on a nested column with what is wrong in it.
func wrongAt(path, why string) string { return "is wrong: " + path + " " + why }

// clipText is a text as a message quotes it: short, whatever it holds.
func clipText(b []byte) string {
	const most = 40
	if len(b) <= most {
		return strconv.Quote(string(b))
	}
	n := most
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return strconv.Quote(string(b[:n]) + "…")
}
