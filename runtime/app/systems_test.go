package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/stream"
)

// freePort is an address on which nobody listens.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return listener.Addr().String()
}

// A road whose systems are away says so once, names them in /healthz, and goes on when
// they are back.
func TestRoadsNameTheSystemsThatAreAway(t *testing.T) {
	start(t)
	address := freePort(t)
	t.Setenv("BRIDGE_REDIS", "redis://:secret@"+address)
	speed := runBackground(t, "speed", "--listen", "127.0.0.1:0")
	url := speed.url(t)
	await(t, "the word of Redis", func() bool { return strings.Contains(speed.err.String(), "not ready") })
	want := "speed customers: not ready, and tries again: Redis " + address + ": dial tcp " + address
	if !strings.Contains(speed.err.String(), want) || strings.Contains(speed.err.String(), ": running") {
		t.Errorf("got:\n%s\nwant:\n%s", speed.err.String(), want)
	}
	if status, text := fetch(t, url+"/healthz"); status != http.StatusServiceUnavailable || !strings.Contains(text, "Redis "+address+": dial tcp") {
		t.Errorf("health: %d, %s", status, text)
	}
	if _, text := fetch(t, url+"/metrics"); !strings.Contains(text, `bridge_ready{road="speed",table="customers"} 0`) {
		t.Errorf("metrics: %s", text)
	}
	server := miniredis.NewMiniRedis()
	server.RequireAuth("secret")
	if err := server.StartAddr(address); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	await(t, "health", func() bool {
		status, _ := fetch(t, url+"/healthz")
		return status == http.StatusOK
	})
	speed.stop(t)
	if log := speed.err.String(); !strings.Contains(log, "speed customers: running\n") || strings.Count(log, "not ready") != 1 || strings.Contains(log, "secret") {
		t.Errorf("log:\n%s", log)
	}
}

func TestASinkNamesBrokersAndLake(t *testing.T) {
	dir, address := t.TempDir(), freePort(t)
	lake := filepath.Join(dir, "lake")
	sink := runBackground(t, "sink", "-q", "--listen", "", "--brokers", address, "--registry", "http://"+address, "--lake", lake)
	want := "sink customers: not ready, and tries again: brokers " + address + ": "
	await(t, want, func() bool { return strings.Contains(sink.err.String(), want) })
	if r := bridgeRun(context.Background(), "", "batch", "list", "--lake", lake); r.code != 0 { // the sink has made it
		t.Error(r.error)
	}
	sink.stop(t)
	file := write(t, filepath.Join(dir, "file"), "")
	if r := bridgeRun(context.Background(), "", "sink", "--listen", "", "--brokers", address, "--registry", "http://"+address, "--lake", file); r.code != 1 || !strings.Contains(r.error.Error(), `table "customers": the lake cannot be written: `) {
		t.Errorf("a file for a lake: %+v", r)
	}
}

// A turn is told once, and down is what the last check found.
func TestHealthKeepsWhatItLearned(t *testing.T) {
	away := errors.New("away")
	h := &health{needs: []dependency{{"one", func(context.Context) error { return away }}, {"two", func(context.Context) error { return nil }}}}
	if h.down() == nil {
		t.Error("up before anybody was asked")
	}
	err := h.check(context.Background())
	if !errors.Is(err, away) || err.Error() != "one: away" {
		t.Errorf("check: %v", err)
	}
	for i, c := range []struct {
		err    error
		turned bool
	}{{err, true}, {away, false}, {nil, true}, {nil, false}, {err, true}} {
		if got := h.learn(c.err); got != c.turned || !errors.Is(h.down(), c.err) {
			t.Errorf("%d: turned %v, down %v", i, got, h.down())
		}
	}
}

func TestGetWithoutALake(t *testing.T) {
	dir := start(t)
	missing := filepath.Join(dir, "mistyped")
	bridgeRun(context.Background(), "", "get", "customers", "1", "--lake", missing).expect(t, dir, 2, "",
		`customers 1 is not there; no answer from the lake, this is what Redis alone says: table "customers": listing DIR/mistyped/lake/customer-events: there is no lake at DIR/mistyped, for there is no such folder; check the path (a load or a sink makes it)`)
	if _, err := os.Stat(missing); err == nil {
		t.Error("get made the lake")
	}
}

// A send that cannot reach the brokers says so before it reads, and touches nothing.
func TestSendWithoutBrokers(t *testing.T) {
	dir, address := start(t), freePort(t)
	file := write(t, filepath.Join(dir, "a.csv"), header)
	rejects := write(t, filepath.Join(dir, "rejects.csv"), "of an older run")
	r := bridgeRun(context.Background(), "", "stream", "send", "customers", "--brokers", address, "--rejects", rejects, file)
	if r.code != 1 || !strings.HasPrefix(r.error.Error(), "brokers "+address+": ") || !strings.Contains(r.error.Error(), "connection refused") || strings.Contains(r.error.Error(), "stopped") {
		t.Errorf("%+v", r)
	}
	if r := bridgeRun(context.Background(), "", "stream", "send", "customers", "--rejects", rejects, file); r.code != 1 { // before register
		t.Errorf("%+v", r)
	}
	if kept, err := os.ReadFile(rejects); err != nil || string(kept) != "of an older run" {
		t.Errorf("rejects: %q, %v", kept, err)
	}
}

func TestSendReport(t *testing.T) {
	live, done := context.Background(), func() context.Context {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return ctx
	}()
	unversioned := *customers.Table
	schema := *unversioned.Schema
	schema.Version = -1
	unversioned.Schema = &schema
	lost := fmt.Errorf("waiting: %w", errors.Join(context.Canceled, &stream.Undelivered{Rows: 2, Key: "1", Err: errors.New("timed out")}))
	for _, c := range []struct {
		ctx   context.Context
		table bridge.Any
		err   error
		want  string
		note  string
	}{
		{live, customers.Any, lost, "brokers a:1,b:2: waiting: context canceled\n2 rows were not delivered, first 1: timed out; write them again", ""},
		{done, customers.Any, lost, "stopped before the end of the input; send it again, repeated rows do no harm: brokers a:1,b:2: ", ""},
		{done, &unversioned, lost, `stopped before the end of the input; the spec of table "customers" names no dedup.version, so rows that are sent again win over what came since: `, "names no dedup.version"},
		{live, &unversioned, nil, "", "names no dedup.version"},
		{live, customers.Any, nil, "", ""},
	} {
		var out, errs shared
		s := &sending{program: &program{out: &out, err: &errs}, table: c.table, brokers: []string{"a:1", "b:2"}, sent: 5}
		err := s.report(c.ctx, s.lost(c.err), time.Second)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
		if got := errs.String(); (got == "") != (c.note == "") || !strings.Contains(got, c.note) {
			t.Errorf("note %q, want %q", got, c.note)
		}
	}
}

func TestSendOfBrokenInputs(t *testing.T) {
	ctx, dir := context.Background(), start(t)
	if r := bridgeRun(ctx, "", "register"); r.code != 0 {
		t.Fatal(r.error)
	}
	row := "1,a@b,active,2026-01-01T00:00:00Z,2026-08-18T00:00:00Z\n"
	send := func(args ...string) ran {
		return bridgeRun(ctx, "", append([]string{"stream", "send", "customers"}, args...)...)
	}
	broken := write(t, filepath.Join(dir, "broken.csv"), header+row+`2,"c@d`)
	r := send(broken)
	r.expect(t, dir, 1, "customers: 1 row sent to customer-events, T s\n", `DIR/broken.csv:3:2: column "email" begins with a quote that is never closed
the input cannot be read any further from there; what was valid before it was sent`)
	if got := message(r.error); !strings.HasPrefix(got, broken+":3:2: ") {
		t.Errorf("the line does not begin with the place: %s", got)
	}
	empty := write(t, filepath.Join(dir, "empty.csv"), "")
	send(empty).expect(t, dir, 1, "customers: 0 rows sent to customer-events, T s\n", "DIR/empty.csv:1: the file is empty; not even a header stands in it\nnothing of this file was sent")

	good, rejects := write(t, filepath.Join(dir, "good.csv"), header+row), filepath.Join(dir, "rejects.csv")
	if r := send("--rejects", rejects, good); r.code != 0 {
		t.Error(r.error)
	}
	if text, err := os.ReadFile(rejects); err != nil || string(text) != strings.TrimSuffix(header, "\n")+",_reason\n" {
		t.Errorf("rejects without a row: %q, %v", text, err)
	}
	if r := send("--rejects", good, good); r.code != 1 || !strings.Contains(r.error.Error(), "which it would overwrite") {
		t.Errorf("the input as its rejects: %+v", r)
	}
	if text, err := os.ReadFile(good); err != nil || string(text) != header+row {
		t.Errorf("the input: %q, %v", text, err)
	}
}

// Standard input may be a file, too.
func TestRejectsInPlaceOfStandardInput(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "dump.csv"), header)
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out, errs shared
	err = command(context.Background(), in, &out, &errs, "batch", "load", "customers", "--hour", "2026-08-19T02", "--lake", dir, "--rejects", path, "-")
	if err == nil || !strings.Contains(err.Error(), path+" is the input stdin, which it would overwrite") {
		t.Errorf("%v", err)
	}
}
