package jsonschema

// Seen are the rules whose bad example a schema refuses, for its wrongness is an unknown
// or missing key, or the form of one value.
var Seen = []string{
	"TOO_LARGE", "TOO_DEEP", "VERSION", "MISSING_KEY", "UNKNOWN_KEY", "NOT_YET", "VALUE_TYPE", "WORD", "DURATION",
	"TYPE_SYNTAX", "UNKNOWN_TYPE", "TYPE_NESTING", "FIELD_KEYS", "EXPR_QUOTED", "LAKE_CODEC",
}

// Unseen are the rules that need more than that: what several values say together, what a
// text holds, other files, or the file before it is a value of YAML.
var Unseen = []string{
	"YAML_SYNTAX", "ONE_DOCUMENT", "EMPTY", "DUPLICATE_KEY", "PLACEHOLDER",
	"TABLE_NAME", "TABLE_UNIQUE", "RECORD_NAME", "NAMESPACE", "COLUMN_NAME", "COLUMN_RESERVED", "COLUMN_UNIQUE", "GO_NAME",
	"DECIMAL_PRECISION", "DEFAULT_VALUE", "DOC", "EPOCH", "NORMALIZE", "ENUM_VALUES", "ENUM_SYMBOL", "FALLBACK", "STRUCT_FIELDS", "DERIVE_NESTED",
	"EXPR_SYNTAX", "EXPR_SUBSET", "EXPR_COLUMN", "EXPR_TYPE", "EXPR_NULL", "EXPR_LITERAL", "EXPR_VAIN", "DERIVE_CYCLE",
	"KEY_COLUMN", "KEY_TYPE", "KEY_OPTIONAL", "KEY_DERIVED", "DEDUP_VERSION", "DELETES", "PARTITION_TIME", "PARTITION_TIME_TYPE",
	"LAKE_BUCKET", "LAKE_DIR", "LAKE_FLUSH_SIZE", "LAKE_ROW_GROUP", "LAKE_BLOOM", "BATCH_PART_BYTES", "BATCH_NULLS", "BATCH_ZONE", "TRINO_NAME", "STREAM_TOPIC", "STREAM_REGISTRY", "SPEED_KEY",
	"PROJECT_NAME", "PROJECT_SPECS", "PROJECT_OUT", "GO_PACKAGE",
}
