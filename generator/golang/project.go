package golang

import (
	"path"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/dave/jennifer/jen"
)

// recordTest is the test of a table's package; its body lies in the runtime.
func recordTest(f *jen.File, t *table) {
	f.Line()
	f.Func().Id("TestRoundTrips").Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		jen.Qual(root+"/bridgetest", "RoundTrips").Call(jen.Id("t"), jen.Id("Any")))
}

// Project renders the Go files that a project has once: the list of its tables, and
// the bridge program.
func Project(p *model.Project) ([]model.File, error) {
	tables, err := rendered("tables.go", tablesFile(p))
	if err != nil {
		return nil, err
	}
	main, err := rendered("bridge/main.go", mainFile(p))
	if err != nil {
		return nil, err
	}
	return []model.File{tables, main}, nil
}

// tablesFile lists Any and not Table: with the generic type, main would instantiate
// every method for every record, at every build.
func tablesFile(p *model.Project) *jen.File {
	f := newFile(p.GoPackage, "tables")
	f.PackageComment("// Package tables lists the tables of the project, with the files beside their code.")
	var embedded string
	for _, t := range p.Tables {
		for _, file := range []string{t.Name + ".avsc", "connect-s3-sink.json", "places.json", "trino"} {
			embedded += " " + t.Name + "/" + file
		}
		f.ImportAlias(path.Join(p.GoPackage, t.Name), packageName(t.Name))
	}
	f.Op("//go:embed" + embedded)
	f.Var().Id("besideCode").Qual("embed", "FS")
	doc(f, "All is the whole project.")
	f.Func().Id("All").Params().Add(bridge("Project")).Block(jen.Return(bridge("Project").Values(
		jen.Id("Tables").Op(":").Index().Add(bridge("Any")).ValuesFunc(func(g *jen.Group) {
			for _, t := range p.Tables {
				g.Line().Qual(path.Join(p.GoPackage, t.Name), "Any")
			}
			g.Line()
		}),
		jen.Id("Files").Op(":").Id("besideCode"))))
	return f
}

func mainFile(p *model.Project) *jen.File {
	f := newFile(p.GoPackage+"/bridge", "main")
	f.PackageComment("// Command bridge runs the roads of all tables. For flags and authentication of your\n// own write your own main around app.Command.")
	f.ImportAlias(p.GoPackage, "tables")
	f.Line()
	f.Func().Id("main").Params().Block(jen.Qual(root+"/app", "Main").Call(jen.Qual(p.GoPackage, "All").Call()))
	return f
}
