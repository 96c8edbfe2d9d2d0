package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/serve"
)

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		now  batch.Progress
		want string
	}{
		{batch.Progress{Stage: "reading", Rows: 6_100_000, Read: 61, Total: 100, Rejected: 12, Elapsed: 4692 * time.Millisecond},
			"customers 2026-08-19T02  [=========>      ]  61%  6.1 M rows  1.3 M rows/s  about 3 s left  12 rejected"},
		{batch.Progress{Stage: "reading", Rows: 900, Read: 5_000_000, Elapsed: time.Second}, "customers 2026-08-19T02  5.0 MB read  900 rows  900 rows/s"},
		{batch.Progress{Stage: "checking", Read: 25, Total: 100}, "customers 2026-08-19T02  [====>           ]  25%  comparing the input with what is there"},
		{batch.Progress{Stage: "writing", Read: 100, Total: 100, Objects: 1}, "customers 2026-08-19T02  [================] 100%  1 object written"},
	} {
		if got := progressLine("customers 2026-08-19T02", c.now); got != c.want {
			t.Errorf("%+v:\n%s\nwant\n%s", c.now, got, c.want)
		}
	}
}

func TestProgressIsForTerminals(t *testing.T) {
	var b strings.Builder
	a := &program{err: &b}
	line := a.progress("x")
	line.show(batch.Progress{Rows: 1})
	line.done()
	shown := &progress{w: &b, label: "x"}
	if b.String() != "" {
		t.Errorf("no terminal, but %q", b.String())
	}
	shown.show(batch.Progress{Rows: 1})
	shown.done()
	if got := b.String(); !strings.HasPrefix(got, eraseLine+"x  ") || !strings.HasSuffix(got, eraseLine) {
		t.Errorf("a terminal gets %q", got)
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		grouped(9999988): "9,999,988", grouped(-1234): "-1,234", grouped(0): "0", grouped(999): "999",
		size(999): "999 B", size(212_000_000): "212.0 MB", size(1500): "1.5 kB", size(3e12): "3.0 TB",
		count(1, "object"): "1 object", count(1200, "row"): "1,200 rows",
		age(40 * time.Second): "40 s", age(-time.Second): "0 s", age(3 * time.Minute): "3 min", age(47 * time.Hour): "47 h", age(50 * time.Hour): "2 days",
		short(999): "999", short(12345): "12.3 k", short(2e9): "2.0 G",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func record(c customers.Customer) serve.Record {
	return serve.Record{Found: true, Rows: &bridge.RowsOf[customers.Customer]{T: customers.Table, R: []customers.Customer{c}}}
}

func system(source bridge.Source, version, seq int64, deleted bool) bridge.System {
	return bridge.System{Source: source, Version: bridge.Some(version), Seq: seq, IngestedAt: bridge.Timestamp(version), Deleted: deleted}
}

// Of a deleted key only the key is shown, with who says so; absent columns are a dash.
func TestAnswerText(t *testing.T) {
	old := record(customers.Customer{ID: 42, Email: "", Status: "active", Sys: system(bridge.Batch, 1000, 1, false)})
	gone := record(customers.Customer{ID: 42, Sys: system(bridge.Streaming, 2000, 2, true)})
	var b strings.Builder
	a := &program{out: &b}
	if err := a.showAnswer(customers.Table.Schema, &serve.Answer{Lake: gone, Merged: gone}, asked{lake: true}); err != nil {
		t.Fatal(err)
	}
	if want := "    merged, deleted    lake, 1970-01-01T00:00:02Z (streaming), deleted    fresh: not configured\nid  42                 42\n"; b.String() != want {
		t.Errorf("deleted:\n%swant:\n%s", b.String(), want)
	}
	b.Reset()
	var carried bridge.Columns
	carried.Add(0)
	carried.Add(2)
	fresh := record(customers.Customer{ID: 42, Status: "banned", Sys: system(bridge.Streaming, 2000, 2, false)})
	if err := a.showAnswer(customers.Table.Schema, &serve.Answer{Lake: old, Fresh: fresh, Carried: carried, Merged: fresh}, asked{true, true}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	for i, want := range map[int]string{1: "id 42 42 42", 2: `email "" "" -`, 3: "status banned active > banned"} {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want {
			t.Errorf("line %d is %q, want %q", i, got, want)
		}
	}
}

func TestMissing(t *testing.T) {
	down := serve.Record{Err: errors.New("refused")}
	here := record(customers.Customer{ID: 42})
	for _, c := range []struct {
		answer serve.Answer
		sides  asked
		code   int
		want   string
	}{
		{serve.Answer{Lake: here, Merged: here}, asked{true, true}, 0, ""},
		{serve.Answer{Lake: down, Fresh: here, Merged: here}, asked{true, true}, 2, "no answer from the lake, this is what Redis alone says: refused"},
		{serve.Answer{Fresh: down}, asked{true, true}, 2, "customers 42 is not there; no answer from Redis, this is what the lake alone says: refused"},
		{serve.Answer{}, asked{lake: true}, 1, "no customers 42: the lake does not hold that key (Redis was not asked: give --redis host:port, or set BRIDGE_REDIS)"},
		{serve.Answer{}, asked{true, true}, 1, "no customers 42: neither the lake nor Redis holds that key"},
	} {
		err := missing(customers.Table.Schema, &c.answer, c.sides, "42")
		if code := ExitCode(err); code != c.code || err != nil && err.Error() != c.want {
			t.Errorf("exit %d, %v; want exit %d, %s", code, err, c.code, c.want)
		}
	}
}

// What decided is said in the words of the order: each pair differs there first.
func TestOlderBy(t *testing.T) {
	s := customers.Table.Schema
	base := system(bridge.Streaming, 2000, 5, false)
	version, source, seq, ingested := base, base, base, base
	version.Version.V, source.Source, seq.Seq = 1999, bridge.Batch, 4
	ingested.IngestedAt--
	for _, c := range []struct {
		older bridge.System
		want  string
	}{
		{version, "_version"}, {source, "_source (streaming is preferred)"}, {seq, "_seq"}, {ingested, "_ingested_at"}, {base, "nothing: a repetition"},
	} {
		if got := olderBy(s, &base, &c.older); got != c.want || (bridge.Compare(&base, &c.older, s.Preferred) > 0) != (c.want != "nothing: a repetition") {
			t.Errorf("%+v: %s, want %s", c.older, got, c.want)
		}
	}
}

func TestCellText(t *testing.T) {
	c := cells{"null": []byte("null"), "empty": []byte(`""`), "word": []byte(`"null"`), "break": []byte(`"a\nb"`), "plain": []byte(`"é b"`), "number": []byte("1.50"), "list": []byte(`["a"]`)}
	for name, want := range map[string]string{"null": "null", "empty": `""`, "word": `"null"`, "break": `"a\nb"`, "plain": "é b", "number": "1.50", "list": `["a"]`, "none": ""} {
		if got := c.text(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestFormatByName(t *testing.T) {
	for _, c := range []struct{ files, want string }{
		{"a.csv b.csv.gz", "csv"}, {"A.JSONL c.ndjson.zst", "jsonl"}, {"-", ""}, {"dump", ""}, {"a.csv -", ""}, {"- a.csv b.csv", ""},
	} {
		if got, err := formatOf(strings.Fields(c.files)); got != c.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", c.files, got, err, c.want)
		}
	}
	for _, files := range []string{"a.csv b.jsonl.gz", "a.csv - b.jsonl.gz"} {
		if _, err := formatOf(strings.Fields(files)); err == nil || !strings.HasPrefix(err.Error(), "a.csv is csv and b.jsonl.gz is jsonl by its name; ") {
			t.Errorf("%s: %v", files, err)
		}
	}
}

// Lines that begin with a place have no name before them.
func TestMessage(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("no lake"), "bridge: no lake"},
		{fmt.Errorf("x: %w", &placed{errors.New("a.csv:1:1: bad")}), "x: a.csv:1:1: bad"},
		{&batch.Errors{Problems: []batch.Problem{{File: "a.csv", Line: 2, At: 3, Reason: "bad"}}, Found: 1, Invalid: 1, Rows: 2}, "a.csv:2:3: bad\n1 of 2 rows is invalid; nothing was written"},
	} {
		if got := message(c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
