package golang

import "github.com/dave/jennifer/jen"

// pageForm is how the values of a bridge.Kind lie in a bridge.Column.
type pageForm struct {
	size  string // method of Column that sizes the slice
	slice string // the slice
}

var pageForms = map[string]pageForm{
	"Bool":   {"Codes", "U8"},
	"Code":   {"Codes", "U8"},
	"Int32":  {"Int32s", "I32"},
	"Int64":  {"Int64s", "I64"},
	"Float":  {"Floats", "F32"},
	"Double": {"Doubles", "F64"},
	"Bytes":  {"Offsets", "Off"},
}

func parquet(f *jen.File, t *table) {
	fill(f, t)
	scan(f, t)
	pageNested(f, t)
}

func leaf(i int) *jen.Statement { return jen.Id("c").Index(jen.Lit(i)) }

func pageFunc(f *jen.File, t *table, name string, body func(*jen.Group)) {
	f.Line()
	f.Func().Id(name).Params(jen.Id("p").Op("*").Add(bridge("Page")), jen.Id("rows").Index().Id(t.Record)).BlockFunc(body)
}

// fill turns rows into columns in one loop. A dead row has its key and its order only.
func fill(f *jen.File, t *table) {
	pageFunc(f, t, "fill", func(g *jen.Group) {
		g.Id("n").Op(":=").Len(jen.Id("rows"))
		g.Id("p").Dot("N").Op("=").Id("n")
		g.List(jen.Id("c"), jen.Id("sys")).Op(":=").List(jen.Id("p").Dot("Cols"), jen.Id("p").Dot("SysFill").Call(jen.Op("&").Id("schema"), jen.Id("n")))
		fillSlices(g, t)
		g.For(jen.Id("i").Op(":=").Range().Id("rows")).BlockFunc(func(g *jen.Group) { fillRow(g, t) })
		for _, c := range t.columns {
			fillDone(g, c)
		}
		g.Id("sys").Dot("Done").Call()
	})
}

func fillSlices(g *jen.Group, t *table) {
	if t.live >= 0 {
		g.Id("live").Op(":=").Id("p").Dot("Levels").Index(jen.Lit(t.live)).Dot("Defs").Call(jen.Id("n"))
		g.Id("k").Op(":=").Lit(0)
	}
	for _, c := range t.columns {
		if c.nested() {
			beginNested(g, c.part)
			continue
		}
		if c.Optional {
			g.List(jen.Id(c.local+"Def"), jen.Id(c.counter)).Op(":=").List(
				jen.Id("p").Dot("Levels").Index(jen.Lit(c.stream)).Dot("Defs").Call(jen.Id("n")), jen.Lit(0))
		}
		values := leaf(c.leaf()).Dot(pageForms[c.Type.Kind].size).Call(jen.Id("n"))
		if c.Type.Kind == "Bytes" {
			g.List(jen.Id(c.local+"Off"), jen.Id(c.local)).Op(":=").List(values, leaf(c.leaf()).Dot("Bytes").Index(jen.Empty(), jen.Lit(0)))
			continue
		}
		g.Id(c.local).Op(":=").Add(values)
	}
}

func fillRow(g *jen.Group, t *table) {
	g.Id("r").Op(":=").Op("&").Id("rows").Index(jen.Id("i"))
	g.Id("sys").Dot("Put").Call(jen.Id("i"), jen.Op("&").Id("r").Dot("Sys"))
	rest := t.columns
	if t.Deletes {
		g.Id("sys").Dot("PutDeleted").Call(jen.Id("i"), jen.Id("r").Dot("Sys").Dot("Deleted"))
		for _, c := range t.keyed() {
			fillValue(g, c)
		}
		rest = t.others()
		g.If(jen.Id("r").Dot("Sys").Dot("Deleted")).BlockFunc(func(g *jen.Group) {
			if t.live >= 0 {
				g.Id("live").Index(jen.Id("i")).Op("=").Lit(0)
			}
			fillDead(g, t, rest)
			g.Continue()
		})
		if t.live >= 0 {
			g.Id("live").Index(jen.Id("i")).Op("=").Lit(1)
		}
	}
	for _, c := range rest {
		if c.nested() {
			t.fillPart(g, c.part)
			continue
		}
		if !c.Optional {
			fillValue(g, c)
			continue
		}
		g.Id(c.local + "Def").Index(jen.Id("i")).Op("=").Lit(0)
		g.If(c.there()).BlockFunc(func(g *jen.Group) {
			g.Id(c.local + "Def").Index(jen.Id("i")).Op("=").Lit(1)
			fillValue(g, c)
			g.Id(c.counter).Op("++")
		})
	}
	if t.live >= 0 {
		g.Id("k").Op("++")
	}
}

// fillDead fills the optional and nested columns of a dead row.
func fillDead(g *jen.Group, t *table, rest []*column) {
	var nested []span
	for _, c := range rest {
		if c.nested() {
			nested = append(nested, c.levels)
		} else if c.Optional {
			g.Id(c.local + "Def").Index(jen.Id("i")).Op("=").Lit(0)
		}
	}
	for _, s := range together(nested) {
		t.nulls(g, s, false, jen.Lit(0))
	}
}

func fillValue(g *jen.Group, c *column) {
	if c.Type.Kind == "Bytes" {
		dst := jen.Id(c.local)
		switch {
		case c.Type.Cell == "append":
			g.Add(dst.Clone()).Op("=").Append(dst, c.value().Op("..."))
		default:
			g.Add(dst.Clone()).Op("=").Add(bridge(c.Type.Cell)).Call(dst, c.value())
		}
		g.Id(c.local + "Off").Index(jen.Id(c.counter).Op("+").Lit(1)).Op("=").Uint32().Call(jen.Len(jen.Id(c.local)))
		return
	}
	v := c.raw(c.value())
	switch c.Type.Kind {
	case "Code":
		v = jen.Id(nameOf("code", c.part)).Call(c.value())
	case "Bool":
		v = bridge("BoolCode").Call(c.value())
	}
	g.Id(c.local).Index(jen.Id(c.counter)).Op("=").Add(v)
}

func fillDone(g *jen.Group, c *column) {
	if c.nested() {
		return
	}
	if c.Type.Kind == "Bytes" {
		g.Add(leaf(c.leaf())).Dot("Bytes").Op("=").Id(c.local)
	}
	if c.stream >= 0 {
		g.Add(leaf(c.leaf())).Dot("Cut").Call(bridge(c.Type.Kind), jen.Id(c.counter))
	}
}

// scan is the mirror of fill.
func scan(f *jen.File, t *table) {
	pageFunc(f, t, "scan", func(g *jen.Group) {
		g.List(jen.Id("c"), jen.Id("sys")).Op(":=").List(jen.Id("p").Dot("Cols"), jen.Id("p").Dot("SysScan").Call(jen.Op("&").Id("schema")))
		if t.live >= 0 {
			g.Id("live").Op(":=").Id("p").Dot("Levels").Index(jen.Lit(t.live)).Dot("Def")
			g.Id("k").Op(":=").Lit(0)
		}
		beginCursor(g, t)
		for _, c := range t.columns {
			if c.nested() {
				continue
			}
			if c.Optional {
				g.List(jen.Id(c.local+"Def"), jen.Id(c.counter)).Op(":=").List(jen.Id("p").Dot("Levels").Index(jen.Lit(c.stream)).Dot("Def"), jen.Lit(0))
			}
			if c.Type.Kind != "Bytes" {
				g.Id(c.local).Op(":=").Add(leaf(c.leaf())).Dot(pageForms[c.Type.Kind].slice)
			}
		}
		g.For(jen.Id("i").Op(":=").Range().Id("rows")).BlockFunc(func(g *jen.Group) { scanRow(g, t) })
	})
}

func scanRow(g *jen.Group, t *table) {
	g.Id("r").Op(":=").Op("&").Id("rows").Index(jen.Id("i"))
	g.Op("*").Id("r").Op("=").Id(t.Record).Values()
	g.Id("sys").Dot("Get").Call(jen.Id("i"), jen.Op("&").Id("r").Dot("Sys"))
	rest := t.columns
	if t.live >= 0 {
		for _, c := range t.keyed() {
			scanValue(g, c)
		}
		rest = t.others()
	}
	for _, c := range rest {
		scanOptional(g, t, c)
	}
	if t.live >= 0 {
		g.If(jen.Id("live").Index(jen.Id("i")).Op("==").Lit(0)).BlockFunc(func(g *jen.Group) {
			skipDead(g, rest)
			g.Continue()
		})
	}
	for _, c := range rest {
		switch {
		case c.Optional:
		case c.nested():
			t.scanPart(g, c.part)
		default:
			scanValue(g, c)
		}
	}
	if t.live >= 0 {
		g.Id("k").Op("++")
	}
}

func scanOptional(g *jen.Group, t *table, c *column) {
	switch {
	case !c.Optional:
	case c.nested():
		t.scanPart(g, c.part)
	default:
		g.If(jen.Id(c.local + "Def").Index(jen.Id("i")).Op("!=").Lit(0)).BlockFunc(func(g *jen.Group) {
			scanValue(g, c)
			g.Id(c.counter).Op("++")
		})
	}
}

// skipDead goes past a dead row in the nested columns that are not optional.
func skipDead(g *jen.Group, rest []*column) {
	var nested []span
	for _, c := range rest {
		if c.nested() && !c.Optional {
			nested = append(nested, c.levels)
		}
	}
	for _, s := range together(nested) {
		skip(g, s)
	}
}

func scanValue(g *jen.Group, c *column) {
	at := jen.Id(c.counter)
	var v *jen.Statement
	switch c.Type.Kind {
	case "Bytes":
		args := []jen.Code{at}
		if c.Type.Params > 0 {
			args = append(args, jen.Lit(c.Scale))
		}
		v = leaf(c.leaf()).Dot(c.Type.Get).Call(args...)
	case "Code":
		v = jen.Id(nameOf("values", c.part)).Index(jen.Id(c.local).Index(at))
	case "Bool":
		v = jen.Id(c.local).Index(at).Op("!=").Lit(0)
	default:
		v = jen.Id(c.local).Index(at)
		if c.Type.Raw != "" {
			v = c.bare().Call(v)
		}
	}
	g.Add(c.field()).Op("=").Add(c.wrapped(v))
}
