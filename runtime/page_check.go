package bridge

import (
	"bytes"
	"fmt"
)

// CheckNested tells whether the level streams of a page fit each other: all leaves below a
// list, map or optional struct say the same of which of its values are there, and no
// element of a list is null. A file of another writer, or a damaged one, may break that,
// and Scan would read values of one element into another. Streams that are not loaded are
// passed over.
func (s *Schema) CheckNested(p *Page) error {
	for i := range s.Root {
		n := &s.Root[i]
		if n.Leaf >= 0 {
			continue
		}
		if why := s.checkNode(p, n, n.Rep, 0, false); why != "" {
			return fmt.Errorf("column %q: %s", n.Name, why)
		}
	}
	return nil
}

// checkNode checks n, whose values are there from the definition level def on and begin
// with the repetition level rep or less. element: it is that of a list.
func (s *Schema) checkNode(p *Page, n *Node, def, rep uint8, element bool) (why string) {
	first := (*Levels)(nil)
	s.streamsBelow(n, func(stream int) {
		switch l := &p.Levels[stream]; {
		case l.Def == nil || why != "" || first == l:
		case first == nil:
			first = l
		case !agree(first, l, def, rep):
			why = fmt.Sprintf("what lies in %q disagrees about which values are there", n.Name)
		}
	})
	if why == "" && element && first != nil && bytes.IndexByte(first.Def, def-1) >= 0 {
		return "an element of a list is null"
	}
	for i := range n.Children {
		child := &n.Children[i]
		below, deeper := def, rep
		if child.Rep > 0 {
			below++
		}
		if child.Rep == 2 {
			deeper++
		}
		if isElement := n.Rep == 2 && child.Rep == 1; why == "" && (child.Leaf < 0 || isElement) {
			why = s.checkNode(p, child, below, deeper, isElement)
		}
	}
	return why
}

func (s *Schema) streamsBelow(n *Node, visit func(stream int)) {
	if n.Leaf >= 0 {
		if stream := s.Leaves[n.Leaf].Levels; stream >= 0 {
			visit(stream)
		}
		return
	}
	for i := range n.Children {
		s.streamsBelow(&n.Children[i], visit)
	}
}

// agree compares two streams as far as the levels def and rep.
func agree(a, b *Levels, def, rep uint8) bool {
	i, j := 0, 0
	for ; ; i, j = i+1, j+1 {
		i, j = a.begin(i, rep), b.begin(j, rep)
		if i == len(a.Def) || j == len(b.Def) {
			return i == len(a.Def) && j == len(b.Def)
		}
		if min(a.Def[i], def) != min(b.Def[j], def) || a.rep(i) != b.rep(j) {
			return false
		}
	}
}

// begin is the first entry from i on that begins a value of the level rep.
func (l *Levels) begin(i int, rep uint8) int {
	for i < len(l.Def) && l.rep(i) > rep {
		i++
	}
	return i
}

func (l *Levels) rep(i int) uint8 {
	if i < len(l.Rep) {
		return l.Rep[i]
	}
	return 0
}
