package golang

import (
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// jsonNested emits the functions that write and read the lists, maps and structs of a
// table in JSON, one each.
func jsonNested(f *jen.File, t *table) {
	t.walk(func(p *part) {
		if !p.nested() {
			return
		}
		f.Line()
		appendFunc(f, p)
		f.Line()
		if p.Type.Shape == types.Group {
			f.Var().Id(nameOf("members", p)).Op("=").Add(bridge("Members")).Values(members(p)...)
			f.Line()
		}
		parseFunc(f, p)
	})
}

func appendFunc(f *jen.File, p *part) {
	push := func(r rune) *jen.Statement { return jen.Append(jen.Id("b"), jen.LitRune(r)) }
	comma := jen.If(jen.Id("j").Op(">").Lit(0)).Block(jen.Id("b").Op("=").Add(push(',')))
	f.Func().Id(nameOf("json", p)).Params(jen.Id("b").Index().Byte(), jen.Id(holder[p.Type.Shape]).Add(p.param())).Index().Byte().BlockFunc(func(g *jen.Group) {
		switch p.Type.Shape {
		case types.Group:
			before := "{"
			for _, field := range p.fields {
				member(g, before, field)
				before = ","
			}
		case types.Sequence:
			g.Id("b").Op("=").Add(push('['))
			g.For(jen.Id("j").Op(":=").Range().Id("list")).Block(comma,
				jen.Id("b").Op("=").Add(p.elem.as(jen.Id("list").Index(jen.Id("j"))).appended("JSON")))
			g.Return(push(']'))
			return
		case types.Mapping:
			g.Id("b").Op("=").Add(push('{'))
			sortedEntries(g, jen.Id("j"), func(g *jen.Group) {
				g.Add(comma)
				g.Id("b").Op("=").Append(bridge("AppendStringJSON").Call(jen.Id("b"), jen.Id("k")), jen.LitRune(':'))
				g.Id("b").Op("=").Add(p.elem.as(jen.Id("x")).appended("JSON"))
			})
		}
		g.Return(push('}'))
	})
}

func members(p *part) []jen.Code {
	var names, sources []string
	respelt := false
	for _, f := range p.fields {
		names, sources = append(names, f.Column.Name), append(sources, f.From)
		respelt = respelt || f.From != f.Column.Name
	}
	pairs := []any{"Names", texts(names)}
	if respelt {
		pairs = append(pairs, "Sources", texts(sources))
	}
	return entries(append(pairs, "Optional", jen.Index().Bool().ValuesFunc(func(g *jen.Group) {
		for _, f := range p.fields {
			g.Lit(f.Optional)
		}
	}))...)
}

// setNested reads the cell of a nested column, which is JSON.
func setNested(p *part) jen.Code {
	return jen.If(jen.Id("c").Op(":=").Id("t").Dot("JSON").Call(jen.Lit(p.Column.Name)), jen.Id("c").Op("!=").Nil()).BlockFunc(func(g *jen.Group) {
		g.Add(p.parsed())
		g.Id("c").Dot("Done").Call()
	})
}

// parsed is the statement that reads the value with cursor c.
func (p *part) parsed() jen.Code {
	parse := jen.Id(nameOf("parse", p))
	switch p.Type.Shape {
	case types.Scalar:
		return p.scalarFrom("c")
	case types.Group:
		return parse.Call(jen.Id("c"), p.handle(p.value()))
	}
	return p.value().Op("=").Add(parse).Call(jen.Id("c"))
}

func parseFunc(f *jen.File, p *part) {
	cursor := jen.Id("c").Op("*").Add(bridge("JSONCursor"))
	parse := f.Func().Id(nameOf("parse", p))
	switch p.Type.Shape {
	case types.Group:
		parse.Params(cursor, jen.Id("r").Add(p.param())).BlockFunc(func(g *jen.Group) { parseFields(g, p) })
	case types.Sequence:
		parse.Params(cursor).Add(p.bare()).BlockFunc(func(g *jen.Group) { parseList(g, p) })
	case types.Mapping:
		parse.Params(cursor).Add(p.bare()).BlockFunc(func(g *jen.Group) { parseMap(g, p) })
	}
}

func parseFields(g *jen.Group, p *part) {
	g.Op("*").Id("r").Op("=").Id(p.GoType).Values()
	elements(g, jen.Id("c").Dot("Struct").Call(jen.Op("&").Id(nameOf("members", p))), func(g *jen.Group) {
		g.Switch(jen.Id("c").Dot("Field").Call()).BlockFunc(func(g *jen.Group) {
			for i, field := range p.fields {
				g.Case(jen.Lit(i)).BlockFunc(func(g *jen.Group) {
					if field.Optional && !field.isNilable() {
						g.Add(field.field()).Dot("OK").Op("=").True()
					}
					g.Add(field.parsed())
				})
			}
		})
	})
}

// elements is the loop over the values of what begin opens.
func elements(g *jen.Group, begin jen.Code, body func(*jen.Group)) {
	g.For(begin, jen.Id("c").Dot("Next").Call(), jen.Empty()).BlockFunc(body)
}

func parseList(g *jen.Group, p *part) {
	list := jen.Id("list")
	g.Add(list).Op(":=").Add(p.bare()).Values()
	elements(g, jen.Id("c").Dot("List").Call(), func(g *jen.Group) {
		g.Var().Id("x").Add(p.elem.bare())
		g.Add(p.elem.as(jen.Id("x")).parsed())
		g.Add(list).Op("=").Append(list, jen.Id("x"))
	})
	g.Return(list)
}

func parseMap(g *jen.Group, p *part) {
	g.Id("m").Op(":=").Add(p.bare()).Values()
	elements(g, jen.Id("c").Dot("Map").Call(), func(g *jen.Group) {
		g.Id("k").Op(":=").Id("c").Dot("Key").Call()
		g.If(jen.List(jen.Id("_"), jen.Id("twice")).Op(":=").Id("m").Index(jen.Id("k")), jen.Id("twice")).Block(jen.Id("c").Dot("Twice").Call())
		g.Var().Id("x").Add(p.elem.bare())
		g.Add(p.elem.as(jen.Id("x")).parsed())
		g.Id("m").Index(jen.Id("k")).Op("=").Id("x")
	})
	g.Return(jen.Id("m"))
}
