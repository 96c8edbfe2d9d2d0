package app

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/bridgegen/bridgegen/runtime/embedded"
)

// start runs the embedded systems and points the program at them.
func start(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	cluster, err := embedded.Start(context.Background(), embedded.Options{Topics: []string{customers.Table.Schema.Topic}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Setenv("BRIDGE_LAKE", filepath.Join(dir, "lake"))
	t.Setenv("BRIDGE_BROKERS", strings.Join(cluster.Brokers, ","))
	t.Setenv("BRIDGE_REGISTRY", cluster.Registry)
	t.Setenv("BRIDGE_REDIS", cluster.Redis)
	return dir
}

// background is a command that runs until it is stopped.
type background struct {
	out, err shared
	cancel   context.CancelFunc
	ended    chan error
}

func runBackground(t *testing.T, args ...string) *background {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	b := &background{cancel: cancel, ended: make(chan error, 1)}
	go func() { b.ended <- command(ctx, strings.NewReader(""), &b.out, &b.err, args...) }()
	t.Cleanup(cancel)
	return b
}

// stop ends the command, which must do so without an error.
func (b *background) stop(t *testing.T) {
	t.Helper()
	b.cancel()
	select {
	case err := <-b.ended:
		if err != nil {
			t.Errorf("%v\n%s", err, b.err.String())
		}
	case <-time.After(60 * time.Second):
		t.Fatalf("the command does not end:\n%s", b.err.String())
	}
}

var metricsURL = regexp.MustCompile(`metrics (http://\S+)/metrics`)

// url is where the command serves metrics and health.
func (b *background) url(t *testing.T) string {
	t.Helper()
	var found []string
	await(t, "the address of /metrics", func() bool {
		found = metricsURL.FindStringSubmatch(b.err.String())
		return found != nil
	})
	return found[1]
}

func fetch(t *testing.T, url string) (status int, text string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(b)
}

// awaitMetric waits until the command is healthy and a metric has a value.
func (b *background) awaitMetric(t *testing.T, line string) {
	t.Helper()
	url := b.url(t)
	await(t, line, func() bool {
		status, _ := fetch(t, url+"/healthz")
		_, text := fetch(t, url+"/metrics")
		return status == http.StatusOK && strings.Contains(text, "\n"+line+"\n")
	})
}

const events = `{"id":1,"email":" Ana@Example.com ","status":"suspended","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-08-19T10:00:00Z"}
{"id":2,"email":"b@b","status":"vip","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-08-19T10:00:00Z"}
{"id":3,"email":"c@c","status":"active","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-08-19T10:00:00Z"}
`

func TestStreamCommands(t *testing.T) {
	ctx, dir := context.Background(), start(t)
	file := write(t, filepath.Join(dir, "events.jsonl"), events)
	send := []string{"stream", "send", "customers", "--format", "jsonl"}
	if r := bridgeRun(ctx, "", append(send, file)...); r.code != 1 || !strings.Contains(r.error.Error(), "run: bridge register customers") {
		t.Errorf("before register: %+v", r)
	}
	bridgeRun(ctx, "", "register").expect(t, dir, 0, "customer-events-value: schema id 1 at BACKWARD\n", "")
	bridgeRun(ctx, "", "register", "customers").expect(t, dir, 0, "customer-events-value: schema id 1 at BACKWARD\n", "")
	bridgeRun(ctx, "", append(send, file)...).expect(t, dir, 1, "customers: 2 rows sent to customer-events, T s\n",
		`DIR/events.jsonl:2:32: column "status": "vip" is not one of active, inactive, banned, suspended
1 of 3 rows are invalid and were not sent; fix them, or set them aside with --rejects FILE`)
	rejects := filepath.Join(dir, "rejects.jsonl")
	bridgeRun(ctx, events, append(send, "--rejects", rejects, "-")...).expect(t, dir, 0,
		"customers: 2 rows sent to customer-events, T s; 1 rejected, in DIR/rejects.jsonl\n", "")
	set, err := os.ReadFile(rejects)
	if err != nil || !strings.HasPrefix(string(set), `{"_reason":"stdin:2:32: column \"status\": \"vip\" is not one of active, inactive, banned, suspended","id":2,`) {
		t.Errorf("rejects: %s, %v", set, err)
	}
	bridgeRun(ctx, "id,email\n", "stream", "send", "customers", "-").expect(t, dir, 1, "customers: 0 rows sent to customer-events, T s\n",
		`stdin:1: the header lacks column "status", and it is neither optional nor has a default
stdin:1: the header lacks column "created_at", and it is neither optional nor has a default
stdin:1: the header lacks column "updated_at", and it is neither optional nor has a default
nothing of this file was sent`)

	sink := runBackground(t, "sink", "--flush-interval", "50ms", "--listen", "127.0.0.1:0")
	speed := runBackground(t, "speed", "customers", "--listen", "127.0.0.1:0")
	sink.awaitMetric(t, `bridge_sink_records_total{table="customers"} 4`)
	speed.awaitMetric(t, `bridge_speed_records_total{table="customers"} 4`)
	sink.awaitMetric(t, `bridge_ready{road="sink",table="customers"} 1`)
	sink.awaitMetric(t, `bridge_sink_lag{table="customers"} 0`)
	sink.stop(t)
	speed.stop(t)
	if !strings.Contains(sink.err.String(), "sink customers: stopped; 4 records, ") {
		t.Errorf("sink:\n%s", sink.err.String())
	}
	t.Run("get", func(t *testing.T) { testGet(t, dir) })
}

// testGet reads what TestStreamCommands left, beside a dump.
func testGet(t *testing.T, dir string) {
	ctx := context.Background()
	dump := write(t, filepath.Join(dir, "dump.csv"), header+"1,ana@example.com,active,2026-01-01T00:00:00Z,2026-08-19T01:00:00Z\n9,z@z,banned,2026-01-01T00:00:00Z,2026-08-18T00:00:00Z\n")
	lake := filepath.Join(dir, "dump")
	if r := bridgeRun(ctx, "", "batch", "load", "customers", "--lake", lake, "--hour", "2026-08-19T02", "--as-of", "2026-08-19T02:05:00Z", dump); r.code != 0 {
		t.Fatal(r.error)
	}
	bridgeRun(ctx, "", "get", "customers", "1", "--lake", lake).expect(t, dir, 0,
		`            merged                      lake, 2026-08-19T02:00:00Z (batch)    fresh, INSTANT (AGE ago)
id          1                           1                                     1
email       ana@example.com             ana@example.com                       ana@example.com
status      suspended                   active                              > suspended
is_active   false                       true                                > false
created_at  2026-01-01T00:00:00.000Z    2026-01-01T00:00:00.000Z              2026-01-01T00:00:00.000Z
updated_at  2026-08-19T10:00:00.000Z    2026-08-19T01:00:00.000Z            > 2026-08-19T10:00:00.000Z
`, "")
	bridgeRun(ctx, "", "get", "customers", "9", "--lake", lake, "--redis", "127.0.0.1:1").expect(t, dir, 2,
		`            merged                      lake, 2026-08-19T02:00:00Z (batch)    fresh: down
id          9                           9
email       z@z                         z@z
status      banned                      banned
is_active   false                       false
created_at  2026-01-01T00:00:00.000Z    2026-01-01T00:00:00.000Z
updated_at  2026-08-18T00:00:00.000Z    2026-08-18T00:00:00.000Z
`, `no answer from Redis, this is what the lake alone says: reading "customer:9" from Redis: dial tcp 127.0.0.1:1: connect: connection refused`)
	bridgeRun(ctx, "", "get", "customers", "77", "--lake", lake).expect(t, dir, 1, "", "no customers 77: neither the lake nor Redis holds that key")
	var got struct {
		Merged, Lake, Fresh map[string]any
	}
	r := bridgeRun(ctx, "", "get", "customers", "1", "--json", "--lake", lake)
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.code != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if got.Merged["status"] != "suspended" || got.Lake["status"] != "active" || got.Lake["_source"] != "batch" || got.Fresh["_source"] != "streaming" {
		t.Errorf("json: %s", r.out)
	}
	bridgeRun(ctx, "", "get", "customers", "1", "--history", "--lake", lake).expect(t, dir, 0,
		`_version                  _source  _seq                _ingested_at              id  email            status  is_active  created_at                updated_at                older by
2026-08-19T01:00:00.000Z  batch    545817363237306368  2026-08-19T02:00:00.000Z  1   ana@example.com  active  true       2026-01-01T00:00:00.000Z  2026-08-19T01:00:00.000Z
`, "")
	r = bridgeRun(ctx, "", "get", "customers", "1", "--history") // of the lake that the sink wrote
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); r.code != 0 || len(lines) != 3 || !strings.HasSuffix(lines[2], "_seq") {
		t.Errorf("history: %+v", r)
	}
	r = bridgeRun(ctx, "", "get", "customers", "1", "--history", "--json")
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); r.code != 0 || len(lines) != 2 || !strings.Contains(lines[0], `"status":"suspended"`) {
		t.Errorf("history: %+v", r)
	}
}

func TestDev(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("BRIDGE_LAKE", filepath.Join(dir, "lake"))
	dev := runBackground(t, "dev", "--listen", "127.0.0.1:0")
	url := dev.url(t)
	await(t, "health", func() bool {
		status, _ := fetch(t, url+"/healthz")
		return status == http.StatusOK
	})
	for _, name := range []string{"BRIDGE_LAKE", "BRIDGE_BROKERS", "BRIDGE_REGISTRY", "BRIDGE_REDIS"} {
		_, rest, found := strings.Cut(dev.out.String(), "export "+name+"=")
		value, _, _ := strings.Cut(rest, "\n")
		if !found || value == "" {
			t.Fatalf("dev prints no %s:\n%s", name, dev.out.String())
		}
		t.Setenv(name, value)
	}
	if r := bridgeRun(context.Background(), events, "stream", "send", "customers", "--format", "jsonl", "--rejects", filepath.Join(dir, "rejects"), "-"); r.code != 0 {
		t.Fatal(r.error)
	}
	await(t, "the fresh state", func() bool {
		r := bridgeRun(context.Background(), "", "get", "customers", "3", "--json")
		return r.code == 0 && strings.Contains(r.out, `"lake":null,"fresh":{`)
	})
	dev.stop(t)
	r := bridgeRun(context.Background(), "", "batch", "list", "--json") // its work was committed
	if r.code != 0 || !strings.Contains(r.out, `"source":"streaming"`) {
		t.Errorf("after dev: %+v", r)
	}
}

// The program itself: SIGTERM ends a road with exit code 0.
func TestSIGTERMEndsARoad(t *testing.T) {
	dir := start(t)
	if r := bridgeRun(context.Background(), "", "register"); r.code != 0 {
		t.Fatal(r.error)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := &background{}
	cmd := exec.Command(self)
	cmd.Dir, cmd.Stderr = dir, &b.err
	cmd.Env = append(os.Environ(), childArguments+"=sink --listen 127.0.0.1:0")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b.awaitMetric(t, `bridge_ready{road="sink",table="customers"} 1`)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(b.err.String(), "sink customers: stopped; 0 records") {
		t.Errorf("%v\n%s", err, b.err.String())
	}
}
