package starter

import (
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec/types"
)

// sqlReader reads the statements of a file that declare tables; it passes over others.
type sqlReader struct {
	f      *file
	tokens []token
	at     int
	drafts []*Draft
	enums  map[string][]Symbol // CREATE TYPE ... AS ENUM
}

// readSQL drafts the tables that CREATE TABLE statements declare.
func readSQL(f *file) ([]*Draft, error) {
	tokens, err := f.tokens()
	if err != nil {
		return nil, err
	}
	r := &sqlReader{f: f, tokens: tokens, enums: map[string][]Symbol{}}
	for r.peek().kind != endOfFile {
		if err := r.statement(); err != nil {
			return nil, err
		}
	}
	if len(r.drafts) == 0 {
		return nil, f.errorAt(1, 1, "no CREATE TABLE with columns stands in the file")
	}
	return r.drafts, nil
}

func (r *sqlReader) peek() token { return r.tokens[r.at] }

func (r *sqlReader) next() token {
	t := r.tokens[r.at]
	if t.kind != endOfFile {
		r.at++
	}
	return t
}

// accept takes the words if they come next, in this order.
func (r *sqlReader) accept(words ...string) bool {
	for i, w := range words {
		if at := r.at + i; at >= len(r.tokens) || !r.tokens[at].is(w) {
			return false
		}
	}
	r.at += len(words)
	return true
}

func (r *sqlReader) expect(what string) error {
	if r.accept(what) {
		return nil
	}
	return r.unexpected("%s", what)
}

func (r *sqlReader) unexpected(format string, args ...any) error {
	t := r.peek()
	found := "the end of the file"
	if t.kind != endOfFile {
		found = `"` + t.text + `"`
	}
	return r.f.errorAt(t.line, t.col, format+" is expected here, not %s", append(args, found)...)
}

// statement reads to the semicolon, or to the end.
func (r *sqlReader) statement() error {
	switch {
	case r.accept("create"):
		for r.peek().is("or", "replace", "temp", "temporary", "external", "unlogged", "global", "local", "transient", "foreign", "hybrid") {
			r.next()
		}
		if r.accept("table") {
			if err := r.table(); err != nil {
				return err
			}
		} else if r.accept("type") {
			r.enumType()
		}
	case r.accept("alter", "table"):
		r.alter()
	}
	for depth := 0; r.peek().kind != endOfFile; {
		switch t := r.next(); {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case t.is(";") && depth <= 0:
			return nil
		}
	}
	return nil
}

// name reads a name with its qualifiers, and returns its last part.
func (r *sqlReader) name() (token, error) {
	for {
		t := r.peek()
		if t.kind != word && t.kind != quotedName {
			return t, r.unexpected("a name")
		}
		r.next()
		if !r.accept(".") {
			return t, nil
		}
	}
}

func (r *sqlReader) table() error {
	r.accept("if", "not", "exists")
	name, err := r.name()
	if err != nil {
		return err
	}
	if !r.peek().is("(") {
		return r.f.errorAt(name.line, name.col, "table %q lists no columns here; write its CREATE TABLE with a list of columns", name.text)
	}
	r.next()
	d := &Draft{Table: name.name()}
	for {
		if err := r.item(d); err != nil {
			return err
		}
		if r.accept(")") {
			break
		}
		if err := r.expect(","); err != nil {
			return err
		}
	}
	if len(d.Columns) == 0 {
		return r.f.errorAt(name.line, name.col, "table %q has no columns", name.text)
	}
	for i := r.at; !r.tokens[i].is(";") && r.tokens[i].kind != endOfFile; i++ {
		if r.tokens[i].is("comment") {
			if i++; r.tokens[i].is("=") {
				i++
			}
			if r.tokens[i].kind == text {
				d.Doc = r.tokens[i].text
			}
		}
	}
	r.drafts = append(r.drafts, d)
	return nil
}

// item reads a column or a constraint of a table.
func (r *sqlReader) item(d *Draft) error {
	if r.constraint() {
		if columns, ok := r.primaryKey(); ok {
			d.primary = columns
		}
		return r.skip(d, nil)
	}
	name, err := r.name()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(d.Columns, func(c Column) bool { return c.Name == name.name() }) {
		return r.f.errorAt(name.line, name.col, "column %q stands in table %q twice", name.text, d.Table)
	}
	c := Column{Name: name.name()}
	if err := r.dataType(&c); err != nil {
		return err
	}
	c.Optional = true
	if err := r.skip(d, &c); err != nil {
		return err
	}
	d.Columns = append(d.Columns, c)
	return nil
}

// constraint reports whether a constraint or an index begins here. KEY and INDEX name
// columns too, so what follows decides.
func (r *sqlReader) constraint() bool {
	first, rest := r.peek(), r.tokens[r.at+1:]
	switch {
	case first.is("constraint", "primary", "foreign", "unique", "check", "exclude", "like", "fulltext", "spatial"):
		return true
	case !first.is("key", "index", "period"):
		return false
	case rest[0].is("("):
		return true
	}
	return len(rest) > 2 && rest[1].is("(") && rest[2].kind != number
}

// primaryKey finds PRIMARY KEY (...) before the constraint ends, and does not move.
func (r *sqlReader) primaryKey() (columns []string, ok bool) {
	at, depth := r.at, 0
	defer func() { r.at = at }()
	for ; r.peek().kind != endOfFile; r.next() {
		switch {
		case r.accept("primary", "key"):
			for !r.peek().is("(", ",", ")", ";") && r.peek().kind != endOfFile { // CLUSTERED, USING BTREE
				r.next()
			}
			return r.nameList(), true
		case r.peek().is("("):
			depth++
		case r.peek().is(")", ",", ";"):
			if r.peek().is(")") {
				depth--
			}
			if depth < 0 || depth == 0 && !r.peek().is(")") {
				return nil, false
			}
		}
	}
	return nil, false
}

// nameList reads (a, b DESC, c(10)).
func (r *sqlReader) nameList() []string {
	var names []string
	depth, first := 0, false
	for r.peek().kind != endOfFile {
		switch t := r.next(); {
		case t.is("("):
			depth++
			first = depth == 1
		case t.is(")"):
			if depth--; depth == 0 {
				return names
			}
		case t.is(",") && depth == 1:
			first = true
		case first && (t.kind == word || t.kind == quotedName):
			names = append(names, t.name())
			first = false
		}
	}
	return names
}

// skip passes over the rest of an item, and takes from it what says something of c.
func (r *sqlReader) skip(d *Draft, c *Column) error {
	for depth := 0; ; {
		t := r.peek()
		switch {
		case t.kind == endOfFile || t.is(";") && depth == 0:
			return r.unexpected(`"," or ")"`)
		case depth == 0 && t.is(",", ")"):
			return nil
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case c == nil || depth > 0:
		case r.accept("not", "null"):
			c.Optional = false
			continue
		case r.accept("primary", "key"):
			c.Optional = false
			d.primary = []string{c.Name}
			continue
		case r.accept("comment"):
			if r.peek().kind == text {
				c.Doc = r.next().text
			}
			continue
		}
		r.next()
	}
}

// alter takes the primary key that a dump adds behind its CREATE TABLE.
func (r *sqlReader) alter() {
	r.accept("if", "exists")
	r.accept("only")
	name, err := r.name()
	if err != nil {
		return
	}
	columns, ok := r.primaryKey()
	for _, d := range r.drafts {
		if ok && d.Table == name.name() {
			d.primary = columns
		}
	}
}

// enumType reads name AS ENUM ('a', 'b').
func (r *sqlReader) enumType() {
	name, err := r.name()
	if err != nil || !r.accept("as", "enum", "(") {
		return
	}
	var values []string
	for r.peek().kind == text {
		values = append(values, r.next().text)
		r.accept(",")
	}
	r.enums[strings.ToLower(name.text)] = symbols(values)
}

// enum makes c an enum, or a string if no enum can have all the values.
func (c *Column) enum(values []Symbol) {
	if c.Type, c.Values = types.Enum.Word, values; values == nil {
		c.Type = types.String.Word
		c.Note = join(c.Note, "an enum in the source, with values that are no symbols")
	}
}
