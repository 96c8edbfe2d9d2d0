package spec

import "github.com/bridgegen/bridgegen/spec/types"

// objectRules are about the objects that Go writes.
var objectRules = []Rule{
	{ID: "LAKE_ROW_GROUP", Purpose: "a row group holds 1,000 to 10,000,000 rows",
		Why:  "A reader passes over whole row groups, and a writer holds one of each open object in memory. Smaller groups make readers busy with footers, greater ones fill the memory.",
		Bad:  "lake: {bucket: data-lake, row_group_rows: 10}",
		Good: "lake: {bucket: data-lake, row_group_rows: 50000}",
		check: func(t *Table, r reporter) {
			if n := t.Lake.RowGroupRows; n.Set && (n.V < 1000 || n.V > 10_000_000) {
				r.at(n.Pos, "row_group_rows %d: write 1000 to 10000000 rows", n.V)
			}
		}},
	{ID: "LAKE_BLOOM", Purpose: "bloom filters are of columns whose values compare exactly",
		Why:  "A filter says that a value is not in a row group, by the hash of its bytes: readers look for keys with it. float and double have several forms of one value, decimals have other bytes in other engines, and of a boolean each group holds both.",
		Bad:  "lake: {bucket: data-lake, bloom: [total]}\ncolumns:\n  - {name: id, type: long}\n  - {name: total, type: double}",
		Good: "lake: {bucket: data-lake, bloom: [id]}\ncolumns:\n  - {name: id, type: long}\n  - {name: total, type: double}", check: checkBloom},
	{ID: "BATCH_PART_BYTES", Purpose: "an object of a load ends at 1 MiB to 4 GiB",
		Why:  "S3 takes up to 5 GiB at once, and an object passes its size by up to a row group. Smaller objects than 1 MiB cost each reader a request for next to nothing.",
		Bad:  "batch: {part_bytes: 128}",
		Good: "batch: {part_bytes: 134217728}",
		check: func(t *Table, r reporter) {
			if n := t.Batch.PartBytes; n.Set && (n.V < 1<<20 || n.V > 4<<30) {
				r.at(n.Pos, "part_bytes %d: write 1048576 (1 MiB) to 4294967296 bytes (4 GiB)", n.V)
			}
		}},
}

// filtered are the types that a bloom filter can be of.
var filtered = map[*types.Type]bool{types.Int: true, types.Long: true, types.String: true, types.Bytes: true,
	types.Date: true, types.Timestamp: true, types.UUID: true, types.Enum: true}

func checkBloom(t *Table, r reporter) {
	seen := map[string]bool{}
	for _, b := range t.Lake.Bloom.V {
		c := t.Column(b.V)
		switch {
		case seen[b.V]:
			r.at(b.Pos, "bloom names column %q twice", b.V)
		case t.Spec.Columns.Set && !t.declares(b.V):
			r.at(b.Pos, "bloom: %q is no column of the table%s", b.V, t.unknownColumn(b.V))
		case c != nil && !filtered[c.Type]:
			r.at(b.Pos, "bloom: column %q is of type %s; a filter is of int, long, string, bytes, date, timestamp, uuid or enum", b.V, c.Type.Word)
		}
		seen[b.V] = true
	}
}
