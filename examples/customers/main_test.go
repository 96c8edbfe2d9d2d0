package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The tour checks its own numbers and fails loudly; here it is seen to end, to print
// what a newcomer looks for, and to leave the files that it names.
func TestTour(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	dir := t.TempDir()
	var out bytes.Buffer
	if err := run(ctx, &out, dir, 7); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{
		"year=", "batch_", "customer-events+", "rejected", "is not one of active, inactive, banned, suspended",
		"batch", "streaming", "before dedup", "after dedup", "merged", "fresh", "deleted", "All checks passed",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
	var objects int
	err := filepath.WalkDir(filepath.Join(dir, "lake"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".parquet") {
			objects++
		}
		return err
	})
	if err != nil || objects < 2 {
		t.Errorf("%d objects in the lake, %v", objects, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "rejects.csv")); err != nil {
		t.Error(err)
	}
}

// Two runs of one seed see the same data, whatever the clock says.
func TestShopIsSeeded(t *testing.T) {
	dump := time.Date(2026, 8, 19, 2, 0, 0, 0, time.UTC)
	var texts [2]string
	for i := range texts {
		var b bytes.Buffer
		s := newShop(7, dump)
		if err := s.writeDump(&b); err != nil {
			t.Fatal(err)
		}
		kinds := map[string]int{}
		for _, c := range s.day(dump.Add(time.Hour), dump.Add(10*time.Hour)) {
			kinds[c.kind]++
		}
		if kinds["invalid"] != 50 || kinds["new"] != 300 || kinds["delete"] != 200 {
			t.Errorf("changes: %v", kinds)
		}
		texts[i] = b.String()
	}
	if texts[0] != texts[1] || strings.Count(texts[0], "\n") != nightly+brokenRows+1 {
		t.Error("the dump is not what the seed says")
	}
}
