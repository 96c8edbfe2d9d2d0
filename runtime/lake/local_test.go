package lake_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bridgegen/bridgegen/runtime/lake"
	"pgregory.net/rapid"
)

var ctx = context.Background()

func put(t testing.TB, s lake.Store, key, content string) {
	t.Helper()
	staged, err := s.Stage(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	defer staged.Discard()
	if _, err := io.WriteString(staged, content); err != nil {
		t.Fatal(err)
	}
	if staged.Size() != int64(len(content)) {
		t.Fatalf("staged %d bytes of %d", staged.Size(), len(content))
	}
	if err := staged.Commit(ctx); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, s lake.Store, key string) string {
	t.Helper()
	src, err := s.Open(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	b, err := io.ReadAll(io.NewSectionReader(src, 0, src.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func list(t testing.TB, s lake.Store, prefix string) (keys []string) {
	t.Helper()
	for o, err := range s.List(ctx, prefix) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, o.Key)
	}
	return keys
}

// What every store owes, whatever it lies in.
func testStore(t *testing.T, s lake.Store) {
	if keys := list(t, s, ""); len(keys) != 0 {
		t.Fatalf("a new store holds %q", keys)
	}
	if _, err := s.Open(ctx, "a/none"); !errors.Is(err, lake.ErrNotFound) || !strings.Contains(err.Error(), "a/none") {
		t.Errorf("opening nothing: %v", err)
	}
	if err := s.Delete(ctx, "a/none"); err != nil {
		t.Errorf("deleting nothing: %v", err)
	}
	keys := []string{"a/b/c", "a/b.x", "a/b0", "a/b/d/e", "a/z", "a+b", "b", "ab/c", "a/é"}
	for _, k := range keys {
		put(t, s, k, "content of "+k)
	}
	put(t, s, "empty", "")
	slices.Sort(keys)
	if got := list(t, s, "a"); !slices.Equal(got, slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == "b" })) {
		t.Errorf("list a: %q", got)
	}
	for prefix, want := range map[string][]string{"a/b": {"a/b.x", "a/b/c", "a/b/d/e", "a/b0"}, "a/b/": {"a/b/c", "a/b/d/e"}, "nothing/": nil, "b": {"b"}, "a/b/c/d": nil} {
		if got := list(t, s, prefix); !slices.Equal(got, want) {
			t.Errorf("list %q: %q, want %q", prefix, got, want)
		}
	}
	for _, k := range keys {
		if got := get(t, s, k); got != "content of "+k {
			t.Errorf("%s holds %q", k, got)
		}
	}
	if got := get(t, s, "empty"); got != "" {
		t.Errorf("an empty object holds %q", got)
	}
	put(t, s, "b", "another")
	if got := get(t, s, "b"); got != "another" {
		t.Errorf("a replaced object holds %q", got)
	}
	if err := s.Delete(ctx, "b"); err != nil {
		t.Error(err)
	}
	if _, err := s.Open(ctx, "b"); !errors.Is(err, lake.ErrNotFound) {
		t.Errorf("a deleted object: %v", err)
	}
	testStaged(t, s)
	testKeys(t, s)
	testReadAt(t, s)
}

func testStaged(t *testing.T, s lake.Store) {
	put(t, s, "s/key", "old")
	staged, err := s.Stage(ctx, "s/key")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(staged, "new, not committed"); err != nil {
		t.Fatal(err)
	}
	if got := get(t, s, "s/key"); got != "old" {
		t.Errorf("a staged object is visible: %q", got)
	}
	if got := list(t, s, "s/"); !slices.Equal(got, []string{"s/key"}) {
		t.Errorf("a staged object is listed: %q", got)
	}
	if err := staged.Discard(); err != nil {
		t.Error(err)
	}
	if err := staged.Commit(ctx); err == nil {
		t.Error("a discarded object was committed")
	}
	if got := get(t, s, "s/key"); got != "old" {
		t.Errorf("a discarded object is visible: %q", got)
	}
	cancelled, cancel := context.WithCancel(ctx)
	staged, err = s.Stage(ctx, "s/late")
	if err != nil {
		t.Fatal(err)
	}
	defer staged.Discard()
	cancel()
	if err := staged.Commit(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("committing when cancelled: %v", err)
	}
	if err := staged.Commit(ctx); err != nil { // and a second try
		t.Error(err)
	}
	if err := staged.Discard(); err != nil {
		t.Errorf("discarding after a commit: %v", err)
	}
	if got := get(t, s, "s/late"); got != "" {
		t.Errorf("holds %q", got)
	}
}

func testKeys(t *testing.T, s lake.Store) {
	for _, key := range []string{"", "/a", "a/", "a//b", "..", "a/../../b", "a/.", `a\b`, "a\x00b"} {
		if _, err := s.Stage(ctx, key); err == nil {
			t.Errorf("key %q was accepted", key)
		}
		if _, err := s.Open(ctx, key); err == nil || errors.Is(err, lake.ErrNotFound) {
			t.Errorf("opening %q: %v", key, err)
		}
		if err := s.Delete(ctx, key); err == nil {
			t.Errorf("key %q was deleted", key)
		}
	}
}

func testReadAt(t *testing.T, s lake.Store) {
	const text = "0123456789"
	put(t, s, "r", text)
	src, err := s.Open(ctx, "r")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for _, c := range []struct {
		at   int64
		n    int
		want string
		err  error
	}{{0, 10, text, nil}, {3, 4, "3456", nil}, {8, 4, "89", io.EOF}, {10, 1, "", io.EOF}, {99, 1, "", io.EOF}} {
		b := make([]byte, c.n)
		n, err := src.ReadAt(b, c.at)
		if string(b[:n]) != c.want || err != c.err && !(err == io.EOF && c.err == nil) {
			t.Errorf("%d bytes at %d: %q %v", c.n, c.at, b[:n], err)
		}
	}
}

func TestLocalStore(t *testing.T) {
	dir := t.TempDir()
	testStore(t, lake.NewLocal(filepath.Join(dir, "made", "by", "the store")))
	if got := lake.NewLocal(dir).URL("a/b"); got != filepath.Join(dir, "a", "b") {
		t.Errorf("URL %q", got)
	}
}

// The order of a listing is that of S3: by the bytes of whole keys.
func TestLocalListingIsSorted(t *testing.T) {
	part := rapid.StringMatching(`[a.0+=-]{1,2}[a-]`)
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "lake")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s := lake.NewLocal(dir)
		want := map[string]bool{}
		for range rapid.IntRange(1, 8).Draw(t, "objects") {
			key := strings.Join(rapid.SliceOfN(part, 1, 3).Draw(t, "key"), "/")
			staged, err := s.Stage(ctx, key)
			if err != nil {
				t.Fatal(err)
			}
			if staged.Commit(ctx) == nil { // it may be a folder already
				want[key] = true
			}
			if err := staged.Discard(); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for o, err := range s.List(ctx, "") {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, o.Key)
		}
		if !slices.IsSorted(got) || len(got) != len(want) {
			t.Fatalf("listed %q", got)
		}
	})
}

// Readers see the old object or the new one, never a part.
func TestLocalReplacingIsAtomic(t *testing.T) {
	s := lake.NewLocal(t.TempDir())
	content := func(i int) string { return strings.Repeat(fmt.Sprintf("%06d", i), 20_000) }
	put(t, s, "a/b", content(0))
	var writers sync.WaitGroup
	done := make(chan struct{})
	writers.Go(func() {
		for i := range 30 {
			put(t, s, "a/b", content(i))
		}
		close(done)
	})
	for open := true; open; {
		select {
		case <-done:
			open = false
		default:
		}
		got := get(t, s, "a/b")
		if len(got) != 120_000 || strings.Count(got, got[:6]) != 20_000 {
			t.Fatalf("a reader saw a mixture of %d bytes", len(got))
		}
		if keys := list(t, s, ""); !slices.Equal(keys, []string{"a/b"}) {
			t.Fatalf("listed %q", keys)
		}
	}
	writers.Wait()
}

// A process that is killed leaves its temporary file; the next one removes it.
func TestLeftoversOfTheDeadAreRemoved(t *testing.T) {
	if dir := os.Getenv("LAKE_TEST_STAGE_IN"); dir != "" {
		staged, err := lake.NewLocal(dir).Stage(ctx, "a/b")
		if err == nil {
			_, err = staged.Write(bytes.Repeat([]byte("x"), 1000))
		}
		if err != nil {
			t.Fatal(err)
		}
		os.Exit(0) // without a Discard, as after a kill
	}
	dir := t.TempDir()
	temporaries := func() int {
		entries, err := os.ReadDir(filepath.Join(dir, ".bridgegen-tmp"))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	child := exec.Command(os.Args[0], "-test.run", "^TestLeftoversOfTheDeadAreRemoved$")
	child.Env = append(os.Environ(), "LAKE_TEST_STAGE_IN="+dir)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := temporaries(); n != 1 {
		t.Fatalf("%d temporary files after the kill", n)
	}
	s := lake.NewLocal(dir)
	mine, err := s.Stage(ctx, "c")
	if err != nil {
		t.Fatal(err)
	}
	if n := temporaries(); n != 1 {
		t.Errorf("%d temporary files, want the living one", n)
	}
	other, err := lake.NewLocal(dir).Stage(ctx, "d") // another store of the same process
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(mine.Commit(ctx), other.Commit(ctx)); err != nil {
		t.Error(err)
	}
	if n := temporaries(); n != 0 {
		t.Errorf("%d temporary files are left", n)
	}
	if keys := list(t, s, ""); !slices.Equal(keys, []string{"c", "d"}) {
		t.Errorf("listed %q", keys)
	}
}

func TestOpenStore(t *testing.T) {
	dir := t.TempDir()
	for _, location := range []string{dir, "file://" + filepath.ToSlash(dir)} {
		s, err := lake.OpenStore(ctx, location, lake.StoreOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.URL("k"); got != filepath.Join(dir, "k") {
			t.Errorf("%s: %q", location, got)
		}
	}
	s, err := lake.OpenStore(ctx, "s3://bucket/some/prefix/", lake.StoreOptions{Endpoint: "http://127.0.0.1:1"})
	if err != nil || s.URL("k") != "s3://bucket/some/prefix/k" {
		t.Errorf("%v %v", s, err)
	}
	for location, want := range map[string]string{"": "empty", "gs://bucket": "gs://", "s3://": "no bucket", "s3:///x": "no bucket", "s3://b/../c": "..", "file://host/x": "no folder"} {
		_, err := lake.OpenStore(ctx, location, lake.StoreOptions{Region: "eu-central-1"})
		wantError(t, err, want)
	}
}
