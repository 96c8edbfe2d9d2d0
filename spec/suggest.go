package spec

import "github.com/bridgegen/bridgegen/spec/didyoumean"

// keySynonyms are words of neighbouring tools for keys of a spec.
var keySynonyms = map[string]string{
	"nullable": "optional", "null": "optional", "nulls_allowed": "optional", "is_nullable": "optional",
	"primary_key": "key", "primarykey": "key", "pk": "key", "keys": "key", "unique_key": "key",
	"description": "doc", "comment": "doc", "documentation": "doc",
	"symbols": "values", "enum": "values", "choices": "values", "allowed": "values",
	"datatype": "type", "data_type": "type", "kind": "type",
	"check": "validate", "constraint": "validate", "assert": "validate", "rule": "validate",
	"expression": "derive", "expr": "derive", "computed": "derive", "generated": "derive",
	"normalise": "normalize", "normalizers": "normalize", "transform": "normalize",
	"source_name": "from", "alias": "from", "column": "name", "field": "name",
	"default_value": "default", "goname": "go_name", "go": "go_name",
	"fields": "columns", "schema": "columns", "entity": "table", "class": "record", "struct": "record",
	"tombstones": "deletes", "delete": "deletes", "soft_delete": "deletes",
	"path": "dir", "prefix": "dir", "directory": "dir", "folder": "dir", "topics_dir": "dir",
	"compression": "codec", "format": "source", "timezone": "zone", "time_zone": "zone", "tz": "zone",
	"expire": "ttl", "expiry": "ttl", "schema_registry": "registry", "registry_url": "registry",
	"order_by": "version", "granularity": "by", "redis": "speed", "kafka": "stream", "s3": "lake",
	"package": "go", "output": "out", "tables": "specs", "name": "table", "slo": "lag",
}

// typeSynonyms are type names of databases, languages and formats.
var typeSynonyms = map[string]string{
	"varchar": "string", "text": "string", "char": "string", "utf8": "string", "str": "string", "json": "string", "jsonb": "string", "citext": "string", "nvarchar": "string",
	"bigint": "long", "int64": "long", "int8": "long", "bigserial": "long", "epoch": "long", "uint32": "long",
	"integer": "int", "int32": "int", "int4": "int", "smallint": "int", "tinyint": "int", "serial": "int", "short": "int", "int16": "int", "int2": "int", "byte": "int",
	"bool": "boolean", "bit": "boolean",
	"real": "float", "float32": "float", "float4": "float", "float64": "double", "float8": "double",
	"numeric": "decimal(p,s)", "number": "decimal(p,s)", "money": "decimal(p,s)",
	"blob": "bytes", "binary": "bytes", "varbinary": "bytes", "bytea": "bytes", "fixed": "bytes",
	"datetime": "timestamp", "timestamptz": "timestamp", "timestamp_ltz": "timestamp", "instant": "timestamp", "timestamp-millis": "timestamp",
	"guid": "uuid", "array": "list<T>", "record": "struct", "row": "struct", "object": "struct", "symbol": "enum",
}

var wordSynonyms = map[string]string{
	"uncompressed": "none", "gz": "gzip", "zstandard": "zstd", "stream": "streaming", "hourly": "hour", "daily": "day",
	"json": "jsonl", "ndjson": "jsonl", "lowercase": "lower", "uppercase": "upper", "strip": "trim", "tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "seconds": "s", "millis": "ms", "milliseconds": "ms", "micros": "us", "microseconds": "us", "nanos": "ns", "nanoseconds": "ns", "error": "refuse", "fail": "refuse", "skip": "ignore",
}

// refusedWords are words that other systems know and one of ours cannot read, by
// path=word in lower case.
var refusedWords = map[string]struct{ rule, reason string }{
	"lake.codec=lz4":     {"LAKE_CODEC", "Trino cannot read LZ4_RAW; write snappy or zstd"},
	"lake.codec=lz4_raw": {"LAKE_CODEC", "Trino cannot read LZ4_RAW; write snappy or zstd"},
	"lake.codec=brotli":  {"LAKE_CODEC", "Trino cannot read Brotli; write zstd"},
	"lake.codec=lzo":     {"LAKE_CODEC", "the S3 sink fails on LZO; write snappy or zstd"},
}

// SuggestRule ends the message on an unknown rule.
func SuggestRule(id string) string {
	var ids []string
	for _, r := range Rules {
		ids = append(ids, r.ID)
	}
	return didyoumean.Hint(didyoumean.Nearest(id, ids, nil))
}
