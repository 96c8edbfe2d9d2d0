package spec

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bridgegen/bridgegen/spec/didyoumean"
	"github.com/bridgegen/bridgegen/spec/types"
	"gopkg.in/yaml.v3"
)

var (
	typeForm   = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)\s*(?:\(\s*([^()]*?)\s*\))?$`)
	nestedForm = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)\s*<(.*)>$`)
)

func (o *object) columnType() (v Val[Type]) {
	if o.missing("type") {
		return v
	}
	n := o.take("type")
	if cut := o.cutByComma("type"); cut != "" {
		o.r.report(o.r.pos(n), "TYPE_SYNTAX", "type %q: a type with a comma must be quoted inside { }: type: %q", deref(n).Value, cut)
		return v
	}
	text := o.r.scalar(n, "type")
	if !text.Set {
		return v
	}
	t, rule, reason := parseType(text.V)
	if reason != "" {
		o.r.report(text.Pos, rule, "type %q%s", text.V, reason)
		return v
	}
	return Val[Type]{V: t, Pos: text.Pos, Set: true}
}

// parseType reads a type; reason ends the message if it is none.
func parseType(text string) (t Type, rule, reason string) {
	if m := nestedForm.FindStringSubmatch(text); m != nil {
		return parseNested(m[1], strings.TrimSpace(m[2]))
	}
	m := typeForm.FindStringSubmatch(text)
	if m == nil {
		return t, "TYPE_SYNTAX", " is no type: a word, decimal(precision,scale), list<T> or map<string,T>"
	}
	word, params := m[1], m[2]
	row, ok := types.Lookup(word)
	switch {
	case !ok:
		return t, "UNKNOWN_TYPE", unknownType(word)
	case row.Shape == types.Sequence, row.Shape == types.Mapping:
		return t, "TYPE_SYNTAX", ": write what it holds: " + types.Sample(row).Spell()
	case row.Params == 0 && strings.Contains(text, "("):
		return t, "TYPE_SYNTAX", fmt.Sprintf(" takes no length or precision; write %s", word)
	case row.Params == 0:
		return Type{Word: word}, "", ""
	}
	p, s, ok := strings.Cut(params, ",")
	precision, err1 := strconv.Atoi(strings.TrimSpace(p))
	scale, err2 := strconv.Atoi(strings.TrimSpace(s))
	if !ok || err1 != nil || err2 != nil {
		return t, "TYPE_SYNTAX", ": write the number of digits and how many of them stand behind the point: decimal(10,2)"
	}
	return Type{Word: word, Precision: precision, Scale: scale}, "", ""
}

// parseNested reads what stands between < and > behind word.
func parseNested(word, inside string) (t Type, rule, reason string) {
	row, ok := types.Lookup(word)
	if !ok {
		return t, "UNKNOWN_TYPE", unknownType(word)
	}
	t.Word = word
	switch row.Shape {
	case types.Scalar:
		return t, "TYPE_SYNTAX", fmt.Sprintf(": %s holds no other type; write %s", word, word)
	case types.Group:
		return t, "TYPE_SYNTAX", ": write struct, and its fields beside it: fields: [{name: a, type: long}]"
	case types.Mapping:
		key, value, ok := strings.Cut(inside, ",")
		if !ok || strings.TrimSpace(key) != types.String.Word {
			return t, "TYPE_SYNTAX", ": the key of a map is a string; write map<string,T>"
		}
		inside = strings.TrimSpace(value)
	}
	elem, rule, reason := parseType(inside)
	if reason != "" {
		return t, rule, fmt.Sprintf(": %q%s", inside, reason)
	}
	if held, _ := types.Lookup(elem.Word); held.Elements() {
		return t, "TYPE_NESTING", fmt.Sprintf(": a %s cannot stand directly in a %s; wrap it in a struct: %s, fields: [{name: items, type: %s}]", elem.Word, word, wrapped(row), inside)
	}
	t.Elem = &elem
	return t, "", ""
}

// wrapped is the list or map with structs in it.
func wrapped(t *types.Type) string {
	return (&types.Node{Type: t, Elem: &types.Node{Type: types.Struct}}).Spell()
}

func unknownType(word string) string {
	var words []string
	for _, t := range types.All {
		words = append(words, t.Word)
	}
	if s, ok := typeSynonyms[strings.ToLower(word)]; ok {
		return fmt.Sprintf(" is unknown; write %s", s)
	}
	if s := didyoumean.Nearest(word, words, nil); s != "" {
		return " is unknown" + didyoumean.Hint(s)
	}
	return " is unknown; the types are " + strings.Join(words, ", ")
}

// cutByComma finds a plain text that a comma inside { } has cut into pieces, marks the
// pieces as taken and returns the whole. YAML reads {type: decimal(10,2)} as the two
// keys "type" and "2)".
func (o *object) cutByComma(name string) string {
	i := 0
	for ; i < len(o.pairs) && deref(o.pairs[i].key).Value != name; i++ {
	}
	if i == len(o.pairs) || o.node.Style&yaml.FlowStyle == 0 {
		return ""
	}
	whole := deref(o.pairs[i].value).Value
	if strings.Count(whole, "(")+strings.Count(whole, "<") <= strings.Count(whole, ")")+strings.Count(whole, ">") {
		return ""
	}
	from := i + 1
	for i = from; i < len(o.pairs); i++ {
		value := o.pairs[i].value
		if value.Kind != yaml.ScalarNode || value.ShortTag() != "!!null" || value.Value != "" {
			break
		}
		piece := deref(o.pairs[i].key).Value
		o.pairs[i].taken = true
		whole += "," + piece
		if strings.ContainsAny(piece, ")>") {
			return whole
		}
	}
	for j := from; j < i; j++ {
		o.pairs[j].taken = false
	}
	return ""
}

func (o *object) expression(name string) (v Val[Expression]) {
	n := o.take(name)
	if n == nil {
		return v
	}
	v.Pos = o.r.pos(n)
	d := deref(n)
	if d.Kind == yaml.ScalarNode && d.Style == 0 {
		if cut := o.cutByComma(name); cut != "" {
			o.r.report(o.r.pos(n), "EXPR_QUOTED", "expression %q: an expression with a comma must be quoted inside { }: %s: '%s'", d.Value, name, cut)
			return v
		}
	}
	if d.Kind != yaml.ScalarNode || d.ShortTag() == "!!null" || strings.TrimSpace(d.Value) == "" {
		o.r.report(o.r.pos(n), "VALUE_TYPE", "%q must be a quoted expression, not %s", name, describe(n))
		return v
	}
	return Val[Expression]{V: Expression{Text: d.Value, place: placer(d, v.Pos, n.Kind == yaml.AliasNode)}, Pos: v.Pos, Set: true}
}

// placer finds offsets of a text in its file. Block, folded and escaped texts and
// aliases have only one place, their beginning.
func placer(d *yaml.Node, pos Pos, alias bool) func(int) Pos {
	lead := 0
	switch {
	case alias, strings.ContainsAny(d.Value, "\n\\"), d.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return func(int) Pos { return pos }
	case d.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		lead = 1
	}
	return func(offset int) Pos {
		before := d.Value[:min(max(offset, 0), len(d.Value))]
		p := pos
		p.Col += lead + utf8.RuneCountInString(before)
		switch { // quotes within quotes take two characters
		case d.Style&yaml.SingleQuotedStyle != 0:
			p.Col += strings.Count(before, "'")
		case d.Style&yaml.DoubleQuotedStyle != 0:
			p.Col += strings.Count(before, `"`)
		}
		return p
	}
}
