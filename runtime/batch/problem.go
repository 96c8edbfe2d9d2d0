package batch

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Problem is one thing that is wrong with an input, and where.
type Problem struct {
	File   string // Input.Name; empty for rows of an application
	Line   int64  // on which the record starts, from 1; for rows of an application its position, from 0
	At     int    // in CSV the number of the field, in JSON lines the byte, from 1; 0: the whole record; -1: Line is a row, from 1, or 0 for the whole input
	Column string // of the table, if it is one column's
	Reason string // whole sentence, naming the column
}

// String is file:line:column: reason, or file: row 7: reason.
func (p Problem) String() string {
	switch {
	case p.File == "":
		return fmt.Sprintf("row %d: %s", p.Line, p.Reason)
	case p.At == atRow:
		return p.place() + ": " + p.Reason
	case p.At == 0:
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Reason)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.At, p.Reason)
}

// Errors is the error of a load that its input stopped. Nothing was written.
type Errors struct {
	Problems []Problem // in the order of the input, at most Options.MaxErrors
	Found    int64     // problems in all
	Invalid  int64     // rows that are invalid
	Rows     int64     // rows of the input
	Remedy   string    // what to do
}

// Error lists the places, one a line, and sums up.
func (e *Errors) Error() string {
	var b strings.Builder
	for _, p := range e.Problems {
		b.WriteString(p.String())
		b.WriteByte('\n')
	}
	if more := e.Found - int64(len(e.Problems)); more > 0 {
		fmt.Fprintf(&b, "... and %s more\n", grouped(more))
	}
	switch {
	case e.Invalid == 0:
		b.WriteString("nothing was written")
	case e.Invalid == 1:
		fmt.Fprintf(&b, "1 of %s rows is invalid; nothing was written", grouped(e.Rows))
	default:
		fmt.Fprintf(&b, "%s of %s rows are invalid; nothing was written", grouped(e.Invalid), grouped(e.Rows))
	}
	if e.Remedy != "" {
		b.WriteString(". " + e.Remedy)
	}
	return b.String()
}

// grouped is 9,999,988.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// maxShown bounds how much of a value a message repeats.
const maxShown = 60

// quoted is a value as messages show it.
func quoted(text []byte) string {
	if len(text) <= maxShown {
		return strconv.Quote(string(text))
	}
	cut := maxShown
	for cut > maxShown-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strconv.Quote(string(text[:cut])) + "..."
}

// sentence is what is wrong with a cell: column "status": "actve" is not one of ...
func sentence(column string, text []byte, null bool, reason string) string {
	if null {
		return fmt.Sprintf("column %q %s", column, reason)
	}
	return fmt.Sprintf("column %q: %s %s", column, quoted(text), reason)
}

// problems collects what is wrong with an input: the first ones, and how many.
type problems struct {
	list []Problem
	max  int
	n    int64
}

func (p *problems) add(list ...Problem) {
	p.n += int64(len(list))
	if room := p.max - len(p.list); room > 0 {
		p.list = append(p.list, list[:min(room, len(list))]...)
	}
}

// closest is the name within two edits of word, for a did-you-mean; empty if none is.
func closest(word string, names []string) string {
	best, bestDistance := "", 3
	for _, name := range names {
		if d := distance(strings.ToLower(word), strings.ToLower(name)); d < bestDistance && d < len(name) {
			best, bestDistance = name, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
