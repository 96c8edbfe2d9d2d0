package golang

import (
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// pageNested emits the functions that fill and scan the lists, maps and structs of a
// table, one each.
func pageNested(f *jen.File, t *table) {
	if !t.nested {
		return
	}
	t.walk(func(p *part) {
		if p.nested() {
			f.Line()
			t.fillFunc(f, p)
		}
	})
	f.Line()
	f.Type().Id(t.cursor()).StructFunc(func(g *jen.Group) {
		g.Add(bridge("Cursor"))
		t.walk(func(p *part) {
			if p.Type.Shape == types.Sequence {
				g.Id(p.arena()).Add(p.bare())
			}
		})
	})
	t.walk(func(p *part) {
		if p.nested() {
			f.Line()
			t.scanFunc(f, p)
		}
	})
}

// cursor is the type that reads the nested columns of a page, with the arenas of lists.
func (t *table) cursor() string { return "pageOf" + t.Record }

// arena is the field that lists are cut from.
func (p *part) arena() string { return "listsOf" + p.name }

func beginNested(g *jen.Group, p *part) {
	g.Id("p").Dot("Begin").Call(jen.Lit(p.leaves.from), jen.Lit(p.leaves.to), jen.Lit(p.levels.from), jen.Lit(p.levels.to))
}

func beginCursor(g *jen.Group, t *table) {
	if !t.nested {
		return
	}
	cursor := jen.Id("cursor")
	g.Add(cursor.Clone()).Op(":=").Op("&").Id(t.cursor()).Values(jen.Id("Cursor").Op(":").Id("p").Dot("Cursor").Call())
	t.walk(func(p *part) {
		if p.Type.Shape == types.Sequence {
			g.Add(cursor.Clone()).Dot(p.arena()).Op("=").Make(p.bare(),
				cursor.Clone().Dot("Total").Call(jen.Lit(t.lead(p)), jen.Lit(int(p.rep)+1), jen.Lit(int(p.def)+1)))
		}
	})
}

// lead is the stream of a list or map that tells its elements with the fewest entries.
func (t *table) lead(p *part) int {
	lead := p.levels.from
	for i := p.levels.from; i < p.levels.to; i++ {
		if t.reps[i] < t.reps[lead] {
			lead = i
		}
	}
	return lead
}

// repeated tells whether the functions of p take a repetition level: it lies in a list or
// map.
func (p *part) repeated() bool { return p.rep > 0 }

// levelsPut is the call that appends an entry to a stream.
func (p *part) levelsPut(stream, def int) *jen.Statement {
	levels := jen.Id("p").Dot("Levels").Index(jen.Lit(stream))
	if p.repeated() {
		return levels.Dot("Put").Call(jen.Id("rep"), jen.Lit(def))
	}
	return levels.Dot("PutDef").Call(jen.Lit(def))
}

// nulls fills the streams with the entries of what is not there; those without
// repetition are filled another way. repeated tells whether rep is at hand.
func (t *table) nulls(g *jen.Group, s span, repeated bool, def *jen.Statement) {
	for from := s.from; from < s.to; {
		to := from
		for to < s.to && (t.reps[to] > 0) == (t.reps[from] > 0) {
			to++
		}
		switch {
		case t.reps[from] == 0:
			g.Id("p").Dot("NullDefs").Call(jen.Lit(from), jen.Lit(to), def.Clone())
		case repeated:
			g.Id("p").Dot("Nulls").Call(jen.Lit(from), jen.Lit(to), jen.Id("rep"), def.Clone())
		default:
			g.Id("p").Dot("Nulls").Call(jen.Lit(from), jen.Lit(to), jen.Lit(0), def.Clone())
		}
		from = to
	}
}

// fillPart fills the value of p.
func (t *table) fillPart(g *jen.Group, p *part) {
	if p.Type.Shape == types.Scalar {
		fillScalar(g, p)
		return
	}
	args := []jen.Code{jen.Id("p"), p.handle(p.value())}
	if p.repeated() {
		args = append(args, jen.Id("rep"))
	}
	call := jen.Id(nameOf("fill", p)).Call(args...)
	if p.Type.Shape != types.Group || !p.Optional {
		g.Add(call)
		return
	}
	g.If(p.there()).Block(call).Else().BlockFunc(func(g *jen.Group) {
		t.nulls(g, p.levels, p.repeated(), jen.Lit(int(p.def)-1))
	})
}

func fillScalar(g *jen.Group, p *part) {
	v := p.value()
	if p.isEnum() {
		v = jen.Id(nameOf("code", p)).Call(v)
	}
	put := leafOf(p).Dot("Put" + p.Type.Func).Call(v)
	if !p.own {
		g.Add(put)
		return
	}
	there := []jen.Code{p.levelsPut(p.stream, int(p.def)), put}
	if !p.Optional { // the element of a list
		for _, s := range there {
			g.Add(s)
		}
		return
	}
	g.If(p.there()).Block(there...).Else().Block(p.levelsPut(p.stream, int(p.def)-1))
}

func leafOf(p *part) *jen.Statement { return jen.Id("p").Dot("Cols").Index(jen.Lit(p.leaf())) }

// holder are the names of what an emitted function works on, by shape.
var holder = map[types.Shape]string{types.Group: "r", types.Sequence: "list", types.Mapping: "m"}

func (t *table) fillFunc(f *jen.File, p *part) {
	params := []jen.Code{jen.Id("p").Op("*").Add(bridge("Page")), jen.Id(holder[p.Type.Shape]).Add(p.param())}
	if p.repeated() {
		params = append(params, jen.Id("rep").Uint8())
	}
	f.Func().Id(nameOf("fill", p)).Params(params...).BlockFunc(func(g *jen.Group) {
		if p.Type.Shape == types.Group {
			if p.own {
				g.Add(p.levelsPut(p.stream, int(p.def)))
			}
			for _, field := range p.fields {
				t.fillPart(g, field)
			}
			return
		}
		t.fillEmpty(g, p)
		if !p.repeated() {
			g.Id("rep").Op(":=").Uint8().Call(jen.Lit(0))
		}
		t.fillElements(g, p)
	})
}

func (t *table) fillEmpty(g *jen.Group, p *part) {
	v := jen.Id(holder[p.Type.Shape])
	def := jen.Lit(int(p.def))
	if p.Optional {
		def = bridge("EmptyDef").Call(v.Clone().Op("==").Nil(), def)
	}
	g.If(jen.Len(v).Op("==").Lit(0)).BlockFunc(func(g *jen.Group) {
		t.nulls(g, p.levels, p.repeated(), def)
		g.Return()
	})
}

func (t *table) fillElements(g *jen.Group, p *part) {
	next := jen.Id("rep").Op("=").Lit(int(p.rep) + 1)
	if p.Type.Shape == types.Sequence {
		g.For(jen.Id("j").Op(":=").Range().Id("list")).BlockFunc(func(g *jen.Group) {
			t.fillPart(g, p.elem.as(jen.Id("list").Index(jen.Id("j"))))
			g.Add(next)
		})
		return
	}
	key := t.leaves[p.leaves.from]
	sortedEntries(g, jen.Id("_"), func(g *jen.Group) {
		g.Add(p.elem.levelsPut(key.stream, int(key.def)))
		g.Id("p").Dot("Cols").Index(jen.Lit(p.leaves.from)).Dot("PutString").Call(jen.Id("k"))
		t.fillPart(g, p.elem.as(jen.Id("x")))
		g.Add(next)
	})
}

// sortedEntries is the loop over the keys k and values x of map m, in order. The keys of a
// small map take no memory of their own.
func sortedEntries(g *jen.Group, index jen.Code, body func(*jen.Group)) {
	g.Var().Id("room").Index(jen.Lit(16)).String()
	g.For(jen.List(index, jen.Id("k")).Op(":=").Range().Add(bridge("SortedKeys")).Call(jen.Id("room").Index(jen.Empty(), jen.Lit(0)), jen.Id("m"))).BlockFunc(func(g *jen.Group) {
		g.Id("x").Op(":=").Id("m").Index(jen.Id("k"))
		body(g)
	})
}
