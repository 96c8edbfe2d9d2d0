package app

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// childArguments makes this binary the bridge program.
const childArguments = "BRIDGE_TEST_ARGUMENTS"

func TestMain(m *testing.M) {
	if args := os.Getenv(childArguments); args != "" {
		os.Args = append([]string{"bridge"}, strings.Fields(args)...)
		Main(project())
	}
	os.Exit(m.Run())
}

func project() bridge.Project {
	return bridge.Project{Tables: []bridge.Any{customers.Any}, Files: fstest.MapFS{
		"customers/places.json":          {Data: []byte(`{"trino":{"catalog":"hive","schema":"lake","views":"warehouse"}}`)},
		"customers/trino/table.sql":      {Data: []byte("CREATE TABLE customers")},
		"customers/trino/partitions.sql": {Data: []byte("CALL sync")},
		"customers/trino/unified.sql":    {Data: []byte("CREATE VIEW unified")},
		"customers/trino/latest.sql":     {Data: []byte("CREATE VIEW latest")},
		"customers/trino/by_source.sql":  {Data: []byte("SELECT by_source")},
	}}
}

// shared is a buffer for commands that write while the test reads.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// ran is what a command did.
type ran struct {
	out, err string
	code     int
	error    error
}

// bridgeRun runs a command with in as its standard input.
func bridgeRun(ctx context.Context, in string, args ...string) ran {
	var out, errs shared
	err := command(ctx, strings.NewReader(in), &out, &errs, args...)
	return ran{out.String(), errs.String(), ExitCode(err), err}
}

func command(ctx context.Context, in interface{ Read([]byte) (int, error) }, out, errs *shared, args ...string) error {
	cmd := Command(project())
	cmd.SetArgs(args)
	cmd.SetIn(in)
	cmd.SetOut(out)
	cmd.SetErr(errs)
	return cmd.ExecuteContext(ctx)
}

var (
	seconds = regexp.MustCompile(`[0-9]+\.[0-9] s`)
	sizes   = regexp.MustCompile(`[0-9.]+ (B|kB)\b`)
	ago     = regexp.MustCompile(`[0-9-]+T[0-9:.]+Z \([0-9]+ s ago\)`)
)

// plain replaces what differs from run to run.
func plain(text, dir string) string {
	text = strings.ReplaceAll(filepath.ToSlash(text), filepath.ToSlash(dir), "DIR")
	text = ago.ReplaceAllString(text, "INSTANT (AGE ago)")
	return sizes.ReplaceAllString(seconds.ReplaceAllString(text, "T s"), "SIZE")
}

// expect compares a command's code, output and error with what they should be.
func (r ran) expect(t *testing.T, dir string, code int, out, message string) {
	t.Helper()
	if got := plain(r.out, dir); r.code != code || got != out {
		t.Errorf("exit %d, output:\n%s\nwant exit %d:\n%s", r.code, got, code, out)
	}
	got := r.err
	if r.error != nil {
		got += r.error.Error()
	}
	if got = plain(got, dir); got != message {
		t.Errorf("error:\n%s\nwant:\n%s", got, message)
	}
}

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const header = "id,email,status,created_at,updated_at\n"

func TestBatchCommands(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	t.Setenv("BRIDGE_LAKE", filepath.Join(dir, "lake"))
	dump := write(t, filepath.Join(dir, "dump.csv"), header+
		"1,a@b,active,2026-01-01T00:00:00Z,2026-08-18T00:00:00Z\n2,c@d,actve,2026-01-01T00:00:00Z,2026-08-18T00:00:00Z\n")
	load := []string{"batch", "load", "customers", "--hour", "2026-08-19T02", "--as-of", "2026-08-19T02:05:00Z"}

	bridgeRun(ctx, "", append(load, dump)...).expect(t, dir, 1, "",
		`DIR/dump.csv:3:3: column "status": "actve" is not one of active, inactive, banned, suspended
1 of 2 rows is invalid; nothing was written. Fix them, or set them aside with --rejects FILE`)
	rejects := filepath.Join(dir, "rejects.csv")
	bridgeRun(ctx, "", append(load, "--rejects", rejects, "--dry-run", dump)...).expect(t, dir, 0,
		`customers 2026-08-19T02: 1 row in 1 object, SIZE, T s; 1 rejected, in DIR/rejects.csv (dry run: nothing was written to the lake)
  DIR/lake/lake/customer-events/year=2026/month=08/day=19/hour=02/batch_2026081902.parquet
`, "")
	bridgeRun(ctx, "", "batch", "list").expect(t, dir, 1, "",
		`listing table "customers": there is no lake at DIR/lake, for there is no such folder; check the path (a load or a sink makes it)`)
	bridgeRun(ctx, "", "batch", "list", "--lake", dir).expect(t, dir, 0, "customers: nothing in the lake\n", "")
	bridgeRun(ctx, "", append(load, "--rejects", rejects, dump)...).expect(t, dir, 0,
		`customers 2026-08-19T02: 1 row in 1 object, SIZE, T s; 1 rejected, in DIR/rejects.csv
  DIR/lake/lake/customer-events/year=2026/month=08/day=19/hour=02/batch_2026081902.parquet
`, "")
	bridgeRun(ctx, "", append(load, "--rejects", rejects, dump)...).expect(t, dir, 0,
		"customers 2026-08-19T02: complete since before, from the same input: 1 row in 1 object; nothing to do\n", "")
	other := header + "1,a@b,banned,2026-01-01T00:00:00Z,2026-08-18T00:00:00Z\n"
	r := bridgeRun(ctx, other, append(load, "-")...)
	if r.code != 1 || !strings.Contains(r.error.Error(), "replace it with --replace") {
		t.Errorf("other input: %+v", r)
	}
	bridgeRun(ctx, other, append(load, "--replace", "-")...).expect(t, dir, 0,
		`customers 2026-08-19T02: 1 row in 1 object, SIZE, T s
  DIR/lake/lake/customer-events/year=2026/month=08/day=19/hour=02/batch_2026081902_r1.parquet
  replaced 1 object of an earlier run, removed 0
`, "")
	bridgeRun(ctx, "", "batch", "list", "--from", "2026-08-19", "--to", "2026-08-19").expect(t, dir, 0,
		`customers                          source  load              objects  rows  size    state
year=2026/month=08/day=19/hour=02  batch   batch_2026081902  1        1     SIZE  complete
`, "")
	r = bridgeRun(ctx, "", "batch", "list", "--json")
	var entry struct {
		Table, Load, State string
		Rows               int64
		Generation         int
	}
	if err := json.Unmarshal([]byte(r.out), &entry); err != nil || entry.Table != "customers" || entry.Load != "batch_2026081902" || entry.State != "complete" || entry.Rows != 1 || entry.Generation != 1 {
		t.Errorf("list --json: %s, %v", r.out, err)
	}
}

func TestUsage(t *testing.T) {
	for _, name := range []string{"BRIDGE_LAKE", "BRIDGE_BROKERS", "BRIDGE_REGISTRY", "BRIDGE_REDIS", "BRIDGE_TRINO", "BRIDGE_POSTGRES"} {
		t.Setenv(name, "")
	}
	dir := t.TempDir()
	file, lines := write(t, filepath.Join(dir, "x.csv"), header), write(t, filepath.Join(dir, "x.jsonl"), "")
	for _, c := range []struct{ args, want string }{
		{"batch load orders --hour 2026-08-19T02 " + file, `no table "orders"; this project has customers`},
		{"batch load customers " + file, "give the load's logical time: --hour 2026-08-19T02 (UTC)"},
		{"batch load customers --hour 2026-08-19 " + file, `--hour "2026-08-19": write it as 2026-08-19T02 (UTC); table "customers" is partitioned so`},
		{"batch load customers --hour 2026-08-19T02 --as-of noon " + file, `--as-of "noon" is no RFC 3339 time, as 2026-08-19T02:15:00Z`},
		{"batch load customers --hour 2026-08-19T02 --as-of 1970-01-01T00:00:00Z " + file, `--as-of "1970-01-01T00:00:00Z" lies before 1970-01-02; give the time at which the dump was taken, or leave it out`},
		{"batch", "name a command of bridge batch: load, list, remove"},
		{"batch nope", `no command "nope" of bridge batch; it has load, list, remove`},
		{"stream", "name a command of bridge stream: send"},
		{"nope", `unknown command "nope" for "bridge"`},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " " + file + " " + lines, file + " is csv and " + lines + " is jsonl by its name; give files of one format at a time, or say with --format what all of them are"},
		{"stream send customers " + file + " " + lines, file + " is csv and " + lines + " is jsonl by its name; give files of one format at a time, or say with --format what all of them are"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " --rejects " + dir + " " + file, "the file of rejects: " + dir + " is a folder; name a file in it"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " --rejects " + file + " " + file, "the file of rejects: " + file + " is the input " + file + ", which it would overwrite; name another"},
		{"batch list --lake " + file, `listing table "customers": there is no lake at ` + file + ", for that is a file; name a folder"},
		{"batch load customers --hour 2026-08-19T02 " + file, "no lake: give --lake s3://bucket or a folder, or set BRIDGE_LAKE"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " " + dir, dir + " is a folder; name its files, as in " + dir + "/*.csv"},
		{"batch load customers --hour 2026-08-19T02 --lake " + dir + " --format xml " + file, `the format is csv, jsonl or parquet, not "xml"`},
		{"batch load", "name the table and a file (- is standard input): bridge batch load TABLE --hour 2026-08-19T02 FILE..."},
		{"get customers", "name the table and its key: bridge get TABLE KEY..."},
		{"batch list --from 2026-08-20 --to 2026-08-19", "--from lies after --to"},
		{"batch list --from yesterday", `"yesterday" is no day, as 2026-08-19`},
		{"stream send customers " + file, "no brokers: give --brokers host:port, or set BRIDGE_BROKERS"},
		{"stream send customers --brokers x:1 " + file, "no schema registry: give --registry URL, or set BRIDGE_REGISTRY"},
		{"speed --brokers x:1 --registry http://x", `table "customers": no Redis: give --redis host:port, or set BRIDGE_REDIS`},
		{"get customers forty-two", `key column "id": "forty-two" is no long (64 bit, digits, optionally signed)`},
		{"get customers 1 2", `the key of table "customers" is id: give 1 value, not 2`},
		{"sql customers nonsense", `no statement "nonsense" of table "customers"; there are table, partitions, unified, latest, by_source`},
	} {
		if r := bridgeRun(context.Background(), "", strings.Fields(c.args)...); r.code != 1 || r.error.Error() != c.want {
			t.Errorf("%s: exit %d, %v; want %s", c.args, r.code, r.error, c.want)
		}
	}
}

func TestSQL(t *testing.T) {
	bridgeRun(context.Background(), "", "sql", "customers", "latest").expect(t, "x", 0, "CREATE VIEW latest\n", "")
	bridgeRun(context.Background(), "", "sql").expect(t, "x", 0, "CREATE TABLE customers\nCALL sync\nCREATE VIEW unified\nCREATE VIEW latest\nSELECT by_source\n", "")
}

// A program that waits for its input ends at SIGTERM.
func TestSIGTERMWhileReading(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childArguments+"=batch load customers --hour 2026-08-19T02 --lake "+filepath.Join(dir, "lake")+" --rejects "+filepath.Join(dir, "rejects")+" -")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs shared
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte(header)); err != nil {
		t.Fatal(err)
	}
	await(t, "the load to begin", func() bool {
		_, err := os.Stat(filepath.Join(dir, "rejects.partial"))
		return err == nil
	})
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 || !strings.HasPrefix(errs.String(), "bridge: customers 2026-08-19T02: stopped before its end; run it again") {
		t.Errorf("%v, %s", err, errs.String())
	}
	if left, err := filepath.Glob(filepath.Join(dir, "rejects*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// await polls until a condition holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long for %s", what)
		}
	}
}
