package golang

import (
	"strconv"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// part is a column, a field of a struct, an element of a list or a value of a map, with
// its place in a page.
type part struct {
	*model.Column
	name     string   // suffix of what the package declares for it: an enum, list, map or struct
	path     []string // names from the root of the Parquet tree
	title    string   // the same for people: items.qty
	nullable bool     // optional in Parquet by itself, not by a delete
	*point
	own    bool // the point is its own and has a stream
	leaves span
	levels span
	elem   *part
	fields []*part
	// element is how a value of a list or map is called where its function is emitted.
	element *jen.Statement
}

// point is a place of the Parquet tree where a level begins. Leaves whose nearest such
// place is the same share its stream.
type point struct {
	stream   int // -1: no leaf counts in it
	def, rep uint8
}

// span is from..to-1.
type span struct{ from, to int }

// together joins spans that touch.
func together(spans []span) []span {
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && out[n-1].to == s.from {
			out[n-1].to = s.to
		} else {
			out = append(out, s)
		}
	}
	return out
}

// layout places parts in a page, leaf by leaf.
type layout struct {
	leaves []*part // the key of a map is its own part
	reps   []uint8 // repetition level of each stream
	taken  map[string]bool
}

// unclaimed is the point of what is required and flat.
var unclaimed = &point{stream: -1}

func (l *layout) stream(rep uint8) int {
	l.reps = append(l.reps, rep)
	return len(l.reps) - 1
}

// newPoint is a point below at. It has a stream if a leaf counts in it.
func (l *layout) newPoint(at *point, rep uint8, counts bool) *point {
	p := &point{stream: -1, def: at.def + 1, rep: at.rep + rep}
	if counts {
		p.stream = l.stream(p.rep)
	}
	return p
}

// place gives p and all below it their leaves and streams. at is the nearest point above.
func (l *layout) place(p *part, at *point, path []string, title, names string) {
	p.leaves.from, p.levels.from = len(l.leaves), len(l.reps)
	p.path, p.title, p.point = below(path, p.Column.Name), title, at
	if p.nullable {
		p.point = l.newPoint(at, 0, counts(p.Column))
		p.own = p.point.stream >= 0
	}
	switch p.Type.Shape {
	case types.Scalar:
		p.name = p.GoType
		l.leaves = append(l.leaves, p)
	case types.Group:
		p.name = p.GoType
		for _, f := range p.Fields {
			field := &part{Column: f, nullable: f.Optional}
			l.place(field, p.point, p.path, title+"."+f.Name, names+f.GoName)
			p.fields = append(p.fields, field)
		}
	case types.Sequence:
		p.name = l.unique(names)
		p.elem = &part{Column: p.Elem, nullable: true}
		l.place(p.elem, l.newPoint(p.point, 1, false), below(p.path, "list"), title, names+"Element")
	case types.Mapping:
		p.name = l.unique(names)
		inner := l.newPoint(p.point, 1, true)
		entry := below(p.path, "key_value")
		l.leaves = append(l.leaves, &part{Column: mapKey, path: below(entry, "key"), point: inner})
		p.elem = &part{Column: p.Elem}
		l.place(p.elem, inner, entry, title, names+"Value")
	}
	p.leaves.to, p.levels.to = len(l.leaves), len(l.reps)
}

var mapKey = &model.Column{Name: "key", Type: types.String, GoType: types.String.Go}

func below(path []string, name string) []string { return append(path[:len(path):len(path)], name) }

// counts tells whether a leaf counts in the point of what c is: itself, or a required
// field of a struct.
func counts(c *model.Column) bool {
	if c.Type.Shape == types.Group {
		for _, f := range c.Fields {
			if !f.Optional && counts(f) {
				return true
			}
		}
		return false
	}
	return c.Type.Shape == types.Scalar
}

// unique is a suffix that no other list or map of the table has, nor a struct or enum.
func (l *layout) unique(name string) string {
	base := name
	for n := 2; l.taken[name]; n++ {
		name = base + strconv.Itoa(n)
	}
	l.taken[name] = true
	return name
}

// walk calls visit for the parts of the columns and all below them.
func (t *table) walk(visit func(*part)) {
	var all func(p *part)
	all = func(p *part) {
		visit(p)
		if p.elem != nil {
			all(p.elem)
		}
		for _, f := range p.fields {
			all(f)
		}
	}
	for _, c := range t.columns {
		all(c.part)
	}
}

// asParts are the columns as parts.
func asParts(cs []*column) []*part {
	out := make([]*part, len(cs))
	for i, c := range cs {
		out[i] = c.part
	}
	return out
}

// as is an element under the name that an emitted function gives it.
func (p *part) as(name *jen.Statement) *part {
	out := *p
	out.element = name
	return &out
}

// declared calls visit for each struct and enum below c and c itself: what declares a
// Go type.
func declared(c *model.Column, visit func(*model.Column)) {
	if c.Elem != nil {
		declared(c.Elem, visit)
	}
	if c.Type.Shape == types.Group || isEnum(c) {
		visit(c)
	}
	for _, f := range c.Fields {
		declared(f, visit)
	}
}

func isNested(t *model.Table) bool {
	for _, c := range t.Columns {
		if c.Type.Shape != types.Scalar {
			return true
		}
	}
	return false
}

// nested tells whether the value is no scalar.
func (p *part) nested() bool { return p.Type.Shape != types.Scalar }

func isEnum(c *model.Column) bool { return c.Type == types.Enum }

// isEnum reports whether the value is of an enum's declared type.
func (p *part) isEnum() bool { return isEnum(p.Column) }

// isNilable reports whether null is nil and not an Opt without a value.
func (p *part) isNilable() bool {
	return p.Type == types.Bytes || p.Type.Shape == types.Sequence || p.Type.Shape == types.Mapping
}

// nameOf is a package-level name for a part. The prefix keeps it apart from the package's
// own names, whatever the column is called.
func nameOf(what string, p *part) string { return what + "Of" + p.name }

// leaf is the place of a scalar among the leaves.
func (p *part) leaf() int { return p.leaves.from }

// handle is a value as functions of it take it: a struct by its pointer.
func (p *part) handle(v *jen.Statement) *jen.Statement {
	if p.Type.Shape == types.Group {
		return jen.Op("&").Add(v)
	}
	return v
}

// param is the type of a handle.
func (p *part) param() *jen.Statement {
	if p.Type.Shape == types.Group {
		return jen.Op("*").Id(p.GoType)
	}
	return p.bare()
}
