package golang

import "github.com/dave/jennifer/jen"

// stateDocument emits the Kafka key, the Redis key and the document in Redis.
func stateDocument(f *jen.File, t *table) {
	f.Line()
	f.Func().Id("appendKey").Params(appendParams(t)...).Index().Byte().BlockFunc(func(g *jen.Group) {
		open := "{"
		for _, c := range t.keyed() {
			text(g, open+`"`+c.Name+`":`)
			g.Id("b").Op("=").Add(c.appended("JSON"))
			open = ","
		}
		g.Return(jen.Append(jen.Id("b"), jen.LitRune('}')))
	})
	f.Line()
	f.Func().Id("appendStateKey").Params(appendParams(t)...).Index().Byte().BlockFunc(func(g *jen.Group) {
		for _, p := range t.Speed.Parts {
			if p.Column == nil {
				text(g, p.Text)
				continue
			}
			g.Id("b").Op("=").Add(t.inStateKey(t.columns[p.Column.Index]))
		}
		g.Return(jen.Id("b"))
	})
	doc(f, "AppendJSON appends the state document of r, as Redis holds it.")
	f.Func().Id("AppendJSON").Params(appendParams(t)...).Index().Byte().BlockFunc(func(g *jen.Group) {
		text(g, `{"_o":"`)
		g.Id("b").Op("=").Add(bridge("AppendOrder")).Call(jen.Id("b"), jen.Op("&").Id("r").Dot("Sys"), t.preferred())
		close := `"`
		for _, c := range t.keyed() {
			member(g, close+",", c.part)
			close = ""
		}
		liveMembers(g, t)
		g.Id("b").Op("=").Add(bridge("AppendSysJSON")).Call(jen.Id("b"), jen.Op("&").Id("r").Dot("Sys"), jen.Lit(t.Deletes))
		g.Return(jen.Append(jen.Id("b"), jen.LitRune('}')))
	})
	jsonNested(f, t)
}

// inStateKey appends a column to the key in Redis. Where several columns stand in it, a
// text is escaped, or (x:y, z) and (x, y:z) would be one key.
func (t *table) inStateKey(c *column) *jen.Statement {
	if len(t.Key) == 1 || !c.isEnum() && !c.Type.Text {
		return c.appended("Text")
	}
	between := ""
	for _, p := range t.Speed.Parts {
		between += p.Text
	}
	v := c.value()
	if c.isEnum() {
		v = jen.String().Call(v)
	}
	return bridge("AppendKeyText").Call(jen.Id("b"), v, jen.Lit(between))
}

// liveMembers appends the columns outside the key, in a delete as nulls.
func liveMembers(g *jen.Group, t *table) {
	others := t.others()
	live := func(g *jen.Group) {
		for _, c := range others {
			member(g, ",", c.part)
		}
	}
	if !t.Deletes || len(others) == 0 {
		live(g)
		return
	}
	nulls := ""
	for _, c := range others {
		nulls += `,"` + c.Name + `":null`
	}
	g.If(jen.Id("r").Dot("Sys").Dot("Deleted")).BlockFunc(func(g *jen.Group) { text(g, nulls) }).Else().BlockFunc(live)
}

// member appends a member of the document behind what stands before.
func member(g *jen.Group, before string, c *part) {
	text(g, before+`"`+c.Name+`":`)
	set := jen.Id("b").Op("=").Add(c.appended("JSON"))
	if !c.Optional {
		g.Add(set)
		return
	}
	g.If(c.there()).Block(set).Else().BlockFunc(func(g *jen.Group) { text(g, "null") })
}

func appendParams(t *table) []jen.Code {
	return []jen.Code{jen.Id("b").Index().Byte(), jen.Id("r").Op("*").Id(t.Record)}
}

// text appends a constant to b.
func text(g *jen.Group, s string) {
	g.Id("b").Op("=").Append(jen.Id("b"), literal(s).Op("..."))
}

// literal is the constant in back quotes where that reads better.
func literal(s string) *jen.Statement {
	for _, c := range s {
		if c == '`' || c < ' ' || c > '~' {
			return jen.Lit(s)
		}
	}
	return jen.Op("`" + s + "`")
}
