package reference

import (
	"fmt"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/types"
)

func typesPage() []byte {
	p := newPage("Types")
	p.text("Every column is non-null unless it says `optional: true`. `bridgegen types` prints the same tables.")
	var meaning, systems, texts [][]string
	for _, t := range types.All {
		n := types.Sample(t)
		word := code(n.Spell())
		meaning = append(meaning, []string{word, prose(t.Doc), yes(t.Key), yes(normalised(n)), yes(t.CEL != "")})
		systems = append(systems, []string{word, goCell(t), code(Avro(n)), code(t.Parquet(n)), code(t.Trino(n)), code(t.Flink(n)), code(t.Iceberg(n)), code(t.Connect)})
		texts = append(texts, []string{word, prose(t.JSON), prose(t.CSV)})
	}
	p.section("What they hold")
	p.table([]string{"type", "meaning", "may be a key", "takes normalisers", "in expressions"}, meaning)
	p.text("A list or map holds scalars, enums or structs, and never null; a list or map directly in another is wrapped in a struct. The symbols of a list of enums and the fields of a list of structs stand beside the type, as `values:` and `fields:`.")
	p.section("What the systems make of them")
	p.text("Avro and Parquet are what the Kafka Connect S3 sink writes, and bridgegen writes the same. An optional column is `[\"null\",T]` in Avro and `bridge.Opt[T]` in Go (a list, a map and bytes: nil).")
	p.table([]string{"type", "Go", "Avro", "Parquet", "Trino", "Flink", "Iceberg", "Connect"}, systems)
	p.section("How they are written as text")
	p.text("JSON is the form in the state document in Redis and in JSON lines; CSV is the form of a field of a dump, and of a `default:`.")
	p.table([]string{"type", "JSON", "CSV"}, texts)
	p.section("Names that a generated package declares")
	p.text("No record and no enum can have one of these; `go_name:` gives it another.")
	var names [][]string
	for _, d := range spec.DeclaredNames {
		names = append(names, []string{code(d.Name), prose(d.Doc)})
	}
	p.table([]string{"name", "what it is"}, names)
	return p.bytes()
}

// normalised reports whether normalisers stand on n: on a list or map for what it holds.
func normalised(n *types.Node) bool {
	if n.Elem != nil {
		return normalised(n.Elem)
	}
	return n.Type.Text
}

// goTypes are the types without a name of their own in the table.
var goTypes = map[*types.Type]string{
	types.Enum: "a string type of its own", types.List: "[]T", types.Map: "map[string]T", types.Struct: "a struct of its own",
}

// Go is the Go type of values of t, in words where generated code declares one.
func Go(t *types.Type) string {
	if t.Go == "" {
		return goTypes[t]
	}
	return t.Go
}

func goCell(t *types.Type) string {
	if t == types.Enum || t == types.Struct {
		return Go(t)
	}
	return code(Go(t))
}

// avroWords are the Avro types that are built of others.
var avroWords = map[*types.Type]string{types.Enum: "enum", types.List: `array of ["null",T]`, types.Map: "map", types.Struct: "record"}

// Avro is the Avro type of n in one line: bytes (decimal(10,2)).
func Avro(n *types.Node) string {
	switch a := n.Type.Avro(n).(type) {
	case types.Logical:
		if a.Precision > 0 {
			return fmt.Sprintf("%s (%s(%d,%d))", a.Type, a.LogicalType, a.Precision, a.Scale)
		}
		return fmt.Sprintf("%s (%s)", a.Type, a.LogicalType)
	case string:
		return a
	default:
		return avroWords[n.Type]
	}
}
