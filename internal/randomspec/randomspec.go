// Package randomspec makes random valid specs, for tests. It draws from the tables of
// package spec: a key, word, type, operator or normaliser that is new there stands in
// the specs of the next run. No product code imports it.
package randomspec

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/types"
	"gopkg.in/yaml.v3"
)

// Spec is the text of a valid spec. It is the same for the same seed, and specs of
// different seeds can be tables of one project. The table's name ends in _ and the seed.
func Spec(seed uint64) string {
	text, _ := draw(seed)
	return text
}

// draw is Spec, with what it took from the tables.
func draw(seed uint64) (string, map[string]bool) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), seed: seed, took: map[string]bool{}, beside: newSiblings(), names: map[string]bool{}}
	g.beside.goNames[spec.SystemField] = true
	word := pick(g, tableWords)
	g.table = fmt.Sprintf("%s_%d", word, seed)
	g.record = spec.GoName(g.table)
	if g.coin() {
		g.record = spec.GoName(word) + "Row"
	}
	g.names[g.record], g.names[avro+g.record] = true, true
	for _, d := range spec.DeclaredNames {
		g.names[d.Name] = true
	}
	g.drawColumns()
	text, err := yaml.Marshal(g.section(""))
	if err != nil {
		panic(err) // a node that no YAML can hold, which only a bug of this package makes
	}
	return string(text), g.took
}

type generator struct {
	*rand.Rand
	seed          uint64
	took          map[string]bool // what stands in the spec: key paths, path=word, operators
	table, record string
	columns       []*column
	deletes       bool
	version       *column
	partition     *column
	beside        siblings        // the columns' names
	names         map[string]bool // of the Go package, and of the Avro schema
}

func (g *generator) coin() bool { return g.IntN(2) == 0 }

// oneIn is true once in n.
func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

// section is what stands below a path of the key table; nil if nothing does.
func (g *generator) section(path string) *yaml.Node {
	o := &yaml.Node{Kind: yaml.MappingNode}
	if path != "" && g.coin() {
		o.Style = yaml.FlowStyle
	}
	for _, k := range spec.Keys {
		parent := strings.TrimSuffix(strings.TrimSuffix(k.Path, k.Name()), ".")
		if parent != path || k.Later {
			continue
		}
		if v := g.value(k); v != nil {
			g.took[k.Path] = true
			put(o, k.Name(), v)
		}
	}
	if len(o.Content) == 0 {
		return nil
	}
	return o
}

func put(o *yaml.Node, key string, value *yaml.Node) {
	o.Content = append(o.Content, text(key), value)
}

// value is that of a key; nil leaves the key out.
func (g *generator) value(k spec.Key) *yaml.Node {
	if maker := makers[k.Path]; maker != nil {
		return maker(g)
	}
	if k.Kind == spec.KindSection {
		return g.section(k.Path)
	}
	kind := kinds[k.Kind]
	if kind == nil || !k.Required && g.coin() {
		return nil
	}
	return kind(g, k)
}

// kinds make a value of any key that has no maker of its own.
var kinds = map[spec.Kind]func(*generator, spec.Key) *yaml.Node{
	spec.KindWord:     func(g *generator, k spec.Key) *yaml.Node { return g.word(k.Path, pick(g, k.Words)) },
	spec.KindBool:     func(g *generator, _ spec.Key) *yaml.Node { return plain("!!bool", fmt.Sprint(g.coin())) },
	spec.KindSize:     func(g *generator, _ spec.Key) *yaml.Node { return plain("!!int", fmt.Sprint(1+g.IntN(1<<20))) },
	spec.KindDuration: func(g *generator, _ spec.Key) *yaml.Node { return text(pick(g, durations)) },
}

// word is one of the words of a key.
func (g *generator) word(path, word string) *yaml.Node {
	g.took[path+"="+word] = true
	return text(word)
}

// makers make the values of keys that depend on the rest of the table, or that a rule
// limits.
var makers = map[string]func(*generator) *yaml.Node{
	"table":     func(g *generator) *yaml.Node { return text(g.table) },
	"record":    func(g *generator) *yaml.Node { return unless(g.record == spec.GoName(g.table), text(g.record)) },
	"namespace": func(g *generator) *yaml.Node { return g.maybe("shop", "com.example.shop_1", "_a._b", "select.order") },
	"doc":       func(g *generator) *yaml.Node { return g.maybe(docs...) },
	"columns":   (*generator).columnsNode,
	"key":       (*generator).keyNode,
	"deletes": func(g *generator) *yaml.Node {
		return unless(!g.deletes && g.coin(), plain("!!bool", fmt.Sprint(g.deletes)))
	},
	"dedup.version": func(g *generator) *yaml.Node { return nameOf(g.version) },
	"dedup.prefer": func(g *generator) *yaml.Node {
		key, _ := spec.Lookup("dedup.prefer")
		words := slices.Clone(key.Words)
		if g.deletes {
			words = []string{key.Default}
		}
		return unless(g.coin(), g.word(key.Path, pick(g, words)))
	},
	"partition.time":      func(g *generator) *yaml.Node { return nameOf(g.partition) },
	"lake.bucket":         func(g *generator) *yaml.Node { return text(pick(g, []string{"data-lake-shop", "a.b-1", "123"})) },
	"lake.dir":            func(g *generator) *yaml.Node { return g.maybe("", "lake", "a/b/c", "It's=(1)*/x!", "t.o-p_i") },
	"lake.row_group_rows": func(g *generator) *yaml.Node { return unless(g.coin(), plain("!!int", fmt.Sprint(1000+g.IntN(1<<20)))) },
	"lake.bloom":          (*generator).bloomNode,
	"batch.part_bytes": func(g *generator) *yaml.Node {
		return unless(g.coin(), plain("!!int", fmt.Sprint(1<<20+g.IntN(1<<28))))
	},
	"lake.region": func(g *generator) *yaml.Node { return g.maybe("eu-central-1", "${env:REGION}") },
	"batch.nulls": (*generator).nullWords,
	"batch.zone":  func(g *generator) *yaml.Node { return g.maybe("UTC", "Europe/Berlin", "America/Argentina/Ushuaia") },
	"stream.topic": func(g *generator) *yaml.Node {
		return text(fmt.Sprintf("%s%d", pick(g, []string{"orders.", "Order_Events-", "x"}), g.seed))
	},
	"stream.registry": func(g *generator) *yaml.Node {
		return g.maybe("http://schema-registry:8081", "https://a.example,https://b.example", "${env:REGISTRY}")
	},
	"speed.key":     (*generator).stateKey,
	"trino.catalog": func(g *generator) *yaml.Node { return g.maybe("hive", "select", "lake_1") },
	"trino.schema":  func(g *generator) *yaml.Node { return g.maybe("lake", "order", "schema") },
	"trino.views":   func(g *generator) *yaml.Node { return g.maybe("views", "table") },
}

// bloomNode names columns that a filter can be of.
func (g *generator) bloomNode() *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, c := range g.columns {
		if slices.Contains([]*types.Type{types.Int, types.Long, types.String, types.UUID, types.Enum, types.Timestamp, types.Date, types.Bytes}, c.typ) && g.oneIn(3) {
			n.Content = append(n.Content, text(c.name))
		}
	}
	return unless(g.coin() || len(n.Content) == 0, n)
}

// maybe is one of the texts, or nothing.
func (g *generator) maybe(texts ...string) *yaml.Node {
	if g.coin() {
		return nil
	}
	return text(pick(g, texts))
}

func unless(not bool, v *yaml.Node) *yaml.Node {
	if not {
		return nil
	}
	return v
}

func nameOf(c *column) *yaml.Node {
	if c == nil {
		return nil
	}
	return text(c.name)
}

func (g *generator) keyNode() *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, c := range g.keys() {
		n.Content = append(n.Content, text(c.name))
	}
	return n
}

func (g *generator) nullWords() *yaml.Node {
	if g.coin() {
		return nil
	}
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, w := range []string{`\N`, "NULL", "n/a", "-", "é"} {
		if g.coin() {
			n.Content = append(n.Content, text(w))
		}
	}
	return n
}

// stateKey names every key column once, with a text between any two. The seed keeps
// tables apart.
func (g *generator) stateKey() *yaml.Node {
	if g.coin() {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d", pick(g, []string{"k", "{{tag}}:", "é "}), g.seed)
	keys := slices.Clone(g.keys())
	g.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, c := range keys {
		b.WriteString(pick(g, []string{":", "/", "}}", "|"}) + "{" + c.name + "}")
	}
	return text(b.String())
}

// The scalars of YAML. The encoder quotes a text that would read as something else.

func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

func quoted(s string) *yaml.Node {
	n := text(s)
	n.Style = yaml.SingleQuotedStyle
	if strings.ContainsAny(s, "\n\r\t") {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func plain(tag, s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: s} }

// keyTypes are the types that a key column may have.
func keyTypes() []*types.Type {
	return slices.DeleteFunc(slices.Clone(types.All), func(t *types.Type) bool { return !t.Key })
}
