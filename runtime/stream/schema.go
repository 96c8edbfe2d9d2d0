package stream

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hamba/avro/v2"
)

// column is a field of a record schema, the item of an array or the value of a map: T,
// ["null",T] or [T,"null"].
type column struct {
	name             string // with the names above it: items.qty
	null             int    // position of the null branch; -1: no union
	typ              avro.Type
	logical          avro.LogicalType
	precision, scale int
	symbols          []string
	elem             *column  // of an array or a map
	fields           []column // of a record
	bad              error    // T is of another form; only the name is known
}

// noRecord says that a schema is none of rows.
type noRecord struct{ typ string }

func (e *noRecord) Error() string { return "is of type " + e.typ + " and not of a record" }

// columns lists the fields of a record schema; a *noRecord if it is something else.
func columns(text string) ([]column, error) {
	schema, err := parse(text)
	if err != nil {
		return nil, unparsed(text, err)
	}
	record, ok := schema.(*avro.RecordSchema)
	if !ok {
		return nil, &noRecord{string(schema.Type())}
	}
	var all []column
	for _, f := range record.Fields() {
		all = append(all, describe(f.Name(), f.Type(), 0))
	}
	return all, nil
}

// unparsed judges a schema that the library refuses: a registry took it, so a record
// may have a newer form than this program knows.
func unparsed(text string, err error) error {
	var as struct {
		Type any `json:"type"`
	}
	if json.Unmarshal([]byte(text), &as) == nil && as.Type == "record" {
		return fmt.Errorf("is not to be read by this program (%w)", err)
	}
	return &noRecord{"no Avro type"}
}

// maxDepth bounds the nesting of a schema, for a record may refer to itself.
const maxDepth = 64

func describe(name string, t avro.Schema, depth int) column {
	c := column{name: name, null: -1}
	if union, ok := t.(*avro.UnionSchema); ok {
		types := union.Types()
		if !union.Nullable() || len(types) != 2 {
			c.bad = fmt.Errorf("has column %q as a union of something else than null and one type", c.name)
			return c
		}
		var at int
		c.null, at = union.Indices()
		t = types[at]
	}
	if ref, ok := t.(*avro.RefSchema); ok {
		t = ref.Schema()
	}
	c.typ = t.Type()
	switch t := t.(type) {
	case *avro.EnumSchema:
		c.symbols = t.Symbols()
	case *avro.ArraySchema:
		c.within(depth, t.Items())
	case *avro.MapSchema:
		c.within(depth, t.Values())
	case *avro.RecordSchema:
		c.record(depth, t)
	case *avro.FixedSchema, *avro.NullSchema:
		c.bad = fmt.Errorf("has column %q as %s, which no table has", c.name, c.typ)
	}
	if l, ok := t.(avro.LogicalTypeSchema); ok && l.Logical() != nil {
		c.logical = l.Logical().Type()
		if d, ok := l.Logical().(*avro.DecimalLogicalSchema); ok {
			c.precision, c.scale = d.Precision(), d.Scale()
		}
	}
	return c
}

func (c *column) tooDeep(depth int) bool {
	if depth >= maxDepth {
		c.bad = fmt.Errorf("has column %q nested more than %d levels deep", c.name, maxDepth)
	}
	return c.bad != nil
}

// within describes what an array or a map holds.
func (c *column) within(depth int, t avro.Schema) {
	if c.tooDeep(depth) {
		return
	}
	elem := describe(c.name, t, depth+1)
	c.elem, c.bad = &elem, elem.bad
}

func (c *column) record(depth int, t *avro.RecordSchema) {
	if c.tooDeep(depth) {
		return
	}
	for _, f := range t.Fields() {
		field := describe(c.name+"."+f.Name(), f.Type(), depth+1)
		if field.bad != nil {
			c.bad = field.bad
		}
		c.fields = append(c.fields, field)
	}
}

// conversion is what a writer's value needs to become the reader's.
type conversion uint8

const (
	asIs     conversion = iota // the same bytes; an int is a long, a string is bytes
	renumber                   // an enum whose symbols stand elsewhere
	toFloat
	toDouble
)

// promote finds the conversion from w to r by the rules of Avro's schema resolution;
// a change of the logical type changes the meaning and is none of them.
func promote(w, r column) (conversion, error) {
	changed := fmt.Errorf("has column %q as %s, which this program reads as %s", r.name, w.kind(), r.kind())
	if w.logical != r.logical && !(w.typ == avro.String && r.typ == avro.String) {
		return asIs, changed
	}
	if w.logical == avro.Decimal && (w.typ != r.typ || w.scale != r.scale || w.precision > r.precision) {
		return asIs, changed
	}
	if w.typ == r.typ {
		if w.typ == avro.Enum {
			return enumConversion(w, r)
		}
		return asIs, nil
	}
	from := func(types ...avro.Type) bool { return slices.Contains(types, w.typ) }
	switch {
	case w.logical != r.logical: // a uuid is never bytes
	case r.typ == avro.Long && from(avro.Int), r.typ == avro.String && from(avro.Bytes), r.typ == avro.Bytes && from(avro.String):
		return asIs, nil
	case r.typ == avro.Float && from(avro.Int, avro.Long):
		return toFloat, nil
	case r.typ == avro.Double && from(avro.Int, avro.Long, avro.Float):
		return toDouble, nil
	}
	return asIs, changed
}

func enumConversion(w, r column) (conversion, error) {
	c := asIs
	for i, symbol := range w.symbols {
		at := slices.Index(r.symbols, symbol)
		if at < 0 {
			return c, fmt.Errorf("has symbol %q in column %q, which this program does not know", symbol, w.name)
		}
		if at != i {
			c = renumber
		}
	}
	return c, nil
}

// kind is the type as people write it.
func (c column) kind() string {
	k := string(c.typ)
	if c.logical == avro.Decimal {
		k = fmt.Sprintf("decimal(%d,%d)", c.precision, c.scale)
	} else if c.logical != "" {
		k += " " + string(c.logical)
	}
	if c.null >= 0 {
		return "optional " + k
	}
	return k
}
