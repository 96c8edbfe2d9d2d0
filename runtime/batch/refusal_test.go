package batch

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"pgregory.net/rapid"
)

// A CSV file without a header is a broken export; taken for a table without rows it
// would replace what was loaded by nothing.
func TestAFileWithoutAHeaderIsRefused(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	mustLoad(t, o, dump(1, 5, "active"))
	before := fmt.Sprint(store.content())
	o.Replace = true
	for name, content := range map[string]string{"zero": "", "gzip": string(gzipped(t, nil)), "zstd": string(zstdPacked(t, nil)), "mark": "^b", "blank": "\n^r\n\n"} {
		_, err := Load(context.Background(), customers.Any, []Input{dump(1, 5, "banned"), text(name, content)}, o)
		if err == nil || err.Error() != name+":1: the file is empty; not even a header stands in it\nnothing was written" || fmt.Sprint(store.content()) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	o.Format = "jsonl"
	if r := mustLoad(t, o, text("zero", "")); r.Rows != 0 || r.Generation != 1 {
		t.Errorf("JSON lines without a line: %+v", r)
	}
}

func TestJSONReadAsCSVIsNamed(t *testing.T) {
	const want = "x:1:1: the file begins with {, as JSON lines do, and is read as CSV; read it with --format jsonl\nnothing was written"
	for _, content := range []string{`{"id":1}` + "\n", "{\n", "{}"} {
		if _, err := Load(context.Background(), customers.Any, []Input{text("x", content)}, optionsOf(newMemory())); err == nil || err.Error() != want {
			t.Errorf("%q: %v", content, err)
		}
	}
	odd := customersTable(func(s *bridge.Schema) {
		s.Fields = append([]bridge.Field(nil), s.Fields...)
		s.Fields[0].From = "{id}"
	})
	in := text("x", "{id},email,status,created_at,updated_at\n1,a@b,active,2026-01-01T00:00:00Z,2026-01-01T00:00:00Z\n")
	if r, err := Load(context.Background(), odd, []Input{in}, optionsOf(newMemory())); err != nil || r.Rows != 1 {
		t.Errorf("a column of that name: %+v, %v", r, err)
	}
}

func TestPackedDataThatIsNotWhole(t *testing.T) {
	plain := readAll(t, dump(1, 1000, "active"))
	for packer, packed := range map[string]string{"gzip": string(gzipped(t, plain)), "zstd": string(zstdPacked(t, plain))} {
		for what, content := range map[string]string{"cut": packed[:len(packed)-9], "magic only": packed[:4], "short junk": packed + "junk", "long junk": packed + strings.Repeat("junk", 10)} {
			_, err := Load(context.Background(), customers.Any, []Input{text("x.csv", content)}, optionsOf(newMemory()))
			if err == nil || !strings.HasPrefix(err.Error(), "x.csv: the "+packer+" data is cut off or followed by something else") {
				t.Errorf("%s, %s: %v", packer, what, err)
			}
		}
	}
	packed := gzipped(t, plain)
	packed[len(packed)-8]++ // of the checksum
	if _, err := Load(context.Background(), customers.Any, []Input{text("x.csv", string(packed))}, optionsOf(newMemory())); err == nil || !strings.HasPrefix(err.Error(), "x.csv: the gzip data is damaged") {
		t.Errorf("checksum: %v", err)
	}
}

// The file of rejects takes no input's place, and no folder's.
func TestRejectsMustBeAnotherFile(t *testing.T) {
	dir := t.TempDir()
	content := string(readAll(t, dump(1, 5, "active")))
	path := filepath.Join(dir, "dump.csv")
	for _, name := range []string{path, path + ".partial"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	opened := 0
	input := func(name string) Input {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		in := text(name, content)
		open := in.Open
		in.Open, in.Info = func(ctx context.Context) (io.ReadCloser, error) {
			opened++
			return open(ctx)
		}, info
		return in
	}
	for _, c := range []struct{ rejects, input, want string }{
		{path, path, "is the input"}, {link, path, "is the input"}, {path, link, "is the input"}, {path, path + ".partial", "is the input"},
		{dir, path, "is a folder"}, {os.DevNull, path, "is no regular file"},
	} {
		o := optionsOf(newMemory())
		o.Rejects = c.rejects
		_, err := Load(context.Background(), customers.Any, []Input{dump(9, 9, "active"), input(c.input)}, o)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "the file of rejects: "+c.rejects) {
			t.Errorf("%s of %s: %v", c.rejects, c.input, err)
		}
		if _, err := CreateRejects(customers.Table.Schema, c.rejects, input(c.input)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: %v", c.rejects, c.input, err)
		}
		if strings.Contains(c.want, "input") {
			continue // rows of an application have none
		}
		if _, err := NewWriter(customers.Table, o).Close(context.Background()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("rows, %s: %v", c.rejects, err)
		}
	}
	if left, err := os.ReadFile(path); err != nil || string(left) != content || opened > 0 {
		t.Errorf("%d inputs were opened; the dump holds %q, %v", opened, left, err)
	}
}

// A rejected line comes back byte for byte.
func TestRejectedJSONKeepsItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.SampledFrom([]byte{'{', '"', 'a', ':', 0xff, 0xc3, 0xa9, 0, ' ', '\\'}), 1, 12).Draw(t, "line")
		line := appendRejectedObject(nil, &record{raw: raw}, "why")
		var got struct {
			Reason string  `json:"_reason"`
			Raw    *string `json:"_raw"`
			Base64 *string `json:"_raw_base64"`
		}
		if err := json.Unmarshal(line, &got); err != nil || got.Reason != "why" || (got.Raw == nil) == (got.Base64 == nil) {
			t.Fatalf("%s: %v", line, err)
		}
		back := []byte(nil)
		if got.Raw != nil {
			back = []byte(*got.Raw)
		} else if b, err := base64.StdEncoding.DecodeString(*got.Base64); err == nil {
			back = b
		}
		if string(back) != string(raw) {
			t.Fatalf("%q came back as %q, in %s", raw, back, line)
		}
	})
}

func TestAsOfNearZeroIsRefused(t *testing.T) {
	for asOf, ok := range map[bridge.Timestamp]bool{1: false, -1: false, MinAsOf - 1: false, MinAsOf: true, bridge.MaxTimestamp + 1: false} {
		o := optionsOf(newMemory())
		o.AsOf = asOf
		if _, err := Load(context.Background(), customers.Any, []Input{text("x.csv", "id,email,status,created_at,updated_at\n")}, o); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "as_of") {
			t.Errorf("as_of %d: %v", asOf, err)
		}
	}
}

// A record that holds NULs ends where it would without them, so no part of it becomes a
// row of its own.
func TestNULIsNotStructural(t *testing.T) {
	field := rapid.SampledFrom([]string{"a", "", `"q"`, "\"l\ni\nne\"", `"com,ma"`, `"dou""ble"`})
	rapid.Check(t, func(t *rapid.T) {
		var plain, marred strings.Builder
		for range rapid.IntRange(1, 4).Draw(t, "records") {
			for i, f := range rapid.SliceOfN(field, 2, 4).Draw(t, "fields") {
				if i > 0 {
					plain.WriteByte(',')
					marred.WriteByte(',')
				}
				at := rapid.IntRange(-1, len(f)).Draw(t, "at")
				if at > 0 && strings.HasPrefix(f[at:], `""`) || at > 1 && strings.HasPrefix(f[at-1:], `""`) {
					at = -1 // it would part a doubled quote
				}
				plain.WriteString(f)
				if at >= 0 {
					f = f[:at] + "\x00" + f[at:]
				}
				marred.WriteString(f)
			}
			plain.WriteByte('\n')
			marred.WriteByte('\n')
		}
		want, err := lines(plain.String())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := lines(marred.String()); err != nil || got != want {
			t.Fatalf("%q: records at lines %s, %v; without NULs %s", marred.String(), got, err, want)
		}
	})
}

// lines are the lines at which records begin.
func lines(content string) (string, error) {
	records, err := splitAll(strings.NewReader(content), false)
	for i := range records {
		records[i], _, _ = strings.Cut(records[i], ":")
	}
	return strings.Join(records, " "), err
}

// A load over many partitions holds open the files of the parts it writes, not of all.
func TestManyPartitionsHoldFewDescriptors(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("this system does not tell open files: ", err)
		}
		return len(entries)
	}
	table := customersTable(func(s *bridge.Schema) { s.PartitionBy = 4 })
	table.PartitionTime = func(r *customers.Customer) bridge.Timestamp { return r.CreatedAt }
	o := optionsOf(nil)
	o.Store = lake.NewLocal(t.TempDir())
	c, err := newSettings(table.Schema, o)
	if err != nil {
		t.Fatal(err)
	}
	p := newParts(context.Background(), c, table, 0, loadTime)
	defer p.discard()
	const folders = 3000
	rows := &bridge.RowsOf[customers.Customer]{T: table}
	for i := range folders {
		row := customer(int64(i), "active")
		row.CreatedAt = loadTime + bridge.Timestamp(i)*3600000
		row.Sys = bridge.System{Source: bridge.Batch, Seq: int64(i)}
		rows.R = append(rows.R, row)
	}
	before := open()
	if err := p.add(rows, folders); err != nil {
		t.Fatal(err)
	}
	if err := p.finish(); err != nil {
		t.Fatal(err)
	}
	if held := open() - before; len(p.done) != folders || held > 2*maxOpenParts {
		t.Errorf("%d parts hold %d descriptors", len(p.done), held)
	}
	if err := p.done[folders-1].staged.Commit(context.Background()); err != nil {
		t.Error(err)
	}
}
