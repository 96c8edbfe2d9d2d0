package starter

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bridgegen/bridgegen/spec/types"
)

// sqlType is what a type of Trino, PostgreSQL or MySQL is in a spec.
type sqlType struct {
	typ  *types.Type
	note string
}

const (
	localTime = "no offset in the source: declare batch: {zone: ...}"
	yearsOnly = "a year"
)

// sqlTypes has the words of a type in lower case, without what stands in parentheses.
var sqlTypes = map[string]sqlType{
	"boolean": {types.Boolean, ""}, "bool": {types.Boolean, ""},
	"int": {types.Int, ""}, "integer": {types.Int, ""}, "int4": {types.Int, ""}, "int2": {types.Int, ""}, "smallint": {types.Int, ""}, "tinyint": {types.Int, ""}, "mediumint": {types.Int, ""},
	"serial": {types.Int, ""}, "serial4": {types.Int, ""}, "smallserial": {types.Int, ""}, "year": {types.Int, yearsOnly},
	"smallint unsigned": {types.Int, ""}, "tinyint unsigned": {types.Int, ""}, "mediumint unsigned": {types.Int, ""},
	"int unsigned": {types.Long, ""}, "integer unsigned": {types.Long, ""},
	"bigint": {types.Long, ""}, "int8": {types.Long, ""}, "bigserial": {types.Long, ""}, "serial8": {types.Long, ""}, "long": {types.Long, ""},
	"real": {types.Float, ""}, "float4": {types.Float, ""},
	"double": {types.Double, ""}, "double precision": {types.Double, ""}, "float8": {types.Double, ""}, "float": {types.Double, ""},
	"decimal": {types.Decimal, ""}, "numeric": {types.Decimal, ""}, "dec": {types.Decimal, ""}, "number": {types.Decimal, ""}, "decimal unsigned": {types.Decimal, ""}, "numeric unsigned": {types.Decimal, ""},
	"varchar": {types.String, ""}, "character varying": {types.String, ""}, "char": {types.String, ""}, "character": {types.String, ""}, "bpchar": {types.String, ""}, "nvarchar": {types.String, ""}, "nchar": {types.String, ""},
	"varchar2": {types.String, ""}, "text": {types.String, ""}, "tinytext": {types.String, ""}, "mediumtext": {types.String, ""}, "longtext": {types.String, ""}, "clob": {types.String, ""}, "citext": {types.String, ""}, "string": {types.String, ""}, "name": {types.String, ""},
	"json": {types.String, "JSON text"}, "jsonb": {types.String, "JSON text"}, "xml": {types.String, "XML text"}, "inet": {types.String, "an address"},
	"bytea": {types.Bytes, ""}, "blob": {types.Bytes, ""}, "tinyblob": {types.Bytes, ""}, "mediumblob": {types.Bytes, ""}, "longblob": {types.Bytes, ""}, "varbinary": {types.Bytes, ""}, "binary": {types.Bytes, ""},
	"date":      {types.Date, ""},
	"timestamp": {types.Timestamp, localTime}, "timestamp without time zone": {types.Timestamp, localTime}, "datetime": {types.Timestamp, localTime},
	"timestamp with time zone": {types.Timestamp, ""}, "timestamptz": {types.Timestamp, ""}, "timestamp with local time zone": {types.Timestamp, ""},
	"uuid": {types.UUID, ""}, "uniqueidentifier": {types.UUID, ""},
}

// wide are integers that no integer type of ours holds, as decimals.
var wide = map[string]string{"bigint unsigned": "decimal(20,0)", "hugeint": "decimal(38,0)", "int128": "decimal(38,0)"}

// suffixes are words that go on a type.
var suffixes = [][]string{
	{"precision"}, {"varying"}, {"unsigned"}, {"with", "local", "time", "zone"}, {"with", "time", "zone"}, {"without", "time", "zone"},
}

// ignored are words behind a type that change nothing for a spec.
var ignored = []string{"signed", "zerofill"}

// dataType reads a type into c.
func (r *sqlReader) dataType(c *Column) error {
	first, err := r.name()
	if err != nil {
		return err
	}
	name := strings.ToLower(first.text)
	if read := container(name); read != nil && r.peek().is("(", "<") {
		err = read(r, c)
	} else {
		args := r.arguments()
		for suffix := r.suffix(); suffix != ""; suffix = r.suffix() {
			name += " " + suffix
			args = append(args, r.arguments()...)
		}
		r.scalar(c, name, args)
	}
	if err != nil {
		return err
	}
	for r.array() {
		element := *c
		c.Note = ""
		c.contain(element, "list<%s>")
	}
	return nil
}

// array takes what makes a list of the type before it: [], [3] or ARRAY.
func (r *sqlReader) array() bool {
	word := r.accept("array")
	if !r.accept("[") {
		return word
	}
	for !r.accept("]") && r.peek().kind != endOfFile {
		r.next()
	}
	return true
}

// suffix takes a suffix of a type, and passes over words that change nothing.
func (r *sqlReader) suffix() string {
	for r.peek().is(ignored...) {
		r.next()
	}
	for _, s := range suffixes {
		if r.accept(s...) {
			return strings.Join(s, " ")
		}
	}
	return ""
}

// arguments are what stands in parentheses behind a type.
func (r *sqlReader) arguments() (args []token) {
	if !r.accept("(") {
		return nil
	}
	for r.peek().kind != endOfFile && !r.accept(")") {
		if t := r.next(); !t.is(",") {
			args = append(args, t)
		}
	}
	return args
}

// scalar puts a type without elements into c.
func (r *sqlReader) scalar(c *Column, name string, args []token) {
	if name == "enum" {
		var values []string
		for _, a := range args {
			values = append(values, a.text)
		}
		c.enum(symbols(values))
		return
	}
	if values, ok := r.enums[name]; ok {
		c.enum(values)
		return
	}
	if decimal, ok := wide[name]; ok {
		c.Type = decimal
		return
	}
	row, ok := sqlTypes[name]
	switch {
	case !ok:
		c.Type, c.Note = types.String.Word, join(c.Note, fmt.Sprintf("guessed: type %q is unknown here", name))
	case row.typ == types.Decimal:
		c.decimal(args)
	case name == "tinyint" && len(args) == 1 && args[0].text == "1":
		c.Type, c.Note = row.typ.Word, join(c.Note, "tinyint(1): a boolean? then the source must write true and false")
	default:
		c.Type, c.Note = row.typ.Word, join(c.Note, row.note)
	}
}

func (c *Column) decimal(args []token) {
	numbers := []int{38, 9}
	if len(args) > 0 {
		numbers[1] = 0
	} else {
		c.Note = join(c.Note, "guessed: the source gives no digits")
	}
	for i, a := range args[:min(len(args), 2)] {
		n, err := strconv.Atoi(a.text)
		if err != nil {
			n = -1
		}
		numbers[i] = n
	}
	if p, s := numbers[0], numbers[1]; p < 1 || p > maxDigits || s < 0 || s > p {
		*c = c.lose("decimal(%d,%d); a decimal has 1 to %d digits", p, s, maxDigits)
		return
	}
	c.Type = (&types.Node{Type: types.Decimal, Precision: numbers[0], Scale: numbers[1]}).Spell()
}

// container reads a type that holds others; nil if name is none.
func container(name string) func(*sqlReader, *Column) error {
	return map[string]func(*sqlReader, *Column) error{
		"array": (*sqlReader).list, "list": (*sqlReader).list, "map": (*sqlReader).mapping, "row": (*sqlReader).structure, "struct": (*sqlReader).structure,
	}[name]
}

var bracketEnds = map[string]string{"(": ")", "<": ">"}

func (r *sqlReader) list(c *Column) error {
	end := bracketEnds[r.next().text]
	element := Column{Name: c.Name}
	if err := r.dataType(&element); err != nil {
		return err
	}
	c.contain(element, "list<%s>")
	return r.expect(end)
}

func (r *sqlReader) mapping(c *Column) error {
	end := bracketEnds[r.next().text]
	key, element := Column{Name: c.Name}, Column{Name: c.Name}
	if err := r.dataType(&key); err != nil {
		return err
	}
	if err := r.expect(","); err != nil {
		return err
	}
	if err := r.dataType(&element); err != nil {
		return err
	}
	if key.Type == types.String.Word {
		c.contain(element, "map<string,%s>")
	} else {
		*c = c.lose("a map with keys of type %s; only texts can be keys", key.Type)
	}
	return r.expect(end)
}

func (r *sqlReader) structure(c *Column) error {
	end := bracketEnds[r.next().text]
	c.Type = types.Struct.Word
	for {
		name, err := r.name()
		if err != nil {
			return err
		}
		r.accept(":")
		field := Column{Name: name.name()}
		if err := r.dataType(&field); err != nil {
			return err
		}
		field.Optional = !r.accept("not", "null")
		c.Fields = append(c.Fields, field)
		if r.accept(end) {
			return nil
		}
		if err := r.expect(","); err != nil {
			return err
		}
	}
}
