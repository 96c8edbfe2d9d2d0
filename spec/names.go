package spec

import (
	"go/token"
	"strings"
)

// initialisms are written in capitals in Go names. The list is fixed for v1: a longer
// one would rename fields of existing callers.
var initialisms = map[string]string{
	"id": "ID", "url": "URL", "ip": "IP", "uuid": "UUID", "api": "API", "http": "HTTP", "json": "JSON", "sql": "SQL",
}

// GoName is the exported Go name of a snake case name: ship_to_url is ShipToURL. It is
// empty for a name without letters and digits.
func GoName(snake string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(snake, "_") {
		if s, ok := initialisms[part]; ok {
			b.WriteString(s)
		} else if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// Declared is an exported name that each generated package declares itself, so that no
// record and no enum can have it.
type Declared struct{ Name, Doc string }

// DeclaredNames lists them, in the order of the docs.
var DeclaredNames = []Declared{
	{"Key", "the key of a row"},
	{"KeyOf", "the key of a record"},
	{"FromKey", "a record that carries its key only"},
	{"Table", "the descriptor"},
	{"Any", "the descriptor with the record type hidden"},
	{"Compare", "the one order"},
	{"Apply", "normalise, derive, validate and tag"},
	{"Merge", "field by field merge"},
	{"AppendAvro", "Avro encoding"},
	{"ReadAvro", "Avro decoding"},
	{"AppendJSON", "state document"},
	{"TestRoundTrips", "the test of the package"},
}

// sourceEnum is the Avro enum of the system column _source.
const sourceEnum = "BridgeSource"

// deadLetters is what the roads append to a topic for the records that they cannot read.
const deadLetters = "-dead"

// SystemField is the field of a record that holds the system columns.
const SystemField = "Sys"

// RecordName is the Go type and Avro record of the table.
func (s *Spec) RecordName() string { return s.Record.Or(GoName(s.Table.V)) }

// GoFieldName is the field of the record or struct.
func (c *Column) GoFieldName() string { return c.GoName.Or(GoName(c.Name.V)) }

// SourceName is the column's name in the source.
func (c *Column) SourceName() string { return c.From.Or(c.Name.V) }

// GoConst is the constant of one symbol of an enum.
func (c *TableColumn) GoConst(symbol string) string { return c.GoType + GoName(symbol) }

// exportedGo reports whether name is an exported Go identifier in ASCII.
func exportedGo(name string) bool {
	if name == "" || name[0] < 'A' || name[0] > 'Z' || !token.IsIdentifier(name) {
		return false
	}
	return strings.IndexFunc(name, func(c rune) bool { return c > 0x7f }) < 0
}
