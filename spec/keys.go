package spec

import (
	"slices"
	"strings"
	"time"
)

// Kind is the form of a key's value.
type Kind string

// The forms of values.
const (
	KindText     Kind = "text"
	KindWord     Kind = "word"     // one of Key.Words
	KindBool     Kind = "boolean"  // true or false
	KindSize     Kind = "number"   // a whole number
	KindDuration Kind = "duration" // Go's form plus d, always with a unit: 90s, 2m, 1d12h
	KindScalar   Kind = "value"    // as CSV would write it
	KindExpr     Kind = "expression"
	KindType     Kind = "type"
	KindTexts    Kind = "list of texts"
	KindWords    Kind = "list of words"
	KindValues   Kind = "list of enum values"
	KindSection  Kind = "section"
	KindSections Kind = "list of sections"
	KindAny      Kind = "" // of keys that come later
)

// Key is one key of a spec or a project file.
type Key struct {
	Path     string   // lake.codec; columns.name is the name of each column
	Kind     Kind     //
	Words    []string // of a KindWord or KindWords
	Default  string   // as a spec would write it; empty: none
	Computed string   // how the default is computed where it is no constant
	Required bool
	Shared   bool   // may stand in the defaults of a project file
	Place    bool   // belongs to an environment; it never enters generated Go code
	Later    bool   // known, but refused by this version
	Whole    bool   // of a column only: a field of a struct has none
	Doc      string // one line
}

// Name is the last part of the path.
func (k Key) Name() string { return k.Path[strings.LastIndexByte(k.Path, '.')+1:] }

// Normalizer is one word of columns.normalize.
type Normalizer struct{ Word, Doc string }

// Normalizers lists them, in the order of the docs.
var Normalizers = []Normalizer{
	{"trim", "cuts white space at both ends"},
	{"lower", "maps each code point to its simple lower case"},
	{"upper", "maps each code point to its simple upper case"},
	{"collapse_space", "makes one blank of each run of white space, also at the ends"},
	{"null_if_empty", "makes null of the empty string; it stands last, on an optional column, and not in a list or map"},
	{"nfc", "Unicode normalisation form C"},
}

func normalizerWords() []string {
	var words []string
	for _, n := range Normalizers {
		words = append(words, n.Word)
	}
	return words
}

// Keys is the table of all keys of a spec, in the order of the docs. The reader takes
// from it what is known, and package model what the defaults are.
var Keys = []Key{
	{Path: "bridgegen", Kind: KindWord, Words: []string{"v1"}, Required: true, Doc: "version of the spec's form"},
	{Path: "table", Kind: KindText, Required: true, Doc: "name of the table in every system: lower case letters, digits and _"},
	{Path: "record", Kind: KindText, Computed: "the table's name in upper camel case", Doc: "Go type and Avro record"},
	{Path: "namespace", Kind: KindText, Computed: "none", Doc: "Avro namespace"},
	{Path: "doc", Kind: KindText, Doc: "what a row is"},
	{Path: "columns", Kind: KindSections, Required: true, Doc: "the columns, in order"},
	{Path: "columns.name", Kind: KindText, Required: true, Doc: "name in every system: lower case letters, digits and _"},
	{Path: "columns.type", Kind: KindType, Required: true, Doc: "logical type"},
	{Path: "columns.optional", Kind: KindBool, Default: "false", Doc: "may be null"},
	{Path: "columns.default", Kind: KindScalar, Whole: true, Doc: "what older files read as, and what a load puts for a missing column, written as CSV would write it"},
	{Path: "columns.values", Kind: KindValues, Doc: "symbols of an enum, or of the enums in a list or map; {symbol: text} where the source spells one differently"},
	{Path: "columns.fields", Kind: KindSections, Doc: "fields of a struct, or of the structs in a list or map: columns without derive, validate, default and fallback"},
	{Path: "columns.fallback", Kind: KindText, Whole: true, Doc: "symbol that a reader which stores nothing makes of an unknown one"},
	{Path: "columns.normalize", Kind: KindWords, Words: normalizerWords(), Doc: "normalisers of a string, or of each string in a list or map, in order"},
	{Path: "columns.derive", Kind: KindExpr, Whole: true, Doc: "expression that computes the column"},
	{Path: "columns.validate", Kind: KindExpr, Whole: true, Doc: "expression that must be true, or the row is rejected"},
	{Path: "columns.from", Kind: KindText, Computed: "the column's name", Doc: "name in the source: CSV header, JSON key, database column"},
	{Path: "columns.epoch", Kind: KindWord, Words: []string{"s", "ms", "us", "ns"}, Computed: "none: a timestamp is a text", Doc: "unit of a timestamp that the source writes as a number since 1970"},
	{Path: "columns.go_name", Kind: KindText, Computed: "the column's name in upper camel case", Doc: "Go field, and in the Go type of an enum or struct"},
	{Path: "columns.renamed_from", Kind: KindAny, Later: true, Doc: "earlier name of the column"},
	{Path: "columns.doc", Kind: KindText, Doc: "what the column holds"},
	{Path: "key", Kind: KindTexts, Required: true, Doc: "columns that identify a row, in order"},
	{Path: "deletes", Kind: KindBool, Default: "false", Doc: "the stream may delete rows; a delete is a row of its own"},
	{Path: "removed", Kind: KindAny, Later: true, Doc: "names of columns that are gone"},

	{Path: "dedup", Kind: KindSection, Doc: "which row of a key is the newest"},
	{Path: "dedup.version", Kind: KindText, Computed: "none: the preferred source wins", Doc: "column that the order compares first: timestamp, long or int"},
	{Path: "dedup.prefer", Kind: KindWord, Words: []string{"streaming", "batch"}, Default: "streaming", Shared: true, Doc: "source that wins between equal versions"},
	{Path: "dedup.max_future", Kind: KindDuration, Default: "1h", Shared: true, Doc: "how far a timestamp version may lie ahead of _ingested_at"},
	{Path: "partition", Kind: KindSection, Doc: "where rows lie below the table's folder"},
	{Path: "partition.time", Kind: KindText, Default: "_ingested_at", Shared: true, Doc: "_ingested_at or a timestamp column"},
	{Path: "partition.by", Kind: KindWord, Words: []string{"hour", "day"}, Default: "hour", Shared: true, Doc: "granularity"},
	{Path: "lake", Kind: KindSection, Doc: "where objects lie and how they are written"},
	{Path: "lake.bucket", Kind: KindText, Required: true, Shared: true, Place: true, Doc: "S3 bucket"},
	{Path: "lake.dir", Kind: KindText, Default: "topics", Shared: true, Doc: "folder above the topic's (topics.dir of the S3 sink)"},
	{Path: "lake.region", Kind: KindText, Default: "us-east-1", Shared: true, Place: true, Doc: "region of the bucket"},
	{Path: "lake.codec", Kind: KindWord, Words: []string{"none", "snappy", "gzip", "zstd"}, Default: "snappy", Shared: true, Doc: "Parquet compression"},
	{Path: "lake.flush_size", Kind: KindSize, Default: "100000", Shared: true, Doc: "records in a streamed object, at most"},
	{Path: "lake.rotate_interval", Kind: KindDuration, Default: "10m", Shared: true, Doc: "time that a streamed object covers, at most"},
	{Path: "lake.row_group_rows", Kind: KindSize, Computed: "500000; less where a load spans partitions", Shared: true, Doc: "rows of a row group in objects that Go writes, at most"},
	{Path: "lake.bloom", Kind: KindTexts, Default: "[]", Doc: "columns with a bloom filter in objects that Go writes"},
	{Path: "batch", Kind: KindSection, Doc: "what a bulk load reads"},
	{Path: "batch.source", Kind: KindWord, Words: []string{"csv", "jsonl", "parquet"}, Default: "csv", Shared: true, Doc: "form of the input"},
	{Path: "batch.delimiter", Kind: KindWord, Words: []string{",", ";", "|", "\t"}, Default: ",", Shared: true, Doc: "between the fields of CSV"},
	{Path: "batch.header", Kind: KindBool, Default: "true", Shared: true, Doc: "whether CSV begins with the names of its columns; without, its fields are the columns in the spec's order, derived ones left out"},
	{Path: "batch.nulls", Kind: KindTexts, Shared: true, Computed: "the empty field", Doc: "unquoted fields that mean null; named, they take the place of the empty one: list \"\" to keep it"},
	{Path: "batch.zone", Kind: KindText, Computed: "none: a timestamp without an offset is refused", Shared: true, Doc: "zone of timestamps without an offset: UTC, Europe/Berlin"},
	{Path: "batch.extra", Kind: KindWord, Words: []string{"refuse", "ignore"}, Default: "refuse", Shared: true, Doc: "columns that the spec does not name"},
	{Path: "batch.missing", Kind: KindWord, Words: []string{"refuse", "default"}, Default: "refuse", Shared: true, Doc: "columns that the input lacks"},
	{Path: "batch.sort", Kind: KindWord, Words: []string{"input", "key"}, Default: "input", Shared: true, Doc: "order of the rows in an object"},
	{Path: "batch.part_bytes", Kind: KindSize, Computed: "134217728 (128 MiB)", Shared: true, Doc: "size at which an object of a load ends, in bytes"},
	{Path: "batch.mode", Kind: KindAny, Later: true, Doc: "whether a load is the whole truth"},
	{Path: "stream", Kind: KindSection, Doc: "the canonical topic"},
	{Path: "stream.topic", Kind: KindText, Required: true, Doc: "Kafka topic; always the last folder of the table's location"},
	{Path: "stream.registry", Kind: KindText, Default: "http://localhost:8081", Shared: true, Place: true, Doc: "URL of the schema registry"},
	{Path: "stream.compatibility", Kind: KindWord, Words: []string{"NONE", "BACKWARD", "BACKWARD_TRANSITIVE", "FORWARD", "FORWARD_TRANSITIVE", "FULL", "FULL_TRANSITIVE"}, Default: "BACKWARD", Shared: true, Doc: "level of the topic's value schema in the registry"},
	{Path: "stream.cdc", Kind: KindAny, Later: true, Doc: "change data capture that feeds the topic"},
	{Path: "stream.watermark", Kind: KindAny, Later: true, Doc: "how late an event may be"},
	{Path: "stream.enriched", Kind: KindAny, Later: true, Doc: "topic of events in time"},
	{Path: "speed", Kind: KindSection, Doc: "the state in Redis"},
	{Path: "speed.key", Kind: KindText, Computed: "<table>:{k1}, and :{k2} and so on for each further key column", Doc: "key of a row's document; {{ and }} are literal braces; where several columns stand in it, texts have % and the characters between as %XX"},
	{Path: "speed.ttl", Kind: KindDuration, Default: "72h", Shared: true, Doc: "life of a document, from _ingested_at on"},
	{Path: "trino", Kind: KindSection, Doc: "where the SQL creates table and views"},
	{Path: "trino.catalog", Kind: KindText, Default: "hive", Shared: true, Place: true, Doc: "Hive catalog"},
	{Path: "trino.schema", Kind: KindText, Default: "lake", Shared: true, Place: true, Doc: "schema of the table"},
	{Path: "trino.views", Kind: KindText, Computed: "as trino.schema", Shared: true, Place: true, Doc: "schema of the views"},
	{Path: "lag", Kind: KindSection, Doc: "limits of `bridge lag`"},
	{Path: "lag.streaming", Kind: KindDuration, Computed: "none", Shared: true, Doc: "age of the oldest record that is not in the lake yet"},
	{Path: "lag.batch", Kind: KindDuration, Computed: "none", Shared: true, Doc: "age of the last complete load"},
}

// ProjectKeys is the table of all keys of a project file. Below defaults it takes the
// keys of Keys that are Shared.
var ProjectKeys = []Key{
	{Path: "bridgegen", Kind: KindWord, Words: []string{"v1"}, Required: true, Doc: "version of the file's form"},
	{Path: "project", Kind: KindText, Computed: "the name of the folder", Doc: "name of the project"},
	{Path: "specs", Kind: KindTexts, Computed: "the *.yaml beside the file that have a top-level table: key", Doc: "globs of the specs, relative to the file"},
	{Path: "out", Kind: KindText, Default: "generated", Doc: "folder of the generated tree, relative to the file"},
	{Path: "go", Kind: KindSection, Doc: "the generated Go code"},
	{Path: "go.package", Kind: KindText, Computed: "the nearest go.mod's module, and out", Doc: "import path of out"},
	{Path: "defaults", Kind: KindSection, Doc: "settings that stand under each spec"},
	{Path: "environments", Kind: KindAny, Later: true, Doc: "places by environment"},
}

// Lookup finds a key of Keys by its path.
func Lookup(path string) (Key, bool) { return lookupKey(Keys, path) }

// LookupProject finds a key of ProjectKeys by its path.
func LookupProject(path string) (Key, bool) { return lookupKey(ProjectKeys, path) }

func lookupKey(table []Key, path string) (Key, bool) {
	i := slices.IndexFunc(table, func(k Key) bool { return k.Path == path })
	if i < 0 {
		return Key{}, false
	}
	return table[i], true
}

// DefaultText is the default of a key of Keys, as a spec would write it; empty if it
// has none or it is computed.
func DefaultText(path string) string {
	k, _ := Lookup(path)
	return k.Default
}

// DefaultDuration is DefaultText as a duration; 0 if there is none.
func DefaultDuration(path string) time.Duration {
	d, err := ParseDuration(DefaultText(path))
	if err != nil {
		return 0
	}
	return d
}

// sharedKeys are the keys that may stand below defaults, and the sections that they
// stand in.
func sharedKeys() []Key {
	var out []Key
	for i, k := range Keys {
		section := k.Kind == KindSection && slices.ContainsFunc(Keys[i:], func(s Key) bool {
			return s.Shared && strings.HasPrefix(s.Path, k.Path+".")
		})
		if k.Shared || section {
			k.Required = false
			out = append(out, k)
		}
	}
	return out
}

// Children are the keys of table directly below path; path is empty for the top.
func Children(table []Key, path string) []Key {
	var out []Key
	for _, k := range table {
		parent, _ := splitPath(k.Path)
		if parent == path {
			out = append(out, k)
		}
	}
	return out
}

func splitPath(path string) (parent, name string) {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}
