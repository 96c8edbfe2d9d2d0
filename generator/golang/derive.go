package golang

import (
	"github.com/bridgegen/bridgegen/spec/expr"
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// derive computes a column, and counts the rows in which the input had another value.
func derive(g *jen.Group, c *column, t *table) {
	v := c.local
	g.Id(v).Op(":=").Add(t.expression(c.Derive))
	other := jen.Id(v).Op("!=").Add(c.field())
	if c.isNilable() {
		other = jen.Op("!").Qual("bytes", "Equal").Call(jen.Id(v), c.field())
	}
	g.If(jen.Id("e").Dot("Given").Dot("Has").Call(jen.Lit(c.Index)).Op("&&").Add(other)).Block(jen.Id("e").Dot("Differed").Op("++"))
	g.Add(c.field()).Op("=").Id(v)
	faulted(g, c, c.Derive, "derive")
	check(g, c)
}

// validate rejects the row unless the column's expression is true. A fault rejects it
// for its own reason.
func validate(g *jen.Group, c *column, t *table) {
	if c.Validate == nil {
		return
	}
	ok := t.expression(c.Validate)
	if c.Validate.Faults() {
		ok = ok.Op("||").Id("e").Dot("Fault").Op("!=").Lit("")
	}
	g.If(jen.Op("!").Parens(ok)).Block(reject(c, "validate", "breaks the rule "+c.Validate.Source()))
	faulted(g, c, c.Validate, "validate")
}

// faulted rejects the row if the expression before had no value.
func faulted(g *jen.Group, c *column, e *expr.Expr, rule string) {
	if !e.Faults() {
		return
	}
	fault := jen.Id("e").Dot("Fault")
	g.If(fault.Clone().Op("!=").Lit("")).Block(
		jen.Id("e").Dot("Reject").Call(jen.Lit(c.Index), jen.Lit(rule), fault.Clone()),
		fault.Clone().Op("=").Lit(""),
	)
}

// expression is the Go form of e over record r.
func (t *table) expression(e *expr.Expr) *jen.Statement {
	return jen.Op(e.Go(
		func(column string) string { return "r." + t.Column(column).GoName },
		func(column, symbol string) string {
			for _, v := range t.Column(column).Values {
				if v.Symbol == symbol {
					return v.GoName
				}
			}
			return `""`
		}))
}

// checkPartition rejects an event time before 1970: the S3 sink truncates toward zero
// there and would place the row in another partition (T14).
func checkPartition(g *jen.Group, t *table) {
	if t.Partition.Column == nil {
		return
	}
	c := t.columns[t.Partition.Column.Index]
	g.If(c.field().Op("<").Lit(0)).Block(reject(c, "partition", "is before 1970, where the roads would place it in different partitions"))
}

func tagVersion(g *jen.Group, t *table) {
	version := jen.Id("r").Dot("Sys").Dot("Version")
	if t.Dedup.Version == nil {
		g.Add(version).Op("=").Add(bridge("Opt").Types(jen.Int64())).Values()
		return
	}
	c := t.columns[t.Dedup.Version.Index]
	if c.Type == types.Timestamp {
		g.Id("e").Dot("TagVersion").Call(jen.Op("&").Id("r").Dot("Sys"), jen.Lit(c.Index), c.field())
		return
	}
	g.Add(version).Op("=").Add(bridge("Some")).Call(jen.Int64().Call(c.field()))
}
