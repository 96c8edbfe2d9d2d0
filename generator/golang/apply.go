package golang

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// normalizers gives each normaliser its function of the runtime.
var normalizers = map[string]string{
	"trim": "Trim", "lower": "Lower", "upper": "Upper", "collapse_space": "CollapseSpace", "nfc": "NFC",
}

// nullIfEmpty is the one normaliser that works on the optional value itself.
const nullIfEmpty = "null_if_empty"

// apply is the one function that both roads call before they encode.
func apply(f *jen.File, t *table) {
	doc(f, "Apply normalises, derives and validates r and tags it with its version, for both\nroads. It returns false and fills e.Rejects if r is invalid. Of a delete it keeps\nkey and system columns.")
	f.Func().Id("Apply").Params(jen.Id("e").Op("*").Add(bridge("Env")), jen.Id("r").Op("*").Id(t.Record)).Bool().BlockFunc(func(g *jen.Group) {
		g.Id("e").Dot("Reset").Call()
		ok := jen.Return(jen.Len(jen.Id("e").Dot("Rejects")).Op("==").Lit(0))
		if t.Deletes {
			applyInputs(g, t.keyed())
			g.If(jen.Id("r").Dot("Sys").Dot("Deleted")).Block(keepKey(t), ok)
			applyInputs(g, t.others())
		} else {
			applyInputs(g, t.columns)
		}
		for _, c := range derivedInOrder(t) {
			derive(g, c, t)
		}
		for _, c := range t.columns {
			validate(g, c, t)
		}
		checkPartition(g, t)
		tagVersion(g, t)
		g.Add(ok)
	})
}

func keepKey(t *table) jen.Code {
	return jen.Op("*").Id("r").Op("=").Id(t.Record).ValuesFunc(func(g *jen.Group) {
		for _, c := range t.keyed() {
			g.Id(c.GoName).Op(":").Add(c.field())
		}
		g.Id("Sys").Op(":").Id("r").Dot("Sys")
	})
}

// applyInputs checks and normalises the columns that are not derived. The check comes
// first, for normalisers turn bytes that are no text into U+FFFD, and keep text text.
func applyInputs(g *jen.Group, cs []*column) {
	for _, c := range cs {
		if c.Derive != nil {
			continue
		}
		if c.nested() {
			applyNested(g, c)
			continue
		}
		check(g, c)
		normalize(g, c.part)
	}
}

func normalize(g *jen.Group, c *part) {
	v := c.value()
	flush := func() {
		if v.GoString() == c.value().GoString() {
			return
		}
		set := c.value().Op("=").Add(v)
		if c.Optional {
			g.If(c.there()).Block(set)
		} else {
			g.Add(set)
		}
		v = c.value()
	}
	for _, n := range c.Normalize {
		if n == nullIfEmpty {
			flush()
			g.Add(c.field()).Op("=").Add(bridge("NullIfEmpty").Call(c.field()))
			continue
		}
		v = bridge(normalizers[n]).Call(v)
	}
	flush()
}

// check rejects a value that is none of the column's type.
func check(g *jen.Group, c *column) {
	if c.isNilable() && !c.Optional {
		g.If(c.field().Op("==").Nil()).Block(c.field().Op("=").Add(c.bare()).Values())
		return
	}
	if invalid, why := c.invalid(); invalid != nil {
		g.If(invalid).Block(reject(c, c.Type.Word, why))
	}
}

// invalid is the condition under which a scalar is none of its type, and what is then said
// of it; nil if there is none.
func (c *part) invalid() (cond *jen.Statement, why string) {
	why = c.Type.Why
	switch {
	case c.isEnum():
		cond = jen.Id(nameOf("code", c)).Call(c.value()).Op("==").Lit(255)
		why = notOneOf(c)
	case c.Type.Invalid != "":
		cond = jen.Op(strings.NewReplacer(
			"$v", raw(c.value()), "$p", strconv.Itoa(c.Precision), "$s", strconv.Itoa(c.Scale)).Replace(c.Type.Invalid))
	default:
		return nil, ""
	}
	if c.Optional {
		cond = c.there().Op("&&").Parens(cond)
	}
	return cond, why
}

// raw is the source of a statement without imported names.
func raw(s *jen.Statement) string { return s.GoString() }

func reject(c *column, rule, why string) jen.Code {
	return jen.Id("e").Dot("Reject").Call(jen.Lit(c.Index), jen.Lit(rule), jen.Lit(why))
}

// derivedInOrder lists the derived columns so that each stands behind those it uses.
// The rules refuse cycles.
func derivedInOrder(t *table) []*column {
	var out []*column
	done := map[string]bool{}
	var visit func(c *column)
	visit = func(c *column) {
		if done[c.Name] || c.Derive == nil {
			return
		}
		done[c.Name] = true
		for _, name := range c.Derive.Columns() {
			visit(t.columns[t.Column(name).Index])
		}
		out = append(out, c)
	}
	for _, c := range t.columns {
		visit(c)
	}
	return out
}
