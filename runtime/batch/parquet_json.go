package batch

import (
	"unicode/utf8"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// jsonOf writes the row at hand of a nested column as JSON: lists are arrays, maps and
// groups are objects.
type jsonOf struct {
	streams []*stream // by leaf
	b       []byte
	reason  string // why a value has no JSON; the first
	broken  bool   // the parts disagree, so the file is damaged
}

// row writes the whole column and reports whether it is null.
func (j *jsonOf) row(s *shape) (null bool) {
	s.each(func(d *lake.Foreign) { j.streams[d.Leaf].begin() })
	null = j.put(s)
	s.each(func(d *lake.Foreign) {
		if at := j.streams[d.Leaf]; at.atLevel != at.end {
			j.broken = true
		}
	})
	return null
}

// put writes a part and reports whether it is null.
func (j *jsonOf) put(s *shape) (null bool) {
	first := j.streams[s.first]
	depth, ok := first.depth()
	switch {
	case !ok || j.broken:
		j.broken = true
	case depth < s.Def:
		j.b = append(j.b, "null"...)
		j.skip(s, depth)
		return true
	case s.Leaf >= 0:
		if depth != s.Def {
			j.broken = true
			return false
		}
		j.scalar(s, first)
		first.step()
	case s.Is == lake.Group:
		j.group(s)
	case depth < s.Items:
		j.b = append(append(j.b, s.brackets[0]), s.brackets[1])
		j.skip(s, depth)
	default:
		j.elements(s, first)
	}
	return false
}

// skip goes past what all scalars of a part have in common: nothing is there.
func (j *jsonOf) skip(s *shape, depth uint8) {
	s.each(func(d *lake.Foreign) {
		at := j.streams[d.Leaf]
		if now, ok := at.depth(); !ok || now != depth {
			j.broken = true
			return
		}
		at.step()
	})
}

func (j *jsonOf) group(s *shape) {
	j.b = append(j.b, '{')
	for i, part := range s.parts {
		if i > 0 {
			j.b = append(j.b, ',')
		}
		j.b = append(j.b, part.key...)
		j.put(part)
	}
	j.b = append(j.b, '}')
}

// elements writes a list, or the pairs of a map.
func (j *jsonOf) elements(s *shape, first *stream) {
	j.b = append(j.b, s.brackets[0])
	for n := 0; !j.broken && (n == 0 || first.again(s.Rep)); n++ {
		if n > 0 {
			j.b = append(j.b, ',')
			s.each(func(d *lake.Foreign) { j.broken = j.broken || !j.streams[d.Leaf].again(s.Rep) })
		}
		for i, part := range s.parts {
			if i > 0 {
				j.b = append(j.b, ':')
			}
			if null := j.put(part); null && s.Is == lake.Mapping && i == 0 {
				j.fail("holds a null key")
			}
		}
	}
	j.b = append(j.b, s.brackets[1])
}

func (j *jsonOf) fail(reason string) {
	if j.reason == "" {
		j.reason = reason
	}
}

func (j *jsonOf) scalar(s *shape, at *stream) {
	if s.Is == lake.Chars || s.Is == lake.Blob && s.plain {
		text := at.col.String(at.atValue)
		if !utf8.ValidString(text) {
			j.fail("holds a text that is no valid UTF-8")
		}
		j.b = bridge.AppendStringJSON(j.b, text)
		return
	}
	from := len(j.b)
	j.b = append(j.b, '"')
	var reason string
	if j.b, reason = s.text(j.b, s, at.col, at.atValue); reason != "" {
		j.fail(reason)
	}
	if s.bare && !isWord(j.b[from+1:]) {
		j.b = append(j.b[:from], j.b[from+1:]...)
		return
	}
	j.b = append(j.b, '"')
}

// isWord reports whether a number is NaN or infinite, which JSON has no numbers for.
func isWord(text []byte) bool {
	last := text[len(text)-1]
	return last == 'N' || last == 'y'
}
