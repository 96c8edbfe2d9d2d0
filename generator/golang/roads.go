package golang

import (
	"strings"

	"github.com/dave/jennifer/jen"
)

// road is a thin typed package: what an application embeds of one road. The body lies
// in the runtime; the package imports its own road only.
type road struct {
	name    string
	doc     string // ends the sentence "Package x ..."
	declare func(f *jen.File, t *table)
}

var roads = []road{
	{"batch", "loads rows of %s into the lake: a load is visible whole or not at all", batchRoad},
	{"stream", "writes rows of %s to its topic", streamRoad},
	{"serve", "reads %s: the lake's rows and the fresh state, merged by the one order", serveRoad},
}

func (r road) file(t *table) *jen.File {
	f := newFile(t.importPath+"/"+r.name, r.name)
	f.ImportAlias(r.runtime(), "road")
	f.ImportAlias(t.importPath, packageName(t.Name))
	f.PackageComment("// Package " + r.name + " " + strings.Replace(r.doc, "%s", t.Name, 1) + ".")
	doc(f, "Options are those of the road.")
	f.Type().Id("Options").Op("=").Qual(r.runtime(), "Options")
	r.declare(f, t)
	return f
}

func (r road) runtime() string { return root + "/" + r.name }

// packageName is the name under which the typed packages import a table's package: its
// own, unless that hides something they use.
func packageName(table string) string {
	if reserved[table] || strings.Contains(" road context ctx k o w error testing any ", " "+table+" ") {
		return table + "table"
	}
	return table
}

func (t *table) record() *jen.Statement { return jen.Qual(t.importPath, t.Record) }
func (t *table) descriptor() jen.Code   { return jen.Qual(t.importPath, "Table") }

var ctx = jen.Id("ctx").Qual("context", "Context")

func batchRoad(f *jen.File, t *table) {
	path := root + "/batch"
	doc(f, "Writer makes one load of rows. Close makes it visible.")
	f.Type().Id("Writer").Op("=").Qual(path, "Writer").Types(t.record())
	doc(f, "NewWriter begins a load. What is wrong with the options is said by the first\nWrite, or by Close.")
	f.Func().Id("NewWriter").Params(jen.Id("o").Id("Options")).Op("*").Id("Writer").Block(
		jen.Return(jen.Qual(path, "NewWriter").Call(t.descriptor(), jen.Id("o"))))
}

func streamRoad(f *jen.File, t *table) {
	path := root + "/stream"
	writer := jen.Qual(path, "Writer").Types(t.record())
	open := jen.Qual(path, "NewWriter").Call(jen.Id("ctx"), t.descriptor(), jen.Id("o"))
	doc(f, "Writer writes rows to the topic. It is safe for concurrent use.")
	if !t.Deletes {
		f.Type().Id("Writer").Op("=").Add(writer)
		doc(f, "Open connects to brokers and registry.")
		f.Func().Id("Open").Params(ctx, jen.Id("o").Id("Options")).Params(jen.Op("*").Id("Writer"), jen.Error()).Block(jen.Return(open))
		return
	}
	f.Type().Id("Writer").Struct(jen.Op("*").Add(writer))
	doc(f, "Open connects to brokers and registry.")
	f.Func().Id("Open").Params(ctx, jen.Id("o").Id("Options")).Params(jen.Op("*").Id("Writer"), jen.Error()).Block(
		jen.List(jen.Id("w"), jen.Err()).Op(":=").Add(open),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Return(jen.Op("&").Id("Writer").Values(jen.Id("w")), jen.Nil()))
	doc(f, "Delete writes the delete of a row. last is the version of the row as the caller\nlast saw it, or nothing: the delete then has the clock's.")
	f.Func().Params(jen.Id("w").Op("*").Id("Writer")).Id("Delete").Params(ctx, jen.Id("k").Qual(t.importPath, "Key"), jen.Id("last").Add(bridge("Opt")).Types(jen.Int64())).Error().Block(
		jen.Id("r").Op(":=").Qual(t.importPath, "FromKey").Call(jen.Id("k")),
		jen.Return(jen.Id("w").Dot("Writer").Dot("Delete").Call(jen.Id("ctx"), jen.Op("&").Id("r"), jen.Id("last"))))
}

func serveRoad(f *jen.File, t *table) {
	path := root + "/serve"
	doc(f, "Result is what lake and state know of a key, and the merge of both.")
	f.Type().Id("Result").Op("=").Qual(path, "Result").Types(t.record())
	doc(f, "Reader reads the table. It is safe for concurrent use.")
	f.Type().Id("Reader").Struct(jen.Op("*").Qual(path, "Reader").Types(t.record()))
	doc(f, "Open makes a reader of the lake, the state in Redis, or both.")
	f.Func().Id("Open").Params(jen.Id("o").Id("Options")).Params(jen.Op("*").Id("Reader"), jen.Error()).Block(
		jen.List(jen.Id("r"), jen.Err()).Op(":=").Qual(path, "NewReader").Call(t.descriptor(), jen.Id("o")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Return(jen.Op("&").Id("Reader").Values(jen.Id("r")), jen.Nil()))
	doc(f, "Get answers from both sides, or from one while the other is down, and says so.")
	f.Func().Params(jen.Id("r").Op("*").Id("Reader")).Id("Get").Params(ctx, jen.Id("k").Qual(t.importPath, "Key")).Params(jen.Op("*").Id("Result"), jen.Error()).Block(
		jen.Id("key").Op(":=").Qual(t.importPath, "FromKey").Call(jen.Id("k")),
		jen.Return(jen.Id("r").Dot("Reader").Dot("Get").Call(jen.Id("ctx"), jen.Op("&").Id("key"))))
}
