package starter

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode"

	"github.com/bridgegen/bridgegen/spec"
)

// readCSV drafts a table from the header and the first rows of a CSV file.
func readCSV(f *file) ([]*Draft, error) {
	delimiter := delimiterOf(f.src)
	d := &Draft{Table: strings.TrimSuffix(path.Base(f.name), path.Ext(f.name))}
	if delimiter != ',' {
		if _, ok := spec.Lookup("batch.delimiter"); !ok {
			return nil, f.errorAt(1, 1, "the fields seem to be separated by %q; a load reads commas", delimiter)
		}
		d.Delimiter = string(delimiter)
	}
	r := csv.NewReader(bytes.NewReader(f.src))
	r.Comma = delimiter
	header, err := r.Read()
	if err != nil {
		return nil, f.csvError(err)
	}
	if err := f.checkHeader(r, header); err != nil {
		return nil, err
	}
	guesses := make([]guess, len(header))
	rows, err := f.sample(r, guesses)
	if err != nil {
		return nil, err
	}
	for i, name := range header {
		c := guesses[i].column(rows)
		c.Name = name
		d.Zone = d.Zone || c.Type == "timestamp" && guesses[i].local
		d.Columns = append(d.Columns, c)
	}
	return []*Draft{d}, nil
}

// delimiterOf is what separates the fields of the first line: a comma, if it has one.
func delimiterOf(src []byte) rune {
	first, _, _ := bytes.Cut(src, []byte("\n"))
	counts := map[rune]int{}
	quoted := false
	for _, c := range string(first) {
		if c == '"' {
			quoted = !quoted
		}
		if !quoted {
			counts[c]++
		}
	}
	best := ','
	for _, c := range ";\t|" {
		if counts[','] == 0 && counts[c] > counts[best] {
			best = c
		}
	}
	return best
}

func (f *file) checkHeader(r *csv.Reader, header []string) error {
	seen := map[string]int{}
	letters := false
	for i, name := range header {
		if strings.TrimSpace(name) == "" {
			return f.errorAtByte(r.FieldPos(i))("field %d of the header is empty; give the column a name", i+1)
		}
		if first, ok := seen[name]; ok {
			return f.errorAtByte(r.FieldPos(i))("column %q stands in the header twice, as field %d and field %d; a load refuses that", name, first, i+1)
		}
		seen[name] = i + 1
		letters = letters || strings.IndexFunc(name, unicode.IsLetter) >= 0
	}
	if !letters {
		return f.errorAt(1, 1, "the first line names no column (no field has a letter); a spec starts from a header")
	}
	return nil
}

// sample looks at the first rows, and returns how many there were.
func (f *file) sample(r *csv.Reader, guesses []guess) (rows int, err error) {
	r.ReuseRecord = true
	lines := lineStarts(f.src)
	for ; rows < MaxRows; rows++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) || err != nil && f.cut && rows > 0 {
			return rows, nil
		}
		if err != nil {
			return 0, f.csvError(err)
		}
		for i, cell := range record {
			line, col := r.FieldPos(i)
			at := lines[line-1] + col - 1
			quoted := at < len(f.src) && f.src[at] == '"'
			guesses[i].add([]byte(cell), cell == "" && !quoted)
		}
	}
	return rows, nil
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// csvError gives an error of the CSV reader its place.
func (f *file) csvError(err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	what := map[error]string{
		csv.ErrFieldCount: "this record has another number of fields than the header",
		csv.ErrBareQuote:  `a quote inside a field that does not begin with one; write the field in quotes, and "" for each quote in it`,
		csv.ErrQuote:      `a quoted field that does not end, or goes on behind its end; write "" for a quote inside it`,
	}[p.Err]
	if what == "" {
		what = p.Err.Error()
	}
	return f.errorAtByte(p.Line, max(p.Column, 1))("%s", what)
}

// errorAtByte is errorAt for a column that counts bytes, as the CSV reader's do.
func (f *file) errorAtByte(line, column int) func(format string, args ...any) error {
	starts := lineStarts(f.src)
	line, column = f.place(min(starts[min(line, len(starts))-1]+column-1, len(f.src)))
	return func(format string, args ...any) error { return f.errorAt(line, column, format, args...) }
}
