package starter_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/starter"
	"github.com/bridgegen/bridgegen/spec"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what drafts hold into the archives")

// diagnose reads drafts as validate does, with the bucket that each of them gives.
func diagnose(drafts []*starter.Draft) spec.Diagnostics {
	var all spec.Diagnostics
	var specs []*spec.Spec
	for _, d := range drafts {
		s, diags := spec.Parse(d.Table+".yaml", d.Render(true))
		all = append(all, diags...)
		if s != nil {
			specs = append(specs, s)
		}
	}
	return append(all, spec.Check(specs, nil)...)
}

// wrong are diagnostics of anything but what a later version can read.
func wrong(diags spec.Diagnostics) spec.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d spec.Diagnostic) bool { return d.Rule == "NOT_YET" })
}

// An archive holds the file that a draft starts from, the specs, and what they leave out.
func TestDrafts(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	for _, archive := range archives {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			a, err := txtar.ParseFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			input := a.Files[0]
			drafts, err := starter.From(input.Name, input.Data, false)
			if err != nil {
				t.Fatal(err)
			}
			got := &txtar.Archive{Comment: a.Comment, Files: []txtar.File{input}}
			losses := ""
			for _, d := range drafts {
				got.Files = append(got.Files, txtar.File{Name: d.Table + ".yaml", Data: d.Render(true)})
				losses += strings.Join(append(d.Losses, ""), "\n")
			}
			if losses != "" {
				got.Files = append(got.Files, txtar.File{Name: "losses", Data: []byte(losses)})
			}
			if ds := wrong(diagnose(drafts)); len(ds) > 0 {
				t.Errorf("the drafts are no valid specs:\n%v", ds)
			}
			if *update {
				if err := os.WriteFile(archive, txtar.Format(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if string(txtar.Format(got)) != string(txtar.Format(a)) {
				t.Errorf("got\n%s", txtar.Format(got))
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"x.txt", "a", `x.txt: a spec can start from files that end in .csv, .avsc, .sql, .ddl`},
		{"x.csv", "", `x.csv:1:1: the file is empty`},
		{"x.csv", "\ufeff \n", `x.csv:1:1: the file is empty`},
		{"x.csv", "\xff\xfei\x00", `x.csv:1:1: the file is UTF-16; save it as UTF-8`},
		{"x.csv", "id,name\n1,M\xfcller\n", `x.csv:2:4: byte 0xfc is no UTF-8; save the file as UTF-8`},
		{"x.csv", "id\n\x00\n", `x.csv:2:1: a NUL character; this is no text`},
		{"x.csv", "id,,b\n", `x.csv:1:4: field 2 of the header is empty; give the column a name`},
		{"x.csv", "id,a,id\n", `x.csv:1:6: column "id" stands in the header twice, as field 1 and field 3; a load refuses that`},
		{"x.csv", "1,2\n3,4\n", `x.csv:1:1: the first line names no column (no field has a letter); a spec starts from a header`},
		{"x.csv", "id,a\n1\n", `x.csv:2:1: this record has another number of fields than the header`},
		{"x.csv", "id,a\n1,b\"c\n", `x.csv:2:4: a quote inside a field that does not begin with one; write the field in quotes, and "" for each quote in it`},
		{"x.csv", "id,a\né,b\"c\n", `x.csv:2:4: a quote inside a field that does not begin with one; write the field in quotes, and "" for each quote in it`},
		{"x.csv", "id,a\n1,\"b", `x.csv:2:5: a quoted field that does not end, or goes on behind its end; write "" for a quote inside it`},
		{"x.csv", "id,a\n1,\"b\"c\n", `x.csv:2:5: a quoted field that does not end, or goes on behind its end; write "" for a quote inside it`},
		{"x.csv", "a,b\n0.5,1e3\n1.25,2\n", `x.csv: table "x": no column can be the key, which is boolean, int, long, decimal, string, date, timestamp, uuid, enum`},
		{"x.avsc", "{\n  \"type\": record}", `x.avsc:2:11: this is no JSON: invalid character 'r' looking for beginning of value`},
		{"x.avsc", `"string"`, `x.avsc:1:1: the schema is of type string; a table starts from a record`},
		{"x.avsc", `{"type":"record","name":"R","fields":[]}`, `x.avsc:1:1: record "R" has no fields`},
		{"x.avsc", `{"type":"record","name":"R","fields":[{"name":"a","type":"text"}]}`, `x.avsc:1:1: this is no Avro schema: unknown type: text`},
		{"x.avsc", `{"type":"record","name":"R","fields":[{"name":"a","type":["int","string"]}]}`, `x.avsc: table "r": no column can be the key, which is boolean, int, long, decimal, string, date, timestamp, uuid, enum`},
		{"x.sql", "SELECT 1;", `x.sql:1:1: no CREATE TABLE with columns stands in the file`},
		{"x.sql", "CREATE TABLE t AS SELECT 1", `x.sql:1:14: table "t" lists no columns here; write its CREATE TABLE with a list of columns`},
		{"x.sql", "CREATE TABLE t (\n  PRIMARY KEY (a)\n)", `x.sql:1:14: table "t" has no columns`},
		{"x.sql", "CREATE TABLE t (\n  a int,\n  a text\n)", `x.sql:3:3: column "a" stands in table "t" twice`},
		{"x.sql", "CREATE TABLE t (\n  a int", `x.sql:2:8: "," or ")" is expected here, not the end of the file`},
		{"x.sql", "CREATE TABLE t (\n  a int;\n", `x.sql:2:8: "," or ")" is expected here, not ";"`},
		{"x.sql", "CREATE TABLE t (\n  a,\n  b int)", `x.sql:2:4: a name is expected here, not ","`},
		{"x.sql", "CREATE TABLE (a int)", `x.sql:1:14: a name is expected here, not "("`},
		{"x.sql", "CREATE TABLE t (a array(int, b int)", `x.sql:1:28: ) is expected here, not ","`},
		{"x.sql", "CREATE TABLE t (a map(varchar int))", `x.sql:1:31: , is expected here, not "int"`},
		{"x.sql", "-- x\nCREATE TABLE t (a 'int)", `x.sql:2:19: this quote is not closed: '`},
		{"x.sql", "/* x", `x.sql:1:1: this comment does not end; write */`},
		{"x.sql", "$$ x", `x.sql:1:1: this text does not end; write $$`},
		{"x.sql", "CREATE TABLE t (a double, b real)", `x.sql: table "t": no column can be the key, which is boolean, int, long, decimal, string, date, timestamp, uuid, enum`},
	} {
		drafts, err := starter.From(c.name, []byte(c.src), false)
		if err == nil {
			t.Errorf("%s %q: drafts %d tables, want %s", c.name, c.src, len(drafts), c.want)
		} else if err.Error() != c.want {
			t.Errorf("%s %q\n got %s\nwant %s", c.name, c.src, err, c.want)
		}
	}
}

// A long file is looked at from its beginning: at most MaxRows, and no more than is there.
func TestLongFiles(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,n\n")
	for i := range starter.MaxRows {
		fmt.Fprintf(&b, "%d,%d\n", i, i)
	}
	b.WriteString("x,y\n")
	drafts, err := starter.From("x.csv", []byte(b.String()), false)
	if err != nil {
		t.Fatal(err)
	}
	if c := drafts[0].Columns[1]; c.Type != "long" || c.Note != "guessed from 10000 rows" {
		t.Errorf("%+v", c)
	}
	cut := "id,n\n1,a\n2,\"b \xc3"
	if _, err := starter.From("x.csv", []byte(cut), false); err == nil {
		t.Error("a whole file that ends within a character is read")
	}
	drafts, err = starter.From("x.csv", []byte(cut), true)
	if err != nil {
		t.Fatal(err)
	}
	if c := drafts[0].Columns[1]; c.Note != "guessed from 1 row" {
		t.Errorf("%+v", c)
	}
}

// Whatever a file holds, there is an error, or drafts that validate.
func FuzzFrom(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Ext(a.Files[0].Name), string(a.Files[0].Data))
	}
	f.Fuzz(func(t *testing.T, ext, src string) {
		drafts, err := starter.From("orders"+ext, []byte(src), false)
		if err != nil {
			return
		}
		for _, d := range drafts {
			if ds := wrong(diagnose([]*starter.Draft{d})); len(ds) > 0 {
				t.Errorf("%v\n%s", ds, d.Render(true))
			}
		}
	})
}
