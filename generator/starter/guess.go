package starter

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/spec/types"
)

// guess is what the cells of a column say of its type.
type guess struct {
	seen     int  // cells that are not null
	nulls    int  // cells that are
	no       uint // bit i: a cell does not fit candidates[i]
	whole    int  // digits before the point, at most
	scale    int  // digits behind it; -1: they differ
	local    bool // a timestamp without an offset
	distinct []string
	many     bool // there are more values than an enum would have
}

// candidate is a type, and how a text of it looks beside being readable as one.
type candidate struct {
	typ  *types.Type
	form *regexp.Regexp
}

// candidates are the types that a text can show, the narrowest first. A column of
// integers is long: the next file may hold larger ones.
var candidates = []candidate{
	{types.Boolean, regexp.MustCompile(`^`)},
	{types.Long, regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)$`)}, // 007 is a text
	{types.Decimal, regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`)},
	{types.Double, regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)},
	{types.Date, regexp.MustCompile(`^`)},
	{types.Timestamp, regexp.MustCompile(`^`)},
	{types.UUID, regexp.MustCompile(`^`)},
}

const (
	maxDigits   = 38 // of a decimal
	exactDigits = 15 // that a double keeps
	maxValues   = 12 // that are still suggested as an enum
	maxLength   = 40 // of such a value
	enumRows    = 20 // below which no enum is suggested
)

func (g *guess) add(cell []byte, null bool) {
	if null {
		g.nulls++
		return
	}
	g.digits(cell)
	g.seen++
	for i, c := range candidates {
		switch {
		case g.no&(1<<i) != 0:
		case !c.form.Match(cell) || !readable(c.typ, cell):
			g.no |= 1 << i
		case c.typ == types.Timestamp:
			g.local = g.local || !hasOffset(cell)
		}
	}
	if g.many || slices.Contains(g.distinct, string(cell)) {
		return
	}
	g.distinct = append(g.distinct, string(cell))
	g.many = len(g.distinct) > maxValues || len(cell) > maxLength
}

// digits counts those of a number on both sides of its point.
func (g *guess) digits(cell []byte) {
	whole, behind, _ := bytes.Cut(bytes.TrimPrefix(cell, []byte("-")), []byte("."))
	g.whole = max(g.whole, len(whole))
	switch n := len(behind); {
	case n == 0 || g.scale == n:
	case g.scale == 0:
		g.scale = n
	default:
		g.scale = -1
	}
}

func readable(t *types.Type, cell []byte) bool {
	text := &bridge.Text{B: slices.Clone(cell), Zone: time.UTC}
	t.Parse(text, maxDigits, decimalScale(cell))
	return text.Reason == ""
}

func decimalScale(cell []byte) int {
	_, behind, _ := bytes.Cut(cell, []byte("."))
	return min(len(behind), maxDigits)
}

func hasOffset(cell []byte) bool {
	text := &bridge.Text{B: slices.Clone(cell)}
	types.Timestamp.Parse(text, 0, 0)
	return text.Reason == ""
}

// column is the column that the cells of rows rows show.
func (g *guess) column(rows int) Column {
	c := Column{Type: types.String.Word, Optional: g.nulls > 0 || rows == 0}
	switch {
	case rows == 0:
		c.Note = "guessed: the file has no rows"
		return c
	case g.seen == 0:
		c.Note = fmt.Sprintf("guessed: no value in %s", count(rows, "row"))
		return c
	}
	c.Note = "guessed from " + count(rows, "row")
	if g.nulls > 0 {
		c.Note += fmt.Sprintf(", %d of them without a value", g.nulls)
	}
	for i, candidate := range candidates {
		if g.no&(1<<i) == 0 && g.keeps(candidate.typ) {
			c.Type = (&types.Node{Type: candidate.typ, Precision: max(g.whole+max(g.scale, 0), 18), Scale: max(g.scale, 0)}).Spell()
			return c
		}
	}
	if values := g.values(); values != nil {
		c.Note += "; an enum? values: " + valueList(values)
	}
	return c
}

// keeps reports whether a numeric type holds what was seen exactly: a decimal has one
// scale, and a double 15 digits.
func (g *guess) keeps(t *types.Type) bool {
	switch t {
	case types.Decimal:
		return g.scale >= 0 && g.whole+g.scale <= maxDigits
	case types.Double:
		return g.whole <= exactDigits
	}
	return true
}

// values are the symbols of the enum that a column may be; nil if it looks like none.
func (g *guess) values() []Symbol {
	if g.many || g.seen < enumRows || g.seen < 5*len(g.distinct) {
		return nil
	}
	sorted := slices.Sorted(slices.Values(g.distinct))
	if slices.ContainsFunc(sorted, func(v string) bool { return strings.TrimSpace(v) == "" }) {
		return nil
	}
	return symbols(sorted)
}

// count is "1 row", "2 rows".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
