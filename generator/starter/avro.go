package starter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/hamba/avro/v2"
)

// readAvro drafts a table from the schema of a record.
func readAvro(f *file) ([]*Draft, error) {
	var value any
	if err := json.Unmarshal(f.src, &value); err != nil {
		line, col := 1, 1
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line, col = f.place(max(int(syntax.Offset)-1, 0))
		}
		return nil, f.errorAt(line, col, "this is no JSON: %v", err)
	}
	schema, err := avro.ParseWithCache(string(f.src), "", &avro.SchemaCache{})
	if err != nil {
		return nil, f.errorAt(1, 1, "this is no Avro schema: %s", strings.TrimPrefix(err.Error(), "avro: "))
	}
	record, ok := schema.(*avro.RecordSchema)
	if !ok {
		return nil, f.errorAt(1, 1, "the schema is of type %s; a table starts from a record", schema.Type())
	}
	d := &Draft{Table: record.Name(), Record: recordName(record.Name()), Namespace: record.Namespace(), Doc: record.Doc()}
	d.Columns = avroFields(record, map[string]bool{record.FullName(): true})
	if len(d.Columns) == 0 {
		return nil, f.errorAt(1, 1, "record %q has no fields", record.Name())
	}
	return []*Draft{d}, nil
}

// avroFields are the fields of a record; within are the records around them.
func avroFields(record *avro.RecordSchema, within map[string]bool) []Column {
	var out []Column
	for _, field := range record.Fields() {
		c := Column{Name: field.Name()}
		avroType(&c, field.Type(), within)
		if c.Lost == "" {
			c.Doc = field.Doc()
			if field.HasDefault() && !c.Optional {
				if c.Default = avroDefault(field.Default(), c.Type); c.Default == "" {
					c.Note = join(c.Note, "the schema's default is left out")
				}
			}
		}
		out = append(out, c)
	}
	return out
}

// avroType puts the type of a schema into c.
func avroType(c *Column, schema avro.Schema, within map[string]bool) {
	switch s := schema.(type) {
	case *avro.RefSchema:
		avroType(c, s.Schema(), within)
	case *avro.UnionSchema:
		avroUnion(c, s, within)
	case *avro.RecordSchema:
		avroStruct(c, s, within)
	case *avro.EnumSchema:
		c.Type, c.Values, c.Fallback = types.Enum.Word, symbols(s.Symbols()), s.Default()
		if c.Values == nil {
			c.Type, c.Fallback = types.String.Word, ""
			c.Note = join(c.Note, "an enum in the schema, with symbols that meet in Go")
		}
	case *avro.ArraySchema:
		avroElement(c, s.Items(), "list<%s>", within)
	case *avro.MapSchema:
		avroElement(c, s.Values(), "map<string,%s>", within)
	case *avro.FixedSchema:
		avroScalar(c, avro.Bytes, s.Logical())
	case *avro.PrimitiveSchema:
		avroScalar(c, s.Type(), s.Logical())
	default:
		*c = c.lose("a column of nothing but null")
	}
}

func avroUnion(c *Column, union *avro.UnionSchema, within map[string]bool) {
	var others []avro.Schema
	var words []string
	for _, branch := range union.Types() {
		if branch.Type() != avro.Null {
			others = append(others, branch)
		}
		words = append(words, string(branch.Type()))
	}
	if len(others) != 1 {
		*c = c.lose("a union of %s, which no column can hold", strings.Join(words, ", "))
		return
	}
	c.Optional = union.Nullable()
	avroType(c, others[0], within)
}

func avroStruct(c *Column, record *avro.RecordSchema, within map[string]bool) {
	name := record.FullName()
	if within[name] {
		*c = c.lose("record %s within itself, which no table can hold", name)
		return
	}
	within[name] = true
	c.Type, c.Fields = types.Struct.Word, avroFields(record, within)
	delete(within, name)
	if len(c.Fields) == 0 {
		*c = c.lose("record %s has no fields", name)
	}
}

// avroElement makes c a list or a map of a type.
func avroElement(c *Column, schema avro.Schema, form string, within map[string]bool) {
	element := Column{Name: c.Name}
	avroType(&element, schema, within)
	c.contain(element, form)
}

// contain makes c a list or a map of an element.
func (c *Column) contain(element Column, form string) {
	if element.Lost == "" && strings.Contains(element.Type, "<") {
		element = element.lose("a %s in a list or map; wrap it in a struct", element.Type)
	}
	if element.Lost != "" {
		*c = element
		return
	}
	c.Type, c.Values, c.Fields = fmt.Sprintf(form, element.Type), element.Values, element.Fields
	if element.Optional {
		element.Note = join(element.Note, "null in it is refused")
	}
	c.Note = join(c.Note, element.Note)
}

// avroWords are the types of schemas without and with a logical type.
var avroWords = map[string]struct {
	typ  *types.Type
	note string
}{
	"boolean": {types.Boolean, ""}, "int": {types.Int, ""}, "long": {types.Long, ""}, "float": {types.Float, ""}, "double": {types.Double, ""},
	"string": {types.String, ""}, "bytes": {types.Bytes, ""},
	"date": {types.Date, ""}, "uuid": {types.UUID, ""},
	"timestamp-millis": {types.Timestamp, ""}, "timestamp-micros": {types.Timestamp, "microseconds in the schema; a table has milliseconds"},
	"local-timestamp-millis": {types.Timestamp, "a local time in the schema; a table has instants in UTC"},
	"local-timestamp-micros": {types.Timestamp, "a local time in microseconds in the schema; a table has instants in UTC, in milliseconds"},
	"time-millis":            {types.Int, "milliseconds since midnight"}, "time-micros": {types.Long, "microseconds since midnight"},
	"duration": {types.Bytes, "a duration: 12 bytes, months, days and milliseconds"},
}

func avroScalar(c *Column, physical avro.Type, logical avro.LogicalSchema) {
	word := string(physical)
	if decimal, ok := logical.(*avro.DecimalLogicalSchema); ok {
		if decimal.Precision() > maxDigits {
			*c = c.lose("a decimal of %d digits; %d are the most that every system holds", decimal.Precision(), maxDigits)
			return
		}
		c.Type = (&types.Node{Type: types.Decimal, Precision: decimal.Precision(), Scale: decimal.Scale()}).Spell()
		return
	}
	if logical != nil {
		word = string(logical.Type())
	}
	row := avroWords[word]
	c.Type, c.Note = row.typ.Word, join(c.Note, row.note)
}

// exactInts is where the schema parser begins to round integers.
const exactInts = 1 << 53

// avroDefault is a default as a spec writes it; empty for one that a column cannot have,
// whose text form is another than its JSON, or that the parser has rounded.
func avroDefault(value any, typ string) string {
	switch v := value.(type) {
	case string:
		if typ == types.String.Word || typ == types.Enum.Word {
			return quote(v)
		}
	case bool:
		return strconv.FormatBool(v)
	case int:
		return avroInteger(int64(v), typ)
	case int64:
		return avroInteger(v, typ)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return ""
}

func avroInteger(v int64, typ string) string {
	if typ != types.Int.Word && typ != types.Long.Word || v <= -exactInts || v >= exactInts {
		return ""
	}
	return strconv.FormatInt(v, 10)
}
