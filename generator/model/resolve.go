package model

import (
	"strconv"
	"time"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/types"
)

// Resolve checks the specs of a project and fills in what they leave open, from the
// table spec.Keys. p may be nil: a project without a file. goPackage is the import
// path of the output unless the project file names one, projectName likewise its name.
// The project is nil if there are diagnostics; specs with errors of Parse must not
// come here. Tables keep the order of the specs.
func Resolve(specs []*spec.Spec, p *spec.ProjectFile, goPackage, projectName string) (*Project, spec.Diagnostics) {
	tables, ds := spec.Analyse(specs, p)
	if len(ds) > 0 {
		return nil, ds
	}
	if p == nil {
		p = &spec.ProjectFile{}
	}
	out, _ := spec.LookupProject("out")
	project := &Project{
		Name: p.Project.Or(projectName), Out: p.Out.Or(out.Default), GoPackage: p.GoPackage.Or(goPackage),
	}
	for _, t := range tables {
		project.Tables = append(project.Tables, resolveTable(t))
	}
	return project, nil
}

func resolveTable(s *spec.Table) *Table {
	t := &Table{
		Name: s.Table.V, Record: s.RecordName(), Doc: s.Doc.V, Namespace: s.Namespace.V, SpecFile: s.File, Deletes: s.Deletes.V,
		Lake: Lake{
			Bucket: s.Lake.Bucket.V, Region: text(s.Lake.Region, "lake.region"), Dir: text(s.Lake.Dir, "lake.dir"),
			Codec: text(s.Lake.Codec, "lake.codec"), FlushSize: size(s.Lake.FlushSize, "lake.flush_size"),
			RotateInterval: duration(s.Lake.RotateInterval, "lake.rotate_interval"),
		},
		Batch: Batch{
			Source: text(s.Batch.Source, "batch.source"), Zone: text(s.Batch.Zone, "batch.zone"),
			Extra: text(s.Batch.Extra, "batch.extra"), Missing: text(s.Batch.Missing, "batch.missing"),
			Nulls: words(s.Batch.Nulls),
		},
		Stream: Stream{
			Topic: s.Stream.Topic.V, Registry: text(s.Stream.Registry, "stream.registry"),
			Compatibility: text(s.Stream.Compatibility, "stream.compatibility"),
		},
		Trino: Trino{Catalog: text(s.Trino.Catalog, "trino.catalog"), Schema: text(s.Trino.Schema, "trino.schema")},
		Lag:   Lag{Streaming: s.Lag.Streaming.V, Batch: s.Lag.Batch.V},
	}
	t.Trino.Views = s.Trino.Views.Or(t.Trino.Schema)
	for i, c := range s.Columns {
		t.Columns = append(t.Columns, resolveColumn(i, c))
	}
	for _, k := range s.Key.V {
		c := t.Column(k.V)
		c.Key = true
		t.Key = append(t.Key, c)
	}
	t.Dedup = Dedup{
		Version: t.Column(s.Dedup.Version.V), Prefer: text(s.Dedup.Prefer, "dedup.prefer"),
		MaxFuture: duration(s.Dedup.MaxFuture, "dedup.max_future"),
	}
	time := text(s.Partition.Time, "partition.time")
	t.Partition = Partition{Time: time, Column: t.Column(time), ByHour: text(s.Partition.By, "partition.by") == "hour"}
	t.Speed = t.resolveSpeed(s)
	return t
}

func (t *Table) resolveSpeed(s *spec.Table) Speed {
	template := s.KeyTemplate()
	speed := Speed{Key: template, TTL: duration(s.Speed.TTL, "speed.ttl")}
	parts, _ := spec.ParseKeyTemplate(template) // checked by a rule
	for _, p := range parts {
		speed.Parts = append(speed.Parts, KeyPart{Text: p.Text, Column: t.Column(p.Column)})
	}
	return speed
}

// Column finds a column by name; nil if there is none.
func (t *Table) Column(name string) *Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func resolveColumn(index int, s *spec.TableColumn) *Column {
	c := &Column{
		Index: index, Name: s.Name.V, From: s.SourceName(), Doc: s.Doc.V, Type: s.Type,
		Optional: s.Optional.V, GoName: s.GoFieldName(), Fallback: s.Fallback.V, Derive: s.Derive, Validate: s.Validate,
	}
	if s.Default.Set {
		c.Default = &s.Default.V.Text
	}
	switch s.Type.Shape {
	case types.Sequence:
		c.Elem = &Column{Name: "element"}
		c.Elem.hold(s)
		c.GoType = "[]" + c.Elem.GoType
	case types.Mapping:
		c.Elem = &Column{Name: "value"}
		c.Elem.hold(s)
		c.GoType = "map[string]" + c.Elem.GoType
	default:
		c.hold(s)
	}
	return c
}

// hold gives c what the column holds: itself, or what its list or map holds.
func (c *Column) hold(s *spec.TableColumn) {
	held, written := s.Held()
	c.Type, c.Precision, c.Scale = held, written.Precision, written.Scale
	c.Normalize = words(s.Normalize)
	c.GoType, c.AvroName = held.Go, s.AvroName
	if s.GoType != "" {
		c.GoType = s.GoType
	}
	for _, v := range s.Values.V {
		c.Values = append(c.Values, EnumValue{Symbol: v.Symbol.V, Source: v.Source.Or(v.Symbol.V), GoName: s.GoConst(v.Symbol.V)})
	}
	for i, f := range s.Fields {
		c.Fields = append(c.Fields, resolveColumn(i, f))
	}
}

func text(v spec.Text, path string) string { return v.Or(spec.DefaultText(path)) }

func duration(v spec.Duration, path string) time.Duration { return v.Or(spec.DefaultDuration(path)) }

func size(v spec.Size, path string) int {
	n, _ := strconv.Atoi(spec.DefaultText(path)) // a test reads every default
	return v.Or(n)
}

func words(v spec.List) []string {
	var out []string
	for _, w := range v.V {
		out = append(out, w.V)
	}
	return out
}
