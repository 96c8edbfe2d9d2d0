package golang

import (
	"strings"
	"testing"
)

// How objects are written stands in the descriptor, and nothing where the spec says
// nothing.
func TestObjectsInTheDescriptor(t *testing.T) {
	const columns = "bridgegen: v1\ntable: orders\ncolumns:\n  - {name: id, type: long}\n  - {name: name, type: string}\nkey: [id]\nstream: {topic: order-events}\n"
	record := func(settings string) string {
		p := resolved(t, columns+settings)
		files, err := Table(p, p.Tables[0])
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, f := range files {
			all.Write(f.Content)
		}
		return strings.Join(strings.Fields(all.String()), " ")
	}
	with := record("lake: {bucket: data-lake, row_group_rows: 50000, bloom: [name, id]}\nbatch: {source: parquet, sort: key, part_bytes: 1048576}\n")
	for _, want := range []string{"RowGroupRows: 50000,", "Bloom: []int{1, 0},", `BatchSource: "parquet",`, "PartBytes: 1048576,", "SortByKey: true,"} {
		if !strings.Contains(with, want) {
			t.Errorf("the descriptor lacks %s", want)
		}
	}
	without := record("lake: {bucket: data-lake}\n")
	for _, name := range []string{"RowGroupRows", "Bloom", "PartBytes", "SortByKey"} {
		if strings.Contains(without, name) {
			t.Errorf("the descriptor says %s without need", name)
		}
	}
}
