package reference_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/reference"
)

const docs = "../../docs"

func TestPagesAreCurrent(t *testing.T) {
	for _, f := range reference.Files() {
		b, err := os.ReadFile(filepath.Join(docs, filepath.FromSlash(f.Path)))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(b, f.Content) {
			t.Errorf("docs/%s is stale; run make generate", f.Path)
		}
	}
}

var (
	fence = regexp.MustCompile("(?s)\n```.*?\n```\n")
	span  = regexp.MustCompile("``.*?``|`[^`\n]*`")
	cell  = regexp.MustCompile(`(?:^|[^\\])\|`)
	link  = regexp.MustCompile(`\]\(([^)#]*)(?:#([^)]*))?\)`)
)

// Every row of a table has the cells of its head, and no text reads as HTML.
func TestPagesAreMarkdown(t *testing.T) {
	for _, f := range reference.Files() {
		if filepath.Ext(f.Path) != ".md" {
			continue
		}
		cells := 0
		for line := range strings.Lines(fence.ReplaceAllString(string(f.Content), "\n")) {
			n := len(cell.FindAllString(line, -1))
			switch {
			case !strings.HasPrefix(line, "|"):
				n = 0
			case cells > 0 && n != cells:
				t.Errorf("%s: %d cells, the head has %d: %s", f.Path, n-1, cells-1, line)
			}
			cells = n
			rest := strings.ReplaceAll(span.ReplaceAllString(line, ""), `\<`, "")
			if strings.Contains(rest, "<") && !strings.HasPrefix(line, "<!--") || strings.Contains(rest, "`") {
				t.Errorf("%s: text that Markdown reads otherwise: %s", f.Path, line)
			}
		}
	}
}

// What pages link to is there: a file of docs/, or a heading of the page.
func TestLinksLead(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(err)
	}
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(span.ReplaceAllString(fence.ReplaceAllString(string(b), "\n"), ""), -1) {
			if _, err := os.Stat(filepath.Join(docs, m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
			if heading := regexp.MustCompile(`(?mi)^#+ ` + regexp.QuoteMeta(strings.ReplaceAll(m[2], "-", " ")) + `$`); m[1] == "" && !heading.Match(b) {
				t.Errorf("%s: no heading of #%s", page, m[2])
			}
		}
	}
}
