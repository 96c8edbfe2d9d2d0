package batch

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// record is what a reader says of the record it read last. It aliases the reader's
// memory until the next one.
type record struct {
	line     int64
	raw      []byte         // as it came, without its line end
	lazy     func() []byte  // makes raw where the input has no lines; nil: raw is there
	fits     bool           // raw has the fields of the header, or is a JSON object
	given    bridge.Columns // derived columns that it carried
	differed bool           // a derived column could not even be read
	problems []Problem
}

func (r *record) reset() {
	r.raw, r.lazy, r.fits, r.given, r.differed, r.problems = nil, nil, true, nil, false, r.problems[:0]
}

// reader turns the records of one input into rows.
type reader interface {
	// begin reads what stands before the records. Problems stop the load.
	begin() ([]Problem, error)
	// next reads the next record into record i of rows, which is empty. io.EOF after
	// the last one; *broken if the rest of the input cannot be read.
	next(rows bridge.Rows, i int, rec *record) error
	// floored counts the timestamps that were finer than a millisecond, in the records
	// that were kept and those that were not.
	floored() int
	cells
}

// cells is a record as messages and rejects need it.
type cells interface {
	name() string // of the input
	// title is the header as it came and the number of its fields; nil if there is none.
	title() (line []byte, fields int)
	// cell is what the last record held for a column, and its place; not ok if nothing.
	cell(col int) (at int, text []byte, null, ok bool)
}

// broken is the problem behind which an input cannot be read.
type broken struct{ Problem }

func (b *broken) Error() string { return b.String() }

// formats are the readers, by the word in Schema.BatchSource and Options.Format.
var formats = map[string]func(*bridge.Schema, *time.Location, string, io.Reader) reader{
	"csv":      newCSVReader,
	"jsonl":    newJSONReader,
	"parquet":  newParquetReader,
	FormatRows: newRowsReader,
}

// arenaBytes is the size of the pieces of memory that texts of a batch share.
const arenaBytes = 64 << 10

// setter reads cells into rows and says what was wrong with them.
type setter struct {
	schema   *bridge.Schema
	file     string
	text     bridge.Text
	defaults [][]byte // by column; nil: not used yet
}

func (s *setter) name() string { return s.file }
func (s *setter) floored() int { return s.text.Floored }

// set reads the cell in s.text into column col.
func (s *setter) set(rows bridge.Rows, i, col, at int, rec *record) {
	rows.Set(i, col, &s.text)
	if s.text.Reason != "" {
		s.refused(col, at, rec)
	}
}

// refused notes that column col could not take the cell. A derived column is computed
// again, so it only differed.
func (s *setter) refused(col, at int, rec *record) {
	f := &s.schema.Fields[col]
	reason := s.text.Reason
	s.text.Reason = ""
	if f.Derived {
		rec.differed = true
		return
	}
	rec.problems = append(rec.problems, Problem{s.file, rec.line, at, f.Name, sentence(f.Name, s.text.B, s.text.Null, reason)})
}

// setDefault gives column col its default.
func (s *setter) setDefault(rows bridge.Rows, i, col int, rec *record) {
	if s.defaults == nil {
		s.defaults = make([][]byte, len(s.schema.Fields))
		for i := range s.schema.Fields {
			s.defaults[i] = []byte(s.schema.Fields[i].Default)
		}
	}
	s.text.B, s.text.Null, s.text.Symbols = s.defaults[col], false, true
	s.set(rows, i, col, 0, rec)
	s.text.Symbols = false
}

// absent is why an input may not leave out column f; empty if it may.
func absent(s *bridge.Schema, f *bridge.Field) string {
	fills := f.Optional || f.HasDefault
	switch {
	case f.Derived || fills && s.Missing == "default":
		return ""
	case fills:
		return "; send it, or say so in the spec: batch: {missing: default}"
	}
	return ", and it is neither optional nor has a default"
}

// unknown is why an input may not hold name.
func unknown(s *bridge.Schema, name string) string {
	var sources []string
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return fmt.Sprintf("; the source spells that column %q (from:)", s.Fields[i].From)
		}
		sources = append(sources, s.Fields[i].From)
	}
	if near := closest(name, sources); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; remove it, or say so in the spec: batch: {extra: ignore}"
}

// sources finds columns by the name in the source.
func sources(s *bridge.Schema) map[string]int {
	m := make(map[string]int, len(s.Fields))
	for i := range s.Fields {
		m[s.Fields[i].From] = i
	}
	return m
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// otherEncodings are recognised by their first bytes and refused by name.
var otherEncodings = []struct{ mark, name string }{
	{"\xff\xfe", "UTF-16 (little endian)"},
	{"\xfe\xff", "UTF-16 (big endian)"},
	{"PAR1", "Parquet (read it with --format parquet)"},
	{"PK\x03\x04", "a zip archive"},
	{"BZh", "bzip2"},
	{"\xfd7zXZ", "xz"},
}

// beginText goes past a byte order mark and refuses what is no UTF-8 text.
func beginText(w *window, file, format string) ([]Problem, error) {
	for !w.eof && len(w.bytes()) < 8 {
		if err := w.more(); err != nil {
			return nil, err
		}
	}
	head := w.bytes()
	for _, e := range otherEncodings {
		if strings.HasPrefix(string(head[:min(len(head), 8)]), e.mark) {
			return []Problem{{file, 1, 1, "", fmt.Sprintf("the file is %s; a load reads %s in UTF-8, plain or packed with gzip or zstd", e.name, format)}}, nil
		}
	}
	if bytes.HasPrefix(head, byteOrderMark) {
		w.skip(len(byteOrderMark))
	}
	return nil, nil
}
