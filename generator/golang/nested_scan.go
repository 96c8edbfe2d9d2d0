package golang

import (
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// The mirror of what fills pages.

func skip(g *jen.Group, s span) {
	if s.from < s.to {
		g.Id("cursor").Dot("Skip").Call(jen.Lit(s.from), jen.Lit(s.to))
	}
}

// scanPart reads the value of p.
func (t *table) scanPart(g *jen.Group, p *part) {
	switch p.Type.Shape {
	case types.Scalar:
		scanScalar(g, p)
		return
	case types.Sequence, types.Mapping:
		g.Add(p.field()).Op("=").Id(nameOf("scan", p)).Call(jen.Id("cursor"))
		return
	}
	call := jen.Id(nameOf("scan", p)).Call(jen.Id("cursor"), p.handle(p.value()))
	if !p.nullable {
		g.Add(call)
		return
	}
	there := jen.Id("cursor").Dot("Def").Call(jen.Lit(p.levels.from)).Op(">=").Lit(int(p.def))
	g.If(there).BlockFunc(func(g *jen.Group) {
		if p.Optional {
			g.Add(p.field()).Dot("OK").Op("=").True()
		}
		g.Add(call)
	}).Else().BlockFunc(func(g *jen.Group) { skip(g, p.levels) })
}

func scanScalar(g *jen.Group, p *part) {
	args := []jen.Code{jen.Lit(p.leaf())}
	if p.Type.Params > 0 {
		args = append(args, jen.Lit(p.Scale))
	}
	v := jen.Id("cursor").Dot(p.Type.Func).Call(args...)
	if p.isEnum() {
		v = jen.Id(nameOf("values", p)).Index(v)
	}
	set := p.field().Op("=").Add(p.wrapped(v))
	if !p.own {
		g.Add(set)
		return
	}
	g.If(jen.Id("cursor").Dot("Take").Call(jen.Lit(p.stream)).Op("==").Lit(int(p.def))).Block(set)
}

func (t *table) scanFunc(f *jen.File, p *part) {
	cursor := jen.Id("cursor").Op("*").Id(t.cursor())
	if p.Type.Shape == types.Group {
		f.Func().Id(nameOf("scan", p)).Params(cursor, jen.Id("r").Add(p.param())).BlockFunc(func(g *jen.Group) {
			if p.own {
				skip(g, span{p.stream, p.stream + 1})
			}
			for _, field := range p.fields {
				t.scanPart(g, field)
			}
		})
		return
	}
	f.Func().Id(nameOf("scan", p)).Params(cursor).Add(p.bare()).BlockFunc(func(g *jen.Group) {
		t.scanEmpty(g, p)
		if p.Type.Shape == types.Sequence {
			t.scanList(g, p)
		} else {
			t.scanMap(g, p)
		}
	})
}

// scanEmpty returns where there are no elements.
func (t *table) scanEmpty(g *jen.Group, p *part) {
	def := jen.Id("cursor").Dot("Def").Call(jen.Lit(t.lead(p)))
	g.If(jen.Id("def").Op(":=").Add(def), jen.Id("def").Op("<=").Lit(int(p.def))).BlockFunc(func(g *jen.Group) {
		skip(g, p.levels)
		if p.Optional {
			g.If(jen.Id("def").Op("<").Lit(int(p.def))).Block(jen.Return(jen.Nil()))
		}
		g.Return(p.bare().Values())
	})
}

// count is the number of elements.
func (t *table) count(p *part) *jen.Statement {
	return jen.Id("cursor").Dot("Count").Call(jen.Lit(t.lead(p)), jen.Lit(int(p.rep)+1))
}

func (t *table) scanList(g *jen.Group, p *part) {
	g.Id("list").Op(":=").Add(bridge("CutList")).Call(jen.Op("&").Id("cursor").Dot(p.arena()), t.count(p))
	g.For(jen.Id("j").Op(":=").Range().Id("list")).BlockFunc(func(g *jen.Group) {
		t.scanPart(g, p.elem.as(jen.Id("list").Index(jen.Id("j"))))
	})
	g.Return(jen.Id("list"))
}

func (t *table) scanMap(g *jen.Group, p *part) {
	key := t.leaves[p.leaves.from]
	g.Id("n").Op(":=").Add(t.count(p))
	g.Id("m").Op(":=").Make(p.bare(), jen.Id("n"))
	g.For(jen.Range().Id("n")).BlockFunc(func(g *jen.Group) {
		skip(g, span{key.stream, key.stream + 1})
		g.Id("k").Op(":=").Id("cursor").Dot("String").Call(jen.Lit(p.leaves.from))
		g.Var().Id("x").Add(p.elem.bare())
		t.scanPart(g, p.elem.as(jen.Id("x")))
		g.Id("m").Index(jen.Id("k")).Op("=").Id("x")
	})
	g.Return(jen.Id("m"))
}
