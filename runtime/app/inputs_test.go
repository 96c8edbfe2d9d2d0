package app

import (
	"bytes"
	"compress/gzip"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

const (
	dumpHeader = "id,email,status,created_at,updated_at\n"
	dumpRow    = ",ana@example.com,active,2026-08-18T10:00:00Z,2026-08-18T10:00:00Z\n"
)

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// load runs batch load of the files into a lake that is new.
func load(t *testing.T, args ...string) ran {
	t.Helper()
	return bridgeRun(t.Context(), "", append([]string{"batch", "load", "customers", "--hour", "2026-08-19T02", "--lake", t.TempDir()}, args...)...)
}

func TestPatternsOfFiles(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"b.csv": []byte(dumpHeader + "2" + dumpRow), "a.csv": []byte(dumpHeader + "1" + dumpRow), "c.csv.gz": packed(t, dumpHeader+"3"+dumpRow), "[x].csv": []byte(dumpHeader + "4" + dumpRow),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "d.csv"), 0o777); err != nil {
		t.Fatal(err)
	}
	for want, pattern := range map[string]string{
		"2 rows":                              "[ab].csv",
		"1 row":                               "[x].csv", // a file of that name comes first
		"4 rows":                              "*.csv*",
		"z*.csv: no file matches the pattern": "z*.csv",
		"it is no pattern":                    "[a.csv",
		"d.csv is a folder; name its files":   "d.csv",
	} {
		r := load(t, filepath.Join(dir, pattern))
		if said := r.out + errorText(r); !strings.Contains(said, want) {
			t.Errorf("%s: %s; want %q", pattern, said, want)
		}
	}
}

func errorText(r ran) string {
	if r.error == nil {
		return ""
	}
	return r.error.Error()
}

func TestObjectsOfS3AsInputs(t *testing.T) {
	backend := s3mem.New()
	server := httptest.NewServer(gofakes3.New(backend).Server())
	defer server.Close()
	if err := backend.CreateBucket("dumps"); err != nil {
		t.Fatal(err)
	}
	for key, content := range map[string]string{
		"shop/1.csv": dumpHeader + "1" + dumpRow, "shop/2.csv": dumpHeader + "2" + dumpRow, "shop/old/3.csv": dumpHeader + "3" + dumpRow,
		"shop/wrong.csv": dumpHeader + "x" + dumpRow, "shop/4.csv.gz": string(packed(t, dumpHeader+"4"+dumpRow)),
	} {
		if _, err := backend.PutObject("dumps", key, nil, strings.NewReader(content), int64(len(content)), nil); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	for name, want := range map[string]string{
		"s3://dumps/shop/?.csv":      "2 rows",
		"s3://dumps/shop/1.csv":      "1 row",
		"s3://dumps/shop/*.csv.gz":   "1 row",
		"s3://dumps/*/old/*.csv":     "1 row",
		"s3://dumps/shop/w*.csv":     `s3://dumps/shop/wrong.csv:2:1: column "id": "x" is no long`,
		"s3://dumps/shop/none-*.csv": "s3://dumps/shop/none-*.csv: no object matches the pattern",
		"s3://dumps/shop/none.csv":   "s3://dumps/shop/none.csv: no such object",
		"s3://dumps":                 "s3://dumps: name an object or a pattern",
		"s3://d*/a.csv":              "the bucket must be a name",
	} {
		r := load(t, "--s3-endpoint", server.URL, name)
		if said := r.out + errorText(r); !strings.Contains(said, want) {
			t.Errorf("%s: %s; want %q", name, said, want)
		}
	}
}

func TestFormsOfCSVByFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dump.csv")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll("1"+dumpRow, ",", ";")), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want  string
		flags []string
	}{
		{"1 row", []string{"--delimiter", ";", "--header=false"}},
		{`the header lacks column "id"`, []string{"--delimiter", ";"}},
		{`the delimiter "ab" is none`, []string{"--delimiter", "ab"}},
		{`invalid argument "maybe"`, []string{"--header=maybe"}},
	} {
		r := load(t, append(c.flags, file)...)
		if said := r.out + errorText(r); !strings.Contains(said, c.want) {
			t.Errorf("%v: %s; want %q", c.flags, said, c.want)
		}
	}
}
