package batch

import (
	"bytes"
	"fmt"
	"io"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// jsonReader reads JSON lines: one object per line, keys as the source spells them.
type jsonReader struct {
	setter
	window window
	scan   bridge.JSONScanner
	names  map[string]int
	forms  []*bridge.JSONForm // by column
	values []value            // by column, of the last record
	nth    int64              // of the last record, from 1
	given  bridge.Columns
}

// value is where a column stood in a record; it is of that record only if nth says so.
type value struct {
	nth  int64
	at   int // byte, from 1
	text []byte
	null bool
}

func newJSONReader(s *bridge.Schema, zone *time.Location, file string, src io.Reader) reader {
	r := &jsonReader{setter: setter{schema: s, file: file}, window: newWindow(src), names: sources(s), values: make([]value, len(s.Fields))}
	r.scan.Line = true
	r.text.Zone, r.text.Arena = zone, make([]byte, 0, arenaBytes)
	for i := range s.Fields {
		r.forms = append(r.forms, bridge.JSONFormOf(s.Fields[i].Type))
	}
	return r
}

func (r *jsonReader) title() ([]byte, int) { return nil, 0 }

func (r *jsonReader) begin() ([]Problem, error) {
	return beginText(&r.window, r.file, "JSON lines")
}

func (r *jsonReader) next(rows bridge.Rows, i int, rec *record) error {
	line, number, err := r.nextLine()
	if err != nil {
		return err
	}
	r.nth++
	r.given.Clear()
	rec.line, rec.raw = number, line
	r.scan.Reset(line)
	ok := r.scan.Object(func(at int, key []byte) bool { return r.member(rows, i, at, key, rec) })
	if ok && r.scan.I < len(line) {
		ok = r.scan.Unexpected("the end of the line")
	}
	if !ok {
		rec.fits = false
		rec.problems = append(rec.problems, Problem{r.file, rec.line, r.scan.I + 1, "", r.scan.Reason})
		return nil
	}
	r.absent(rows, i, rec)
	rec.given = r.given
	return nil
}

// nextLine is the next line that is not blank, and its number.
func (r *jsonReader) nextLine() ([]byte, int64, error) {
	searched := 0
	for {
		d := r.window.bytes()
		end := bytes.IndexByte(d[searched:], '\n')
		if end < 0 && !r.window.eof {
			if len(d) > maxRecord {
				return nil, 0, &broken{Problem{r.file, r.window.line, 0, "", "the line is longer than 64 MiB; is a line break missing?"}}
			}
			searched = len(d)
			if err := r.window.more(); err != nil {
				return nil, 0, err
			}
			continue
		}
		if len(d) == 0 {
			return nil, 0, io.EOF
		}
		n := len(d)
		if end >= 0 {
			n = searched + end + 1
		}
		line, number := cutLineEnd(d[:n]), r.window.line
		r.window.skip(n)
		searched = 0
		if len(bytes.TrimLeft(line, " \t\r")) > 0 {
			return line, number, nil
		}
	}
}

// member reads the value of a key into its column.
func (r *jsonReader) member(rows bridge.Rows, i, keyAt int, key []byte, rec *record) bool {
	col, known := r.names[string(key)]
	at := r.scan.I
	kind, text, ok := r.scan.Value()
	if !ok {
		return false
	}
	if !known {
		if r.schema.Extra != "ignore" {
			rec.problems = append(rec.problems, Problem{r.file, rec.line, keyAt + 1, "",
				fmt.Sprintf("key %s is no column of table %q%s", quoted(key), r.schema.Table, unknown(r.schema, string(key)))})
		}
		return true
	}
	name := r.schema.Fields[col].Name
	v := &r.values[col]
	if v.nth == r.nth {
		rec.problems = append(rec.problems, Problem{r.file, rec.line, keyAt + 1, name, fmt.Sprintf("key %s stands twice in the object", quoted(key))})
		return true
	}
	*v = value{r.nth, at + 1, text, kind == bridge.JSONNull}
	if r.schema.Fields[col].Derived {
		r.given.Add(col)
	}
	r.text.B, r.text.Null = text, v.null
	if !v.null && !r.forms[col].Allows(kind, text) {
		r.text.Reason = fmt.Sprintf("is %s, but the column's type %s takes %s", kind, r.schema.Fields[col].Type, r.forms[col].Want)
		r.refused(col, at+1, rec)
		return true
	}
	r.set(rows, i, col, at+1, rec)
	return true
}

// absent looks at the columns whose keys the object left out: an optional one is null,
// for writers omit nulls; others are the spec's to decide.
func (r *jsonReader) absent(rows bridge.Rows, i int, rec *record) {
	for col := range r.schema.Fields {
		f := &r.schema.Fields[col]
		if r.values[col].nth == r.nth || f.Optional || f.Derived {
			continue
		}
		if why := absent(r.schema, f); why != "" {
			rec.problems = append(rec.problems, Problem{r.file, rec.line, 0, f.Name, fmt.Sprintf("the object lacks key %q%s", f.From, why)})
			continue
		}
		r.setDefault(rows, i, col, rec)
	}
}

func (r *jsonReader) cell(col int) (at int, text []byte, null, ok bool) {
	v := &r.values[col]
	return v.at, v.text, v.null, v.nth == r.nth
}
