package randomspec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/types"
	"gopkg.in/yaml.v3"
)

// column is a column, or a part of a nested one.
type column struct {
	name, goName string // goName is empty where it follows from the name
	typ          *types.Type
	p, s         int // of a decimal
	symbols      []string
	elem         *column   // of a list or map
	fields       []*column // of a struct
	optional     bool
	key          bool
	derived      bool
}

func (c *column) field() string {
	if c.goName != "" {
		return c.goName
	}
	return spec.GoName(c.name)
}

func (g *generator) keys() []*column {
	return slices.DeleteFunc(slices.Clone(g.columns), func(c *column) bool { return !c.key })
}

// drawColumns decides what columns there are; their other keys are drawn when they are
// written.
func (g *generator) drawColumns() {
	g.deletes = g.oneIn(3)
	for range 1 + g.IntN(3) {
		g.columns = append(g.columns, &column{typ: pick(g, keyTypes()), key: true, derived: !g.deletes && g.oneIn(8)})
	}
	if g.deletes || g.coin() {
		g.version = &column{typ: pick(g, []*types.Type{types.Timestamp, types.Long, types.Int})}
		g.columns = append(g.columns, g.version)
	}
	if !g.deletes && g.oneIn(3) {
		g.partition = &column{typ: types.Timestamp, derived: g.oneIn(8)}
		g.columns = append(g.columns, g.partition)
	}
	for range g.IntN(12) {
		c := &column{typ: pick(g, types.All), optional: g.oneIn(3)}
		c.derived = c.typ.Shape == types.Scalar && g.oneIn(3)
		g.columns = append(g.columns, c)
	}
	g.Shuffle(len(g.columns), func(i, j int) { g.columns[i], g.columns[j] = g.columns[j], g.columns[i] })
	for _, c := range g.columns {
		g.shape(c, g.beside, "", 0)
	}
}

// siblings are the names of the columns, or of the fields of one struct, that are taken.
type siblings struct{ names, goNames map[string]bool }

func newSiblings() siblings { return siblings{map[string]bool{}, map[string]bool{}} }

func (s siblings) have(c *column) bool { return s.names[c.name] || s.goNames[c.field()] }

// shape gives a column its name and what its type needs. path is the Go name of the
// struct around it, empty around a column.
func (g *generator) shape(c *column, beside siblings, path string, depth int) {
	if c.typ == types.Decimal {
		c.p = 1 + g.IntN(38)
		c.s = g.IntN(c.p + 1)
		if g.coin() { // few scales, so that decimals meet in expressions
			c.p, c.s = 20, 2
		}
	}
	g.elements(c)
	for try := 0; c.name == "" || beside.have(c) || !g.declare(c, path); try++ {
		c.name, c.goName = pick(g, columnWords), ""
		if try > 20 {
			c.name = fmt.Sprintf("c%d", g.IntN(1<<30))
		}
		if beside.goNames[spec.GoName(c.name)] || g.oneIn(6) {
			c.goName = fmt.Sprintf("Other%d", g.IntN(1000))
		}
	}
	beside.names[c.name], beside.goNames[c.field()] = true, true
	g.parts(c, path, depth)
}

// elements draws the element of a list and the value of a map.
func (g *generator) elements(c *column) {
	if !c.typ.Elements() {
		return
	}
	c.elem = &column{typ: pick(g, elementTypes())}
	if c.elem.typ == types.Decimal {
		c.elem.p, c.elem.s = 38, g.IntN(39)
	}
}

// elementTypes are the types of elements and values: no list and no map.
func elementTypes() []*types.Type {
	return slices.DeleteFunc(slices.Clone(types.All), (*types.Type).Elements)
}

// holder is what has the symbols and the fields of a column: itself, or its element.
func (c *column) holder() *column {
	if c.elem != nil {
		return c.elem
	}
	return c
}

// declare takes the names that the column's type declares in the Go package and in the
// Avro schema. It is false, and takes none, if one of them is taken.
func (g *generator) declare(c *column, path string) bool {
	h := c.holder()
	var names []string
	switch {
	case h.typ == types.Enum:
		h.symbols = g.symbols()
		name := path + c.field()
		names = append(names, name, avro+c.path(g, path))
		for _, s := range h.symbols {
			names = append(names, name+spec.GoName(s))
		}
	case h.typ.Shape == types.Group:
		names = append(names, c.path(g, path), avro+c.path(g, path))
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) < len(names) || slices.ContainsFunc(names, func(n string) bool { return g.names[n] }) {
		return false
	}
	for _, n := range names {
		g.names[n] = true
	}
	return true
}

// avro stands before names of the Avro schema, to tell them from those of the package.
const avro = "avro "

// path is the Go and Avro name of the struct that the column holds, and the Avro name of
// its enum.
func (c *column) path(g *generator, around string) string {
	if around == "" {
		around = g.record
	}
	return around + c.field()
}

const maxDepth = 3

func (g *generator) parts(c *column, path string, depth int) {
	h := c.holder()
	if h.typ.Shape != types.Group {
		return
	}
	beside := newSiblings()
	all := types.All
	if depth == maxDepth {
		all = []*types.Type{types.Long, types.String, types.Enum}
	}
	for range 1 + g.IntN(4) {
		f := &column{typ: pick(g, all), optional: g.oneIn(3)}
		g.shape(f, beside, c.path(g, path), depth+1)
		h.fields = append(h.fields, f)
	}
}

// symbols of enums begin with the same few, so that enums meet in expressions.
func (g *generator) symbols() []string {
	if g.oneIn(40) {
		many := make([]string, 254)
		for i := range many {
			many[i] = fmt.Sprintf("S%d", i)
		}
		return many
	}
	symbols := slices.Clone(symbolWords[:1+g.IntN(4)])
	for range g.IntN(4) {
		if s := pick(g, symbolWords); !slices.Contains(symbols, s) {
			symbols = append(symbols, s)
		}
	}
	return symbols
}

func (g *generator) columnsNode() *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for _, c := range g.columns {
		n.Content = append(n.Content, g.columnNode(c, columnMakers))
	}
	return n
}

func (g *generator) columnNode(c *column, makers map[string]func(*generator, *column) *yaml.Node) *yaml.Node {
	o := &yaml.Node{Kind: yaml.MappingNode}
	if g.coin() {
		o.Style = yaml.FlowStyle
	}
	for _, k := range spec.Keys {
		name, below := strings.CutPrefix(k.Path, "columns.")
		maker := makers[name]
		if !below || k.Later || maker == nil {
			continue
		}
		if v := maker(g, c); v != nil {
			g.took[k.Path] = true
			put(o, name, v)
		}
	}
	return o
}

// columnMakers are the keys of a column, partMakers those of a part of a struct.
var columnMakers, partMakers map[string]func(*generator, *column) *yaml.Node

func init() {
	partMakers = map[string]func(*generator, *column) *yaml.Node{
		"name": func(_ *generator, c *column) *yaml.Node { return text(c.name) },
		"type": func(g *generator, c *column) *yaml.Node {
			g.took["type "+c.typ.Word] = true
			return quoted(c.node().Spell())
		},
		"optional": func(g *generator, c *column) *yaml.Node {
			return unless(!c.optional && g.coin(), plain("!!bool", fmt.Sprint(c.optional)))
		},
		"values":    (*generator).valuesNode,
		"fields":    (*generator).fieldsNode,
		"normalize": (*generator).normalizeNode,
		"from":      (*generator).fromNode,
		"go_name":   func(_ *generator, c *column) *yaml.Node { return unless(c.goName == "", text(c.goName)) },
		"doc":       func(g *generator, _ *column) *yaml.Node { return g.maybe(docs...) },
	}
	columnMakers = map[string]func(*generator, *column) *yaml.Node{
		"default":  (*generator).defaultNode,
		"fallback": (*generator).fallbackNode,
		"derive":   (*generator).deriveNode,
		"validate": (*generator).validateNode,
		"epoch": func(g *generator, c *column) *yaml.Node {
			if c.typ != types.Timestamp || c.derived || g.coin() {
				return nil
			}
			key, _ := spec.Lookup("columns.epoch")
			return g.word(key.Path, pick(g, key.Words))
		},
	}
	for name, maker := range partMakers {
		columnMakers[name] = maker
	}
}

// node is the type, for its spelling.
func (c *column) node() *types.Node {
	n := &types.Node{Type: c.typ, Precision: c.p, Scale: c.s}
	if c.elem != nil {
		n.Elem = c.elem.node()
	}
	return n
}

func (g *generator) valuesNode(c *column) *yaml.Node {
	h := c.holder()
	if h.typ != types.Enum {
		return nil
	}
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for i, s := range h.symbols {
		item := text(s)
		if g.oneIn(4) {
			item = &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
			put(item, s, text(fmt.Sprintf("%s %d", pick(g, sources), i)))
		}
		n.Content = append(n.Content, item)
	}
	return n
}

func (g *generator) fieldsNode(c *column) *yaml.Node {
	h := c.holder()
	if h.typ.Shape != types.Group {
		return nil
	}
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for _, f := range h.fields {
		n.Content = append(n.Content, g.columnNode(f, partMakers))
	}
	return n
}

// normalizeNode takes any normalisers; null_if_empty needs an optional string and the
// last place.
func (g *generator) normalizeNode(c *column) *yaml.Node {
	if !c.holder().typ.Text || c.derived || g.coin() {
		return nil
	}
	key, _ := spec.Lookup("columns.normalize")
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	last := false
	for _, i := range g.Perm(len(key.Words)) {
		w := key.Words[i]
		switch {
		case w == "null_if_empty":
			last = c.elem == nil && c.optional && g.coin()
		case g.coin():
			n.Content = append(n.Content, g.word(key.Path, w))
		}
	}
	if last {
		n.Content = append(n.Content, g.word(key.Path, "null_if_empty"))
	}
	return n
}

// fromNode has a blank or upper case in it, so that it meets no column's name.
func (g *generator) fromNode(c *column) *yaml.Node {
	if g.IntN(4) > 0 {
		return nil
	}
	return text(fmt.Sprintf("%s %d", pick(g, sources), g.Uint32()))
}

func (g *generator) defaultNode(c *column) *yaml.Node {
	make := defaults[c.typ]
	if make == nil || c.optional || c.key || g.IntN(4) > 0 {
		return nil
	}
	return make(g, c)
}

func (g *generator) fallbackNode(c *column) *yaml.Node {
	if c.typ != types.Enum || g.coin() {
		return nil
	}
	return text(pick(g, c.symbols))
}

func (g *generator) deriveNode(c *column) *yaml.Node {
	if !c.derived {
		return nil
	}
	return quoted(g.derive(c))
}

func (g *generator) validateNode(c *column) *yaml.Node {
	if g.IntN(5) > 0 {
		return nil
	}
	return quoted(g.validate())
}
