package spec

import (
	"net/netip"
	"regexp"
	"strings"
)

// placeRules are about the lake, what a load reads, and Trino.
var placeRules = []Rule{
	{ID: "LAKE_BUCKET", Purpose: "a bucket is named as S3 allows",
		Why:  "3 to 63 lower case letters, digits, dots and -, a letter or digit first and last, and no IP address. S3 refuses any other at the first write, long after the spec was reviewed.",
		Bad:  "lake: {bucket: Data_Lake}",
		Good: "lake: {bucket: data-lake}", check: checkBucket},
	{ID: "LAKE_DIR", Purpose: "the folder is a plain path that readers see",
		Why:  "It stands in front of the topic in every object's name, with one / between parts and none at the ends. Trino passes over folders that begin with _ or a dot, and the S3 sink fails on every record if the word tombstone stands in the path.",
		Bad:  "lake: {bucket: data-lake, dir: /lake/}",
		Good: "lake: {bucket: data-lake, dir: lake}", check: checkDir},
	{ID: "LAKE_CODEC", Purpose: "Parquet is compressed as all engines can read",
		Why:  "Trino reads neither LZ4_RAW nor Brotli, and the S3 sink fails on LZO (T86-T98). none, snappy, gzip and zstd are read by all.",
		Bad:  "lake: {bucket: data-lake, codec: lz4}",
		Good: "lake: {bucket: data-lake, codec: zstd}"},
	{ID: "LAKE_FLUSH_SIZE", Purpose: "a streamed object holds at least one record",
		Why:  "flush_size is the number of records after which the sink closes an object. With zero or less it would never write one.",
		Bad:  "lake: {bucket: data-lake, flush_size: 0}",
		Good: "lake: {bucket: data-lake, flush_size: 100000}",
		check: func(t *Table, r reporter) {
			if n := t.Lake.FlushSize; n.Set && (n.V < 1 || n.V > 1<<31-1) {
				r.at(n.Pos, "flush_size %d: write the records of a streamed object, 1 to 2147483647", n.V)
			}
		}},
	{ID: "BATCH_NULLS", Purpose: "a word for null can stand unquoted in CSV",
		Why:  "Only an unquoted field is compared with these words, so a word with the delimiter, a quote or a line break is never met. Without a list the empty unquoted field is null; with one it is text, unless \"\" stands in the list.",
		Bad:  "batch: {nulls: [\"n,a\"]}",
		Good: "batch: {nulls: [\"\\\\N\"]}",
		check: func(t *Table, r reporter) {
			for _, w := range t.Batch.Nulls.V {
				if strings.ContainsAny(w.V, t.Batch.Delimiter.Or(DefaultText("batch.delimiter"))+"\"\r\n") {
					r.at(w.Pos, "null word %q cannot stand unquoted in CSV, so it would never be met", w.V)
				}
			}
		}},
	{ID: "BATCH_ZONE", Purpose: "a zone is UTC or a name of the IANA database",
		Why:  "Timestamps without an offset are read in this zone. It must not depend on the machine, so Local and abbreviations such as CET or EST, which ignore or repeat the clock changes, are refused.",
		Bad:  "batch: {zone: Local}",
		Good: "batch: {zone: Europe/Berlin}",
		check: func(t *Table, r reporter) {
			if z := t.Batch.Zone; z.Set && !zoneName.MatchString(z.V) {
				r.at(z.Pos, "zone %q: write UTC, or a name such as Europe/Berlin", z.V)
			}
		}},
	{ID: "TRINO_NAME", Purpose: "Trino's catalog and schemas are lower case letters, digits and _",
		Why:  "Trino folds upper case in names, and other characters would have to be quoted in every query that anybody writes. The views' schema is trino.views, which is that of the table unless it is given.",
		Bad:  "trino: {schema: Lake}",
		Good: "trino: {schema: lake}",
		check: func(t *Table, r reporter) {
			for key, v := range map[string]Text{"catalog": t.Trino.Catalog, "schema": t.Trino.Schema, "views": t.Trino.Views} {
				if wrong := misnamed(v.V); v.Set && wrong != "" {
					r.at(v.Pos, "%s %q %s", key, v.V, wrong)
				}
			}
		}},
}

var (
	bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	pathPart   = regexp.MustCompile(`^[A-Za-z0-9!'()*.=_-]+$`)
	zoneName   = regexp.MustCompile(`^(?:UTC|[A-Z][A-Za-z_]*(?:/[A-Za-z0-9_+-]+)+)$`)
)

const tombstone = "tombstone"

func checkBucket(t *Table, r reporter) {
	b := t.Lake.Bucket
	if !b.Set {
		return
	}
	_, ip := netip.ParseAddr(b.V)
	switch {
	case strings.Contains(b.V, "/"):
		r.at(b.Pos, "bucket %q is a path; write the bucket alone, and what follows it as dir", b.V)
	case !bucketName.MatchString(b.V), strings.Contains(b.V, ".."), ip == nil:
		r.at(b.Pos, "bucket %q is none that S3 allows: 3 to 63 lower case letters, digits, dots and -, a letter or digit first and last", b.V)
	}
}

func checkDir(t *Table, r reporter) {
	d := t.Lake.Dir
	if !d.Set || d.V == "" {
		return
	}
	if strings.Contains(strings.ToLower(d.V), tombstone) {
		r.at(d.Pos, "dir %q: the S3 sink fails on every record if the word tombstone stands in its path; write another folder", d.V)
		return
	}
	for part := range strings.SplitSeq(d.V, "/") {
		switch {
		case part == "":
			r.at(d.Pos, "dir %q: write the folder without / at its ends and without //", d.V)
			return
		case part[0] == '_' || part[0] == '.':
			r.at(d.Pos, "dir %q: Trino passes over folders that begin with _ or a dot, such as %q", d.V, part)
			return
		case !pathPart.MatchString(part):
			r.at(d.Pos, "dir %q: a folder is ASCII letters, digits and any of !'()*.=_-", d.V)
			return
		}
	}
}
