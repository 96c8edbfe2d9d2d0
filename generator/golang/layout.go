package golang

import (
	"go/token"
	gotypes "go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/dave/jennifer/jen"
)

// table is a model with what only its Go form needs.
type table struct {
	*model.Table
	importPath string
	columns    []*column
	leaves     []*part // of the columns
	nested     bool    // a column is a list, map or struct
	sys        int     // leaf of _source
	reps       []uint8 // level streams of a page: the greatest repetition level of each
	live       int     // stream shared by all columns that only a delete leaves null; -1: there is none
	version    int     // stream of _version
}

// column is a column with its variables in page code.
type column struct {
	*part
	local   string // variable of its values
	counter string // variable that counts its values: the row, the live rows, or its own
}

func newTable(p *model.Project, t *model.Table) *table {
	v := &table{Table: t, importPath: path.Join(p.GoPackage, t.Name), nested: isNested(t), live: -1}
	places := &layout{taken: map[string]bool{}}
	taken := map[string]bool{"cursor": isNested(t)}
	for _, m := range t.Columns {
		if t.Nullable(m) && !m.Optional && v.live < 0 {
			v.live = places.stream(0)
		}
		declared(m, func(c *model.Column) { places.taken[c.GoType] = true })
		v.columns = append(v.columns, &column{part: &part{Column: m, nullable: m.Optional}, local: local(m.GoName, taken), counter: "i"})
	}
	live := &point{stream: v.live, def: 1}
	for _, c := range v.columns {
		at := unclaimed
		switch {
		case c.Optional:
			c.counter = "n" + upperFirst(c.local)
		case t.Nullable(c.Column):
			at, c.counter = live, "k"
		}
		places.place(c.part, at, nil, c.Column.Name, c.GoName)
	}
	v.leaves, v.sys = places.leaves, len(places.leaves)
	v.version = places.stream(0)
	v.reps = places.reps
	return v
}

// reserved are names that a local variable must not have: keywords, what Go predeclares,
// imported packages, and what generated functions declare or call themselves. Names of
// enum tables have Of in them, see local.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range gotypes.Universe.Names() {
		m[w] = true
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		m[t.String()] = true
	}
	own := `bridge bytes embed testing schema avroSchema fill scan set appendText appendKey appendStateKey readAvroField
		p rows c sys live n k i r b e t ok col leaf missing next v dst src carried besideCode`
	for _, w := range strings.Fields(own) {
		m[w] = true
	}
	return m
}()

// companions are a column's variable and those that go with it in page code.
func companions(name string) []string {
	return []string{name, name + "Off", name + "Def", "n" + upperFirst(name)}
}

// local is a variable's name for a field: ShipToURL is shipToURL, ID is id. Neither it nor
// what goes with it meets another name.
func local(goName string, taken map[string]bool) string {
	r := []rune(goName)
	for i := range r {
		if i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) || !unicode.IsUpper(r[i]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	name := string(r)
	if enumTable.MatchString(name) {
		name += "_"
	}
	meets := func() bool {
		return slices.ContainsFunc(companions(name), func(s string) bool {
			return reserved[s] || taken[s] || enumTable.MatchString(s)
		})
	}
	for base, n := name, 2; meets(); n++ {
		name = base + strconv.Itoa(n)
	}
	for _, s := range companions(name) {
		taken[s] = true
	}
	return name
}

// enumTable is what nameOf makes.
var enumTable = regexp.MustCompile(`^(text|values|code|fill|scan|page|check|tidy)Of[A-Z][A-Za-z0-9]*$`)

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// bare is the Go type of a value that is there.
func (c *part) bare() *jen.Statement {
	switch c.Type.Shape {
	case types.Sequence:
		return jen.Index().Add(c.elem.bare())
	case types.Mapping:
		return jen.Map(jen.String()).Add(c.elem.bare())
	}
	if name, ok := strings.CutPrefix(c.Type.Go, "bridge."); ok {
		return bridge(name)
	}
	return jen.Id(c.GoType)
}

// goType is the type of the field.
func (c *part) goType() *jen.Statement {
	if c.Optional && !c.isNilable() {
		return bridge("Opt").Types(c.bare())
	}
	return c.bare()
}

// field is the part in r, which is the record, or the struct that holds it; of an element
// it is the element.
func (c *part) field() *jen.Statement {
	if c.element != nil {
		return c.element.Clone()
	}
	return jen.Id("r").Dot(c.GoName)
}

// value is the value in r, which is there.
func (c *part) value() *jen.Statement {
	if c.Optional && !c.isNilable() {
		return c.field().Dot("V")
	}
	return c.field()
}

// there is the condition that an optional part of r has a value.
func (c *part) there() *jen.Statement {
	if c.isNilable() {
		return c.field().Op("!=").Nil()
	}
	return c.field().Dot("OK")
}

// raw converts a value to its primitive in Avro and in a page.
func (c *part) raw(v *jen.Statement) *jen.Statement {
	if c.Type.Raw == "" {
		return v
	}
	return jen.Id(c.Type.Raw).Call(v)
}

// keyed are the key columns, in the order of the key.
func (t *table) keyed() []*column {
	out := make([]*column, len(t.Key))
	for i, k := range t.Key {
		out[i] = t.columns[k.Index]
	}
	return out
}

// others are the columns outside the key.
func (t *table) others() []*column {
	var out []*column
	for _, c := range t.columns {
		if !c.Key {
			out = append(out, c)
		}
	}
	return out
}

// preferred is the source that wins between equal versions.
func (t *table) preferred() *jen.Statement {
	if t.Dedup.Prefer == "batch" {
		return bridge("Batch")
	}
	return bridge("Streaming")
}
