// Package types is the one table of logical types. A row says everything that any
// target needs to know of a type; no other file of bridgegen switches over types.
package types

import (
	"encoding/json"
	"fmt"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// Type is one row of the table. Forms of a type take the node that it is the type of; p
// and s of the functions over texts are precision and scale (zero for types without
// parameters).
type Type struct {
	Word   string // in a spec
	Params int    // numbers in parentheses: 2 for decimal(p,s)
	Doc    string // one line for `bridgegen types`
	Key    bool   // may be a key column
	Shape  Shape  // of the value
	Text   bool   // takes normalisers

	Go   string // Go type in generated code; "" where the column declares its own (enum)
	Func string // suffix of the runtime's functions for it: Text.Long, AppendLongJSON, Column.PutLong …
	Kind string // bridge.Kind, without its prefix: how values lie in a page
	Raw  string // Go type of the Avro primitive and of the page's values, where that is not Go; "" otherwise
	Put  string // the runtime's Avro primitives
	Read string
	Size int    // longest Avro form in bytes; with Long, without the text
	Long bool   // the value has a length of its own
	Cell string // how generated code appends to a Bytes leaf: a function of the runtime, or "append"
	Get  string // method of bridge.Column that reads a value of a Bytes leaf

	Invalid string // Go condition, over $v, $p and $s, under which a value is none of the type; "" if there is none
	Why     string // and what is then said of it

	CEL string // type in expressions; "" where expressions cannot use it

	Avro func(n *Node) any // value of the Avro type, to encode as JSON
	// Parse reads a text form, as a load does, of a nested type the form of a default; nil
	// for an enum, whose symbols stand in the column.
	Parse func(t *bridge.Text, p, s int)
	// AvroDefault is the JSON of a default in an Avro schema, from its text form.
	AvroDefault func(text string, p, s int) json.RawMessage
	Parquet     Form // "PHYSICAL" or "PHYSICAL (LOGICAL)", as the S3 sink writes it
	Trino       Form
	// TrinoDefault is a default as a value of the column in SQL.
	TrinoDefault func(text string, p, s int) string
	Flink        Form
	Iceberg      Form
	Connect      string // type in the Connect schema of the sink

	JSON string // in the state document and in JSON lines
	CSV  string // text form: what Set reads and a default writes
}

// Shape says what a value is made of.
type Shape uint8

// A Scalar is one value; the others hold values of other types.
const (
	Scalar   Shape = iota
	Sequence       // list<T>: one element type
	Mapping        // map<string,T>: one value type
	Group          // struct: named fields
)

func decimalForm(format string) Form {
	return func(n *Node) string { return fmt.Sprintf(format, n.Precision, n.Scale) }
}

func fixed(s string) Form { return func(*Node) string { return s } }

func avro(v any) func(*Node) any { return func(*Node) any { return v } }

// The scalar types. Facts: traps.md §0 (S3 sink), T41-T44, T86-T95, T99-T107, T127, T156.
var (
	Boolean = &Type{Word: "boolean", Doc: "true or false", Key: true,
		Go: "bool", Func: "Bool", Kind: "Bool", CEL: "bool",
		Parse: parse((*bridge.Text).Bool), Put: "PutBool", Read: "ReadBool", Size: 1,
		Avro: avro("boolean"), AvroDefault: plainDefault, Parquet: fixed("BOOLEAN"), Trino: fixed("boolean"), TrinoDefault: castDefault("boolean"), Flink: fixed("BOOLEAN"), Iceberg: fixed("boolean"), Connect: "BOOLEAN",
		JSON: "true or false", CSV: "true or false"}
	Int = &Type{Word: "int", Doc: "32 bit integer", Key: true,
		Go: "int32", Func: "Int", Kind: "Int32", CEL: "int",
		Parse: parse((*bridge.Text).Int), Put: "PutInt", Read: "Int", Size: 5,
		Avro: avro("int"), AvroDefault: numberDefault, Parquet: fixed("INT32"), Trino: fixed("integer"), TrinoDefault: castDefault("integer"), Flink: fixed("INT"), Iceberg: fixed("int"), Connect: "INT32",
		JSON: "number", CSV: "digits, optionally signed"}
	Long = &Type{Word: "long", Doc: "64 bit integer", Key: true,
		Go: "int64", Func: "Long", Kind: "Int64", CEL: "int",
		Parse: parse((*bridge.Text).Long), Put: "PutLong", Read: "Long", Size: 10,
		Avro: avro("long"), AvroDefault: numberDefault, Parquet: fixed("INT64"), Trino: fixed("bigint"), TrinoDefault: castDefault("bigint"), Flink: fixed("BIGINT"), Iceberg: fixed("long"), Connect: "INT64",
		JSON: "number", CSV: "digits, optionally signed"}
	Float = &Type{Word: "float", Doc: "32 bit IEEE 754",
		Go: "float32", Func: "Float", Kind: "Float", CEL: "double",
		Parse: parse((*bridge.Text).Float), Put: "PutFloat", Read: "ReadFloat", Size: 4,
		Avro: avro("float"), AvroDefault: numberDefault, Parquet: fixed("FLOAT"), Trino: fixed("real"), TrinoDefault: castDefault("real"), Flink: fixed("FLOAT"), Iceberg: fixed("float"), Connect: "FLOAT32",
		JSON: `number, or "NaN", "Infinity", "-Infinity"`, CSV: "decimal or scientific notation, NaN, Infinity, -Infinity"}
	Double = &Type{Word: "double", Doc: "64 bit IEEE 754",
		Go: "float64", Func: "Double", Kind: "Double", CEL: "double",
		Parse: parse((*bridge.Text).Double), Put: "PutDouble", Read: "ReadDouble", Size: 8,
		Avro: avro("double"), AvroDefault: numberDefault, Parquet: fixed("DOUBLE"), Trino: fixed("double"), TrinoDefault: castDefault("double"), Flink: fixed("DOUBLE"), Iceberg: fixed("double"), Connect: "FLOAT64",
		JSON: `number, or "NaN", "Infinity", "-Infinity"`, CSV: "decimal or scientific notation, NaN, Infinity, -Infinity"}
	Decimal = &Type{Word: "decimal", Params: 2, Doc: "exact number of p digits, s of them behind the point; p at most 38", Key: true,
		Go: "bridge.Decimal", Func: "Decimal", Kind: "Bytes", CEL: "decimal",
		Parse: parseDecimal, Put: "PutDecimal", Read: "ReadDecimal", Size: 17, Cell: "AppendDecimalBytes", Get: "Decimal",
		Invalid: "!$v.Fit($p, $s)", Why: "does not fit the decimal's precision and scale exactly",
		Avro: func(n *Node) any {
			return Logical{Type: "bytes", LogicalType: "decimal", Precision: n.Precision, Scale: n.Scale}
		}, AvroDefault: decimalDefault,
		Parquet: decimalForm("BINARY (DECIMAL(%d,%d))"),
		Trino:   decimalForm("decimal(%d,%d)"), TrinoDefault: decimalLiteral,
		Flink:   decimalForm("DECIMAL(%d,%d)"),
		Iceberg: decimalForm("decimal(%d,%d)"), Connect: "Decimal (BYTES)",
		JSON: "string of the number", CSV: "digits with a point; never more than s behind it"}
	String = &Type{Word: "string", Doc: "UTF-8 text", Key: true, Text: true,
		Go: "string", Func: "String", Kind: "Bytes", CEL: "string",
		Parse: parse((*bridge.Text).String), Put: "PutString", Read: "ReadString", Size: 10, Long: true, Cell: "append", Get: "String",
		Invalid: "!bridge.ValidText($v)", Why: "is no valid UTF-8",
		Avro: avro("string"), AvroDefault: textDefault, Parquet: fixed("BINARY (STRING)"), Trino: fixed("varchar"), TrinoDefault: textLiteral, Flink: fixed("STRING"), Iceberg: fixed("string"), Connect: "STRING",
		JSON: "string", CSV: `the text; "" is the empty string`}
	Bytes = &Type{Word: "bytes", Doc: "raw bytes",
		Go: "[]byte", Func: "Bytes", Kind: "Bytes", CEL: "bytes",
		Parse: parse((*bridge.Text).Bytes), Put: "PutBytes", Read: "ReadBytes", Size: 10, Long: true, Cell: "append", Get: "Slice",
		Avro: avro("bytes"), AvroDefault: bytesDefault, Parquet: fixed("BINARY"), Trino: fixed("varbinary"), TrinoDefault: bytesLiteral, Flink: fixed("BYTES"), Iceberg: fixed("binary"), Connect: "BYTES",
		JSON: "string, standard base64", CSV: "standard base64"}
	Date = &Type{Word: "date", Doc: "calendar day", Key: true,
		Go: "bridge.Date", Func: "Date", Kind: "Int32", CEL: "date",
		Raw: "int32", Parse: parse((*bridge.Text).Date), Put: "PutInt", Read: "Int", Size: 5,
		Invalid: "!$v.Valid()", Why: "is outside the years 1 to 9999",
		Avro: avro(Logical{Type: "int", LogicalType: "date"}), AvroDefault: dateDefault, Parquet: fixed("INT32 (DATE)"), Trino: fixed("date"), TrinoDefault: castDefault("date"), Flink: fixed("DATE"), Iceberg: fixed("date"), Connect: "Date (INT32)",
		JSON: "string, 2026-01-31", CSV: "2026-01-31"}
	Timestamp = &Type{Word: "timestamp", Doc: "instant, milliseconds, UTC", Key: true,
		Go: "bridge.Timestamp", Func: "Timestamp", Kind: "Int64", CEL: "timestamp",
		Raw: "int64", Parse: parse((*bridge.Text).Timestamp), Put: "PutLong", Read: "Long", Size: 10,
		Invalid: "!$v.Valid()", Why: "is outside the years 1 to 9999",
		Avro: avro(Logical{Type: "long", LogicalType: "timestamp-millis"}), AvroDefault: timestampDefault, Parquet: fixed("INT64 (TIMESTAMP(MILLIS,true))"),
		Trino: fixed("timestamp(3)"), TrinoDefault: timestampLiteral, Flink: fixed("TIMESTAMP(3)"), Iceberg: fixed("timestamptz"), Connect: "Timestamp (INT64)",
		JSON: "string, RFC 3339 in UTC with milliseconds", CSV: "RFC 3339, or SQL text with an offset or a declared zone"}
	UUID = &Type{Word: "uuid", Doc: "UUID, canonical text", Key: true,
		Go: "bridge.UUID", Func: "UUID", Kind: "Bytes", CEL: "string",
		Parse: parse((*bridge.Text).UUID), Put: "PutUUID", Read: "ReadUUID", Size: 37, Cell: "AppendUUID", Get: "UUID",
		Avro: avro("string"), AvroDefault: uuidDefault, Parquet: fixed("BINARY (STRING)"), Trino: fixed("varchar"), TrinoDefault: uuidLiteral, Flink: fixed("STRING"), Iceberg: fixed("uuid"), Connect: "STRING",
		JSON: "string, canonical lower case", CSV: "canonical, either case"}
	Enum = &Type{Word: "enum", Doc: "one of a list of symbols, given as values:", Key: true,
		Func: "Enum", Kind: "Code", CEL: "string",
		Put: "PutInt", Read: "ReadEnum", Size: 2,
		Avro: enumAvro, AvroDefault: textDefault, Parquet: fixed("BINARY (STRING)"), Trino: fixed("varchar"), TrinoDefault: textLiteral, Flink: fixed("STRING"), Iceberg: fixed("string"), Connect: "STRING",
		JSON: "string, the symbol", CSV: "the symbol, or the source's spelling of it"}
)

// All lists the table in the order of the docs.
var All = []*Type{Boolean, Int, Long, Float, Double, Decimal, String, Bytes, Date, Timestamp, UUID, Enum, List, Map, Struct}

// Lookup finds a type by its word.
func Lookup(word string) (*Type, bool) {
	for _, t := range All {
		if t.Word == word {
			return t, true
		}
	}
	return nil, false
}

// MarshalJSON is the word: what a type is known by in the hash of a model.
func (t *Type) MarshalJSON() ([]byte, error) { return json.Marshal(t.Word) }
