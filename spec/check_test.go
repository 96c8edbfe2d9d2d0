package spec_test

import (
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/spec"
)

// messages are examples, as Rule has them, with all that is said of them. Lines count
// in the merged file: columns stand from line 4 on.
var messages = []struct{ name, example, want string }{
	{"names", "- {name: orderTotal, type: long}\n- {name: _x, type: long}\n- {name: hour, type: int}\n- {name: 2nd, type: long}\n- {name: a-b, type: long, from: \"a b\"}", `
orders.yaml:6:12: column "orderTotal" must be lower case letters, digits and _, with a letter first; did you mean "order_total"? (from: "orderTotal" keeps the source's name) (COLUMN_NAME)
orders.yaml:7:12: column "_x": a leading _ is reserved for system columns; write "x" and from: "_x" (COLUMN_RESERVED)
orders.yaml:8:12: column "hour" is a partition column of the table; write another name and from: "hour" (COLUMN_RESERVED)
orders.yaml:9:12: column "2nd" must be lower case letters, digits and _, with a letter first (COLUMN_NAME)
orders.yaml:10:12: column "a-b" must be lower case letters, digits and _, with a letter first; did you mean "a_b"? (COLUMN_NAME)`},
	{"one source for two", "- {name: a, type: long, from: x}\n- {name: b, type: long, from: x}\n- {name: c, type: long, from: \"\"}", `
orders.yaml:7:5: columns "a" and "b" both read "x" of the source (COLUMN_UNIQUE)
orders.yaml:8:33: column "c": from is empty; write the source's name or leave from out (COLUMN_UNIQUE)`},
	{"Go names", "- {name: sys, type: long}\n- {name: key, type: enum, values: [a, A]}\n- {name: kind, type: enum, values: [x_y, xY, \"_\"]}\n- {name: z, type: long, go_name: zed}", `
orders.yaml:6:12: the system columns and column "sys" would both be Sys in Go; give column "sys" another go_name (GO_NAME)
orders.yaml:7:12: symbol "a" of column "key" and symbol "A" of column "key" would both be KeyA in Go; write the symbol otherwise, and map it to the source's spelling (GO_NAME)
orders.yaml:7:12: the key of a row and the type of column "key" would both be Key in Go; give column "key" another go_name (GO_NAME)
orders.yaml:8:12: symbol "x_y" of column "kind" and symbol "xY" of column "kind" would both be KindXY in Go; write the symbol otherwise, and map it to the source's spelling (GO_NAME)
orders.yaml:8:12: the type of column "kind" and symbol "_" of column "kind" would both be Kind in Go; write the symbol otherwise, and map it to the source's spelling (GO_NAME)
orders.yaml:9:36: go_name "zed" must be letters and digits, upper case first; did you mean "Zed"? (GO_NAME)`},
	{"record", "record: order", `
orders.yaml:9:9: record "order" must be letters and digits, upper case first; did you mean "Order"? (RECORD_NAME)`},
	{"record by the table's name", "table: key", `
orders.yaml:8:8: record "Key": the generated package declares that name itself; write another one as record: (RECORD_NAME)`},
	{"enum", "- {name: a, type: enum}\n- {name: b, type: enum, values: []}\n- {name: c, type: enum, values: [x, x, {y: x}]}\n- {name: d, type: long, values: [x]}\n- {name: e, type: enum, values: [1st, \"in-active\", é], fallback: x, default: y}\n- {name: f, type: long, fallback: x}", `
orders.yaml:6:21: column "a": an enum needs its symbols: values: [a, b] (ENUM_VALUES)
orders.yaml:7:35: column "b": an enum has at least one symbol (ENUM_VALUES)
orders.yaml:8:39: column "c": symbol "x" stands here a second time (ENUM_VALUES)
orders.yaml:8:43: column "c": x and y are both spelled "x" in the source (ENUM_VALUES)
orders.yaml:9:35: column "d" is long; only an enum has values (ENUM_VALUES)
orders.yaml:10:36: column "e": value "1st" is no Avro symbol (letters, digits, _); write _1st, or map it: {_1st: "1st"} (ENUM_SYMBOL)
orders.yaml:10:41: column "e": value "in-active" is no Avro symbol (letters, digits, _); write in_active, or map it: {in_active: "in-active"} (ENUM_SYMBOL)
orders.yaml:10:54: column "e": value "é" is no Avro symbol (letters, digits, _); write another symbol and map it: {symbol: "é"} (ENUM_SYMBOL)
orders.yaml:10:68: column "e": fallback "x" is not one of 1st, in-active, é (FALLBACK)
orders.yaml:10:80: column "e": default "y" is not one of 1st, in-active, é (DEFAULT_VALUE)
orders.yaml:11:37: column "f" is long; only an enum has a fallback (FALLBACK)`},
	{"defaults", `- {name: a, type: boolean, default: yes}
- {name: b, type: int, default: 3000000000}
- {name: c, type: double, default: x}
- {name: d, type: "decimal(4,2)", default: 1.5}
- {name: e, type: "decimal(4,2)", default: "100.00"}
- {name: f, type: date, default: 2026-02-30}
- {name: g, type: timestamp, default: "2026-01-31T00:00:00+01:00"}
- {name: h, type: timestamp, default: "2026-01-31T00:00:00.0001Z"}
- {name: i, type: bytes, default: "!"}
- {name: j, type: uuid, default: x}
- {name: k, type: int, optional: true, default: 1}
- {name: l, type: int, default: ~}
- {name: m, type: string, default: ""}
- {name: n, type: "decimal(4,2)", default: "1.5"}
- {name: o, type: date, default: 2026-01-31}
- {name: p, type: timestamp, default: "2026-01-31T00:00:00Z"}`, `
orders.yaml:6:39: column "a": default "yes" is neither true nor false (DEFAULT_VALUE)
orders.yaml:7:35: column "b": default "3000000000" is no int (32 bit, digits, optionally signed) (DEFAULT_VALUE)
orders.yaml:8:38: column "c": default "x" is no double (NaN, Infinity and -Infinity are legal) (DEFAULT_VALUE)
orders.yaml:9:46: column "d": the default of a decimal must be quoted, for YAML reads a float: default: "1.5" (DEFAULT_VALUE)
orders.yaml:10:46: column "e": default "100.00" does not fit the decimal's precision and scale exactly (DEFAULT_VALUE)
orders.yaml:11:36: column "f": default "2026-02-30" is no date (2026-01-31) (DEFAULT_VALUE)
orders.yaml:12:41: column "g": default "2026-01-31T00:00:00+01:00" is not in UTC; write RFC 3339 with a Z at the end (DEFAULT_VALUE)
orders.yaml:13:41: column "h": default "2026-01-31T00:00:00.0001Z" is finer than a millisecond (DEFAULT_VALUE)
orders.yaml:14:37: column "i": default "!" is no base64 (standard alphabet, padded) (DEFAULT_VALUE)
orders.yaml:15:36: column "j": default "x" is no UUID (8-4-4-4-12 hex digits) (DEFAULT_VALUE)
orders.yaml:16:51: column "k" is optional, so its default is null; leave default out, or optional (DEFAULT_VALUE)
orders.yaml:17:35: default null: an optional column has it already; for the text quote it (DEFAULT_VALUE)`},
	{"normalisers", "- {name: a, type: string, normalize: [trim, null_if_empty]}\n- {name: b, type: string, optional: true, normalize: [null_if_empty, trim]}\n- {name: c, type: string, derive: 'a', normalize: [trim]}\n- {name: d, type: string, normalize: [strip]}", `
orders.yaml:6:47: column "a": null_if_empty gives null, but the column is not optional; write optional: true (NORMALIZE)
orders.yaml:7:57: column "b": null_if_empty must stand last, for trim could empty the string again (NORMALIZE)
orders.yaml:8:53: column "c" is derived, from columns that are normalised already; leave normalize out (NORMALIZE)
orders.yaml:9:41: normalize "strip" is not one of trim, lower, upper, collapse_space, null_if_empty, nfc; did you mean "trim"? (WORD)`},
	{"types", "- {name: a, type: array<string>}\n- {name: b, type: list}\n- {name: c, type: string(20)}\n- {name: d, type: decimal}\n- {name: e, type: Long}\n- {name: f, type: \"decimal(5,6)\"}\n- {name: g, type: lnog}", `
orders.yaml:6:21: type "array<string>" is unknown; write list<T> (UNKNOWN_TYPE)
orders.yaml:7:21: type "list": write what it holds: list<string> (TYPE_SYNTAX)
orders.yaml:8:21: type "string(20)" takes no length or precision; write string (TYPE_SYNTAX)
orders.yaml:9:21: type "decimal": write the number of digits and how many of them stand behind the point: decimal(10,2) (TYPE_SYNTAX)
orders.yaml:10:21: type "Long" is unknown; did you mean "long"? (UNKNOWN_TYPE)
orders.yaml:11:21: decimal(5,6) has 6 of its 5 digits behind the point; write 0 to 5 (DECIMAL_PRECISION)
orders.yaml:12:21: type "lnog" is unknown; did you mean "long"? (UNKNOWN_TYPE)`},
	{"nested types", `- {name: a, type: "map<int,string>"}
- {name: b, type: map<string,long>}
- {name: c, type: list<list<int>>}
- {name: d, type: list<bigint>}
- {name: e, type: "list<decimal(40,2)>"}
- {name: f, type: struct<x>}
- {name: g, type: long<int>}
- {name: h, type: list<enum>}
- {name: i, type: list<struct>}
- {name: j, type: struct, fields: []}
- {name: k, type: list<long>, fields: [{name: x, type: int}]}
- {name: l, type: list<long>, normalize: [trim]}
- {name: m, type: list<string>, normalize: [null_if_empty], optional: true}
- {name: n, type: list<string>, default: "[1]"}
- {name: o, type: struct, default: {}, fields: [{name: x, type: int}]}`, `
orders.yaml:6:21: type "map<int,string>": the key of a map is a string; write map<string,T> (TYPE_SYNTAX)
orders.yaml:7:21: type "map<string": a type with a comma must be quoted inside { }: type: "map<string,long>" (TYPE_SYNTAX)
orders.yaml:8:21: type "list<list<int>>": a list cannot stand directly in a list; wrap it in a struct: list<struct>, fields: [{name: items, type: list<int>}] (TYPE_NESTING)
orders.yaml:9:21: type "list<bigint>": "bigint" is unknown; write long (UNKNOWN_TYPE)
orders.yaml:10:21: decimal(40,2) has 40 digits; write 1 to 38 (DECIMAL_PRECISION)
orders.yaml:11:21: type "struct<x>": write struct, and its fields beside it: fields: [{name: a, type: long}] (TYPE_SYNTAX)
orders.yaml:12:21: type "long<int>": long holds no other type; write long (TYPE_SYNTAX)
orders.yaml:13:21: column "h": an enum needs its symbols: values: [a, b] (ENUM_VALUES)
orders.yaml:14:21: column "i": a struct needs its fields: fields: [{name: a, type: long}] (STRUCT_FIELDS)
orders.yaml:15:37: column "j": a struct has at least one field (STRUCT_FIELDS)
orders.yaml:16:41: column "k" is long; only a struct has fields (STRUCT_FIELDS)
orders.yaml:17:44: column "l" is long; only a string can be normalised (NORMALIZE)
orders.yaml:18:47: column "m": null_if_empty gives null, and what a list holds is never null; leave it out (NORMALIZE)
orders.yaml:19:44: column "n": default "[1]" is no default of its type; write [] (DEFAULT_VALUE)
orders.yaml:20:38: column "o": default "{}" cannot be: a struct has no default; make it optional instead (DEFAULT_VALUE)`},
	{"fields", `- name: ship_to
  type: struct
  fields:
    - {name: Street, type: string}
    - {name: _zip, type: string}
    - {name: year, type: int}
    - {name: a, type: int, from: b}
    - {name: b, type: int, from: c}
    - {name: b, type: long}
    - {name: kind, type: enum, values: [x, x]}
    - {name: country, type: string, default: DE, derive: 'note', validate: 'true', fallback: DE}
    - {name: geo, type: "map<string,struct>", fields: [{name: lat, type: "decimal(5,9)"}]}
- {name: ship, type: struct, fields: [{name: to, type: struct, fields: [{name: x, type: int}]}]}
- {name: from_ship, type: boolean, derive: 'ship_to.a > 1'}
- {name: listed, type: list<string>, derive: 'ship'}`, `
orders.yaml:9:16: column "ship_to.Street" must be lower case letters, digits and _, with a letter first; did you mean "street"? (from: "Street" keeps the source's name) (COLUMN_NAME)
orders.yaml:10:16: column "ship_to._zip": a leading _ is reserved for system columns; write "zip" and from: "_zip" (COLUMN_RESERVED)
orders.yaml:12:36: column "ship_to.a": from "b" is the name of another column, which reads "c"; give one of them another name (COLUMN_UNIQUE)
orders.yaml:14:16: column "ship_to.b" stands here a second time; the first is in line 13 (COLUMN_UNIQUE)
orders.yaml:15:46: column "ship_to.kind": symbol "x" stands here a second time (ENUM_VALUES)
orders.yaml:16:48: field "ship_to.country": default reaches columns only; make the field optional instead (FIELD_KEYS)
orders.yaml:16:60: field "ship_to.country": derive reaches columns only; derive a column of its own instead (FIELD_KEYS)
orders.yaml:16:78: field "ship_to.country": validate reaches columns only; validate a column instead (FIELD_KEYS)
orders.yaml:16:96: field "ship_to.country": fallback reaches columns only; leave it out; only an enum column has one (FIELD_KEYS)
orders.yaml:17:76: decimal(5,9) has 9 of its 5 digits behind the point; write 0 to 5 (DECIMAL_PRECISION)
orders.yaml:18:48: the type of column "ship_to" and the type of column "ship.to" would both be OrdersShipTo in Go; give column "ship.to" another go_name (GO_NAME)
orders.yaml:19:54: ".a": fields inside a column are out of reach (EXPR_SUBSET)
orders.yaml:20:48: column "listed" is list, which no expression computes; leave derive out (DERIVE_NESTED)`},
	{"expressions", "- {name: a, type: int, derive: 'size(b)'}\n- {name: b, type: long}\n- {name: c, type: boolean, derive: \"b > 1 && \\\"x\\\"\"}\n- {name: d, type: lnog}\n- {name: e, type: boolean, derive: 'd > 1'}\n- {name: f, type: string, derive: 'f'}", `
orders.yaml:6:35: "size(s)" takes string, bytes, list, map, not long (EXPR_TYPE)
orders.yaml:8:45: string and boolean do not go together (EXPR_TYPE)
orders.yaml:9:21: type "lnog" is unknown; did you mean "long"? (UNKNOWN_TYPE)
orders.yaml:11:37: column "f" is derived from itself (f <- f); let one of them be read from the source (DERIVE_CYCLE)`},
	{"keys", "key: [id, id, idd]\nspeed: {key: \"o:{id}{updated_at}\"}", `
orders.yaml:8:11: key column "id" stands here a second time (KEY_COLUMN)
orders.yaml:8:15: key column "idd" is no column of the table; did you mean "id"? (KEY_COLUMN)
orders.yaml:9:14: speed key "o:{id}{updated_at}" leaves out key column "idd"; write {idd} into it (SPEED_KEY)
orders.yaml:9:14: speed key "o:{id}{updated_at}" names "updated_at", which is no key column (SPEED_KEY)
orders.yaml:9:14: speed key "o:{id}{updated_at}": a text must stand between {id} and {updated_at}, or two keys could meet (SPEED_KEY)`},
	{"key template", "speed: {key: \"o:{id\"}", `
orders.yaml:9:14: speed key "o:{id" has a { without a column and a }; a literal one is written {{ (SPEED_KEY)`},
	{"deletes", "deletes: true\ndedup: {prefer: batch}\npartition: {time: updated_at}", `
orders.yaml:9:10: deletes need an order that sees them: write dedup: {version: COLUMN} with a timestamp, long or int column (DELETES)
orders.yaml:10:17: prefer "batch": a dump of the same state would undo each delete; with deletes write streaming (DELETES)
orders.yaml:11:19: partition time "updated_at" is null in a delete, which carries its key only; with deletes write _ingested_at (PARTITION_TIME)`},
	{"partition", "partition: {time: created, by: month}\ndedup: {version: created}", `
orders.yaml:9:19: partition time "created" is no column of the table; write _ingested_at or a timestamp column (PARTITION_TIME)
orders.yaml:9:32: by "month" is not one of hour, day (WORD)
orders.yaml:10:18: version "created" is no column of the table; the columns are id, updated_at (DEDUP_VERSION)`},
	{"optional version and time", "columns:\n  - {name: id, type: long}\n  - {name: at, type: timestamp, optional: true}\ndedup: {version: at}\npartition: {time: at}", `
orders.yaml:9:18: version "at" is optional, but every row needs its version; leave optional out of the column (DEDUP_VERSION)
orders.yaml:10:19: partition time "at" is optional, but every row needs a place; write _ingested_at, or leave optional out of the column (PARTITION_TIME)`},
	{"places", "lake: {bucket: s3/x, dir: a//b, flush_size: -1, codec: brotli, rotate_interval: 10}\ntrino: {catalog: Hive}\nbatch: {zone: CET, nulls: [\"a,b\"]}", `
orders.yaml:8:16: bucket "s3/x" is a path; write the bucket alone, and what follows it as dir (LAKE_BUCKET)
orders.yaml:8:27: dir "a//b": write the folder without / at its ends and without // (LAKE_DIR)
orders.yaml:8:45: flush_size -1: write the records of a streamed object, 1 to 2147483647 (LAKE_FLUSH_SIZE)
orders.yaml:8:56: codec "brotli": Trino cannot read Brotli; write zstd (LAKE_CODEC)
orders.yaml:8:81: rotate_interval "10" is no duration (a number with a unit: 500ms, 90s, 2m, 26h, 7d) (DURATION)
orders.yaml:9:18: catalog "Hive" must be lower case letters, digits and _, with a letter first; did you mean "hive"? (TRINO_NAME)
orders.yaml:10:15: zone "CET": write UTC, or a name such as Europe/Berlin (BATCH_ZONE)
orders.yaml:10:28: null word "a,b" cannot stand unquoted in CSV, so it would never be met (BATCH_NULLS)`},
	{"folders that readers do not see", "lake: {bucket: data-lake, dir: a/_b}\nstream: {topic: my-Tombstones, registry: \"http://u:p@r\"}", `
orders.yaml:7:32: dir "a/_b": Trino passes over folders that begin with _ or a dot, such as "_b" (LAKE_DIR)
orders.yaml:8:17: topic "my-Tombstones": the S3 sink fails on every record if the word tombstone stands in its path; write another topic (STREAM_TOPIC)
orders.yaml:8:42: registry: a user and a password must not stand in a spec; name the URL as ${provider:key}, or give it to the program (STREAM_REGISTRY)`},
	{"streaming issue", "stream: {topic: order-events, cdc: {envelope: debezium}, watermark: 5m, enriched: x}", `
orders.yaml:8:31: key "stream.cdc" comes with a later version of bridgegen; leave it out until then (NOT_YET)
orders.yaml:8:58: key "stream.watermark" comes with a later version of bridgegen; leave it out until then (NOT_YET)
orders.yaml:8:73: key "stream.enriched" comes with a later version of bridgegen; leave it out until then (NOT_YET)`},
	{"a wrong value is not missing too", "lake: {bucket: 5}\ndeletes: true\ndedup: x\nstream: [a]", `
orders.yaml:7:16: "bucket" must be a text, not the number 5; quote it: "5" (VALUE_TYPE)
orders.yaml:9:8: "dedup" must be keys and values, not the text "x" (VALUE_TYPE)
orders.yaml:10:9: "stream" must be keys and values, not a list (VALUE_TYPE)`},
	{"defaults of no value", "- {name: a, type: double, default: NaN}\n- {name: b, type: float, default: -Infinity}", `
orders.yaml:6:38: column "a": default "NaN" is no number that an Avro schema can hold; make the column optional instead (DEFAULT_VALUE)
orders.yaml:7:37: column "b": default "-Infinity" is no number that an Avro schema can hold; make the column optional instead (DEFAULT_VALUE)`},
	{"default of a key", "key: [id, updated_at]\ncolumns:\n  - {name: id, type: long, default: 1}\n  - {name: updated_at, type: timestamp}", `
orders.yaml:7:37: column "id" is in the key, and no row is without its key; leave default out (DEFAULT_VALUE)`},
	{"one Redis key by default", "# custa.yaml\ntable: custa\nstream: {topic: a}\n# custb.yaml\ntable: custb\nstream: {topic: b}\nspeed: {key: \"custa:{id}\"}", `
custb.yaml:9:14: Redis key "custa:{id}" is taken by the table in custa.yaml:7:8 (TABLE_UNIQUE)`},
	{"a topic of dead letters", "# a.yaml\ntable: a\nstream: {topic: events}\n# b.yaml\ntable: b\nstream: {topic: events-dead}", `
b.yaml:8:17: topic "events-dead" is taken by the table in a.yaml:8:17 (TABLE_UNIQUE)`},
	{"Avro names", "record: Bridge\ncolumns:\n  - {name: id, type: long}\n  - {name: updated_at, type: timestamp}\n  - {name: source, type: enum, values: [a]}", `
orders.yaml:10:12: the enum of _source and the type of column "source" would both be BridgeSource in Avro; give column "source" another go_name (GO_NAME)`},
	{"Avro name of the record", "record: BridgeSource", `
orders.yaml:9:9: record "BridgeSource": the generated package declares that name itself; write another one as record: (RECORD_NAME)`},
	{"docs", "doc: \"a\\0b\"\ncolumns:\n  - {name: id, type: long, doc: \"+build ignore\"}\n  - {name: updated_at, type: timestamp, doc: \"\\ufeff\"}", `
orders.yaml:6:6: doc holds the character '\x00'; write plain text (DOC)
orders.yaml:8:33: doc: a line that begins with +build is an instruction to Go's compiler; write it otherwise (DOC)
orders.yaml:9:46: doc holds the character '\ufeff'; write plain text (DOC)`},
	{"out", "# bridgegen.yaml\nout: gen erated", `
bridgegen.yaml:2:6: out "gen erated" is no folder that Go takes packages from; write letters and digits, such as generated (PROJECT_OUT)`},
	{"out that Go ignores", "# bridgegen.yaml\nout: a/_gen", `
bridgegen.yaml:2:6: out "a/_gen" is no folder that Go takes packages from; write letters and digits, such as generated (PROJECT_OUT)`},
	{"tables of a project", "# bridgegen.yaml\ndefaults: {lake: {bucket: Data}}\n# a.yaml\nlake: {}\nspeed: {key: \"o:{id}\"}\n# b.yaml\nlake: {}\nspeed: {key: \"o:{id}\"}", `
b.yaml:2:8: table "orders" is taken by the table in a.yaml:2:8 (TABLE_UNIQUE)
b.yaml:7:17: topic "order-events" is taken by the table in a.yaml:7:17 (TABLE_UNIQUE)
b.yaml:9:14: Redis key "o:{id}" is taken by the table in a.yaml:9:14 (TABLE_UNIQUE)
bridgegen.yaml:2:27: bucket "Data" is none that S3 allows: 3 to 63 lower case letters, digits, dots and -, a letter or digit first and last (LAKE_BUCKET)`},
	{"project", "# bridgegen.yaml\nproject: Shop\nspecs: [\"/a/*.yaml\", \"a[\", \"**/x.yaml\"]\nout: .\ngo: {package: \"a b\"}\ndefaults: {table: x, dedup: {version: id}}\nenvironments: {}", `
bridgegen.yaml:2:10: project "Shop" must be lower case letters, digits, _ and -, with a letter first (PROJECT_NAME)
bridgegen.yaml:3:9: specs "/a/*.yaml" must be a path below this file's folder, with / between its parts (PROJECT_SPECS)
bridgegen.yaml:3:22: specs "a[" is no pattern: a [ must have its ] (PROJECT_SPECS)
bridgegen.yaml:3:28: specs "**/x.yaml": ** is not supported; name the folders with *, one level each (PROJECT_SPECS)
bridgegen.yaml:4:6: out "." must be a folder of its own below this file's folder, with / between its parts (PROJECT_OUT)
bridgegen.yaml:5:15: go.package "a b" is no import path; write one such as example.com/shop/generated (GO_PACKAGE)
bridgegen.yaml:6:12: unknown key "table"; known here are dedup, partition, lake, batch, stream, speed, trino, lag (UNKNOWN_KEY)
bridgegen.yaml:6:30: unknown key "version"; known here are prefer, max_future (UNKNOWN_KEY)
bridgegen.yaml:7:1: key "environments" comes with a later version of bridgegen; leave it out until then (NOT_YET)`},
}

func TestMessages(t *testing.T) {
	for _, m := range messages {
		t.Run(m.name, func(t *testing.T) {
			ds := diagnose(m.example)
			known(t, ds)
			for _, d := range ds {
				if strings.HasSuffix(d.Message, ".") || strings.Contains(d.Message, "%!") {
					t.Errorf("%v: a message has no full stop and no lost operand", d)
				}
			}
			if got, want := strings.TrimSpace(lines(ds)), strings.TrimSpace(m.want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestTableNames(t *testing.T) {
	for _, name := range []string{"bridge", "tables", "main", "internal", "vendor", "testdata", "documentation", "orders_test", "func", "_orders", "con", "lpt1", "Orders", "order-items", "1st", strings.Repeat("a", 128), ""} {
		if ds := diagnose("table: \"" + name + "\""); len(ds) == 0 || ds[0].Rule != "TABLE_NAME" {
			t.Errorf("%q: %v", name, ds)
		}
	}
	for _, name := range []string{"orders", "sales_windows", "a", "order_2", "console", "returns_test_data", strings.Repeat("a", 127)} {
		if ds := diagnose("table: " + name); len(ds) > 0 {
			t.Errorf("%q: %v", name, ds)
		}
	}
}

// The first transcript of the design: a spec with four errors.
func TestTranscript(t *testing.T) {
	src := `bridgegen: v1
table: customers
columns:
  - {name: id, type: long}
  - {name: born, type: date}
  - name: status
    type: enum
    values: [active, in-active]
  - name: phone
    type: string
    nullable: true
  - {name: limit, type: decimal(10,2)}
key: [id]
partition: {time: born}
lake: {bucket: data-lake-shop}
stream: {topic: customer-events}
`
	s, ds := spec.Parse("customers.yaml", []byte(src))
	ds = append(ds, spec.Check([]*spec.Spec{s}, nil)...).Sorted()
	want := `customers.yaml:8:22: column "status": value "in-active" is no Avro symbol (letters, digits, _); write in_active, or map it: {in_active: "in-active"} (ENUM_SYMBOL)
customers.yaml:11:5: unknown key "nullable"; did you mean "optional"? (UNKNOWN_KEY)
customers.yaml:12:25: type "decimal(10": a type with a comma must be quoted inside { }: type: "decimal(10,2)" (TYPE_SYNTAX)
customers.yaml:14:19: partition time "born" is a date; the S3 sink can only partition by a timestamp: use _ingested_at or a timestamp column (PARTITION_TIME_TYPE)`
	if got := ds.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCustomersIsRight(t *testing.T) {
	src := exampleFile(t)
	s, ds := spec.Parse("customers.yaml", src)
	if ds = append(ds, spec.Check([]*spec.Spec{s}, nil)...); len(ds) > 0 {
		t.Error(ds)
	}
	if !spec.IsSpec(src) || spec.IsSpec([]byte("project: x\n")) {
		t.Error("IsSpec")
	}
}
