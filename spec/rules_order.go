package spec

import (
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec/didyoumean"
	"github.com/bridgegen/bridgegen/spec/types"
)

// orderRules are about keys, the one order, deletes and partitions.
var orderRules = []Rule{
	{ID: "KEY_COLUMN", Purpose: "the key names columns of the table, each once",
		Why:  "Rows of one key are states of one thing: dedup, the record key in Kafka and the state in Redis all take the key. It needs at least one column, and the order of the columns is the order in the record key.",
		Bad:  "key: [identifier]",
		Good: "key: [id]", check: checkKeyColumns},
	{ID: "KEY_TYPE", Purpose: "key columns have types that compare exactly",
		Why:  "float and double have NaN, which equals nothing, and -0, which equals 0 but is written otherwise; bytes have no text form that all systems share. Take a long, a string, a decimal or a uuid.",
		Bad:  "columns:\n  - {name: id, type: double}",
		Good: "columns:\n  - {name: id, type: long}", check: checkKeyTypes},
	{ID: "KEY_OPTIONAL", Purpose: "key columns are not optional",
		Why:  "Null equals nothing in SQL, so rows without their key would never be deduplicated there, while Go and Redis would take them for one thing. Leave optional out of the column, or the column out of the key.",
		Bad:  "columns:\n  - {name: id, type: long, optional: true}",
		Good: "columns:\n  - {name: id, type: long}",
		check: func(t *Table, r reporter) {
			t.eachKey(func(k Text, c *TableColumn) {
				if c.Optional.V {
					r.at(k.Pos, "key column %q is optional; a key must always be there: leave optional out of the column, or the column out of the key", k.V)
				}
			})
		}},
	{ID: "KEY_DERIVED", Purpose: "with deletes, no key column is derived",
		Why:  "A delete carries the key and nothing else, so it cannot compute a key column from others. Let the source write the column, or leave deletes out.",
		Bad:  "columns:\n  - {name: id, type: long, derive: 'n + 1'}\n  - {name: n, type: long}\n  - {name: updated_at, type: timestamp}\ndeletes: true\ndedup: {version: updated_at}",
		Good: "columns:\n  - {name: id, type: long}\n  - {name: n, type: long}\n  - {name: updated_at, type: timestamp}\ndeletes: true\ndedup: {version: updated_at}",
		check: func(t *Table, r reporter) {
			t.eachKey(func(k Text, c *TableColumn) {
				if t.Deletes.V && c.Column.Derive.Set {
					r.at(k.Pos, "key column %q is derived, but a delete carries the key only and cannot compute it", k.V)
				}
			})
		}},
	{ID: "DEDUP_VERSION", Purpose: "the version is a timestamp, long or int column that is not optional",
		Why:  "It is what the one order compares first, in Go, Trino, Redis and Flink alike. A row without a version would be older than every other of its key and never be seen.",
		Bad:  "dedup: {version: status}\ncolumns:\n  - {name: id, type: long}\n  - {name: status, type: string}",
		Good: "dedup: {version: updated_at}\ncolumns:\n  - {name: id, type: long}\n  - {name: updated_at, type: timestamp}", check: checkVersion},
	{ID: "DELETES", Purpose: "deletes need a version, and prefer: streaming",
		Why:  "A delete is a row that must win against older rows and lose against newer ones, so there must be a version. With prefer: batch, a dump of the same state would undo each delete.",
		Bad:  "deletes: true",
		Good: "deletes: true\ndedup: {version: updated_at}", check: checkDeletes},
	{ID: "PARTITION_TIME", Purpose: "the partition time is _ingested_at, or a column that is there in every row",
		Why:  "It places each row in its hour, on both roads, so it must never be null (T16-T19). A delete carries its key only, so with deletes only _ingested_at will do. It places rows; it does not order them.",
		Bad:  "partition: {time: created}",
		Good: "partition: {time: updated_at}", check: checkPartitionTime},
	{ID: "PARTITION_TIME_TYPE", Purpose: "the partition time is a timestamp",
		Why:  "The S3 sink's TimeBasedPartitioner reads a field of the record as an instant in milliseconds. It would take a date or a number for an instant in 1970 and put all rows into one folder (T14-T18).",
		Bad:  "columns:\n  - {name: id, type: long}\n  - {name: born, type: date}\npartition: {time: born}",
		Good: "columns:\n  - {name: id, type: long}\n  - {name: born, type: date}\npartition: {time: _ingested_at}", check: checkPartitionType},
}

// ingestedAt is the system column that places rows where a spec names no other.
const ingestedAt = "_ingested_at"

func nearestColumn(name string, names []string) string {
	return didyoumean.Hint(didyoumean.Nearest(name, names, nil))
}

// declares reports whether there is a column of that name, whatever its type.
func (t *Table) declares(name string) bool {
	return slices.ContainsFunc(t.Spec.Columns.V, func(c *Column) bool { return c.Name.V == name })
}

// eachKey calls f for the key columns whose type is known.
func (t *Table) eachKey(f func(k Text, c *TableColumn)) {
	for _, k := range t.Key.V {
		if c := t.Column(k.V); c != nil {
			f(k, c)
		}
	}
}

func checkKeyColumns(t *Table, r reporter) {
	if t.Key.Set && len(t.Key.V) == 0 {
		r.at(t.Key.Pos, "the key is empty; name the columns that identify a row")
	}
	seen := map[string]bool{}
	for _, k := range t.Key.V {
		switch {
		case seen[k.V]:
			r.at(k.Pos, "key column %q stands here a second time", k.V)
		case t.Spec.Columns.Set && !t.declares(k.V):
			r.at(k.Pos, "key column %q is no column of the table%s", k.V, t.unknownColumn(k.V))
		}
		seen[k.V] = true
	}
}

func checkKeyTypes(t *Table, r reporter) {
	t.eachKey(func(k Text, c *TableColumn) {
		if c.Type.Key {
			return
		}
		var legal []string
		for _, row := range types.All {
			if row.Key {
				legal = append(legal, row.Word)
			}
		}
		r.at(k.Pos, "key column %q is %s, which no key can be; take one of %s", k.V, c.Type.Word, strings.Join(legal, ", "))
	})
}

func checkVersion(t *Table, r reporter) {
	v := t.Dedup.Version
	if !v.Set || !t.Spec.Columns.Set {
		return
	}
	c := t.Column(v.V)
	switch {
	case !t.declares(v.V):
		r.at(v.Pos, "version %q is no column of the table%s", v.V, t.unknownColumn(v.V))
	case c == nil:
	case c.Type != types.Timestamp && c.Type != types.Long && c.Type != types.Int:
		r.at(v.Pos, "version %q is %s; take a timestamp, long or int column", v.V, c.Type.Word)
	case c.Optional.V:
		r.at(v.Pos, "version %q is optional, but every row needs its version; leave optional out of the column", v.V)
	}
}

func checkDeletes(t *Table, r reporter) {
	if !t.Deletes.V {
		return
	}
	if t.absent("dedup.version", t.Dedup.Version) {
		r.at(t.Deletes.Pos, "deletes need an order that sees them: write dedup: {version: COLUMN} with a timestamp, long or int column")
	}
	if t.Dedup.Prefer.V == "batch" {
		r.at(t.Dedup.Prefer.Pos, "prefer %q: a dump of the same state would undo each delete; with deletes write streaming", t.Dedup.Prefer.V)
	}
}

func checkPartitionTime(t *Table, r reporter) {
	v := t.Partition.Time
	if !v.Set || v.V == ingestedAt || !t.Spec.Columns.Set {
		return
	}
	c := t.Column(v.V)
	switch {
	case !t.declares(v.V):
		r.at(v.Pos, "partition time %q is no column of the table%s; write _ingested_at or a timestamp column", v.V, nearestColumn(v.V, append(t.names(), ingestedAt)))
	case t.Deletes.V:
		r.at(v.Pos, "partition time %q is null in a delete, which carries its key only; with deletes write _ingested_at", v.V)
	case c != nil && c.Optional.V:
		r.at(v.Pos, "partition time %q is optional, but every row needs a place; write _ingested_at, or leave optional out of the column", v.V)
	}
}

func (t *Table) names() []string {
	var names []string
	for _, c := range t.Spec.Columns.V {
		names = append(names, c.Name.V)
	}
	return names
}

func checkPartitionType(t *Table, r reporter) {
	v := t.Partition.Time
	if c := t.Column(v.V); v.Set && c != nil && c.Type != types.Timestamp {
		r.at(v.Pos, "partition time %q is a %s; the S3 sink can only partition by a timestamp: use _ingested_at or a timestamp column", v.V, c.Type.Word)
	}
}
