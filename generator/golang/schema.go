package golang

import (
	"strings"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// schema is the literal of bridge.Schema. What is zero is left out.
func schema(f *jen.File, t *table) {
	version, partition := -1, -1
	if t.Dedup.Version != nil {
		version = t.Dedup.Version.Index
	}
	if t.Partition.Column != nil {
		partition = t.Partition.Column.Index
	}
	lines := []any{
		"Table", t.Name, "Record", t.Record, "Doc", t.Doc,
		"Fields", jen.Index().Add(bridge("Field")).Values(eachLine(fieldsOf(t.Columns))...),
		"Leaves", jen.Index().Add(bridge("Leaf")).Values(eachLine(t.leafLiterals())...),
		"Root", t.root(), "NLevels", len(t.reps), "Key", t.keyPositions(), "Sys", t.sys, "Deletes", t.Deletes,
		"Version", jen.Lit(version), "Preferred", t.preferred(), "MaxFuture", int(t.Dedup.MaxFuture),
		"PartitionBy", jen.Lit(partition), "ByHour", t.Partition.ByHour,
		"Topic", t.Stream.Topic, "Dir", t.Lake.Dir, "Codec", t.Lake.Codec,
		"FlushSize", t.Lake.FlushSize, "RotateInterval", int(t.Lake.RotateInterval),
		"Compatibility", t.Stream.Compatibility, "Avro", jen.Id("avroSchema"), "StateTTL", int(t.Speed.TTL),
		"BatchSource", t.Batch.Source, "Nulls", t.Batch.Nulls, "Zone", t.Batch.Zone, "Extra", t.Batch.Extra, "Missing", t.Batch.Missing,
		"LagStreaming", int(t.Lag.Streaming), "LagBatch", int(t.Lag.Batch),
	}
	f.Line()
	f.Var().Id("schema").Op("=").Add(bridge("Schema")).Values(entries(set(lines...)...)...)
}

// set turns plain values into literals and drops those that are zero.
func set(pairs ...any) []any {
	var out []any
	for i := 0; i < len(pairs); i += 2 {
		var v jen.Code
		switch x := pairs[i+1].(type) {
		case jen.Code:
			v = x
		case string:
			if x == "" {
				continue
			}
			v = jen.Lit(x)
		case int:
			if x == 0 {
				continue
			}
			v = jen.Lit(x)
		case bool:
			if !x {
				continue
			}
			v = jen.True()
		case []string:
			if len(x) == 0 {
				continue
			}
			v = texts(x)
		}
		out = append(out, pairs[i], v)
	}
	return out
}

// inline is a composite literal on one line.
func inline(pairs ...any) jen.Code {
	return jen.ValuesFunc(func(g *jen.Group) {
		pairs = set(pairs...)
		for i := 0; i < len(pairs); i += 2 {
			g.Id(pairs[i].(string)).Op(":").Add(pairs[i+1].(jen.Code))
		}
	})
}

func eachLine(items []jen.Code) []jen.Code {
	out := make([]jen.Code, 0, len(items)+1)
	for _, item := range items {
		out = append(out, jen.Line().Add(item))
	}
	return append(out, jen.Line())
}

func texts(list []string) jen.Code {
	return jen.Index().String().ValuesFunc(func(g *jen.Group) {
		for _, s := range list {
			g.Lit(s)
		}
	})
}

func fieldsOf(cs []*model.Column) []jen.Code {
	var out []jen.Code
	for _, c := range cs {
		var def string
		if c.Default != nil {
			def = *c.Default
		}
		out = append(out, inline(
			"Name", c.Name, "From", c.From, "Type", c.Node().Spell(),
			"Precision", c.Precision, "Scale", c.Scale, "Optional", c.Optional, "Key", c.Key, "Derived", c.Derive != nil,
			"Symbols", symbols(c.Values), "Default", def, "HasDefault", c.Default != nil, "Fallback", c.Fallback, "Parts", partsOf(c)))
	}
	return out
}

// partsOf is Field.Parts of a column.
func partsOf(c *model.Column) any {
	within := c.Fields
	if c.Elem != nil {
		within = []*model.Column{c.Elem}
	}
	if len(within) == 0 {
		return ""
	}
	return jen.Index().Add(bridge("Field")).Values(fieldsOf(within)...)
}

func symbols(values []model.EnumValue) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Symbol)
	}
	return out
}

func (t *table) leafLiterals() []jen.Code {
	var out []jen.Code
	for field, c := range t.columns {
		for _, p := range t.leaves[c.leaves.from:c.leaves.to] {
			out = append(out, inline("Path", p.path, "Kind", bridge(p.Type.Kind), "Logical", logical(p.Node()), "Values", symbols(p.Values),
				"MaxDef", int(p.def), "MaxRep", int(p.rep), "Levels", jen.Lit(p.stream), "Field", jen.Lit(field)))
		}
	}
	for _, p := range t.system() {
		maxDef, stream := 0, -1
		if p.Nullable {
			maxDef, stream = 1, t.version
		}
		out = append(out, inline("Path", []string{p.Name}, "Kind", bridge(p.Type.Kind), "Logical", logical(p.Node), "Values", p.Symbols,
			"MaxDef", maxDef, "Levels", jen.Lit(stream), "Field", jen.Lit(-1)))
	}
	return out
}

// system are the system columns.
func (t *table) system() []model.Physical { return t.Physical()[len(t.columns):] }

// logical is what the footer says of a column, as bridge.Leaf spells it: the annotation
// of the type's Parquet form, without its brackets.
func logical(n *types.Node) string {
	form := n.Type.Parquet(n)
	_, annotation, ok := strings.Cut(form, " (")
	if !ok {
		return ""
	}
	annotation = strings.ToLower(strings.TrimSuffix(annotation, ")"))
	if name, _, ok := strings.Cut(annotation, "("); ok && n.Type.Params == 0 {
		return name
	}
	return annotation
}

func (t *table) keyPositions() jen.Code {
	return jen.Index().Int().ValuesFunc(func(g *jen.Group) {
		for _, k := range t.Key {
			g.Lit(k.Index)
		}
	})
}
