package golang

import (
	"slices"

	avrotarget "github.com/bridgegen/bridgegen/generator/avro"
	"github.com/dave/jennifer/jen"
)

func avro(f *jen.File, t *table) {
	f.Const().Id("avroSchema").Op("=").Add(literal(avrotarget.Compact(t.Table)))
	appendAvro(f, t)
	readAvro(f, t)
	readAvroField(f, t)
	avroNested(f, t)
}

// put is what writes a value that is there at b[i:].
func (c *part) put(at *jen.Statement) *jen.Statement {
	put, v := bridge(c.Type.Put), c.raw(c.value())
	switch {
	case c.nested():
		put, v = jen.Id(nameOf("put", c)), c.handle(c.value())
	case c.isEnum():
		v = jen.Int32().Call(jen.Id(nameOf("code", c)).Call(c.value()))
	}
	return jen.Id("i").Op("=").Add(put).Call(jen.Id("b"), at, v)
}

func appendAvro(f *jen.File, t *table) {
	size, long := 0, jen.Empty()
	for _, c := range t.columns {
		size += c.Type.Size
		if t.Nullable(c.Column) {
			size++
		}
		c.addSize(long)
	}
	doc(f, "AppendAvro appends the Avro binary form of r, without the header of the wire format.")
	f.Func().Id("AppendAvro").Params(jen.Id("b").Index().Byte(), jen.Id("r").Op("*").Id(t.Record)).Index().Byte().BlockFunc(func(g *jen.Group) {
		g.Id("i").Op(":=").Len(jen.Id("b"))
		g.Id("b").Op("=").Add(bridge("Grow")).Call(jen.Id("b"), jen.Lit(size).Add(long).Op("+").Add(bridge("SysSize")))
		for _, run := range runs(t.columns, func(c *column) bool { return !t.Deletes || c.Key }) {
			if run.same {
				putAll(g, asParts(run.columns))
				continue
			}
			g.If(jen.Id("r").Dot("Sys").Dot("Deleted")).BlockFunc(func(g *jen.Group) {
				g.Clear(jen.Id("b").Index(jen.Id("i"), jen.Id("i").Op("+").Lit(len(run.columns))))
				g.Id("i").Op("+=").Lit(len(run.columns))
			}).Else().BlockFunc(func(g *jen.Group) {
				for _, c := range run.columns {
					putNullable(g, c.part)
				}
			})
		}
		g.Id("i").Op("=").Add(bridge("PutSys")).Call(jen.Id("b"), jen.Id("i"), jen.Op("&").Id("r").Dot("Sys"), jen.Lit(t.Deletes))
		g.Return(jen.Id("b").Index(jen.Empty(), jen.Id("i")))
	})
}

// putAll writes columns that no delete empties.
func putAll(g *jen.Group, cs []*part) {
	for _, c := range cs {
		if c.Optional {
			putNullable(g, c)
		} else {
			g.Add(c.put(jen.Id("i")))
		}
	}
}

// putNullable writes the union of a live row's column.
func putNullable(g *jen.Group, c *part) {
	there := func(g *jen.Group) {
		g.Id("b").Index(jen.Id("i")).Op("=").Lit(2)
		g.Add(c.put(jen.Id("i").Op("+").Lit(1)))
	}
	if !c.Optional {
		there(g)
		return
	}
	g.If(c.there()).BlockFunc(there).Else().Block(
		jen.Id("b").Index(jen.Id("i")).Op("=").Lit(0),
		jen.Id("i").Op("++"))
}

// run is a stretch of neighbours that are alike.
type run struct {
	columns []*column
	same    bool
}

func runs(cs []*column, same func(*column) bool) []run {
	var out []run
	for _, c := range cs {
		if n := len(out); n > 0 && out[n-1].same == same(c) {
			out[n-1].columns = append(out[n-1].columns, c)
			continue
		}
		out = append(out, run{[]*column{c}, same(c)})
	}
	return out
}

// readAvro reads the table's own schema. A live row that lacks a required column is
// malformed, though its union would allow it.
func readAvro(f *jen.File, t *table) {
	missing := t.live >= 0
	doc(f, "ReadAvro reads the Avro binary form by the table's own schema; strings alias b.")
	f.Func().Id("ReadAvro").Params(jen.Id("r").Op("*").Id(t.Record), jen.Id("b").Index().Byte()).Error().BlockFunc(func(g *jen.Group) {
		g.Op("*").Id("r").Op("=").Id(t.Record).Values()
		g.Id("i").Op(":=").Lit(0)
		if slices.ContainsFunc(t.Columns, t.Nullable) {
			g.Var().Id("ok").Bool()
		}
		if missing {
			g.Id("missing").Op(":=").Lit(false)
		}
		for _, c := range t.columns {
			read := jen.Id("i").Op("=").Id("readAvroField").Call(jen.Id("r"), jen.Lit(c.Index), jen.Id("b"), jen.Id("i"))
			if !t.Nullable(c.Column) {
				g.Add(read)
				continue
			}
			branch := g.If(jen.List(jen.Id("ok"), jen.Id("i")).Op("=").Add(bridge("ReadBranch")).Call(jen.Id("b"), jen.Id("i")), jen.Id("ok")).Block(read)
			if !c.Optional {
				branch.Else().Block(jen.Id("missing").Op("=").Lit(true))
			}
		}
		g.Id("i").Op("=").Add(bridge("ReadSys")).Call(jen.Id("b"), jen.Id("i"), jen.Op("&").Id("r").Dot("Sys"), jen.Lit(t.Deletes))
		wrong := jen.Id("i").Op("!=").Len(jen.Id("b"))
		if missing {
			wrong = wrong.Op("||").Id("missing").Op("&&").Op("!").Id("r").Dot("Sys").Dot("Deleted")
		}
		g.If(wrong).Block(jen.Return(bridge("ErrAvro")))
		g.Return(jen.Nil())
	})
}

func readAvroField(f *jen.File, t *table) {
	f.Line()
	f.Func().Id("readAvroField").Params(
		jen.Id("r").Op("*").Id(t.Record), jen.Id("leaf").Int(), jen.Id("b").Index().Byte(), jen.Id("i").Int(),
	).Int().Block(
		jen.Switch(jen.Id("leaf")).BlockFunc(func(g *jen.Group) {
			for _, c := range t.columns {
				g.Case(jen.Lit(c.Index)).BlockFunc(func(g *jen.Group) { readValue(g, c.part) })
			}
			g.Default().Block(jen.Id("i").Op("=").Add(bridge("ReadSysField")).Call(
				jen.Op("&").Id("r").Dot("Sys"), jen.Id("leaf").Op("-").Lit(len(t.columns)), jen.Id("b"), jen.Id("i")))
		}),
		jen.Return(jen.Id("i")))
}

// readValue reads a value that is there.
func readValue(g *jen.Group, c *part) {
	if c.nested() {
		readNested(g, c)
		return
	}
	args := []jen.Code{jen.Id("b"), jen.Id("i")}
	switch {
	case c.isEnum():
		args = append(args, jen.Len(jen.Id(nameOf("values", c))))
	case c.Type.Params > 0:
		args = append(args, jen.Lit(c.Scale))
	}
	read := bridge(c.Type.Read).Call(args...)
	if !c.isEnum() && c.Type.Raw == "" {
		if c.Optional && !c.isNilable() {
			g.Add(c.field()).Dot("OK").Op("=").True()
		}
		g.List(c.value(), jen.Id("i")).Op("=").Add(read)
		return
	}
	g.List(jen.Id("v"), jen.Id("next")).Op(":=").Add(read)
	v := c.bare().Call(jen.Id("v"))
	if c.isEnum() {
		v = jen.Id(nameOf("values", c)).Index(jen.Id("v"))
	}
	g.List(c.field(), jen.Id("i")).Op("=").List(c.wrapped(v), jen.Id("next"))
}

// wrapped is the field's form of a value that is there.
func (c *part) wrapped(v *jen.Statement) *jen.Statement {
	if c.Optional && !c.isNilable() {
		return bridge("Some").Call(v)
	}
	return v
}
