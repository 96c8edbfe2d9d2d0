package starter

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/bridgegen/bridgegen/spec"
	"golang.org/x/text/unicode/norm"
)

const maxName = 100 // of the 127 characters that a name may have, so that a suffix fits

var manyUnderscores = regexp.MustCompile(`__+`)

// spelled are letters that have no mark to take off.
var spelled = strings.NewReplacer("ß", "ss", "Æ", "AE", "æ", "ae", "Ø", "O", "ø", "o", "Œ", "OE", "œ", "oe", "Ł", "L", "ł", "l")

// fold is a name in lower snake case: orderID, Order-Id and "order id" are order_id. It
// is empty if nothing of the name is left.
func fold(name string) string {
	var b strings.Builder
	runes := []rune(norm.NFD.String(spelled.Replace(name)))
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			if unicode.IsUpper(r) && i > 0 {
				before := runes[i-1]
				ends := i+1 < len(runes) && unicode.IsLower(runes[i+1])
				if unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && ends {
					b.WriteByte('_')
				}
			}
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteByte('_')
		}
	}
	s := strings.Trim(manyUnderscores.ReplaceAllString(b.String(), "_"), "_")
	return strings.TrimRight(s[:min(len(s), maxName)], "_")
}

// refused reports whether the rules of a spec refuse a table or a column for its name.
func refused(table, column string) bool {
	text := fmt.Sprintf("bridgegen: v1\ntable: %s\ncolumns:\n  - {name: an_id, type: long}\n  - {name: %s, type: long}\nkey: [an_id]\nlake: {bucket: bucket}\nstream: {topic: events}\n", quote(table), quote(column))
	s, diags := spec.Parse("", []byte(text))
	return len(diags) > 0 || len(spec.Check([]*spec.Spec{s}, nil)) > 0
}

// tableName is a legal name of a table that looks like name.
func tableName(name string) string {
	s := fold(name)
	if s == "" || s[0] <= '9' {
		s = strings.TrimSuffix("table_"+s, "_")
	}
	if refused(s, "a_column") {
		s += "_table"
	}
	return s
}

var exported = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// recordName is name if a record can be called so; empty if it must take the default.
func recordName(name string) string {
	taken := slices.ContainsFunc(spec.DeclaredNames, func(d spec.Declared) bool { return d.Name == name })
	if taken || !exported.MatchString(name) || name == spec.GoName(fold(name)) {
		return ""
	}
	return name
}

// names are the names of one record: no two columns meet, in the spec or in Go.
type names map[string]bool

func newNames(d *Draft) names {
	n := names{}
	record := d.Record
	if record == "" {
		record = spec.GoName(d.Table)
	}
	n["type "+record] = true
	for _, declared := range spec.DeclaredNames {
		n["type "+declared.Name] = true
	}
	return n
}

// settleAll gives columns their names. Those that are called as a spec would call them
// come first: no other takes their name.
func (n names) settleAll(cs []Column) {
	var others []*Column
	for i := range cs {
		c := &cs[i]
		if fold(c.Name) == c.Name && !refused("a_table", c.Name) {
			n.settle(c)
			continue
		}
		others = append(others, c)
	}
	for _, c := range others {
		n.settle(c)
	}
}

// settle gives a column its name in the spec, and its fields theirs.
func (n names) settle(c *Column) {
	source, named := c.Name, len(c.Values) > 0 // an enum declares a Go type of its own
	base := fold(source)
	if base == "" || base[0] <= '9' {
		base = strings.TrimSuffix("column_"+base, "_")
	}
	if refused("a_table", base) {
		base += "_value"
	}
	name := base
	for i := 2; n[spec.GoName(name)] || named && n["type "+spec.GoName(name)]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	n[spec.GoName(name)] = true
	if named {
		n["type "+spec.GoName(name)] = true
	}
	if c.Name = name; name != source {
		c.From = source
	}
	for i := range c.Fields {
		c.Fields[i].Default, c.Fields[i].Fallback = "", "" // for columns only
	}
	names{}.settleAll(c.Fields)
}

var avroName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

var notInSymbol = regexp.MustCompile(`[^A-Za-z0-9_]+`)

const maxSymbols = 254

// symbols are the values of an enum; nil if no enum can have them all.
func symbols(values []string) []Symbol {
	if len(values) == 0 || len(values) > maxSymbols {
		return nil
	}
	var out []Symbol
	taken := map[string]bool{}
	for _, v := range values {
		s := Symbol{Name: v}
		if !avroName.MatchString(v) {
			s = Symbol{notInSymbol.ReplaceAllString(v, "_"), v}
			if s.Name != "" && s.Name[0] >= '0' && s.Name[0] <= '9' {
				s.Name = "_" + s.Name
			}
		}
		constant := spec.GoName(s.Name)
		if !avroName.MatchString(s.Name) || constant == "" || taken[constant] || len(s.Name) > maxName {
			return nil
		}
		taken[constant] = true
		out = append(out, s)
	}
	return out
}
