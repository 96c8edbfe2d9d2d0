package stream

import (
	"encoding/json"
	"fmt"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/hamba/avro/v2"
)

// column is a field of a record schema: T, ["null",T] or [T,"null"].
type column struct {
	name             string
	null             int // position of the null branch; -1: no union
	typ              avro.Type
	logical          avro.LogicalType
	precision, scale int
	symbols          []string
	text             string // canonical form of T, to compare what is not scalar
	bad              error  // T is of another form; only the name is known
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
		all = append(all, describe(f))
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

func describe(f *avro.Field) column {
	c := column{name: f.Name(), null: -1}
	t := f.Type()
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
	c.typ, c.text = t.Type(), t.String()
	if enum, ok := t.(*avro.EnumSchema); ok {
		c.symbols = enum.Symbols()
	}
	if l, ok := t.(avro.LogicalTypeSchema); ok && l.Logical() != nil {
		c.logical = l.Logical().Type()
		if d, ok := l.Logical().(*avro.DecimalLogicalSchema); ok {
			c.precision, c.scale = d.Precision(), d.Scale()
		}
	}
	return c
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

// scalar tells whether the column is one leaf of the table.
func (c column) scalar() bool {
	return !slices.Contains([]avro.Type{avro.Record, avro.Array, avro.Map, avro.Union, avro.Fixed, avro.Null}, c.typ)
}

// leafOf finds the leaf of a top-level column; -1 if it has none or several.
func leafOf(s *bridge.Schema, name string) int {
	for i := range s.Leaves {
		if l := &s.Leaves[i]; len(l.Path) == 1 && l.Path[0] == name {
			return i
		}
	}
	return -1
}
