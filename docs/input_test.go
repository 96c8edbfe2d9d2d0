package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shown = regexp.MustCompile("(?s)\n```text\n(.*?)```\n")

// What input.md shows as printed is what the goldens of loads hold.
func TestMessagesAreThoseOfTheGoldens(t *testing.T) {
	page, err := os.ReadFile("input.md")
	if err != nil {
		t.Fatal(err)
	}
	goldens, err := filepath.Glob("../runtime/batch/testdata/load/*.txtar")
	if err != nil || len(goldens) == 0 {
		t.Fatal("no goldens", err)
	}
	var printed strings.Builder
	for _, g := range goldens {
		b, err := os.ReadFile(g)
		if err != nil {
			t.Fatal(err)
		}
		printed.Write(b)
	}
	unescaped := strings.NewReplacer(`\"`, `"`, `""`, `"`)
	all := printed.String() + unescaped.Replace(printed.String()) // of rejects, as they stand in CSV and JSON
	blocks := shown.FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 8 {
		t.Errorf("only %d blocks of messages", len(blocks))
	}
	for _, block := range blocks {
		for message := range strings.Lines(block[1]) {
			if !strings.Contains(all, strings.TrimSuffix(message, "\n")) {
				t.Errorf("no golden holds: %s", message)
			}
		}
	}
}
