package golang

import "github.com/dave/jennifer/jen"

func merge(f *jen.File, t *table) {
	doc(f, "Merge sets in dst the columns of src that carried holds.")
	f.Func().Id("Merge").Params(jen.List(jen.Id("dst"), jen.Id("src")).Op("*").Id(t.Record), jen.Id("carried").Add(bridge("Columns"))).BlockFunc(func(g *jen.Group) {
		for _, c := range t.columns {
			g.If(jen.Id("carried").Dot("Has").Call(jen.Lit(c.Index))).Block(
				jen.Id("dst").Dot(c.GoName).Op("=").Id("src").Dot(c.GoName))
		}
	})
}
