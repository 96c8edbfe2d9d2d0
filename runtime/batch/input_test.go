package batch

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/klauspost/compress/zstd"
)

func readAll(t *testing.T, in Input) []byte {
	t.Helper()
	r, err := in.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func gzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	for _, half := range [][]byte{b[:len(b)/2], b[len(b)/2:]} { // two members, as cat a.gz b.gz makes
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(half); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return packed.Bytes()
}

func zstdPacked(t *testing.T, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(b, nil)
}

// The identity is of the decompressed input: packed or not, it is the same load.
func TestPackedInputs(t *testing.T) {
	store := newMemory()
	plain := readAll(t, dump(1, 1000, "active"))
	mustLoad(t, optionsOf(store), dump(1, 1000, "active"))
	sum := sha256.Sum256(plain)
	if !bytes.Contains(store.objects[loadMarker], []byte(`"checksum": "sha256:`+hex.EncodeToString(sum[:])+`"`)) {
		t.Errorf("marker: %s", store.objects[loadMarker])
	}
	for name, packed := range map[string][]byte{"gzip": gzipped(t, plain), "zstd": zstdPacked(t, plain)} {
		if r := mustLoad(t, optionsOf(store), text(name, string(packed))); !r.Already {
			t.Errorf("%s is another load", name)
		}
		_, err := Load(context.Background(), customers.Any, []Input{text(name, string(packed[:len(packed)-9]))}, optionsOf(newMemory()))
		if err == nil || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s cut off: %v", name, err)
		}
	}
}

func TestOtherEncodingsAreNamed(t *testing.T) {
	for content, want := range map[string]string{
		"\xff\xfei\x00d\x00": "UTF-16 (little endian)", "\xfe\xff\x00i\x00d": "UTF-16 (big endian)",
		"PAR1....": "Parquet", "PK\x03\x04....": "a zip archive", "BZh9....": "bzip2",
	} {
		store := newMemory()
		_, err := Load(context.Background(), customers.Any, []Input{text("x", content)}, optionsOf(store))
		if err == nil || !strings.Contains(err.Error(), "x:1:1: the file is "+want) || len(store.keys()) > 0 {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// Standard input opens once; a load that has to read twice keeps it, and keeps nothing
// after it.
func TestAnInputThatOpensOnce(t *testing.T) {
	store, folder := newMemory(), t.TempDir()
	once := func(first, last int, status string) Input {
		in, opened := dump(first, last, status), false
		open := in.Open
		in.Open = func(ctx context.Context) (io.ReadCloser, error) {
			if opened {
				return nil, errors.New("opened twice")
			}
			opened = true
			return open(ctx)
		}
		in.Once = true
		return in
	}
	o := optionsOf(store)
	o.TempDir = folder
	mustLoad(t, o, once(1, 5, "active"))
	if r := mustLoad(t, o, once(1, 5, "active")); !r.Already {
		t.Errorf("again: %+v", r)
	}
	o.Replace = true
	if r := mustLoad(t, o, once(1, 6, "banned")); r.Generation != 1 || r.Rows != 6 {
		t.Errorf("replace: %+v", r)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestAnInputThatChanges(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	mustLoad(t, o, dump(1, 5, "active"))
	before := store.content()
	opened := 0
	changing := Input{Name: "dump.csv", Open: func(ctx context.Context) (io.ReadCloser, error) {
		opened++
		return dump(1, 5+opened, "banned").Open(ctx)
	}}
	o.Replace = true
	_, err := Load(context.Background(), customers.Any, []Input{changing}, o)
	if err == nil || !strings.Contains(err.Error(), "changed while it was read") || len(store.content()) != len(before) {
		t.Errorf("%v; the lake holds %q", err, store.keys())
	}
}

func TestInputsThatFail(t *testing.T) {
	store := newMemory()
	for name, in := range map[string]Input{
		"open": {Name: "gone.csv", Open: func(context.Context) (io.ReadCloser, error) { return nil, os.ErrNotExist }},
		"read": {Name: "gone.csv", Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader("id,email,status,created_at,updated_at\n1,"), iotest.ErrReader(os.ErrNotExist))), nil
		}},
	} {
		_, err := Load(context.Background(), customers.Any, []Input{in}, optionsOf(store))
		if !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "gone.csv: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Load(context.Background(), customers.Any, nil, optionsOf(store)); err == nil || !strings.Contains(err.Error(), "no input") {
		t.Errorf("no input: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, customers.Any, []Input{dump(1, 20000, "active")}, optionsOf(store)); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if len(store.keys()) > 0 {
		t.Errorf("the lake holds %q", store.keys())
	}
}

func TestProgressTellsHowFar(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	in := dump(1, 20000, "active")
	in.Size = int64(len(readAll(t, in)))
	var all []Progress
	o.Progress = func(p Progress) { all = append(all, p) }
	mustLoad(t, o, in)
	last := all[len(all)-1]
	if last.Stage != "writing" || last.Rows != 20000 || last.Read != in.Size || last.Total != in.Size || last.Objects != 1 {
		t.Errorf("%+v", last)
	}
}

func TestSequenceIsBounded(t *testing.T) {
	b := &body{settings: &settings{schema: itemsSchema()}, hour: loadHour, parts: &parts{}, position: 1<<34 - 1}
	rows := itemsTable(nil).NewRows(1)
	if err := b.tag(rows, 0); err != nil || rows.Sys(0).Seq != loadHour<<40|(1<<34-1) {
		t.Errorf("the last position: %v, %d", err, rows.Sys(0).Seq)
	}
	if err := b.tag(rows, 0); err == nil || !strings.Contains(err.Error(), "more than 17,179,869,184 records") {
		t.Errorf("one more: %v", err)
	}
}
