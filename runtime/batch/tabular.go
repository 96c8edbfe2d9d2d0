package batch

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// tabular is an input of named columns, whose records are rows and not lines.
type tabular interface {
	// open reads the names of the columns.
	open() ([]string, error)
	// refuse says why column i cannot be read into f; empty if it can.
	refuse(i int, f *bridge.Field) string
	// next goes to the next row; io.EOF after the last.
	next() error
	// cell is column i of the row as CSV would write it. It lives until the next call of
	// cell or next. reason is not empty if no text can say what the row holds.
	cell(i int) (text []byte, null bool, reason string)
}

// atRow in Problem.At says that Problem.Line counts rows.
const atRow = -1

// tableReader reads rows from a tabular input.
type tableReader struct {
	setter
	src     tabular
	columns []int // by column of the input: the table's, -1: ignored
	where   []int // by column of the table: the input's, -1: absent
	filled  []int // absent columns that take their default
	given   bridge.Columns
	nulls   [][]byte
	row     int64 // from 1
	header  []byte
	fields  int // in header
	isText  []bool
	raw     func() []byte
}

func newTableReader(s *bridge.Schema, zone *time.Location, file string, src tabular) *tableReader {
	r := &tableReader{setter: setter{schema: s, file: file}, src: src, isText: make([]bool, len(s.Fields))}
	r.text.Zone, r.text.Arena = zone, make([]byte, 0, arenaBytes)
	for i := range s.Fields {
		r.isText[i] = s.Fields[i].Type == "string"
	}
	for _, word := range s.Nulls {
		r.nulls = append(r.nulls, []byte(word))
	}
	r.raw = r.line
	return r
}

func (r *tableReader) title() ([]byte, int) { return r.header, r.fields }

// begin maps the input's columns to the table's.
func (r *tableReader) begin() (problems []Problem, err error) {
	names, err := r.src.open()
	if err != nil {
		return nil, err
	}
	add := func(column, format string, args ...any) {
		problems = append(problems, Problem{r.file, 0, atRow, column, fmt.Sprintf(format, args...)})
	}
	known, seen := sources(r.schema), map[string]bool{}
	r.where = slices.Repeat([]int{-1}, len(r.schema.Fields))
	for i, name := range names {
		col, ok := known[name]
		switch {
		case seen[name]:
			add("", "column %q stands there twice; rename or remove one", name)
			ok = false
		case ok:
			if why := r.src.refuse(i, &r.schema.Fields[col]); why != "" && !r.schema.Fields[col].Derived {
				add(r.schema.Fields[col].Name, "column %q %s", name, why)
			}
			r.take(i, col)
		case r.schema.Extra != "ignore":
			add("", "column %q is no column of table %q%s", name, r.schema.Table, unknown(r.schema, name))
		}
		seen[name] = true
		if !ok {
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
			add(f.Name, "the input lacks column %q%s", f.From, why)
		} else if f.HasDefault {
			r.filled = append(r.filled, col)
		}
	}
	return problems, nil
}

// take notes that column i of the input is the table's column col.
func (r *tableReader) take(i, col int) {
	r.where[col] = i
	if r.fields > 0 {
		r.header = append(r.header, comma(r.schema.Delimiter))
	}
	r.header = r.appendCell(r.header, []byte(r.schema.Fields[col].From), false)
	r.fields++
	if r.schema.Fields[col].Derived {
		r.given.Add(col)
	}
}

func (r *tableReader) next(rows bridge.Rows, i int, rec *record) error {
	if err := r.src.next(); err != nil {
		return err
	}
	r.row++
	rec.line, rec.lazy, rec.given = r.row, r.raw, r.given
	for at, col := range r.columns {
		if col < 0 {
			continue
		}
		text, null, reason := r.src.cell(at)
		r.text.B, r.text.Null, r.text.Reason = text, null, reason
		switch {
		case reason != "":
		case len(text) > maxField:
			r.text.Reason = reasonLongValue
		case r.isText[col] && bytes.IndexByte(text, 0) >= 0:
			r.text.Reason = reasonNULValue
		default:
			rows.Set(i, col, &r.text)
		}
		if r.text.Reason != "" {
			r.refused(col, atRow, rec)
		}
	}
	for _, col := range r.filled {
		r.setDefault(rows, i, col, rec)
	}
	return nil
}

const (
	reasonLongValue = "is longer than 16 MiB"
	reasonNULValue  = "holds a NUL, which no text may"
)

func (r *tableReader) cell(col int) (at int, text []byte, null, ok bool) {
	if r.where[col] < 0 {
		return atRow, nil, false, false
	}
	text, null, _ = r.src.cell(r.where[col])
	return atRow, text, null, true
}

// line is the row as a line of CSV that a load reads back.
func (r *tableReader) line() (b []byte) {
	first := true
	for at, col := range r.columns {
		if col < 0 {
			continue
		}
		if !first {
			b = append(b, comma(r.schema.Delimiter))
		}
		first = false
		text, null, _ := r.src.cell(at)
		b = r.appendCell(b, text, null)
	}
	return b
}

// appendCell appends a field as the CSV reader tells null from the same text.
func (r *tableReader) appendCell(b, text []byte, null bool) []byte {
	isWord := slices.ContainsFunc(r.nulls, func(word []byte) bool { return bytes.Equal(word, text) })
	switch {
	case null && len(r.nulls) > 0:
		return append(b, r.nulls[0]...)
	case null:
		return b
	case len(text) == 0 || isWord || bytes.ContainsAny(text, "\"\r\n") || bytes.IndexByte(text, comma(r.schema.Delimiter)) >= 0:
		return appendQuoted(b, string(text))
	}
	return append(b, text...)
}

// place is file: row 7, or the file alone.
func (p Problem) place() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s: row %d", p.File, p.Line)
}
