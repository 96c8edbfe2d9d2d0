// Package model is the resolved form of a project: every default filled in, every
// name settled, every reference a pointer. Targets read it and nothing else, so a
// decision is made once, in Resolve, and rendered many times.
package model

import (
	"time"

	"github.com/bridgegen/bridgegen/spec/expr"
	"github.com/bridgegen/bridgegen/spec/types"
)

// Project is one output tree: all tables that one bridgegen.yaml names.
type Project struct {
	Name      string // of the project file, or of its folder
	Out       string // folder of the generated tree, slash-separated, relative to the project file
	GoPackage string // import path of Out
	Tables    []*Table
}

// File is one generated file. Path is slash-separated and relative to Project.Out.
type File struct {
	Path    string
	Content []byte
}

// Table is one resolved spec.
type Table struct {
	Name      string // snake case; also the Go package name and the folder below Project.Out
	Record    string // Go type and Avro record name
	Doc       string
	Namespace string // Avro namespace; empty for none
	SpecFile  string // slash-separated, relative to the project file
	Columns   []*Column
	Key       []*Column
	Deletes   bool
	Dedup     Dedup
	Partition Partition
	Lake      Lake
	Batch     Batch
	Stream    Stream
	Speed     Speed
	Trino     Trino
	Lag       Lag
}

// Dedup is the table's part of the one order.
type Dedup struct {
	Version   *Column // nil: _version is null in every row
	Prefer    string  // "streaming" or "batch"
	MaxFuture time.Duration
}

// Partition places rows below the table's folder.
type Partition struct {
	Time   string  // "_ingested_at", or the name of a timestamp column
	Column *Column // nil for _ingested_at
	ByHour bool    // else by day
}

// Keys are the names of the partition directories, outermost first.
func (p Partition) Keys() []string {
	if p.ByHour {
		return []string{"year", "month", "day", "hour"}
	}
	return []string{"year", "month", "day"}
}

// Lake says where the table's objects lie. Bucket and Region are places, Dir and Codec structure.
type Lake struct {
	Bucket, Region string
	Dir            string // without leading or trailing slash; may be empty
	Codec          string // none, snappy, gzip, zstd
	FlushSize      int    // records in an object of the S3 sink, at most
	RotateInterval time.Duration
	RowGroupRows   int       // of objects that Go writes; 0: the writer's default
	Bloom          []*Column // with a bloom filter
}

// Batch is what a bulk load reads.
type Batch struct {
	Source    string   // csv, jsonl, parquet
	Delimiter string   // between the fields of CSV
	Header    bool     // whether CSV begins with the names of its columns
	Nulls     []string // unquoted CSV fields that mean null; none: the empty one
	Zone      string   // IANA zone of timestamps without an offset; empty: refused
	Extra     string   // "refuse" or "ignore": columns that the spec does not name
	Missing   string   // "refuse" or "default": columns that the input lacks

	SortByKey bool // else as the input has the rows
	PartBytes int  // size at which an object ends; 0: the load's default
}

// Stream is the canonical topic.
type Stream struct {
	Topic         string
	Registry      string // a place
	Compatibility string
}

// Subject is the registry's name for the value schema (TopicNameStrategy).
func (s Stream) Subject() string { return s.Topic + "-value" }

// Speed is the state in Redis.
type Speed struct {
	Key   string // the template as written
	Parts []KeyPart
	TTL   time.Duration
}

// KeyPart is a literal text or, if Column is set, the text of a key column.
type KeyPart struct {
	Text   string
	Column *Column
}

// Trino names the objects that the SQL creates. All are places but for the table's own name.
type Trino struct{ Catalog, Schema, Views string }

// Lag holds the limits of `bridge lag`; zero means none.
type Lag struct{ Streaming, Batch time.Duration }

// Column is one column of the spec.
type Column struct {
	Index     int    // position among Table.Columns
	Name      string // snake case
	From      string // the name in the source (CSV header, JSON key); Name if the spec gives none
	Doc       string
	Type      *types.Type
	Precision int // of a decimal
	Scale     int // of a decimal
	Optional  bool
	Key       bool
	GoName    string      // field name
	GoType    string      // without Opt: what an enum (Status) or a struct (OrderShipTo) declares, []T and map[string]T of what a list or map holds, else Type.Go
	AvroName  string      // of the type of an enum or a struct
	Values    []EnumValue // of an enum
	Fallback  string      // symbol that a reader which stores nothing makes of an unknown one; empty: none
	Default   *string     // as CSV would write it; nil: none
	Epoch     string      // unit of a timestamp that the source writes as a number; empty: none
	Normalize []string    // normaliser names, in order
	Derive    *expr.Expr  // nil: not derived
	Validate  *expr.Expr  // nil: none
	Elem      *Column     // of a list the element, of a map the value; Name is element or value
	Fields    []*Column   // of a struct, in order; Index is the position here
}

// EnumValue is one value of an enum.
type EnumValue struct {
	Symbol string // in Avro, Parquet, JSON
	Source string // as the input spells it; Symbol if the spec gives no mapping
	GoName string // constant, for example StatusActive
}

// Physical is one column as it lies in Avro and Parquet, system columns included. It is
// nullable where it is ["null",T] and optional.
type Physical struct {
	*types.Node
	Column *Column // nil for a system column
}

// Nullable reports whether c can be null in Avro and Parquet: with deletes every
// non-key column can, for a delete row carries nothing but its key and its order.
func (t *Table) Nullable(c *Column) bool { return c.Optional || t.Deletes && !c.Key }

// Physical lists the physical columns: the spec's, then the system columns of design §2.
func (t *Table) Physical() []Physical {
	var ps []Physical
	for _, c := range t.Columns {
		n := c.Node()
		n.Nullable = t.Nullable(c)
		ps = append(ps, Physical{n, c})
	}
	system := []*types.Node{
		{Name: "_source", Type: types.Enum, AvroName: "BridgeSource", Symbols: []string{"batch", "streaming"}},
		{Name: "_ingested_at", Type: types.Timestamp},
		{Name: "_version", Type: types.Long, Nullable: true},
		{Name: "_seq", Type: types.Long},
	}
	if t.Deletes {
		system = append(system, &types.Node{Name: "_deleted", Type: types.Boolean})
	}
	for _, n := range system {
		ps = append(ps, Physical{Node: n})
	}
	return ps
}

// Node is the column with its type and all that it holds.
func (c *Column) Node() *types.Node {
	n := &types.Node{
		Type: c.Type, Precision: c.Precision, Scale: c.Scale, Name: c.Name, Nullable: c.Optional, AvroName: c.AvroName, Fallback: c.Fallback,
	}
	for _, v := range c.Values {
		n.Symbols = append(n.Symbols, v.Symbol)
	}
	if c.Elem != nil {
		n.Elem = c.Elem.Node()
	}
	for _, f := range c.Fields {
		n.Fields = append(n.Fields, f.Node())
	}
	return n
}

// Prefix is the table's folder in the lake, without a trailing slash: what the S3
// sink makes of topics.dir and the topic (T1-T4).
func (t *Table) Prefix() string {
	if t.Lake.Dir == "" {
		return t.Stream.Topic
	}
	return t.Lake.Dir + "/" + t.Stream.Topic
}

// Location is the table's folder as Trino names it.
func (t *Table) Location() string { return "s3://" + t.Lake.Bucket + "/" + t.Prefix() + "/" }
