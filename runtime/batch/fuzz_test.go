package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// readItems hands every record of an input that has no problem to take.
func readItems(t *testing.T, format string, in io.Reader, take func(rec *record, row *item)) {
	t.Helper()
	table := itemsTable(func(s *bridge.Schema) { s.Missing = "default" })
	r := formats[format](table.Schema, nil, "in", in)
	if problems, err := r.begin(); err != nil || len(problems) > 0 {
		return
	}
	var rec record
	rows := &bridge.RowsOf[item]{T: table, R: make([]item, 1)}
	for last := int64(0); ; last = rec.line {
		rows.Clear(0)
		rec.reset()
		err := r.next(rows, 0, &rec)
		var end *broken
		if err == io.EOF || errors.As(err, &end) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.line <= last {
			t.Fatalf("a record in line %d follows one in line %d", rec.line, last)
		}
		if len(rec.problems) == 0 {
			take(&rec, &rows.R[0])
		}
	}
}

// FuzzJSONLines: a line that is taken is an object for encoding/json too, and the row
// holds what that says.
func FuzzJSONLines(f *testing.F) {
	const whole = `{"id":1,"fullName":"Ada","priority":6,"at":"2026-08-18T10:00:00Z","urgent":true}`
	for _, seed := range []string{whole, whole + "\r\n\n " + whole, `{"id":"9223372036854775807","at":"0001-01-01T00:00:00.000Z"}`, `{"id":-0,"fullName":null,"at":"2026-08-18 10:00:00+02"}`,
		`{"id":1,"fullName":"\ud83d\ude00\\\u0009","at":"2024-02-29T23:59:59.9999Z"}`, `{"id":1e2}`, `{"id":1,"id":2}`, "\ufeff" + whole, "[" + whole + "]", whole[:40]} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		readItems(t, "jsonl", iotest.HalfReader(bytes.NewReader(in)), func(rec *record, row *item) {
			var theirs map[string]json.RawMessage
			if err := json.Unmarshal(rec.raw, &theirs); err != nil {
				t.Fatalf("%q was taken, but encoding/json says %v", rec.raw, err)
			}
			text, null := theirs["fullName"]
			var name *string
			if err := json.Unmarshal(text, &name); null && err != nil {
				t.Fatal(err)
			}
			if row.Name.OK != (name != nil) || name != nil && row.Name.V != *name {
				t.Fatalf("%q: name is %+v", rec.raw, row.Name)
			}
			var id int64
			if err := json.Unmarshal(bytes.Trim(theirs["id"], `"`), &id); err == nil && id != row.ID {
				t.Fatalf("%q: id is %d", rec.raw, row.ID)
			}
			if _, given := theirs["priority"]; !given && row.Priority != 7 {
				t.Fatalf("%q: priority is %d, not its default", rec.raw, row.Priority)
			}
		})
	})
}

// FuzzCSVRows: a row that was read and is written as CSV reads as the same row.
func FuzzCSVRows(f *testing.F) {
	const header = "id,fullName,priority,at,urgent\n"
	for _, seed := range []string{header + "1,Ada,6,2026-08-18T10:00:00Z,true\n", header + "1,\"\",6,2026-08-18T10:00:00Z,x\r\n2,,,,\n", "at,id\r\n2026-08-18 10:00:00+02:00,-5\r\n",
		"fullName,at,id\n\"a \"\"b\"\"\n, c\",2024-02-29T23:59:59.9999Z,+7\n", header + "1,a\x00b,6,2026-08-18T10:00:00Z,true\n\"x", header, "id;at\n1;2\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		readItems(t, "csv", iotest.HalfReader(bytes.NewReader(in)), func(rec *record, row *item) {
			var line strings.Builder
			line.WriteString(header)
			for col := range itemsSchema().Fields {
				text := string(itemText(nil, row, col))
				if col != 1 || row.Name.OK {
					text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
				}
				fmt.Fprint(&line, map[bool]string{true: ","}[col > 0], text)
			}
			again := 0
			readItems(t, "csv", strings.NewReader(line.String()), func(_ *record, back *item) {
				again++
				if *back != *row {
					t.Fatalf("%q is %+v, and written as %q it is %+v", rec.raw, *row, line.String(), *back)
				}
			})
			if again != 1 {
				t.Fatalf("%q, written as %q, is %d rows", rec.raw, line.String(), again)
			}
		})
	})
}
