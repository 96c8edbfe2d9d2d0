package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// csvReader reads CSV. Its first record names the columns as the source spells them,
// unless the schema says that there is none.
type csvReader struct {
	setter
	scan    *csvScanner
	nulls   [][]byte // unquoted words for null; nil: the empty field
	columns []int    // by field of the header: the column, -1: ignored
	where   []int    // by column: the field of the header, -1: absent
	filled  []int    // absent columns that take their default
	given   bridge.Columns
	header  []byte
	begun   bool // a record was read
}

func newCSVReader(s *bridge.Schema, zone *time.Location, file string, src io.Reader) reader {
	r := &csvReader{setter: setter{schema: s, file: file}, scan: newCSVScanner(src, s.Delimiter)}
	r.text.Zone, r.text.Arena = zone, make([]byte, 0, arenaBytes)
	for _, word := range s.Nulls {
		r.nulls = append(r.nulls, []byte(word))
	}
	return r
}

func (r *csvReader) title() ([]byte, int) { return r.header, len(r.columns) }

// begin reads the header. A file without one is refused: it is more often a broken
// export than a table without rows.
func (r *csvReader) begin() ([]Problem, error) {
	if problems, err := beginText(&r.scan.window, r.file, "CSV"); len(problems) > 0 || err != nil {
		return problems, err
	}
	if r.schema.NoHeader {
		r.assume()
		return nil, nil
	}
	f, err := r.scan.next()
	if err == io.EOF {
		return []Problem{{r.file, 1, 0, "", "the file is empty; not even a header stands in it"}}, nil
	}
	if err != nil {
		return nil, r.broken(err)
	}
	var problems []Problem
	if f.reason != "" {
		problems = []Problem{{r.file, r.scan.line, f.field, "", fmt.Sprintf("field %d of the header %s", f.field, f.reason)}}
	} else {
		problems = r.readHeader()
	}
	if len(problems) > 0 && r.scan.raw[0] == '{' {
		return []Problem{{r.file, r.scan.line, 1, "", "the file begins with {, as JSON lines do, and is read as CSV; read it with --format jsonl"}}, nil
	}
	r.header = slices.Clone(r.scan.raw)
	r.scan.blank = len(r.columns) == 1 // then an empty line is a row with a null
	return problems, nil
}

// assume takes the columns in the spec's order, derived ones left out.
func (r *csvReader) assume() {
	r.where = slices.Repeat([]int{-1}, len(r.schema.Fields))
	for col := range r.schema.Fields {
		f := &r.schema.Fields[col]
		if f.Derived {
			continue
		}
		if len(r.columns) > 0 {
			r.header = append(r.header, r.scan.comma)
		}
		r.where[col] = len(r.columns)
		r.columns, r.header = append(r.columns, col), append(r.header, f.From...)
	}
	r.scan.blank = len(r.columns) == 1
}

// named tells whether the record is a header after all.
func (r *csvReader) named() bool {
	for at, col := range r.columns {
		if at >= len(r.scan.fields) || string(r.scan.fields[at].text) != r.schema.Fields[col].From {
			return false
		}
	}
	return true
}

// readHeader maps the fields of the header to columns.
func (r *csvReader) readHeader() (problems []Problem) {
	add := func(at int, column, format string, args ...any) {
		problems = append(problems, Problem{r.file, r.scan.line, at, column, fmt.Sprintf(format, args...)})
	}
	names, first := sources(r.schema), map[string]int{}
	r.where = slices.Repeat([]int{-1}, len(r.schema.Fields))
	for i, c := range r.scan.fields {
		name := string(c.text)
		col, known := names[name]
		before, twice := first[name]
		switch {
		case !utf8.ValidString(name):
			add(i+1, "", "header %q is no valid UTF-8", name)
		case twice:
			add(i+1, "", "header %q stands twice, in fields %d and %d; rename or remove one", name, before, i+1)
		case known:
			r.where[col] = i
			if r.schema.Fields[col].Derived {
				r.given.Add(col)
			}
		case r.schema.Extra != "ignore":
			add(i+1, "", "header %q is no column of table %q%s", name, r.schema.Table, unknown(r.schema, name))
		}
		first[name] = i + 1
		if !known {
			col = -1
		}
		r.columns = append(r.columns, col)
	}
	for col := range r.schema.Fields {
		f := &r.schema.Fields[col]
		if r.where[col] >= 0 {
			continue
		}
		if why := absent(r.schema, f); why != "" {
			add(0, f.Name, "the header lacks column %q%s", f.From, why)
		} else if f.HasDefault {
			r.filled = append(r.filled, col)
		}
	}
	return problems
}

func (r *csvReader) next(rows bridge.Rows, i int, rec *record) error {
	f, err := r.scan.next()
	if err != nil {
		return r.broken(err)
	}
	rec.line, rec.raw, rec.given = r.scan.line, r.scan.raw, r.given
	if f.reason != "" {
		rec.fits = false
		rec.problems = append(rec.problems, r.unfit(rec.line, f))
		return nil
	}
	if r.schema.NoHeader && !r.begun && r.named() {
		return &broken{Problem{r.file, rec.line, 0, "", "the first record holds the names of the columns, but the load expects none; say so: --header, or in the spec batch: {header: true}"}}
	}
	r.begun = true
	if len(r.scan.fields) != len(r.columns) {
		rec.fits = false
		whole := "the header has"
		if r.schema.NoHeader {
			whole = "without a header the spec wants"
		}
		rec.problems = append(rec.problems, Problem{r.file, rec.line, min(len(r.scan.fields), len(r.columns)), "",
			fmt.Sprintf("the record has %s, %s %d", count(len(r.scan.fields), "field"), whole, len(r.columns))})
		return nil
	}
	for at, col := range r.columns {
		if col < 0 {
			continue
		}
		c := &r.scan.fields[at]
		r.text.B, r.text.Null = c.text, r.null(c)
		rows.Set(i, col, &r.text)
		if r.text.Reason != "" {
			r.refused(col, at+1, rec)
		}
	}
	for _, col := range r.filled {
		r.setDefault(rows, i, col, rec)
	}
	return nil
}

// null is PostgreSQL's rule: only an unquoted field can be null.
func (r *csvReader) null(c *cell) bool {
	if c.quoted {
		return false
	}
	if r.nulls == nil {
		return len(c.text) == 0
	}
	for _, word := range r.nulls {
		if bytes.Equal(c.text, word) {
			return true
		}
	}
	return false
}

func (r *csvReader) cell(col int) (at int, text []byte, null, ok bool) {
	if at = r.where[col]; at < 0 {
		return 0, nil, false, false
	}
	c := &r.scan.fields[at]
	return at + 1, c.text, r.null(c), true
}

// unfit is the problem of a record that cannot be split.
func (r *csvReader) unfit(line int64, f fault) Problem {
	if f.field == 0 {
		return Problem{r.file, line, 0, "", f.reason}
	}
	if i := f.field - 1; i < len(r.columns) && r.columns[i] >= 0 {
		name := r.schema.Fields[r.columns[i]].Name
		return Problem{r.file, line, f.field, name, fmt.Sprintf("column %q %s", name, f.reason)}
	}
	return Problem{r.file, line, f.field, "", fmt.Sprintf("field %d %s", f.field, f.reason)}
}

func (r *csvReader) broken(err error) error {
	var b *errBroken
	if errors.As(err, &b) {
		return &broken{r.unfit(b.line, b.fault)}
	}
	return err
}

// count is "1 field" or "1,000 fields".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(int64(n)) + " " + noun + "s"
}
