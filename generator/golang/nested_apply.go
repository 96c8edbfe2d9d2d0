package golang

import (
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// applyNested checks and normalises a nested column.
func applyNested(g *jen.Group, c *column) {
	run := func(body ...jen.Code) {
		if c.Optional && !c.isNilable() {
			g.If(c.there()).Block(body...)
			return
		}
		for _, s := range body {
			g.Add(s)
		}
	}
	if c.checked() {
		fault := jen.Id(nameOf("check", c.part)).Call(c.handle(c.value()))
		run(jen.Id("e").Dot("RejectNested").Call(jen.Lit(c.Index), jen.Lit(c.Column.Name), fault))
	}
	if c.isNilable() && !c.Optional {
		check(g, c)
	}
	if !c.untidy() {
		return
	}
	tidy := jen.Id(nameOf("tidy", c.part)).Call(c.handle(c.value()))
	if c.isNilable() {
		tidy = jen.List(c.field(), jen.Id("_")).Op("=").Add(tidy)
	}
	run(tidy)
}

// applyFuncs emits the functions that check and normalise what lies in nested columns, one
// per list, map and struct that has something to check or normalise.
func applyFuncs(f *jen.File, t *table) {
	t.walk(func(p *part) {
		if p.nested() && p.checked() {
			f.Line()
			checkFunc(f, p)
		}
		if p.nested() && p.untidy() {
			f.Line()
			tidyFunc(f, p)
		}
	})
}

// checked tells whether a value may be none of its type.
func (p *part) checked() bool {
	switch p.Type.Shape {
	case types.Scalar:
		return p.isEnum() || p.Type.Invalid != ""
	case types.Sequence:
		return p.elem.checked()
	case types.Group:
		for _, f := range p.fields {
			if f.checked() {
				return true
			}
		}
		return false
	}
	return true // keys are texts
}

func checkFunc(f *jen.File, p *part) {
	f.Func().Id(nameOf("check", p)).Params(jen.Id(holder[p.Type.Shape]).Add(p.param())).Add(bridge("Fault")).BlockFunc(func(g *jen.Group) {
		first := func(fault *jen.Statement) jen.Code { return jen.Return(fault) }
		switch p.Type.Shape {
		case types.Group:
			for _, field := range p.fields {
				checkPart(g, field, jen.Lit("."+field.Column.Name), first)
			}
		case types.Sequence:
			g.For(jen.Id("j").Op(":=").Range().Id("list")).BlockFunc(func(g *jen.Group) {
				checkPart(g, p.elem.as(jen.Id("list").Index(jen.Id("j"))), bridge("AtIndex").Call(jen.Id("j")), first)
			})
		case types.Mapping:
			checkEntries(g, p)
			return
		}
		g.Return(bridge("Fault").Values())
	})
}

// checkEntries finds the fault with the least path, for a map has no order.
func checkEntries(g *jen.Group, p *part) {
	least := func(fault *jen.Statement) jen.Code {
		return jen.Id("fault").Op("=").Id("fault").Dot("Or").Call(fault)
	}
	g.Var().Id("fault").Add(bridge("Fault"))
	names := jen.Id("k")
	if p.elem.checked() {
		names = jen.List(jen.Id("k"), jen.Id("x"))
	}
	g.For(names.Op(":=").Range().Id("m")).BlockFunc(func(g *jen.Group) {
		g.If(jen.Op("!").Add(bridge("ValidText")).Call(jen.Id("k"))).Block(least(bridge("BadKey").Call(jen.Id("k"))))
		checkPart(g, p.elem.as(jen.Id("x")), bridge("AtKey").Call(jen.Id("k")), least)
	})
	g.Return(jen.Id("fault"))
}

// checkPart checks the value of p, which lies under a segment, and hands a fault to found.
func checkPart(g *jen.Group, p *part, segment *jen.Statement, found func(*jen.Statement) jen.Code) {
	if !p.checked() {
		return
	}
	if !p.nested() {
		var copied []jen.Code
		if p.rescaled() { // which is no matter of checking, and the caller may hold the value
			copied = append(copied, jen.Id("d").Op(":=").Add(p.field()))
			p = p.as(jen.Id("d"))
		}
		invalid, why := p.invalid()
		g.If(append(copied, invalid)...).Block(found(bridge("Fault").Values(
			jen.Id("Path").Op(":").Add(segment), jen.Id("Rule").Op(":").Lit(p.Type.Word), jen.Id("Why").Op(":").Lit(why))))
		return
	}
	fault := jen.Id("f").Op(":=").Id(nameOf("check", p)).Call(p.handle(p.value()))
	wrong := jen.Id("f").Dot("Rule").Op("!=").Lit("")
	if p.Optional && !p.isNilable() {
		wrong = p.there().Op("&&").Add(wrong)
	}
	g.If(fault, wrong).Block(found(jen.Id("f").Dot("Below").Call(segment)))
}
