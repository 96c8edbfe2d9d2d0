package randomspec

// Names that mean something to Go, SQL, Avro, YAML, CEL or the generated code stand
// among them: they must stay usable.
var (
	tableWords  = []string{"orders", "t", "select", "order", "bytes", "fmt", "type", "a_very_long_name_of_a_table_that_nobody_would_write", "x__y", "string"}
	columnWords = []string{
		"id", "order", "type", "time", "error", "select", "key", "version", "table", "from", "group", "by", "user", "default", "values", "value", "timestamp", "date", "string", "int",
		"long", "list", "map", "range", "func", "go", "var", "interface", "chan", "len", "cap", "append", "nil", "true", "null", "in", "package", "url", "api_url", "user_id", "json",
		"e", "r", "t", "b", "i", "p", "row", "page", "bridge", "sys", "any", "apply", "merge", "compare", "s3", "a1", "x_", "x__y", "yes", "no", "on", "off", "amount", "note", "email",
		"created_at", "tags", "end", "case", "when", "current_date", "row_number", "unnest", "element", "record", "schema", "partition", "offset", "limit", "zone", "primary", "math", "errors",
		"a_very_long_name_that_somebody_thought_of_when_there_was_no_limit_and_that_has_exactly_one_hundred_and_twenty_seven_characters",
	}
	// reserved by CEL: such a column cannot stand in an expression.
	reserved    = map[string]bool{"true": true, "null": true, "in": true, "package": true, "var": true}
	symbolWords = []string{"active", "banned", "web", "store", "a", "A", "Select", "_x", "v1", "type", "NULL", "true", "other", "in_store", "OTHER_1", "x"}
	docs        = []string{"plain", "Two\nlines", "*/ /* `ticks` \"quotes\" 'single' \\ $1", "日本 é 😀", "trailing blank ", "# no comment: - [x]"}
	durations   = []string{"1ms", "500ms", "90s", "1h", "2m30s", "1d12h", "7d", "365d"}
	sources     = []string{"Created At", "Größe", "a.b", "q\"uote", "com,ma", "it's", "Order#", "X"}
)
