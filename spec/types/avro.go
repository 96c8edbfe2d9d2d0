package types

import "encoding/json"

// Logical is an Avro primitive with a logical type.
type Logical struct {
	Type        string `json:"type"`
	LogicalType string `json:"logicalType"`
	Precision   int    `json:"precision,omitempty"`
	Scale       int    `json:"scale,omitempty"`
}

// AvroRecord is an Avro record. It has no doc: a changed one would rotate the files of the
// S3 sink at every switch (T39). Fields have none either, so that a changed doc is no new
// schema to register.
type AvroRecord struct {
	Type      string      `json:"type"`
	Name      string      `json:"name"`
	Namespace string      `json:"namespace,omitempty"`
	Fields    []AvroField `json:"fields"`
}

// AvroField is a field of an AvroRecord.
type AvroField struct {
	Name    string          `json:"name"`
	Type    any             `json:"type"`
	Default json.RawMessage `json:"default,omitempty"`
}

type avroEnum struct {
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	Symbols []string `json:"symbols"`
	Default string   `json:"default,omitempty"`
}

type avroArray struct {
	Type  string `json:"type"`
	Items any    `json:"items"`
}

type avroMap struct {
	Type   string `json:"type"`
	Values any    `json:"values"`
}

// AvroField is the node as a field of a record: optional, it is a union that begins with
// null, and null is its default.
func (n *Node) AvroField() AvroField {
	f := AvroField{Name: n.Name, Type: n.Type.Avro(n)}
	if n.Nullable {
		f.Type, f.Default = []any{"null", f.Type}, json.RawMessage("null")
	}
	return f
}

func enumAvro(n *Node) any {
	return avroEnum{Type: "enum", Name: n.AvroName, Symbols: n.Symbols, Default: n.Fallback}
}

// listAvro has items that may be null, for else the S3 sink writes lists of two levels.
func listAvro(n *Node) any {
	return avroArray{"array", []any{"null", n.Elem.Type.Avro(n.Elem)}}
}

func mapAvro(n *Node) any { return avroMap{"map", n.Elem.Type.Avro(n.Elem)} }

func structAvro(n *Node) any {
	r := AvroRecord{Type: "record", Name: n.AvroName}
	for _, f := range n.Fields {
		r.Fields = append(r.Fields, f.AvroField())
	}
	return r
}
