package batch

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"golang.org/x/tools/txtar"
)

// loadTime and clock are when every load of these tests is.
var (
	loadTime = bridge.TimestampOf(time.Date(2026, 8, 19, 2, 0, 0, 0, time.UTC))
	clock    = func() time.Time { return time.Date(2026, 8, 19, 2, 5, 0, 0, time.UTC) }
)

const loadHour = 496418 // of loadTime since 1970: 20,684 days and 2 hours

// customersTable is the generated table with another schema.
func customersTable(change func(*bridge.Schema)) *bridge.Table[customers.Customer] {
	table, s := *customers.Table, *customers.Table.Schema
	if change != nil {
		change(&s)
	}
	table.Schema = &s
	return &table
}

// script is a case in testdata/load: the comment says what it is about, the file
// options holds words and key=value pairs, the other files are inputs in their order
// but for want (rows as CSV with their position, then the counts), error and rejects.
type script struct {
	words   map[string]string
	inputs  []Input
	want    map[string]string
	options Options
}

func readScript(t *testing.T, path string) script {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := script{words: map[string]string{}, want: map[string]string{}, options: Options{Time: loadTime, Now: clock}}
	for _, f := range archive.Files {
		switch f.Name {
		case "options":
			for _, word := range strings.Fields(string(f.Data)) {
				key, value, _ := strings.Cut(word, "=")
				s.words[key] = value
			}
		case "want", "error", "rejects":
			s.want[f.Name] = string(f.Data)
		default:
			s.inputs = append(s.inputs, text(f.Name, string(f.Data)))
		}
	}
	s.options.Format, s.options.MaxRejects = s.words["format"], s.words["max-rejects"]
	if _, ok := s.words["dry-run"]; ok {
		s.options.DryRun = true
	}
	if _, ok := s.words["rejects"]; ok {
		s.options.Rejects = filepath.Join(t.TempDir(), "rejects")
	}
	return s
}

// text is an input; \r, \x00 and the like are written as such escapes with a leading ^.
func text(name, content string) Input {
	for _, e := range [][2]string{{"^r", "\r"}, {"^0", "\x00"}, {"^x", "\xff"}, {"^b", "\ufeff"}} {
		content = strings.ReplaceAll(content, e[0], e[1])
	}
	return Input{Name: name, Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(content)), nil
	}}
}

func (s *script) change(schema *bridge.Schema) {
	for key, dst := range map[string]*string{"delimiter": &schema.Delimiter, "zone": &schema.Zone, "extra": &schema.Extra, "missing": &schema.Missing} {
		if v, ok := s.words[key]; ok {
			*dst = v
		}
	}
	schema.Delimiter = strings.ReplaceAll(schema.Delimiter, `\t`, "\t")
	if _, ok := s.words["no-header"]; ok {
		schema.NoHeader = true
	}
	if v, ok := s.words["nulls"]; ok {
		schema.Nulls = strings.Split(v, ",")
	}
}

func TestLoadScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/load/*.txtar")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			s := readScript(t, path)
			if s.words["table"] == "items" {
				runScript(t, s, itemsTable(s.change))
			} else {
				runScript(t, s, customersTable(s.change))
			}
		})
	}
}

func runScript[R any](t *testing.T, s script, table *bridge.Table[R]) {
	store := newMemory()
	s.options.Store = store
	result, err := Load(context.Background(), table, s.inputs, s.options)
	message := ""
	if err != nil {
		message = strings.ReplaceAll(err.Error()+"\n", filepath.ToSlash(filepath.Dir(s.options.Rejects))+"/", "")
	}
	if message != s.want["error"] {
		t.Errorf("error:\n%swant:\n%s", message, s.want["error"])
	}
	if (err != nil || s.options.DryRun) && len(store.keys()) > 0 {
		t.Errorf("the lake holds %q", store.keys())
	}
	var got strings.Builder
	for _, r := range readTable(t, table, store) {
		got.WriteString(showRow(table, &r))
	}
	if result != nil {
		fmt.Fprintf(&got, "%d rows, %d rejected, %d floored, %d differed\n", result.Rows, result.Rejected, result.Floored, result.Differed)
	}
	if got.String() != s.want["want"] {
		t.Errorf("rows:\n%swant:\n%s", &got, s.want["want"])
	}
	if want, ok := s.want["rejects"]; ok {
		rejects, err := os.ReadFile(s.options.Rejects)
		if err != nil || string(rejects) != want {
			t.Errorf("rejects, %v:\n%swant:\n%s", err, rejects, want)
		}
	}
}

// showRow is a row's position in its input and its columns; system columns only where
// they are not what every row of such a load has.
func showRow[R any](table *bridge.Table[R], r *R) string {
	sys := table.Sys(r)
	line := fmt.Sprintf("%d:", sys.Seq-loadHour<<40)
	page := bridge.NewPage(table.Schema)
	table.Fill(page, []R{*r})
	for col, f := range table.Schema.Fields {
		text := string(table.AppendText(nil, r, col))
		if f.Optional && page.Levels[0].Def[0] == 0 {
			text = "NULL"
		}
		line += " " + text + " |"
	}
	if sys.Source != bridge.Batch || sys.IngestedAt != loadTime || sys.Deleted || sys.Version.OK != (table.Schema.Version >= 0) {
		line += fmt.Sprintf(" %+v", *sys)
	}
	return strings.TrimSuffix(line, " |") + "\n"
}
