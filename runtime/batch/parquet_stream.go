package batch

import (
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// stream walks over the values of one scalar, row by row.
type stream struct {
	*lake.Foreign
	col      *bridge.Column
	def, rep []uint8 // empty: it is never null; it is in no list

	level, end int // levels of the row at hand
	value      int // its first value

	atLevel, atValue int // of a walk through the row
}

// open begins a page.
func (s *stream) open(page *bridge.Page) {
	s.col, s.def, s.rep = &page.Cols[s.Leaf], nil, nil
	if s.Levels >= 0 {
		s.def, s.rep = page.Levels[s.Levels].Def, page.Levels[s.Levels].Rep
	}
	s.level, s.end, s.value = 0, 0, 0
}

// advance goes to the next row of the page.
func (s *stream) advance() {
	for ; s.level < s.end; s.level++ {
		if s.present(s.level) {
			s.value++
		}
	}
	s.end++
	for s.end < len(s.rep) && s.rep[s.end] != 0 {
		s.end++
	}
}

// present reports whether there is a value at a level.
func (s *stream) present(level int) bool { return len(s.def) == 0 || s.def[level] == s.Def }

// begin starts a walk through the row.
func (s *stream) begin() { s.atLevel, s.atValue = s.level, s.value }

// depth is the definition level that the walk is at; not ok behind the row.
func (s *stream) depth() (d uint8, ok bool) {
	switch {
	case s.atLevel >= s.end:
		return 0, false
	case len(s.def) == 0:
		return s.Def, true
	}
	return s.def[s.atLevel], true
}

// again reports whether another element of the list with this repetition level follows.
func (s *stream) again(rep uint8) bool {
	return s.atLevel < s.end && s.atLevel > s.level && s.rep[s.atLevel] == rep
}

// step goes past the level that the walk is at.
func (s *stream) step() {
	if s.present(s.atLevel) {
		s.atValue++
	}
	s.atLevel++
}
