package golang

import (
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// untidy tells whether a value may have to be normalised, or be made empty where it is nil
// and may not be null.
func (p *part) untidy() bool {
	if p.Type.Shape == types.Scalar {
		return len(p.Normalize) > 0 || p.isNilable() && !p.Optional || p.rescaled()
	}
	if p.elem != nil {
		return p.elem.untidy()
	}
	for _, f := range p.fields {
		if f.untidy() || f.isNilable() && !f.Optional {
			return true
		}
	}
	return false
}

// rescaled tells whether the check of the type also brings a value into its form: a decimal
// into the column's scale.
func (p *part) rescaled() bool { return p.Type.Params > 0 }

// tidyFunc emits the function that normalises what p holds, and tells whether it changed
// something. A list or map is copied before, for the caller may hold it too; a struct is
// a copy already.
func tidyFunc(f *jen.File, p *part) {
	fn := f.Func().Id(nameOf("tidy", p)).Params(jen.Id(holder[p.Type.Shape]).Add(p.param()))
	if p.Type.Shape == types.Group {
		fn.Bool().BlockFunc(func(g *jen.Group) {
			g.Id("changed").Op(":=").False()
			for _, field := range p.fields {
				tidyPart(g, field)
			}
			g.Return(jen.Id("changed"))
		})
		return
	}
	v, index, clone := jen.Id("list"), jen.Id("j"), jen.Qual("slices", "Clone")
	if p.Type.Shape == types.Mapping {
		v, index, clone = jen.Id("m"), jen.Id("k"), jen.Qual("maps", "Clone")
	}
	fn.Params(p.bare(), jen.Bool()).Block(
		jen.Id("own").Op(":=").False(),
		jen.For(jen.List(index, jen.Id("x")).Op(":=").Range().Add(v)).BlockFunc(func(g *jen.Group) {
			g.Id("changed").Op(":=").False()
			tidyPart(g, p.elem.as(jen.Id("x")))
			g.If(jen.Op("!").Id("changed")).Block(jen.Continue())
			g.If(jen.Op("!").Id("own")).Block(jen.List(v, jen.Id("own")).Op("=").List(clone.Call(v), jen.True()))
			g.Add(v.Clone()).Index(index).Op("=").Id("x")
		}),
		jen.Return(v, jen.Id("own")))
}

// tidyPart normalises the value of p, which nobody else holds, and notes in changed that
// it did.
func tidyPart(g *jen.Group, p *part) {
	if p.isNilable() && !p.Optional {
		g.If(p.field().Op("==").Nil()).Block(jen.List(p.field(), jen.Id("changed")).Op("=").List(p.bare().Values(), jen.True()))
	}
	if !p.untidy() || p.Type == types.Bytes {
		return
	}
	call := jen.Id(nameOf("tidy", p)).Call(p.handle(p.value()))
	switch {
	case p.isNilable():
		g.If(jen.List(jen.Id("tidy"), jen.Id("own")).Op(":=").Add(call), jen.Id("own")).Block(
			jen.List(p.field(), jen.Id("changed")).Op("=").List(jen.Id("tidy"), jen.True()))
	case p.Type.Shape == types.Group:
		if p.Optional {
			call = p.there().Op("&&").Add(call)
		}
		g.If(call).Block(jen.Id("changed").Op("=").True())
	default:
		g.BlockFunc(func(g *jen.Group) {
			g.Id("was").Op(":=").Add(p.field())
			if invalid, _ := p.invalid(); p.rescaled() {
				g.Id("_").Op("=").Add(invalid)
			}
			normalize(g, p)
			g.Id("changed").Op("=").Id("changed").Op("||").Add(p.field()).Op("!=").Id("was")
		})
	}
}
