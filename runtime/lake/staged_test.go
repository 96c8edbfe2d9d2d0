package lake_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/runtime/lake"
)

// openFiles counts the descriptors of this process, where the system tells them.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not tell open files: ", err)
	}
	return len(entries)
}

// A load over many partitions stages thousands of objects before it commits the first.
func TestClosedObjectsHoldNoDescriptor(t *testing.T) {
	server := newS3Server(t)
	for name, s := range map[string]lake.Store{"local": lake.NewLocal(t.TempDir()), "s3": server.store(t, "s3://lake/many")} {
		t.Run(name, func(t *testing.T) {
			const n = 2000
			before := openFiles(t)
			var all []lake.Staged
			for i := range n {
				staged, err := s.Stage(ctx, "many/"+string(rune('a'+i%26))+"/x")
				if err != nil {
					t.Fatal(err)
				}
				defer staged.Discard()
				if _, err := io.WriteString(staged, "content"); err != nil {
					t.Fatal(err)
				}
				if err := staged.Close(); err != nil {
					t.Fatal(err)
				}
				all = append(all, staged)
			}
			if held := openFiles(t) - before; held > n/10 {
				t.Errorf("%d objects hold %d descriptors", n, held)
			}
			if _, err := io.WriteString(all[0], "more"); err == nil {
				t.Error("a closed object takes more")
			}
			for _, staged := range all[:3] {
				if err := staged.Close(); err != nil {
					t.Errorf("closing again: %v", err)
				}
				if err := staged.Commit(ctx); err != nil {
					t.Error(err)
				}
			}
			if keys := list(t, s, ""); strings.Join(keys, ",") != "many/a/x,many/b/x,many/c/x" || get(t, s, "many/a/x") != "content" {
				t.Errorf("the store holds %q", keys)
			}
			for _, staged := range all {
				if err := staged.Discard(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A mistyped path reads as an error, not as a lake without objects; who writes makes it.
func TestALakeThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	listing := func(location string, existing bool) (keys []string, err error) {
		s, err := lake.OpenStore(ctx, location, lake.StoreOptions{Existing: existing})
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range s.List(ctx, "lake/table/") {
			if err != nil {
				return keys, err
			}
			keys = append(keys, o.Key)
		}
		return keys, nil
	}
	for _, c := range []struct {
		location string
		existing bool
		want     string
	}{
		{missing, true, "there is no such folder"}, {"file://" + missing, true, "there is no such folder"}, {missing, false, ""}, {dir, true, ""},
		{file, true, "that is a file"}, {file, false, "that is a file"}, {filepath.Join(file, "x"), true, "not a directory"},
	} {
		keys, err := listing(c.location, c.existing)
		if len(keys) > 0 || (err == nil) != (c.want == "") || err != nil && !(strings.Contains(err.Error(), c.want) && strings.Contains(err.Error(), file[:len(dir)])) {
			t.Errorf("%s, existing %v: %q, %v", c.location, c.existing, keys, err)
		}
	}
	put(t, lake.NewLocal(missing), "lake/table/x", "content")
	if keys, err := listing(missing, true); len(keys) != 1 || err != nil {
		t.Errorf("after a write: %q, %v", keys, err)
	}
}
