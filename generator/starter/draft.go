// Package starter drafts a first spec of a table from what is there: a CSV file, an Avro
// schema, or CREATE TABLE statements. A draft is for a person to read: what is guessed
// and what is left out is said in comments.
package starter

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bridgegen/bridgegen/spec/types"
)

// MaxRows is how many rows of a CSV file a draft looks at.
const MaxRows = 10000

// MaxBytes is how much of a file a draft takes.
const MaxBytes = 64 << 20

// Draft is the first spec of one table.
type Draft struct {
	Table     string
	Record    string // empty: the default
	Namespace string
	Doc       string
	Columns   []Column
	Key       []string
	KeyNote   string // what to think of the key; empty: it is known
	Version   string // column that may order rows; empty: none was found
	Zone      bool   // timestamps without an offset were seen
	Delimiter string // between fields of CSV; empty: a comma
	Losses    []string

	source  string // file, for comments and messages
	primary []string
}

// Column is one column, or one field of a struct. Until the draft is settled, Name is as
// the source spells it.
type Column struct {
	Name     string
	From     string // the source's name where Name is another
	Type     string // as a spec writes it
	Optional bool
	Values   []Symbol
	Fields   []Column
	Default  string // as a spec writes it, quotes and all
	Fallback string
	Doc      string
	Note     string // comment behind the column
	Lost     string // why the column is a comment only; empty: it is none
}

// source is the name in the source, once the column has its own.
func (c *Column) source() string {
	if c.From != "" {
		return c.From
	}
	return c.Name
}

// Symbol is one value of an enum.
type Symbol struct {
	Name   string
	Source string // where the source spells it otherwise
}

// formats are the files that a draft can come from, by the end of their names.
var formats = []struct {
	ext  string
	read func(f *file) ([]*Draft, error)
}{
	{".csv", readCSV},
	{".avsc", readAvro},
	{".sql", readSQL},
	{".ddl", readSQL},
}

// file is what is read.
type file struct {
	name string
	src  []byte
	cut  bool // there is more than src
}

// From drafts the tables of a file. cut says that src is the beginning of a longer one.
// An error begins with file:line:column where there is a place.
func From(name string, src []byte, cut bool) ([]*Draft, error) {
	var known []string
	for _, format := range formats {
		known = append(known, format.ext)
		if !strings.EqualFold(path.Ext(name), format.ext) {
			continue
		}
		f := &file{name, src, cut}
		if err := f.text(); err != nil {
			return nil, err
		}
		drafts, err := format.read(f)
		if err != nil {
			return nil, err
		}
		for _, d := range drafts {
			d.source = path.Base(name)
			if err := d.settle(); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		return drafts, nil
	}
	return nil, fmt.Errorf("%s: a spec can start from files that end in %s", name, strings.Join(known, ", "))
}

// text refuses what is no UTF-8 text, and cuts the byte order mark.
func (f *file) text() error {
	for mark, encoding := range map[string]string{"\xff\xfe": "UTF-16", "\xfe\xff": "UTF-16"} {
		if strings.HasPrefix(string(f.src), mark) {
			return f.errorAt(1, 1, "the file is %s; save it as UTF-8", encoding)
		}
	}
	f.src = []byte(strings.TrimPrefix(string(f.src), "\ufeff"))
	if len(strings.TrimSpace(string(f.src))) == 0 {
		return f.errorAt(1, 1, "the file is empty")
	}
	for i := 0; i < len(f.src); {
		r, n := utf8.DecodeRune(f.src[i:])
		if r == utf8.RuneError && n == 1 && !(f.cut && !utf8.FullRune(f.src[i:])) {
			line, col := f.place(i)
			return f.errorAt(line, col, "byte 0x%02x is no UTF-8; save the file as UTF-8", f.src[i])
		}
		if r == 0 {
			line, col := f.place(i)
			return f.errorAt(line, col, "a NUL character; this is no text")
		}
		i += n
	}
	return nil
}

// place is the line and the character of a byte offset, from 1.
func (f *file) place(offset int) (line, col int) {
	before := string(f.src[:offset])
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

func (f *file) errorAt(line, col int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", f.name, line, col, fmt.Sprintf(format, args...))
}

// lose leaves a column out and says why, in its place and in the list of losses.
func (c Column) lose(format string, args ...any) Column {
	return Column{Name: c.Name, Lost: fmt.Sprintf(format, args...)}
}

// versions are names of columns that tell which row is newer.
var versions = []string{"updated_at", "modified_at", "last_modified", "last_modified_at", "last_updated", "last_updated_at", "changed_at", "updated", "modified", "version"}

// settle gives everything its name in the spec and chooses key and version.
func (d *Draft) settle() error {
	d.Table = tableName(d.Table)
	newNames(d).settleAll(d.Columns)
	renamed := map[string]string{}
	for _, c := range d.Columns {
		renamed[c.source()] = c.Name
	}
	var primary []string
	for _, k := range d.primary {
		if !slices.Contains(primary, renamed[k]) {
			primary = append(primary, renamed[k])
		}
	}
	d.primary = primary
	d.losses("", d.Columns)
	if err := d.chooseKey(); err != nil {
		return err
	}
	for _, name := range versions {
		if c := d.column(name); c != nil && !c.Optional && slices.Contains([]string{"timestamp", "long", "int"}, c.Type) {
			d.Version = name
			break
		}
	}
	return nil
}

// losses lists the columns that are left out. A struct that is left no field is lost too.
func (d *Draft) losses(path string, columns []Column) {
	for i := range columns {
		c := &columns[i]
		if held := func(f Column) bool { return f.Lost == "" }; len(c.Fields) > 0 && !slices.ContainsFunc(c.Fields, held) {
			*c = c.lose("no field of it can be held")
		}
		if c.Lost != "" {
			d.Losses = append(d.Losses, fmt.Sprintf("%s%s: %s; it is left out", path, c.Name, c.Lost))
		}
		d.losses(path+c.Name+".", c.Fields)
	}
}

// column finds a column that is not lost; nil if there is none.
func (d *Draft) column(name string) *Column {
	for i := range d.Columns {
		if c := &d.Columns[i]; c.Name == name && c.Lost == "" {
			return c
		}
	}
	return nil
}

// keyable reports whether a column's type can stand in a key.
func keyable(c *Column) bool {
	word := c.Type
	if end := strings.IndexAny(word, "(<"); end >= 0 {
		word = word[:end]
	}
	t, ok := types.Lookup(word)
	return ok && t.Key && c.Lost == ""
}

// chooseKey takes the primary key, else id or the table's id, else the first column that
// is always there.
func (d *Draft) chooseKey() error {
	known := len(d.primary) > 0
	for _, name := range d.primary {
		if c := d.column(name); c == nil || !keyable(c) {
			d.Losses = append(d.Losses, fmt.Sprintf("primary key: column %q has a type that no key can have; the key is guessed", name))
			known = false
		}
	}
	d.Key = d.primary
	if !known {
		name := d.guessKey()
		if name == "" {
			return fmt.Errorf("table %q: no column can be the key, which is %s", d.Table, keyTypes())
		}
		d.Key, d.KeyNote = []string{name}, "guessed: the columns that identify a row"
	}
	for _, name := range d.Key {
		c := d.column(name)
		if c.Optional && !known {
			c.Note = join(c.Note, "a key is never null")
		}
		c.Optional, c.Default = false, ""
	}
	return nil
}

func (d *Draft) guessKey() string {
	for _, name := range []string{"id", d.Table + "_id", strings.TrimSuffix(d.Table, "s") + "_id", "uuid", "key"} {
		if c := d.column(name); c != nil && keyable(c) {
			return name
		}
	}
	for _, optional := range []bool{false, true} {
		for i := range d.Columns {
			if c := &d.Columns[i]; keyable(c) && c.Optional == optional {
				return c.Name
			}
		}
	}
	return ""
}

func keyTypes() string {
	var words []string
	for _, t := range types.All {
		if t.Key {
			words = append(words, t.Word)
		}
	}
	return strings.Join(words, ", ")
}

func join(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(n string) bool { return n == "" }), "; ")
}
