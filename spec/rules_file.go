package spec

// fileRules are about the file as YAML. The reader finds them.
var fileRules = []Rule{
	{ID: "YAML_SYNTAX", Purpose: "a spec is UTF-8 text and YAML",
		Why:  "Most often a text needs quotes: an expression with quotes or a colon in it, a type with a comma inside { }, a text that begins with @ or `. YAML is indented by blanks, never by tabs, and a spec has no tags (!!str).",
		Bad:  "doc: @daily, by the shop's dump",
		Good: "doc: \"@daily, by the shop's dump\""},
	{ID: "ONE_DOCUMENT", Purpose: "a file holds one table",
		Why:  "Two tables of one file would share its place in errors, in diffs and in review. Write a file per table; what tables share stands below defaults in bridgegen.yaml.",
		Bad:  "deletes: false\n---\ntable: returns",
		Good: "deletes: false"},
	{ID: "EMPTY", Purpose: "a file is not empty",
		Why:  "A file with nothing but comments declares no table. `bridgegen init` writes a first spec that works.",
		Bad:  "# orders.yaml\n# to be written",
		Good: "# orders.yaml\nbridgegen: v1\ntable: orders\ncolumns:\n  - {name: id, type: long}\nkey: [id]\nlake: {bucket: data-lake-shop}\nstream: {topic: order-events}"},
	{ID: "TOO_LARGE", Purpose: "a file has at most 4 MiB, 262144 values and 2000 columns",
		Why:  "Beyond these limits lies nothing that a person wrote: most often aliases that name aliases, which unfold into millions of values, or a data file in the place of a spec.",
		Bad:  "removed:\n- &a [x, x, x, x, x, x, x, x, x, x]\n- &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n- &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n- &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n- &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n- [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]",
		Good: "deletes: false"},
	{ID: "TOO_DEEP", Purpose: "values are nested at most 64 deep",
		Why:  "A spec needs four levels. Deeper nesting is a mistake in the indentation or in the brackets.",
		Bad:  "doc: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
		Good: "doc: x"},
	{ID: "VERSION", Purpose: "bridgegen: names a version of the spec's form that this program reads",
		Why:  "The form of a spec may change with a new version, and then old files keep their meaning. This program reads v1.",
		Bad:  "bridgegen: v2",
		Good: "bridgegen: v1"},
	{ID: "MISSING_KEY", Purpose: "the required keys are there",
		Why:  "These have no default that could be right: bridgegen, table, columns with name and type, key, lake.bucket and stream.topic. lake.bucket may stand below defaults in bridgegen.yaml. `bridgegen types` lists all keys with their defaults.",
		Bad:  "columns:\n  - {name: id}",
		Good: "columns:\n  - {name: id, type: long}",
		check: func(t *Table, r reporter) {
			for path, v := range map[string]Text{"lake.bucket": t.Lake.Bucket, "stream.topic": t.Stream.Topic} {
				if key, _ := Lookup(path); t.absent(path, v) {
					r.at(t.Spec.Pos, "key %q is missing (%s)", path, key.Doc)
				}
			}
		}},
	{ID: "UNKNOWN_KEY", Purpose: "every key is known",
		Why:  "A key that nobody reads is a setting that is not in force: a misspelled optional: would make a column required. The message names the key that was most likely meant, or the section in which it belongs.",
		Bad:  "- {name: note, type: string, nullable: true}",
		Good: "- {name: note, type: string, optional: true}"},
	{ID: "DUPLICATE_KEY", Purpose: "a key stands once",
		Why:  "YAML readers disagree on which of two values counts, so one reader of the file would see another table than bridgegen. Leave one of them; the message names the line of the first.",
		Bad:  "deletes: false\ndeletes: false",
		Good: "deletes: false"},
	{ID: "NOT_YET", Purpose: "the key or type is supported by this version",
		Why:  "The key is part of the form and will get a meaning, but this version would ignore it: cdc, watermark and enriched come with the streaming pipeline. An ignored setting would look as if it were in force.",
		Bad:  "stream: {topic: order-events, watermark: 5m}",
		Good: "stream: {topic: order-events}"},
}

// valueRules are about the form of single values. The reader finds most of them.
var valueRules = []Rule{
	{ID: "VALUE_TYPE", Purpose: "a value has the form that its key takes",
		Why:  "A text that looks like a number or a truth value must be quoted, a list stands in brackets, true and false are the only truth values. So what YAML makes of a value and what was meant cannot differ.",
		Bad:  "key: id",
		Good: "key: [id]"},
	{ID: "WORD", Purpose: "a value is one of the words that its key takes",
		Why:  "Words are case-sensitive, so that files look alike and a search finds all. The message lists the words, or names the right spelling.",
		Bad:  "lake: {bucket: data-lake-shop, codec: SNAPPY}",
		Good: "lake: {bucket: data-lake-shop, codec: snappy}"},
	{ID: "DURATION", Purpose: "a duration is a number with a unit, and positive",
		Why:  "Durations are those of Go plus d for 24 hours: 500ms, 90s, 2m, 26h, 7d, 1d12h. Zero and negative ones have no meaning: a state that expires at once, an object that is never written.",
		Bad:  "speed: {ttl: 0s}",
		Good: "speed: {ttl: 72h}",
		check: func(t *Table, r reporter) {
			for _, d := range []struct {
				name string
				v    Duration
			}{
				{"dedup.max_future", t.Dedup.MaxFuture}, {"lake.rotate_interval", t.Lake.RotateInterval}, {"speed.ttl", t.Speed.TTL},
				{"lag.streaming", t.Lag.Streaming}, {"lag.batch", t.Lag.Batch},
			} {
				if d.v.Set && d.v.V <= 0 {
					r.at(d.v.Pos, "%s must be longer than nothing; write a positive duration, or leave the key out for its default", d.name)
				}
			}
		}},
	{ID: "PLACEHOLDER", Purpose: "a secret is named as ${provider:key}",
		Why:  "Secrets never stand in a spec. ${env:NAME}, or any ${provider:path:key}, passes through as it is to the config provider of Kafka Connect; a bare ${NAME} would reach it unresolved, and a password in a URL would be committed.",
		Bad:  "stream: {topic: order-events, registry: \"${REGISTRY}\"}",
		Good: "stream: {topic: order-events, registry: \"${env:REGISTRY}\"}",
		check: func(t *Table, r reporter) {
			checkPlaceholder("stream.registry", t.Stream.Registry, r)
			checkPlaceholder("lake.region", t.Lake.Region, r)
		}},
}
