package golang

import (
	"strings"

	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

func record(f *jen.File, t *table) {
	f.PackageComment(comment("Package " + t.Name + " is generated from " + t.SpecFile[strings.LastIndexByte(t.SpecFile, '/')+1:] + ". " + t.Doc))
	doc(f, "This code was generated for contract v1 of the runtime. If the line below does not\ncompile, update "+module+" and run bridgegen generate again.")
	f.Const().Id("_").Op("=").Add(bridge("SupportsV1"))
	declareRecord(f, t)
	declareStructs(f, t)
	declareEnums(f, t)
	declareKey(f, t)
	descriptor(f, t)
	doc(f, "Compare is the one order: +1 if a is newer than b, -1 if older, 0 if both are\nrepetitions of one event.")
	f.Func().Id("Compare").Params(jen.List(jen.Id("a"), jen.Id("b")).Op("*").Id(t.Record)).Int().Block(
		jen.Return(bridge("Compare").Call(jen.Op("&").Id("a").Dot("Sys"), jen.Op("&").Id("b").Dot("Sys"), t.preferred())),
	)
	apply(f, t)
	applyFuncs(f, t)
	setter(f, t)
	texter(f, t)
	enumTables(f, t)
	schema(f, t)
}

func declareRecord(f *jen.File, t *table) {
	doc(f, t.Record+" is one row. Sys holds the system columns.")
	f.Type().Id(t.Record).StructFunc(func(g *jen.Group) {
		declareFields(g, asParts(t.columns))
		g.Id("Sys").Add(bridge("System"))
	})
}

func declareFields(g *jen.Group, fields []*part) {
	for _, c := range fields {
		if c.Doc != "" {
			g.Op(comment(c.Doc))
		}
		g.Id(c.GoName).Add(c.goType())
	}
}

func declareStructs(f *jen.File, t *table) {
	t.walk(func(p *part) {
		if p.Type.Shape != types.Group {
			return
		}
		doc(f, p.GoType+" is the struct of column "+p.title+".")
		f.Type().Id(p.GoType).StructFunc(func(g *jen.Group) { declareFields(g, p.fields) })
	})
}

func declareEnums(f *jen.File, t *table) {
	t.walk(func(c *part) {
		if !c.isEnum() {
			return
		}
		doc(f, c.GoType+" is the enum of column "+c.title+". Its zero value is invalid.")
		f.Type().Id(c.GoType).String()
		doc(f, "The symbols of "+c.GoType+".")
		f.Const().DefsFunc(func(g *jen.Group) {
			for _, v := range c.Values {
				g.Id(v.GoName).Id(c.GoType).Op("=").Lit(v.Symbol)
			}
		})
	})
}

func declareKey(f *jen.File, t *table) {
	doc(f, "Key is the key of a row.")
	f.Type().Id("Key").StructFunc(func(g *jen.Group) {
		for _, c := range t.keyed() {
			g.Id(c.GoName).Add(c.bare())
		}
	})
	copied := func(from string) *jen.Statement {
		return jen.ValuesFunc(func(g *jen.Group) {
			for _, c := range t.keyed() {
				g.Id(c.GoName).Op(":").Id(from).Dot(c.GoName)
			}
		})
	}
	doc(f, "KeyOf is the key of r.")
	f.Func().Id("KeyOf").Params(jen.Id("r").Op("*").Id(t.Record)).Id("Key").Block(jen.Return(jen.Id("Key").Add(copied("r"))))
	doc(f, "FromKey is a row that carries its key only, as a delete does.")
	f.Func().Id("FromKey").Params(jen.Id("k").Id("Key")).Id(t.Record).Block(jen.Return(jen.Id(t.Record).Add(copied("k"))))
}

// descriptor lists the functions of a table. Its literal is made of constants only: one
// variable of another package in it would turn it into start-up code.
func descriptor(f *jen.File, t *table) {
	ptr := func() *jen.Statement { return jen.Id("r").Op("*").Id(t.Record) }
	time := jen.Id("r").Dot("Sys").Dot("IngestedAt")
	if t.Partition.Column != nil {
		time = jen.Id("r").Dot(t.Partition.Column.GoName)
	}
	doc(f, "Table is the descriptor that roads take.")
	f.Var().Id("Table").Op("=").Op("&").Add(bridge("Table").Types(jen.Id(t.Record))).Values(entries(
		"Schema", jen.Op("&").Id("schema"),
		"Sys", jen.Func().Params(ptr()).Op("*").Add(bridge("System")).Block(jen.Return(jen.Op("&").Id("r").Dot("Sys"))),
		"Apply", jen.Id("Apply"),
		"Set", jen.Id("set"),
		"PartitionTime", jen.Func().Params(ptr()).Add(bridge("Timestamp")).Block(jen.Return(time)),
		"Fill", jen.Id("fill"),
		"Scan", jen.Id("scan"),
		"AppendAvro", jen.Id("AppendAvro"),
		"ReadAvro", jen.Id("ReadAvro"),
		"ReadAvroField", jen.Id("readAvroField"),
		"AppendKey", jen.Id("appendKey"),
		"AppendStateKey", jen.Id("appendStateKey"),
		"AppendJSON", jen.Id("AppendJSON"),
		"AppendText", jen.Id("appendText"),
		"Merge", jen.Id("Merge"),
	)...)
	doc(f, "Any is Table with the record type hidden.")
	f.Var().Id("Any").Add(bridge("Any")).Op("=").Id("Table")
}

// entries are the key: value lines of a composite literal, each on a line of its own.
func entries(pairs ...any) []jen.Code {
	var out []jen.Code
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, jen.Line().Id(pairs[i].(string)).Op(":").Add(pairs[i+1].(jen.Code)))
	}
	return append(out, jen.Line())
}

// setter is the switch that reads one text cell.
func setter(f *jen.File, t *table) {
	f.Line()
	f.Func().Id("set").Params(jen.Id("r").Op("*").Id(t.Record), jen.Id("col").Int(), jen.Id("t").Op("*").Add(bridge("Text"))).Block(
		jen.Switch(jen.Id("col")).BlockFunc(func(g *jen.Group) {
			for _, c := range t.columns {
				g.Case(jen.Lit(c.Index)).BlockFunc(func(g *jen.Group) { setCell(g, c.part) })
			}
		}))
}

func setCell(g *jen.Group, c *part) {
	read := c.scalarFrom("t")
	if c.nested() {
		read = setNested(c)
	}
	if !c.Optional {
		g.Add(read)
		return
	}
	if c.isNilable() {
		g.Add(c.field()).Op("=").Nil()
	} else {
		g.Add(c.field()).Op("=").Add(c.goType()).Values(jen.Id("OK").Op(":").Op("!").Id("t").Dot("Null"))
	}
	g.If(jen.Op("!").Id("t").Dot("Null")).Block(read)
}

// scalarFrom is the call of a method of reader that reads the value from text.
func (c *part) scalarFrom(reader string) jen.Code {
	dst := jen.Op("&").Add(c.value())
	args := []jen.Code{dst}
	switch {
	case c.isEnum():
		args = []jen.Code{jen.Parens(jen.Op("*").String()).Parens(dst), jen.Op("&").Id(nameOf("text", c))}
	case c.Type.Params > 0:
		args = append(args, jen.Lit(c.Precision), jen.Lit(c.Scale))
	}
	return jen.Id(reader).Dot(c.Type.Func).Call(args...)
}

// texter is the switch that writes one text cell.
func texter(f *jen.File, t *table) {
	f.Line()
	f.Func().Id("appendText").Params(jen.Id("b").Index().Byte(), jen.Id("r").Op("*").Id(t.Record), jen.Id("col").Int()).Index().Byte().Block(
		jen.Switch(jen.Id("col")).BlockFunc(func(g *jen.Group) {
			for _, c := range t.columns {
				g.Case(jen.Lit(c.Index)).BlockFunc(func(g *jen.Group) {
					out := jen.Return(c.appended("Text"))
					if c.Optional {
						g.If(c.there()).Block(out)
						return
					}
					g.Add(out)
				})
			}
		}),
		jen.Return(jen.Id("b")))
}

// appended is the call of the runtime that appends the value's form, Text or JSON, to b.
func (c *part) appended(form string) *jen.Statement {
	if c.nested() {
		return jen.Id(nameOf("json", c)).Call(jen.Id("b"), c.handle(c.value()))
	}
	if c.isEnum() {
		return bridge("AppendString"+form).Call(jen.Id("b"), jen.String().Call(c.value()))
	}
	return bridge("Append"+c.Type.Func+form).Call(jen.Id("b"), c.value())
}

// enumTables are what the functions of the package need of each enum.
func enumTables(f *jen.File, t *table) {
	t.walk(func(c *part) {
		if !c.isEnum() {
			return
		}
		f.Line()
		f.Var().Id(nameOf("text", c)).Op("=").Add(bridge("EnumText")).Values(enumText(c)...)
		f.Line()
		f.Var().Id(nameOf("values", c)).Op("=").Index(jen.Op("...")).Id(c.GoType).ValuesFunc(func(g *jen.Group) {
			for _, v := range c.Values {
				g.Id(v.GoName)
			}
		})
		f.Line()
		f.Func().Id(nameOf("code", c)).Params(jen.Id("v").Id(c.GoType)).Uint8().Block(
			jen.Switch(jen.Id("v")).BlockFunc(func(g *jen.Group) {
				for i, v := range c.Values {
					g.Case(jen.Id(v.GoName)).Block(jen.Return(jen.Lit(i)))
				}
			}),
			jen.Return(jen.Lit(255)))
	})
}

func enumText(c *part) []jen.Code {
	var symbols, sources []jen.Code
	respelt := false
	for _, v := range c.Values {
		symbols, sources = append(symbols, jen.Lit(v.Symbol)), append(sources, jen.Lit(v.Source))
		respelt = respelt || v.Source != v.Symbol
	}
	pairs := []any{"Symbols", jen.Index().String().Values(symbols...)}
	if respelt {
		pairs = append(pairs, "Sources", jen.Index().String().Values(sources...))
	}
	return entries(append(pairs, "Want", jen.Lit(notOneOf(c)))...)
}

// notOneOf ends the sentence on a value that is no symbol of the enum.
func notOneOf(c *part) string {
	var symbols []string
	for _, v := range c.Values {
		symbols = append(symbols, v.Symbol)
	}
	return "is not one of " + strings.Join(symbols, ", ")
}
