package app

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/serve"
)

// showAnswer is a line per column: merged, what the lake says, what is fresh. Where the
// two sides differ, > marks the one that holds; - is a column that the fresh state does
// not carry.
func (a *program) showAnswer(s *bridge.Schema, answer *serve.Answer, sides asked) error {
	merged, err := cellsOf(&answer.Merged)
	if err != nil {
		return err
	}
	inLake, err := cellsOf(&answer.Lake)
	if err != nil {
		return err
	}
	fresh, err := cellsOf(&answer.Fresh)
	if err != nil {
		return err
	}
	now := time.Now()
	rows := [][]string{{"", "merged" + deleted(&answer.Merged), lakeTitle(&answer.Lake, sides.lake), freshTitle(&answer.Fresh, sides.fresh, now)}}
	for col := range s.Fields {
		f := &s.Fields[col]
		if answer.Merged.Sys().Deleted && !f.Key {
			continue
		}
		old, recent := inLake.text(f.Name), fresh.text(f.Name)
		m := merged.text(f.Name)
		marks := [2]string{"  ", "  "}
		switch {
		case answer.Fresh.Found && !answer.Carried.Has(col):
			recent = "-"
		case answer.Lake.Found && answer.Fresh.Found && old != recent && m == recent:
			marks[1] = "> "
		case answer.Lake.Found && answer.Fresh.Found && old != recent:
			marks[0] = "> "
		}
		rows = append(rows, []string{f.Name, m, marks[0] + old, marks[1] + recent})
	}
	return writeTable(a.out, rows)
}

func deleted(r *serve.Record) string {
	if r.Found && r.Sys().Deleted {
		return ", deleted"
	}
	return ""
}

func lakeTitle(r *serve.Record, asked bool) string {
	switch {
	case !asked:
		return "  lake: not configured"
	case r.Err != nil:
		return "  lake: down"
	case !r.Found:
		return "  lake: nothing"
	}
	return fmt.Sprintf("  lake, %s (%s)%s", instant(r.Sys().IngestedAt), r.Sys().Source, deleted(r))
}

func freshTitle(r *serve.Record, asked bool, now time.Time) string {
	switch {
	case !asked:
		return "  fresh: not configured"
	case r.Err != nil:
		return "  fresh: down"
	case !r.Found:
		return "  fresh: nothing"
	}
	at := r.Sys().IngestedAt
	return fmt.Sprintf("  fresh, %s (%s ago)%s", instant(at), age(now.Sub(at.Time())), deleted(r))
}

// instant is 2026-08-19T02:00:00Z; milliseconds decide nothing that a title says.
func instant(t bridge.Timestamp) string { return t.Time().Format(time.RFC3339) }

// age is a duration as people say it: 40 s, 3 min, 5 h, 12 days.
func age(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}

// cells are the members of a record's document.
type cells map[string]json.RawMessage

func cellsOf(r *serve.Record) (cells, error) {
	if !r.Found {
		return nil, nil
	}
	return parseCells(r.Rows, 0)
}

func parseCells(rows bridge.Rows, i int) (cells, error) {
	var c cells
	if err := json.Unmarshal(rows.AppendJSON(nil, i), &c); err != nil {
		return nil, fmt.Errorf("the document of a row: %w", err)
	}
	return c, nil
}

// text is a member as people read it: a string without quotes, unless it has no other
// sign of itself or would break the line.
func (c cells) text(name string) string {
	raw, ok := c[name]
	if !ok {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil || string(raw) == "null" {
		return string(raw)
	}
	if quoted := strconv.Quote(s); s == "" || s == "null" || s == "-" || quoted != `"`+s+`"` {
		return quoted
	}
	return s
}

// showHistory lists every row of a key, newest first; the last column says by what a
// row is older than the one above it.
func (a *program) showHistory(s *bridge.Schema, rows bridge.Rows, named string, asJSON bool) error {
	if rows.Len() == 0 {
		return fmt.Errorf("no %s %s: the lake holds no row of that key", s.Table, named)
	}
	if asJSON {
		for i := range rows.Len() {
			if _, err := a.out.Write(append(rows.AppendJSON(nil, i), '\n')); err != nil {
				return err
			}
		}
		return nil
	}
	head := []string{"_version", "_source", "_seq", "_ingested_at"}
	for i := range s.Fields {
		head = append(head, s.Fields[i].Name)
	}
	lines := [][]string{append(head, "older by")}
	for i := range rows.Len() {
		line, err := historyLine(s, rows, i)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	return writeTable(a.out, lines)
}

func historyLine(s *bridge.Schema, rows bridge.Rows, i int) ([]string, error) {
	c, err := parseCells(rows, i)
	if err != nil {
		return nil, err
	}
	sys := rows.Sys(i)
	line := []string{versionText(s, sys), sys.Source.String(), strconv.FormatInt(sys.Seq, 10), sys.IngestedAt.String()}
	for j := range s.Fields {
		text := c.text(s.Fields[j].Name)
		if sys.Deleted && !s.Fields[j].Key {
			text = ""
		}
		line = append(line, text)
	}
	why := ""
	if i > 0 {
		why = olderBy(s, rows.Sys(i-1), sys)
	}
	if sys.Deleted {
		why = strings.TrimSpace("(delete) " + why)
	}
	return append(line, why), nil
}

// versionText is a version as the spec's column would show it.
func versionText(s *bridge.Schema, sys *bridge.System) string {
	switch {
	case !sys.Version.OK:
		return "null"
	case s.Version >= 0 && s.Fields[s.Version].Type == "timestamp":
		return bridge.Timestamp(sys.Version.V).String()
	}
	return strconv.FormatInt(sys.Version.V, 10)
}

// olderBy names what bridge.Compare decided by.
func olderBy(s *bridge.Schema, newer, older *bridge.System) string {
	switch {
	case newer.Version != older.Version:
		return "_version"
	case newer.Source != older.Source:
		return fmt.Sprintf("_source (%s is preferred)", s.Preferred)
	case newer.Seq != older.Seq:
		return "_seq"
	case newer.IngestedAt != older.IngestedAt:
		return "_ingested_at"
	}
	return "nothing: a repetition"
}
