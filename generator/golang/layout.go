package golang

import (
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/dave/jennifer/jen"
)

// table is a model with what only its Go form needs.
type table struct {
	*model.Table
	importPath string
	columns    []*column
	sys        int // leaf of _source
	streams    int // level streams of a page
	live       int // stream shared by all columns that only a delete leaves null; -1: there is none
}

// column is a column with its place in a page.
type column struct {
	*model.Column
	local   string // variable of its values in page code
	stream  int    // level stream; -1: never null
	counter string // variable that counts its values in page code: the row, the live rows, or its own
	enum    string // suffix of what the package declares for an enum
}

func newTable(p *model.Project, t *model.Table) *table {
	v := &table{Table: t, importPath: path.Join(p.GoPackage, t.Name), sys: len(t.Columns), live: -1}
	taken := map[string]bool{}
	for _, m := range t.Columns {
		c := &column{Column: m, local: local(m.GoName, taken), stream: -1, counter: "i", enum: m.GoName}
		if t.Nullable(m) && !m.Optional && v.live < 0 {
			v.live = v.streams
			v.streams++
		}
		v.columns = append(v.columns, c)
	}
	for _, c := range v.columns {
		switch {
		case c.Optional:
			c.stream, c.counter = v.streams, "n"+upperFirst(c.local)
			v.streams++
		case t.Nullable(c.Column):
			c.stream, c.counter = v.live, "k"
		}
	}
	v.streams++ // of _version, the last one
	return v
}

// reserved are names that a local variable must not have: keywords, what Go predeclares,
// imported packages, and what generated functions declare or call themselves. Names of
// enum tables have Of in them, see local.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range types.Universe.Names() {
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
var enumTable = regexp.MustCompile(`^(text|values|code)Of[A-Z][A-Za-z0-9]*$`)

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// isEnum reports whether the column declares its own type.
func (c *column) isEnum() bool { return c.Type.Go == "" }

// isNilable reports whether null is nil and not an Opt without a value.
func (c *column) isNilable() bool { return c.Type.Go == "[]byte" }

// bare is the Go type of a value that is there.
func (c *column) bare() *jen.Statement {
	if name, ok := strings.CutPrefix(c.Type.Go, "bridge."); ok {
		return bridge(name)
	}
	return jen.Id(c.GoType)
}

// goType is the type of the field.
func (c *column) goType() *jen.Statement {
	if c.Optional && !c.isNilable() {
		return bridge("Opt").Types(c.bare())
	}
	return c.bare()
}

// field is the column in record r.
func (c *column) field() *jen.Statement { return jen.Id("r").Dot(c.GoName) }

// value is the value in record r, which is there.
func (c *column) value() *jen.Statement {
	if c.Optional && !c.isNilable() {
		return c.field().Dot("V")
	}
	return c.field()
}

// there is the condition that an optional column of r has a value.
func (c *column) there() *jen.Statement {
	if c.isNilable() {
		return c.field().Op("!=").Nil()
	}
	return c.field().Dot("OK")
}

// raw converts a value to its primitive in Avro and in a page.
func (c *column) raw(v *jen.Statement) *jen.Statement {
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

// nameOf is a package-level name for an enum. The prefix keeps it apart from the
// package's own names, whatever the column is called.
func nameOf(what string, c *column) string { return what + "Of" + c.enum }
