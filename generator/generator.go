// Package generator turns a resolved project into files: the table of targets, and the
// manifests that tell what bridgegen wrote from what a person changed.
package generator

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/generator/avro"
	"github.com/bridgegen/bridgegen/generator/connect"
	"github.com/bridgegen/bridgegen/generator/golang"
	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/generator/trino"
)

// Target is one kind of output: a pure function of the model. Either function may be nil.
type Target struct {
	Name    string
	Table   func(*model.Project, *model.Table) ([]model.File, error)
	Project func(*model.Project) ([]model.File, error)
}

// Targets is the whole output. To add a target, add a row.
var Targets = []Target{
	{"go", golang.Table, golang.Project},
	{"avro", avro.Files, nil},
	{"connect", connect.Files, nil},
	{"trino", trino.Files, nil},
	{"places", places, nil},
	{"git", nil, gitattributes},
}

// ProjectUnit is the name of the unit that a project has once. No table is called so.
const ProjectUnit = "bridge"

// Unit is what is generated, compared and reported together: a table, or the files
// that a project has once. Paths are relative to Project.Out.
type Unit struct {
	Name  string
	Spec  string // file that it comes from, relative to the project file
	Stamp Stamp
	Files []model.File // sorted by path, with the manifest
}

// Manifest is the path of the unit's manifest.
func (u *Unit) Manifest() string { return ManifestPath(u.Name) }

// RenderTable renders one table. version is the generator's, empty for a build without one.
func RenderTable(p *model.Project, t *model.Table, version string) (*Unit, error) {
	u := &Unit{Name: t.Name, Spec: t.SpecFile, Stamp: TableStamp(p, t, version)}
	for _, target := range Targets {
		if target.Table == nil {
			continue
		}
		files, err := target.Table(p, t)
		if err != nil {
			return nil, err
		}
		u.Files = append(u.Files, files...)
	}
	return u.sealed(), nil
}

// RenderProject renders what a project has once.
func RenderProject(p *model.Project, version string) (*Unit, error) {
	u := &Unit{Name: ProjectUnit, Spec: "the project", Stamp: ProjectStamp(p, version)}
	for _, target := range Targets {
		if target.Project == nil {
			continue
		}
		files, err := target.Project(p)
		if err != nil {
			return nil, err
		}
		u.Files = append(u.Files, files...)
	}
	return u.sealed(), nil
}

func (u *Unit) sealed() *Unit {
	byPath := func(a, b model.File) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(u.Files, byPath)
	u.Files = append(u.Files, manifestOf(u))
	slices.SortFunc(u.Files, byPath)
	return u
}

// places are where the default environment is: read by the bridge program, never by
// generated Go.
func places(_ *model.Project, t *model.Table) ([]model.File, error) {
	content, err := json.MarshalIndent(map[string]map[string]string{
		"lake":   {"bucket": t.Lake.Bucket, "region": t.Lake.Region},
		"stream": {"registry": t.Stream.Registry},
		"trino":  {"catalog": t.Trino.Catalog, "schema": t.Trino.Schema, "views": t.Trino.Views},
	}, "", "  ")
	return []model.File{{Path: path.Join(t.Name, "places.json"), Content: append(content, '\n')}}, err
}

// gitattributes: generated files are not merged line by line, for generate repairs them.
// Manifests take the lines of both sides, so that after a merge each file is still known
// as generated, whichever side it came from.
func gitattributes(*model.Project) ([]model.File, error) {
	return []model.File{{Path: ".gitattributes", Content: []byte("* text eol=lf linguist-generated -merge\nmanifest.json merge=union\n")}}, nil
}

// SortUnits orders units as they are reported: tables by name, the project's last.
func SortUnits(us []*Unit) {
	slices.SortFunc(us, func(a, b *Unit) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), strings.Compare(a.Name, b.Name))
	})
}

func rank(name string) int {
	if name == ProjectUnit {
		return 1
	}
	return 0
}
