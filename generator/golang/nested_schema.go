package golang

import (
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// Repetition of a node, as bridge.Node counts it.
const (
	required = 0
	optional = 1
	repeated = 2
)

// root is the Parquet tree as the S3 sink writes it: lists of three levels whose elements
// are optional, maps with entries of a required key and a required value. It is empty for
// a flat table.
func (t *table) root() any {
	if !t.nested {
		return ""
	}
	var nodes []jen.Code
	for _, c := range t.columns {
		rep := required
		if t.Nullable(c.Column) {
			rep = optional
		}
		nodes = append(nodes, node(c.part, rep))
	}
	for i, p := range t.system() {
		rep := required
		if p.Nullable {
			rep = optional
		}
		nodes = append(nodes, inline("Name", p.Name, "Rep", rep, "Leaf", jen.Lit(t.sys+i)))
	}
	return jen.Index().Add(bridge("Node")).Values(eachLine(nodes)...)
}

func node(p *part, rep int) jen.Code {
	name := p.Column.Name
	switch p.Type.Shape {
	case types.Group:
		return group(name, rep, "", fieldNodes(p)...)
	case types.Sequence:
		return group(name, rep, "list", group("list", repeated, "", node(p.elem, optional)))
	case types.Mapping:
		key := inline("Name", mapKey.Name, "Leaf", jen.Lit(p.leaves.from))
		return group(name, rep, "map", group("key_value", repeated, "", key, node(p.elem, required)))
	}
	return inline("Name", name, "Rep", rep, "Leaf", jen.Lit(p.leaf()))
}

func fieldNodes(p *part) []jen.Code {
	var out []jen.Code
	for _, f := range p.fields {
		rep := required
		if f.Optional {
			rep = optional
		}
		out = append(out, node(f, rep))
	}
	return out
}

func group(name string, rep int, logical string, children ...jen.Code) jen.Code {
	return inline("Name", name, "Rep", rep, "Logical", logical, "Leaf", jen.Lit(-1), "Children", jen.Index().Add(bridge("Node")).Values(children...))
}
