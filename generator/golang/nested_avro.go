package golang

import (
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// avroNested emits the functions that measure, write and read the lists, maps and structs
// of a table in Avro, one each.
func avroNested(f *jen.File, t *table) {
	t.walk(func(p *part) {
		if p.nested() {
			f.Line()
			sizeFunc(f, p)
			f.Line()
			putFunc(f, p)
			f.Line()
			readFunc(f, p)
		}
	})
}

// beyond is what the value takes beyond its type's size; nil if its length is its type's.
func (p *part) beyond() *jen.Statement {
	switch {
	case p.nested():
		return jen.Id(nameOf("size", p)).Call(p.handle(p.value()))
	case p.Type.Long:
		return jen.Len(p.value())
	}
	return nil
}

// addSize adds beyond to a sum.
func (p *part) addSize(sum *jen.Statement) {
	if more := p.beyond(); more != nil {
		sum.Op("+").Add(more)
	}
}

// sizes of blocks and branches: a count and its end, and a byte.
const (
	blockSize  = 11
	branchSize = 1
)

// sizeFunc emits an upper bound of the Avro form's length in bytes.
func sizeFunc(f *jen.File, p *part) {
	v := holder[p.Type.Shape]
	f.Func().Id(nameOf("size", p)).Params(jen.Id(v).Add(p.param())).Int().BlockFunc(func(g *jen.Group) {
		if p.Type.Shape == types.Group {
			size, long := 0, jen.Empty()
			for _, field := range p.fields {
				size += field.Type.Size + branchSize
				field.addSize(long)
			}
			g.Return(jen.Lit(size).Add(long))
			return
		}
		each := p.elem.Type.Size + branchSize
		if p.Type.Shape == types.Mapping {
			each += types.String.Size
		}
		g.Id("n").Op(":=").Lit(blockSize).Op("+").Lit(each).Op("*").Len(jen.Id(v))
		sizeElements(g, p)
		g.Return(jen.Id("n"))
	})
}

// sizeElements adds what keys and values take beyond their types' sizes.
func sizeElements(g *jen.Group, p *part) {
	more := p.elem.as(jen.Null()).beyond() != nil
	if p.Type.Shape == types.Sequence {
		if more {
			g.For(jen.Id("j").Op(":=").Range().Id("list")).Block(
				jen.Id("n").Op("+=").Add(p.elem.as(jen.Id("list").Index(jen.Id("j"))).beyond()))
		}
		return
	}
	names, sum := jen.Id("k"), jen.Len(jen.Id("k"))
	if more {
		names = jen.List(names, jen.Id("x"))
		sum.Op("+").Add(p.elem.as(jen.Id("x")).beyond())
	}
	g.For(names.Op(":=").Range().Id("m")).Block(jen.Id("n").Op("+=").Add(sum))
}

func putFunc(f *jen.File, p *part) {
	f.Func().Id(nameOf("put", p)).Params(jen.Id("b").Index().Byte(), jen.Id("i").Int(), jen.Id(holder[p.Type.Shape]).Add(p.param())).Int().BlockFunc(func(g *jen.Group) {
		switch p.Type.Shape {
		case types.Group:
			putAll(g, p.fields)
			g.Return(jen.Id("i"))
			return
		case types.Sequence:
			putCount(g, "list")
			g.For(jen.Id("j").Op(":=").Range().Id("list")).BlockFunc(func(g *jen.Group) {
				putNullable(g, p.elem.as(jen.Id("list").Index(jen.Id("j"))))
			})
		case types.Mapping:
			putCount(g, "m")
			sortedEntries(g, jen.Id("_"), func(g *jen.Group) {
				g.Id("i").Op("=").Add(bridge("PutString")).Call(jen.Id("b"), jen.Id("i"), jen.Id("k"))
				g.Add(p.elem.as(jen.Id("x")).put(jen.Id("i")))
			})
		}
		g.Id("b").Index(jen.Id("i")).Op("=").Lit(0)
		g.Return(jen.Id("i").Op("+").Lit(1))
	})
}

// putCount begins the one block of what has elements.
func putCount(g *jen.Group, v string) {
	g.If(jen.Len(jen.Id(v)).Op(">").Lit(0)).Block(
		jen.Id("i").Op("=").Add(bridge("PutLong")).Call(jen.Id("b"), jen.Id("i"), jen.Int64().Call(jen.Len(jen.Id(v)))))
}

// readNested reads a list, map or struct that is there.
func readNested(g *jen.Group, p *part) {
	read := jen.Id(nameOf("read", p))
	if p.Type.Shape != types.Group {
		g.List(p.value(), jen.Id("i")).Op("=").Add(read).Call(jen.Id("b"), jen.Id("i"))
		return
	}
	if p.Optional {
		g.Add(p.field()).Dot("OK").Op("=").True()
	}
	g.Id("i").Op("=").Add(read).Call(p.handle(p.value()), jen.Id("b"), jen.Id("i"))
}

// least is the length of the shortest Avro form, in bytes.
func (p *part) least() int {
	n := 0
	for _, f := range p.fields {
		if f.Optional {
			n++
		} else {
			n += f.least()
		}
	}
	return max(n, 1)
}

func readFunc(f *jen.File, p *part) {
	b, i := jen.Id("b").Index().Byte(), jen.Id("i").Int()
	if p.Type.Shape == types.Group {
		f.Func().Id(nameOf("read", p)).Params(jen.Id("r").Add(p.param()), b, i).Int().BlockFunc(func(g *jen.Group) { readFields(g, p) })
		return
	}
	v, least := holder[p.Type.Shape], p.elem.least()+1 // a branch, or a key
	f.Func().Id(nameOf("read", p)).Params(b, i).Params(p.bare(), jen.Int()).Block(
		jen.Id(v).Op(":=").Add(p.bare()).Values(),
		jen.For().BlockFunc(func(g *jen.Group) {
			g.List(jen.Id("n"), jen.Id("end"), jen.Id("at")).Op(":=").Add(bridge("ReadBlock")).Call(jen.Id("b"), jen.Id("i"), jen.Lit(least))
			g.If(jen.Id("n").Op("==").Lit(0)).Block(jen.Return(jen.Id(v), jen.Id("at")))
			g.Id("i").Op("=").Id("at")
			if p.Type.Shape == types.Sequence {
				readItems(g, p)
			} else {
				readEntries(g, p)
			}
			g.Id("i").Op("=").Add(bridge("EndBlock")).Call(jen.Id("i"), jen.Id("end"))
		}))
}

func readFields(g *jen.Group, p *part) {
	for _, field := range p.fields {
		if field.Optional {
			g.Var().Id("ok").Bool()
			break
		}
	}
	for _, field := range p.fields {
		if !field.Optional {
			readScoped(g, field)
			continue
		}
		g.If(jen.List(jen.Id("ok"), jen.Id("i")).Op("=").Add(bridge("ReadBranch")).Call(jen.Id("b"), jen.Id("i")), jen.Id("ok")).BlockFunc(func(g *jen.Group) { readValue(g, field) })
	}
	g.Return(jen.Id("i"))
}

// readScoped reads a value in a block of its own where that declares variables.
func readScoped(g *jen.Group, p *part) {
	if p.isEnum() || p.Type.Raw != "" {
		g.BlockFunc(func(g *jen.Group) { readValue(g, p) })
		return
	}
	readValue(g, p)
}

func readItems(g *jen.Group, p *part) {
	list := jen.Id("list")
	g.Id("j").Op(":=").Len(list)
	g.Add(list).Op("=").Append(list, jen.Make(p.bare(), jen.Id("n")).Op("..."))
	g.For(jen.Empty(), jen.Id("j").Op("<").Len(list), jen.Id("j").Op("++")).BlockFunc(func(g *jen.Group) {
		g.Id("i").Op("=").Add(bridge("ReadItem")).Call(jen.Id("b"), jen.Id("i"))
		readValue(g, p.elem.as(jen.Id("list").Index(jen.Id("j"))))
	})
}

// readEntries reads into a map; of a key that stands twice the last value holds.
func readEntries(g *jen.Group, p *part) {
	g.For(jen.Range().Id("n")).BlockFunc(func(g *jen.Group) {
		g.Var().Id("k").String()
		g.Var().Id("x").Add(p.elem.bare())
		g.List(jen.Id("k"), jen.Id("i")).Op("=").Add(bridge("ReadString")).Call(jen.Id("b"), jen.Id("i"))
		readValue(g, p.elem.as(jen.Id("x")))
		g.Id("m").Index(jen.Id("k")).Op("=").Id("x")
	})
}
