package batch

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// rejects is the file that takes invalid rows. It appears under its name when the load
// has seen the whole input; until then it is NAME.partial.
type rejects struct {
	path   string
	f      *os.File
	w      *bufio.Writer
	title  []byte // the header of the first input that has one
	fields int    // in title
	comma  byte   // between fields
	err    error  // the first one
	b      []byte
}

const partial = ".partial"

// checkRejects refuses a file of rejects that would take the place of an input, or of
// what is no file.
func checkRejects(path string, inputs []Input) error {
	for _, name := range []string{path, path + partial} {
		info, err := os.Stat(name)
		if path == "" || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		switch {
		case err != nil:
			return fmt.Errorf("the file of rejects: %w", err)
		case info.IsDir():
			return fmt.Errorf("the file of rejects: %s is a folder; name a file in it", name)
		case !info.Mode().IsRegular():
			return fmt.Errorf("the file of rejects: %s is no regular file; name another", name)
		}
		for i := range inputs {
			if inputs[i].Info != nil && os.SameFile(info, inputs[i].Info) {
				return fmt.Errorf("the file of rejects: %s is the input %s, which it would overwrite; name another", name, inputs[i].Name)
			}
		}
	}
	return nil
}

func createRejects(path string, comma byte) (*rejects, error) {
	f, err := os.Create(path + partial)
	if err != nil {
		return nil, fmt.Errorf("the file of rejects: %w", err)
	}
	return &rejects{path: path, f: f, w: bufio.NewWriter(f), comma: comma}, nil
}

// begin takes the header of an input; the first one counts.
func (r *rejects) begin(title []byte, fields int) {
	if title == nil || r.title != nil {
		return
	}
	r.title, r.fields = title, fields
	r.write(append(append(append(r.b[:0], title...), r.comma), "_reason\n"...))
}

func (r *rejects) write(b []byte) {
	r.b = b
	if _, err := r.w.Write(b); err != nil && r.err == nil {
		r.err = fmt.Errorf("the file of rejects: %w", err)
	}
}

// put adds a record of an input whose header is title; nil: of JSON lines.
func (r *rejects) put(rec *record, title []byte, problems []Problem) {
	reason := reasons(problems)
	if rec.lazy != nil {
		rec.raw = rec.lazy()
	}
	if title == nil {
		r.write(append(appendRejectedObject(r.b[:0], rec, reason), '\n'))
		return
	}
	b := r.b[:0]
	if rec.fits && bytes.Equal(title, r.title) {
		b = append(b, rec.raw...)
	} else {
		b = appendQuoted(b, string(rec.raw))
		for range r.fields - 1 {
			b = append(b, r.comma)
		}
	}
	r.write(append(appendQuoted(append(b, r.comma), reason), '\n'))
}

func reasons(problems []Problem) string {
	all := make([]string, len(problems))
	for i, p := range problems {
		all[i] = p.String()
	}
	return strings.Join(all, "; ")
}

func appendRejectedObject(b []byte, rec *record, reason string) []byte {
	b = bridge.AppendStringJSON(append(b, `{"_reason":`...), reason)
	switch {
	case !rec.fits && utf8.Valid(rec.raw):
		return append(bridge.AppendStringJSON(append(b, `,"_raw":`...), string(rec.raw)), '}')
	case !rec.fits: // no JSON string can hold it
		return append(base64.StdEncoding.AppendEncode(append(b, `,"_raw_base64":"`...), rec.raw), '"', '}')
	}
	rest := bytes.TrimLeft(rec.raw, " \t\r")[1:]
	if bytes.TrimLeft(rest, " \t\r")[0] != '}' {
		b = append(b, ',')
	}
	return append(b, rest...)
}

func appendQuoted(b []byte, s string) []byte {
	return append(append(append(b, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}

// finish gives the file its name.
func (r *rejects) finish() error {
	err := errors.Join(r.err, r.w.Flush(), r.f.Close())
	if err == nil {
		err = os.Rename(r.f.Name(), r.path)
	}
	if err != nil {
		return fmt.Errorf("the file of rejects: %w", errors.Join(err, os.Remove(r.f.Name())))
	}
	return nil
}

// discard drops the file; after finish it does nothing.
func (r *rejects) discard() {
	if r.f.Close() == nil {
		_ = os.Remove(r.f.Name())
	}
}

// limit is how many rows may be rejected.
type limit struct {
	text    string
	percent bool
	n       float64
}

// parseLimit reads "100", "2%" or "0.5%"; empty sets no limit.
func parseLimit(text string) (limit, error) {
	if text == "" {
		return limit{n: math.Inf(1)}, nil
	}
	digits, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(n >= 0) || percent && n > 100 || !percent && n != math.Trunc(n) {
		return limit{}, fmt.Errorf("the limit of rejected rows %q is neither a number of rows nor a part of them; write it like 100 or 2%%", text)
	}
	return limit{text, percent, n}, nil
}

func (l limit) allows(rejected, rows int64) bool {
	if l.percent {
		return float64(rejected)*100 <= l.n*float64(rows)
	}
	return float64(rejected) <= l.n
}
