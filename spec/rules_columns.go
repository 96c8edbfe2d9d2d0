package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/spec/didyoumean"
	"github.com/bridgegen/bridgegen/spec/types"
)

// columnRules are about types, defaults and normalisers.
var columnRules = []Rule{
	{ID: "TYPE_SYNTAX", Purpose: "a type is a word; decimal has precision and scale, list and map what they hold",
		Why:  "In { } a comma ends a value, so decimal(10,2) must be quoted there: YAML reads {type: decimal(10,2)} as two keys. The same holds for \"map<string,long>\". Only decimal takes numbers in parentheses; strings have no length. The keys of a map are strings, for JSON, Avro and the S3 sink know no others.",
		Bad:  "- {name: amount, type: decimal(10,2)}",
		Good: "- {name: amount, type: \"decimal(10,2)\"}"},
	{ID: "UNKNOWN_TYPE", Purpose: "a type is one of those that every system can hold",
		Why:  "Type words are those of Iceberg and Avro. `bridgegen types` lists them with what each system makes of them; the message names the one that a word of another system most likely means.",
		Bad:  "- {name: views, type: bigint}",
		Good: "- {name: views, type: long}"},
	{ID: "DECIMAL_PRECISION", Purpose: "a decimal has 1 to 38 digits, and no more behind the point than it has",
		Why:  "38 digits are what Trino and Flink hold; Avro and Parquet would take more, and the table would then be unreadable. The scale counts digits behind the point, so it lies between 0 and the precision.",
		Bad:  "- {name: amount, type: \"decimal(40,2)\"}",
		Good: "- {name: amount, type: \"decimal(38,2)\"}", check: checkDecimals},
	{ID: "DEFAULT_VALUE", Purpose: "a default is a value of its column, which is neither optional nor in the key",
		Why:  "It is what older files and records read as, in every engine, and what a load puts for a missing column. It is written as CSV would write it: a date 2026-01-31, a timestamp RFC 3339 in UTC, a decimal quoted and exact, bytes as base64, an enum by its symbol. An optional column has null already.",
		Bad:  "- {name: priority, type: int, default: high}",
		Good: "- {name: priority, type: int, default: 0}", check: checkDefaults},
	{ID: "DOC", Purpose: "a doc is plain text",
		Why:   "It becomes a comment in the generated code. Control characters and byte order marks are refused by Go's compiler, and a line that begins with +build would be an instruction to it.",
		Bad:   "doc: \"orders\\u0000\"",
		Good:  "doc: one row per order",
		check: checkDocs},
	{ID: "NORMALIZE", Purpose: "normalisers stand on strings that are read, and null_if_empty stands last",
		Why:  "They work on text, on both roads, before anything is computed. null_if_empty needs an optional column, and a normaliser behind it could make an empty string again. A derived column is computed from columns that are normalised already.",
		Bad:  "- {name: views, type: long, normalize: [trim]}",
		Good: "- {name: label, type: string, normalize: [trim]}", check: checkNormalize},
}

// enumRules are about enums.
var enumRules = []Rule{
	{ID: "ENUM_VALUES", Purpose: "an enum lists its symbols once each, 254 at most; no other type lists any",
		Why:  "A symbol is one byte in a page, and one value of it means invalid. Two symbols of one spelling in the source could not be told apart.",
		Bad:  "- {name: channel, type: enum}",
		Good: "- {name: channel, type: enum, values: [web, store]}", check: checkEnumValues},
	{ID: "ENUM_SYMBOL", Purpose: "a symbol is letters, digits and _, and no digit first",
		Why:  "Avro allows nothing else (T68), so a schema with in-active does not parse. Map the source's spelling to a symbol: {in_active: \"in-active\"}; loads and CDC then read the one and write the other.",
		Bad:  "- {name: channel, type: enum, values: [web, in-store]}",
		Good: "- {name: channel, type: enum, values: [web, {in_store: \"in-store\"}]}", check: checkEnumSymbols},
	{ID: "FALLBACK", Purpose: "fallback is a symbol of its enum",
		Why:  "It is what a reader that stores nothing makes of a symbol that was added after it was built: the default of the Avro enum (T74).",
		Bad:  "- {name: channel, type: enum, values: [web, store], fallback: other}",
		Good: "- {name: channel, type: enum, values: [web, store, other], fallback: other}", check: checkFallbacks},
}

const maxSymbols = 254

func checkDocs(t *Table, r reporter) {
	docs := []Text{t.Doc}
	for c := range t.Every() {
		docs = append(docs, c.Doc)
	}
	for _, d := range docs {
		if i := strings.IndexFunc(d.V, func(c rune) bool { return c != '\n' && c != '\t' && (unicode.IsControl(c) || c == '\ufeff') }); i >= 0 {
			r.at(d.Pos, "doc holds the character %q; write plain text", []rune(d.V[i:])[0])
		}
		for line := range strings.Lines(d.V) {
			if strings.HasPrefix(strings.TrimSpace(line), "+build") {
				r.at(d.Pos, "doc: a line that begins with +build is an instruction to Go's compiler; write it otherwise")
			}
		}
	}
}

func checkDecimals(t *Table, r reporter) {
	for c := range t.Every() {
		held, written := c.Held()
		if held != types.Decimal {
			continue
		}
		p, s := written.Precision, written.Scale
		switch {
		case p < 1 || p > 38:
			r.at(c.Column.Type.Pos, "decimal(%d,%d) has %d digits; write 1 to 38", p, s, p)
		case s < 0 || s > p:
			r.at(c.Column.Type.Pos, "decimal(%d,%d) has %d of its %d digits behind the point; write 0 to %d", p, s, s, p, p)
		}
	}
}

func checkDefaults(t *Table, r reporter) {
	for _, c := range t.Columns {
		d := c.Default
		if !d.Set {
			continue
		}
		if c.Optional.V {
			r.at(d.Pos, "column %q is optional, so its default is null; leave default out, or optional", c.Name.V)
			continue
		}
		if t.isKey(c.Name.V) {
			r.at(d.Pos, "column %q is in the key, and no row is without its key; leave default out", c.Name.V)
			continue
		}
		if c.Type == types.Decimal && !d.V.Quoted {
			r.at(d.Pos, "column %q: the default of a decimal must be quoted, for YAML reads a float: default: %q", c.Name.V, d.V.Text)
			continue
		}
		if reason := c.defaultProblem(); reason != "" {
			r.at(d.Pos, "column %q: default %q %s", c.Name.V, d.V.Text, reason)
		}
	}
}

// defaultProblem ends the sentence that begins with the default if it is no value of
// the column.
func (c *TableColumn) defaultProblem() string {
	text := &bridge.Text{B: []byte(c.Default.V.Text)}
	switch symbols := c.symbols(); {
	case c.Type == types.Decimal && c.badDecimal():
		return ""
	case c.Type == types.Struct:
		return "cannot be: a struct has no default; make it optional instead"
	case c.Type.Parse != nil:
		c.Type.Parse(text, c.Column.Type.V.Precision, c.Column.Type.V.Scale)
	case len(symbols) > 0 && !slices.Contains(symbols, c.Default.V.Text):
		return notSymbol(c.Default.V.Text, symbols)
	}
	switch {
	case text.Reason == "" && text.Floored > 0:
		return "is finer than a millisecond"
	case text.Reason == "" && c.Type.AvroDefault(c.Default.V.Text, c.Column.Type.V.Precision, c.Column.Type.V.Scale) == nil:
		return "is no number that an Avro schema can hold; make the column optional instead"
	case c.Type == types.Timestamp && text.Reason == "" && !strings.HasSuffix(c.Default.V.Text, "Z"):
		return "is not in UTC; write RFC 3339 with a Z at the end"
	}
	return text.Reason
}

func (c *TableColumn) badDecimal() bool {
	p, s := c.Column.Type.V.Precision, c.Column.Type.V.Scale
	return p < 1 || p > 38 || s < 0 || s > p
}

func notSymbol(text string, symbols []string) string {
	return fmt.Sprintf("is not one of %s%s", strings.Join(symbols, ", "), didyoumean.Hint(didyoumean.Nearest(text, symbols, nil)))
}

func checkNormalize(t *Table, r reporter) {
	for c := range t.Every() {
		n := c.Normalize
		held, written := c.Held()
		switch {
		case len(n.V) == 0:
			continue
		case !held.Text:
			r.at(n.Pos, "column %q is %s; only a string can be normalised", c.Path, written.Word)
			continue
		case c.Column.Derive.Set:
			r.at(n.Pos, "column %q is derived, from columns that are normalised already; leave normalize out", c.Path)
			continue
		}
		for i, w := range n.V {
			switch {
			case w.V != "null_if_empty":
			case c.Type.Elements():
				r.at(w.Pos, "column %q: null_if_empty gives null, and what a %s holds is never null; leave it out", c.Path, c.Type.Word)
			case !c.Optional.V:
				r.at(w.Pos, "column %q: null_if_empty gives null, but the column is not optional; write optional: true", c.Path)
			case i < len(n.V)-1:
				r.at(w.Pos, "column %q: null_if_empty must stand last, for %s could empty the string again", c.Path, n.V[i+1].V)
			}
		}
	}
}

func checkEnumValues(t *Table, r reporter) {
	for c := range t.Every() {
		v := c.Values
		held, written := c.Held()
		switch {
		case held != types.Enum && v.Set:
			r.at(v.Pos, "column %q is %s; only an enum has values", c.Path, written.Word)
			continue
		case held != types.Enum:
			continue
		case !v.Set && v.Pos.Line == 0:
			r.at(c.Column.Type.Pos, "column %q: an enum needs its symbols: values: [a, b]", c.Path)
		case v.Set && len(v.V) == 0:
			r.at(v.Pos, "column %q: an enum has at least one symbol", c.Path)
		case len(v.V) > maxSymbols:
			r.at(v.Pos, "column %q has %d symbols; at most %d are legal", c.Path, len(v.V), maxSymbols)
		}
		symbols, sources := map[string]bool{}, map[string]string{}
		for _, value := range v.V {
			symbol, source := value.Symbol.V, value.Source.Or(value.Symbol.V)
			if symbols[symbol] {
				r.at(value.Symbol.Pos, "column %q: symbol %q stands here a second time", c.Path, symbol)
				continue
			}
			if other, ok := sources[source]; ok {
				r.at(value.Symbol.Pos, "column %q: %s and %s are both spelled %q in the source", c.Path, other, symbol, source)
			}
			symbols[symbol], sources[source] = true, symbol
		}
	}
}

func checkEnumSymbols(t *Table, r reporter) {
	for c := range t.Every() {
		for _, v := range c.Values.V {
			symbol := v.Symbol.V
			switch {
			case avroName.MatchString(symbol) && len(symbol) <= maxName:
				continue
			case len(symbol) > maxName:
				r.at(v.Symbol.Pos, "column %q: value %q has more than %d characters", c.Path, symbol, maxName)
				continue
			}
			advice := "write another symbol and map it: {symbol: " + fmt.Sprintf("%q}", v.Source.Or(symbol))
			if s := avroSymbol(symbol); s != "" {
				advice = fmt.Sprintf("write %s, or map it: {%s: %q}", s, s, v.Source.Or(symbol))
			}
			r.at(v.Symbol.Pos, "column %q: value %q is no Avro symbol (letters, digits, _); %s", c.Path, symbol, advice)
		}
	}
}

// avroSymbol is the symbol that looks most like text; empty if there is none.
func avroSymbol(text string) string {
	s := strings.Map(func(c rune) rune {
		if c == '-' || c == ' ' || c == '.' || c == '/' {
			return '_'
		}
		return c
	}, text)
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		s = "_" + s
	}
	if !avroName.MatchString(s) {
		return ""
	}
	return s
}

func checkFallbacks(t *Table, r reporter) {
	for _, c := range t.Columns {
		f := c.Fallback
		switch symbols := c.symbols(); {
		case !f.Set:
		case c.Type != types.Enum:
			r.at(f.Pos, "column %q is %s; only an enum has a fallback", c.Name.V, c.Type.Word)
		case len(symbols) > 0 && !slices.Contains(symbols, f.V):
			r.at(f.Pos, "column %q: fallback %q %s", c.Name.V, f.V, notSymbol(f.V, symbols))
		}
	}
}
