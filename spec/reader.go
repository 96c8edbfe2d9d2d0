package spec

import (
	"fmt"
	"strings"

	"github.com/bridgegen/bridgegen/spec/didyoumean"
	"gopkg.in/yaml.v3"
)

// reader turns one file into values with places and collects what is wrong.
type reader struct {
	file    string
	keys    []Key // the table of the file
	diags   Diagnostics
	wrong   []string // sections that are no mappings
	columns int      // read so far, fields of structs included
}

func (r *reader) pos(n *yaml.Node) Pos {
	return Pos{r.file, max(n.Line, 1), max(n.Column, 1)}
}

func (r *reader) report(at Pos, rule, format string, args ...any) {
	r.diags = append(r.diags, Diagnostic{at, fmt.Sprintf(format, args...), rule})
}

// deref is what an alias stands for.
func deref(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// object is a mapping that is being read. Each accessor takes one key; done reports
// those that nobody took. A nil object is an absent section: its accessors return
// values that are not set.
type object struct {
	r     *reader
	path  string
	pos   Pos
	node  *yaml.Node
	pairs []pair
}

type pair struct {
	key, value *yaml.Node
	taken      bool
}

// object reads n as a mapping at path, or reports that it is none.
func (r *reader) object(n *yaml.Node, path string) *object {
	o := &object{r: r, path: path, pos: r.pos(n), node: deref(n)}
	if o.node.Kind != yaml.MappingNode {
		r.report(o.pos, "VALUE_TYPE", "%s must be keys and values, not %s", o.name(), describe(n))
		return nil
	}
	o.add(o.node, false)
	return o
}

// name is the object in a message.
func (o *object) name() string {
	if o.path == "" {
		return "the file"
	}
	return fmt.Sprintf("%q", o.path)
}

// add takes the pairs of a mapping; those of a merge key (<<) do not replace others.
func (o *object) add(m *yaml.Node, merged bool) {
	var merges []*yaml.Node
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		if deref(key).Kind != yaml.ScalarNode {
			o.r.report(o.r.pos(key), "VALUE_TYPE", "a key must be a word, not %s", describe(key))
			continue
		}
		if key.Tag == "!!merge" {
			merges = append(merges, value)
			continue
		}
		if first := o.find(deref(key).Value); first != nil {
			if !merged {
				o.r.report(o.r.pos(key), "DUPLICATE_KEY", "key %q stands here a second time; the first is in line %d", deref(key).Value, first.key.Line)
			}
			continue
		}
		o.pairs = append(o.pairs, pair{key: key, value: value})
	}
	for _, n := range merges {
		o.merge(n)
	}
}

func (o *object) merge(n *yaml.Node) {
	from := []*yaml.Node{n}
	if d := deref(n); d.Kind == yaml.SequenceNode {
		from = d.Content
	}
	for _, n := range from {
		if d := deref(n); d.Kind == yaml.MappingNode {
			o.add(d, true)
			continue
		}
		o.r.report(o.r.pos(n), "VALUE_TYPE", "<< must name keys and values, not %s", describe(n))
	}
}

func (o *object) find(name string) *pair {
	for i := range o.pairs {
		if deref(o.pairs[i].key).Value == name {
			return &o.pairs[i]
		}
	}
	return nil
}

// take is the value of a key, nil if it is absent.
func (o *object) take(name string) *yaml.Node {
	if o == nil {
		return nil
	}
	p := o.find(name)
	if p == nil {
		return nil
	}
	p.taken = true
	return p.value
}

func (o *object) key(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

// section is the mapping at a key; nil if it is absent or none.
func (o *object) section(name string) *object {
	n := o.take(name)
	if n == nil {
		return nil
	}
	section := o.r.object(n, o.key(name))
	if section == nil {
		o.r.wrong = append(o.r.wrong, o.key(name))
	}
	return section
}

// text is the text at a key.
func (o *object) text(name string) (v Text) {
	n := o.take(name)
	if n == nil {
		return v
	}
	return o.r.scalar(n, name)
}

// scalar reads n as a text. Numbers, truth values and dates must be quoted, so that
// what YAML makes of them and what was meant cannot differ.
func (r *reader) scalar(n *yaml.Node, name string) (v Text) {
	d := deref(n)
	v.Pos = r.pos(n)
	if d.Kind == yaml.ScalarNode && (d.ShortTag() == "!!str" || d.ShortTag() == "!!timestamp") {
		return Text{V: d.Value, Pos: r.pos(n), Set: true}
	}
	switch {
	case d.Kind != yaml.ScalarNode:
		r.report(r.pos(n), "VALUE_TYPE", "%q must be a text, not %s", name, describe(n))
	case d.ShortTag() == "!!null":
		r.report(r.pos(n), "VALUE_TYPE", "%q has no value; give it one or leave the key out", name)
	default:
		r.report(r.pos(n), "VALUE_TYPE", "%q must be a text, not %s; quote it: %q", name, describe(n), d.Value)
	}
	return v
}

// word is one of the words that the key table lists.
func (o *object) word(name string) (v Text) {
	v = o.text(name)
	if v.Set && !o.r.legal(v, o.key(name)) {
		return Text{Pos: v.Pos}
	}
	return v
}

func (r *reader) legal(v Text, path string) bool {
	key, _ := lookupKey(r.keys, path)
	for _, w := range key.Words {
		if w == v.V {
			return true
		}
	}
	_, name := splitPath(path)
	if refused, ok := refusedWords[path+"="+strings.ToLower(v.V)]; ok {
		r.report(v.Pos, refused.rule, "%s %q: %s", name, v.V, refused.reason)
		return false
	}
	for _, w := range key.Words {
		if strings.EqualFold(w, v.V) {
			r.report(v.Pos, "WORD", "%s %q: words are case-sensitive; write %s", name, v.V, w)
			return false
		}
	}
	r.report(v.Pos, "WORD", "%s %q is not one of %s%s", name, v.V, strings.Join(key.Words, ", "), didyoumean.Hint(didyoumean.Nearest(v.V, key.Words, wordSynonyms)))
	return false
}

func (o *object) bool(name string) (v Bool) {
	n := o.take(name)
	if n == nil {
		return v
	}
	v.Pos = o.r.pos(n)
	d := deref(n)
	if d.Kind != yaml.ScalarNode || d.ShortTag() != "!!bool" {
		o.r.report(o.r.pos(n), "VALUE_TYPE", "%q must be true or false, not %s", name, describe(n))
		return v
	}
	return Bool{V: strings.EqualFold(d.Value, "true"), Pos: o.r.pos(n), Set: true}
}

func (o *object) size(name string) (v Size) {
	n := o.take(name)
	if n == nil {
		return v
	}
	v.Pos = o.r.pos(n)
	var i int
	if d := deref(n); d.Kind != yaml.ScalarNode || d.ShortTag() != "!!int" || d.Decode(&i) != nil {
		o.r.report(o.r.pos(n), "VALUE_TYPE", "%q must be a whole number, not %s", name, describe(n))
		return v
	}
	return Size{V: i, Pos: o.r.pos(n), Set: true}
}

func (o *object) duration(name string) (v Duration) {
	n := o.take(name)
	if n == nil {
		return v
	}
	v.Pos = o.r.pos(n)
	d := deref(n)
	if d.Kind != yaml.ScalarNode || d.ShortTag() == "!!null" {
		o.r.report(o.r.pos(n), "VALUE_TYPE", "%q must be a duration, not %s", name, describe(n))
		return v
	}
	t, err := ParseDuration(d.Value)
	if err != nil {
		o.r.report(o.r.pos(n), "DURATION", "%s %q %v", name, d.Value, err)
		return v
	}
	return Duration{V: t, Pos: o.r.pos(n), Set: true}
}

// texts is the list of texts at a key.
func (o *object) texts(name string) (v List) {
	n := o.take(name)
	if n == nil {
		return v
	}
	v.Pos = o.r.pos(n)
	items, ok := o.r.items(n, name)
	if !ok {
		return v
	}
	v = List{Pos: o.r.pos(n), Set: true}
	for _, item := range items {
		if t := o.r.scalar(item, name); t.Set {
			v.V = append(v.V, t)
		}
	}
	return v
}

// words is the list of words at a key.
func (o *object) words(name string) (v List) {
	v = o.texts(name)
	legal := v.V[:0]
	for _, w := range v.V {
		if o.r.legal(w, o.key(name)) {
			legal = append(legal, w)
		}
	}
	v.V = legal
	return v
}

func (r *reader) items(n *yaml.Node, name string) ([]*yaml.Node, bool) {
	d := deref(n)
	if d.Kind != yaml.SequenceNode {
		r.report(r.pos(n), "VALUE_TYPE", "%q must be a list, not %s: write %s: [...]", name, describe(n), name)
		return nil, false
	}
	return d.Content, true
}

// describe says what a value is, for messages.
func describe(n *yaml.Node) string {
	d := deref(n)
	switch d.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	}
	switch d.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return fmt.Sprintf("the truth value %s", d.Value)
	case "!!int", "!!float":
		return fmt.Sprintf("the number %s", d.Value)
	}
	return fmt.Sprintf("the text %q", d.Value)
}
