package bridge

import (
	"strings"
	"time"
)

// Kind says how the values of a leaf lie in a page.
type Kind uint8

// Kinds and the slice of Column that holds them.
const (
	Bool   Kind = iota + 1 // U8, 0 or 1
	Int32                  // I32: int, date
	Int64                  // I64: long, timestamp
	Float                  // F32
	Double                 // F64
	Bytes                  // Off and Bytes: string, bytes, uuid as text, decimal as least two's complement
	Code                   // U8, position in Leaf.Values: enum; 255 is invalid
)

// Schema is what roads know of a table: structure, never places. Generated code holds
// one literal of it, made of constants only, so that it costs nothing at start.
type Schema struct {
	Table, Record, Doc string
	Fields             []Field // the spec's columns
	Leaves             []Leaf  // physical columns; the system columns are last
	Root               []Node  // the Parquet tree; nil when flat: then Leaves are the root's children
	NLevels            int     // level streams of a page
	Key                []int   // key columns; positions in Fields
	Sys                int     // position of _source in Leaves; _ingested_at, _version, _seq and, with Deletes, _deleted follow
	Deletes            bool
	CDC                bool // rows of the stream come from a database's log

	Version   int // position in Fields of the version column; -1: _version is always null
	Preferred Source
	MaxFuture time.Duration

	PartitionBy int  // position in Fields of the partition time; -1: _ingested_at
	ByHour      bool // else by day

	Topic          string
	Dir            string // lake folder above the topic; may be empty
	Codec          string // none, snappy, gzip, zstd
	FlushSize      int    // records in an object of the stream, at most
	RotateInterval time.Duration
	RowGroupRows   int    // rows of a row group; 0: the writer's default
	Bloom          []int  // columns with a bloom filter; positions in Fields
	Compatibility  string // BACKWARD, ... as the registry spells it
	Avro           string // the value schema, compact JSON

	StateTTL time.Duration // of the document in Redis, from _ingested_at on

	BatchSource string // csv or jsonl: what a load reads unless told otherwise
	Delimiter   string // between the fields of CSV; empty: a comma
	NoHeader    bool   // CSV begins with a row, and its fields are the columns in order
	Nulls       []string
	Zone        string // of timestamps without an offset; empty: refused
	Extra       string // refuse or ignore
	Missing     string // refuse or default
	PartBytes   int64  // size at which an object of a load ends; 0: the load's default
	SortByKey   bool   // a load sorts its rows by key

	LagStreaming, LagBatch time.Duration // limits; 0: none
}

// Field is one column of the spec.
type Field struct {
	Name, From       string // in the lake; in the source
	Type             string // word of the spec, with parameters: decimal(10,2)
	Precision, Scale int    // of a decimal
	Optional, Key    bool
	Derived          bool
	Symbols          []string // of an enum
	Default          string   // as CSV would write it, if HasDefault
	HasDefault       bool
	Epoch            string  // unit of a timestamp that the source writes as a number: s, ms, us or ns
	Fallback         string  // enum symbol that readers which store nothing make of an unknown one
	Parts            []Field // of a struct its fields, of a list its element, of a map its value; nil: a scalar
}

// Leaf is one physical column.
type Leaf struct {
	Path           []string // names from the root; one for a scalar column
	Kind           Kind
	Logical        string   // string, timestamp, date, decimal(10,2), or empty
	Values         []string // symbols of a Code
	MaxDef, MaxRep uint8
	Levels         int // its level stream; -1: required and flat, no levels
	Field          int // position in Schema.Fields; -1: a system column
}

// Node is one node of the Parquet tree of a nested schema.
type Node struct {
	Name     string
	Rep      uint8 // 0 required, 1 optional, 2 repeated
	Logical  string
	Leaf     int // position in Leaves; -1: a group
	Children []Node
}

// Prefix is the table's folder in the lake, without a trailing slash. The topic is
// always its last segment, for the S3 sink names it so (T1-T4).
func (s *Schema) Prefix() string {
	if s.Dir == "" {
		return s.Topic
	}
	return s.Dir + "/" + s.Topic
}

// Partition is the folder of t below Prefix: year=2026/month=08/day=19/hour=02, in UTC.
func (s *Schema) Partition(t Timestamp) string {
	return string(s.AppendPartition(nil, t))
}

// AppendPartition appends Partition(t).
func (s *Schema) AppendPartition(b []byte, t Timestamp) []byte {
	days := floorDiv(int64(t), 86400000)
	y, m, d := civil(days)
	b = appendPadded(append(b, "year="...), y, 4)
	b = appendPadded(append(b, "/month="...), m, 2)
	b = appendPadded(append(b, "/day="...), d, 2)
	if s.ByHour {
		b = appendPadded(append(b, "/hour="...), int((int64(t)-days*86400000)/3600000), 2)
	}
	return b
}

// FloorPartition is the first instant of t's partition.
func (s *Schema) FloorPartition(t Timestamp) Timestamp {
	unit := int64(86400000)
	if s.ByHour {
		unit = 3600000
	}
	return Timestamp(floorDiv(int64(t), unit) * unit)
}

// Subject is the registry's name of the value schema (TopicNameStrategy).
func (s *Schema) Subject() string { return s.Topic + "-value" }

// FieldNamed finds a column by its name; -1 if there is none.
func (s *Schema) FieldNamed(name string) int {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// LeafNamed finds a physical column by its dotted path; -1 if there is none.
func (s *Schema) LeafNamed(path string) int {
	for i := range s.Leaves {
		if strings.Join(s.Leaves[i].Path, ".") == path {
			return i
		}
	}
	return -1
}
