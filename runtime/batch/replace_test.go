package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

const (
	loadFolder = "lake/customer-events/year=2026/month=08/day=19/hour=02/"
	loadMarker = "lake/customer-events/_loads/batch_2026081902.json"
)

// dump is a CSV of customers first..last with a status.
func dump(first, last int, status string) Input {
	var b strings.Builder
	b.WriteString("id,email,status,created_at,updated_at\n")
	for id := first; id <= last; id++ {
		fmt.Fprintf(&b, "%d,c%d@example.com,%s,2026-01-01T00:00:00Z,2026-08-18T00:00:00Z\n", id, id, status)
	}
	return text("dump.csv", b.String())
}

func mustLoad(t *testing.T, o Options, inputs ...Input) *Result {
	t.Helper()
	r, err := Load(context.Background(), customers.Any, inputs, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func optionsOf(store *memory) Options { return Options{Store: store, Time: loadTime, Now: clock} }

// loaded is what the objects hold: the newest row of every key, by the one order.
func loaded(t testing.TB, store *memory) map[int64]customers.Customer {
	t.Helper()
	all := map[int64]customers.Customer{}
	for _, r := range readTable(t, customers.Table, store) {
		if old, ok := all[r.ID]; !ok || customers.Compare(&r, &old) > 0 {
			all[r.ID] = r
		}
	}
	return all
}

func TestTheSameInputIsTheSameLoad(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	first := mustLoad(t, o, dump(1, 5, "active"))
	if first.Already || first.Rows != 5 || first.AsOf != bridge.TimestampOf(clock()) || len(first.Objects) != 1 {
		t.Errorf("first: %+v", first)
	}
	if want := []string{loadMarker, loadFolder + "batch_2026081902.parquet"}; !slices.Equal(store.keys(), want) {
		t.Errorf("the lake holds %q, want %q", store.keys(), want)
	}
	before := store.content()
	o.Now = func() time.Time { return clock().Add(24 * time.Hour) }
	again := mustLoad(t, o, dump(1, 5, "active"))
	if !again.Already || again.AsOf != first.AsOf || again.Rows != 5 {
		t.Errorf("again: %+v", again)
	}
	o.Replace = true
	if again = mustLoad(t, o, dump(1, 5, "active")); !again.Already || again.Generation != 0 {
		t.Errorf("again with Replace: %+v", again)
	}
	if !maps.Equal(store.content(), before) {
		t.Error("the same input changed the lake")
	}
	// Into an empty lake, at another time of day, as of the same: byte for byte.
	other := newMemory()
	o.Store, o.AsOf = other, first.AsOf
	mustLoad(t, o, dump(1, 5, "active"))
	if !maps.Equal(other.content(), before) {
		t.Error("the same load into another lake makes other objects")
	}
}

func TestTheMarker(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	o.Name = "eu"
	mustLoad(t, o, dump(1, 5, "active"))
	var m map[string]any
	if err := json.Unmarshal(store.objects["lake/customer-events/_loads/batch_2026081902_eu.json"], &m); err != nil {
		t.Fatal(err)
	}
	object := m["objects"].([]any)[0].(map[string]any)
	// sha256sum of the dump's bytes is the checksum; here its form.
	if m["state"] != "complete" || m["rows"] != 5.0 || m["generation"] != 0.0 || m["as_of"] != "2026-08-19T02:05:00.000Z" ||
		!strings.HasPrefix(m["checksum"].(string), "sha256:") || object["key"] != "year=2026/month=08/day=19/hour=02/batch_2026081902_eu.parquet" {
		t.Errorf("marker: %v", m)
	}
}

func TestOtherInputNeedsReplace(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	mustLoad(t, o, dump(1, 5, "active"))
	before := store.content()
	_, err := Load(context.Background(), customers.Any, []Input{dump(1, 6, "banned")}, o)
	if err == nil || !strings.Contains(err.Error(), "was loaded from other input") || !strings.Contains(err.Error(), "--replace") {
		t.Errorf("other input: %v", err)
	}
	o.AsOf = loadTime
	_, err = Load(context.Background(), customers.Any, []Input{dump(1, 5, "active")}, o)
	if err == nil || !strings.Contains(err.Error(), "another --as-of") {
		t.Errorf("other as_of: %v", err)
	}
	if !maps.Equal(store.content(), before) {
		t.Error("a refused load changed the lake")
	}
}

func TestReplaceIsANewGeneration(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	mustLoad(t, o, dump(1, 5, "active"))
	foreign := map[string][]byte{
		loadFolder + "batch_2026081902_eu.parquet":           []byte("another load"),
		loadFolder + "batch_2026081902_00001.parquet":        []byte("nobody's"),
		loadFolder + "customer-events+0+0000000000.parquet":  []byte("the stream's"),
		loadFolder + "sub/batch_2026081902.parquet":          []byte("not in a partition"),
		"lake/customer-events/batch_2026081902.parquet":      []byte("not in a partition"),
		"lake/customer-events-2/batch_2026081902.parquet":    []byte("another table"),
		"lake/customer-events/_loads/batch_2026081902_x.txt": []byte("nobody's"),
	}
	maps.Copy(store.objects, foreign)
	statuses := []string{"banned", "suspended"}
	o.Replace = true
	for generation := 1; generation <= maxGeneration; generation++ {
		r := mustLoad(t, o, dump(1, 4+generation%2, statuses[generation%2]))
		if r.Generation != generation || r.Replaced != 1 || r.Removed != 0 {
			t.Fatalf("generation %d: %+v", generation, r)
		}
	}
	for key, content := range foreign {
		if string(store.objects[key]) != string(content) {
			t.Errorf("%s was touched", key)
		}
	}
	if _, ok := store.objects[loadFolder+"batch_2026081902_r63.parquet"]; !ok || len(store.objects) != len(foreign)+2 {
		t.Errorf("the lake holds %q", store.keys())
	}
	for key := range foreign {
		delete(store.objects, key)
	}
	for id, r := range loaded(t, store) {
		if want := int64(loadHour)<<40 | 63<<34 | (id - 1); r.Sys.Seq != want || r.Status != customers.StatusSuspended {
			t.Errorf("id %d: %+v, want _seq %d", id, r, want)
		}
	}
	if _, err := Load(context.Background(), customers.Any, []Input{dump(1, 9, "active")}, o); err == nil || !strings.Contains(err.Error(), "replaced 63 times") {
		t.Errorf("a 64th replacement: %v", err)
	}
}

func TestObjectsWithoutMarkerAreNotTouchedUnasked(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	mustLoad(t, o, dump(1, 5, "active"))
	delete(store.objects, loadMarker)
	_, err := Load(context.Background(), customers.Any, []Input{dump(1, 5, "active")}, o)
	if err == nil || !strings.Contains(err.Error(), "no marker") {
		t.Errorf("unmarked: %v", err)
	}
	o.Replace = true
	if r := mustLoad(t, o, dump(1, 5, "banned")); r.Generation != 1 || r.Replaced != 1 || len(loaded(t, store)) != 5 {
		t.Errorf("replaced: %+v", r)
	}
}

func TestADamagedLoadIsRepaired(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	o.PartBytes, o.RowGroupRows = 1, batchRows
	mustLoad(t, o, dump(1, 20000, "active"))
	before := store.content()
	if len(before) < 3 {
		t.Fatalf("the lake holds %q", store.keys())
	}
	delete(store.objects, loadFolder+"batch_2026081902_00002.parquet")
	r := mustLoad(t, o, dump(1, 20000, "active"))
	if r.Already || !maps.Equal(store.content(), before) {
		t.Errorf("%+v; the lake holds %q", r, store.keys())
	}
}

// A spec or program that makes other objects of the same input makes a new generation:
// an object is never written again with other bytes.
func TestTheSameInputWithOtherObjectsIsAGeneration(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	mustLoad(t, o, dump(1, 20000, "active"))
	o.PartBytes, o.RowGroupRows = 1, batchRows
	if r := mustLoad(t, o, dump(1, 20000, "active")); !r.Already {
		t.Errorf("without Replace: %+v", r)
	}
	o.Replace = true
	if r := mustLoad(t, o, dump(1, 20000, "active")); r.Generation != 1 || r.Replaced != 1 || len(r.Objects) < 2 {
		t.Errorf("with Replace: %+v", r)
	}
	if n := len(loaded(t, store)); n != 20000 {
		t.Errorf("%d keys", n)
	}
}

// The process dies before each change of the store in turn; every key that was visible
// stays so, and running the load again makes what an undisturbed one makes.
func TestALoadThatDiesAnywhere(t *testing.T) {
	for _, replace := range []bool{false, true} {
		start := newMemory()
		if replace {
			mustLoad(t, optionsOf(start), dump(1, 30, "active"))
		}
		run := func(store *memory) error {
			o := optionsOf(store)
			o.Replace, o.PartBytes, o.RowGroupRows = replace, 1, batchRows
			_, err := Load(context.Background(), customers.Any, []Input{dump(1, 20000, "banned")}, o)
			return err
		}
		whole := newMemory()
		whole.objects = maps.Clone(start.objects)
		if err := run(whole); err != nil {
			t.Fatal(err)
		}
		for step := 0; ; step++ {
			store := newMemory()
			store.objects = maps.Clone(start.objects)
			n := 0
			store.fail = func(string, string) error {
				if n++; n > step {
					return errBrokenStore
				}
				return nil
			}
			err := run(store)
			store.fail = nil
			visible := loaded(t, store)
			for id := int64(1); replace && id <= 30; id++ {
				if visible[id].ID != id {
					t.Fatalf("replace %v, step %d: key %d is gone", replace, step, id)
				}
			}
			if err == nil {
				if step < 4 {
					t.Errorf("a load of %d changes", step)
				}
				break
			}
			if !errors.Is(err, errBrokenStore) {
				t.Fatal(err)
			}
			if err := run(store); err != nil {
				t.Fatalf("replace %v, step %d, again: %v", replace, step, err)
			}
			if !maps.Equal(store.content(), whole.content()) {
				t.Fatalf("replace %v, step %d: the lake holds %q, want %q", replace, step, store.keys(), whole.keys())
			}
		}
	}
}

// A replacement that died is replaced by another input: nothing of it stays.
func TestAHalfReplacementIsReplaced(t *testing.T) {
	store := newMemory()
	o := optionsOf(store)
	mustLoad(t, o, dump(1, 30, "active"))
	o.Replace, o.PartBytes, o.RowGroupRows = true, 1, batchRows
	deletes := 0
	store.fail = func(op, key string) error {
		if op == "commit" && strings.HasSuffix(key, "_r1_00002.parquet") {
			return errBrokenStore
		}
		return nil
	}
	if _, err := Load(context.Background(), customers.Any, []Input{dump(1, 20000, "banned")}, o); !errors.Is(err, errBrokenStore) {
		t.Fatal(err)
	}
	store.fail = func(op, _ string) error {
		if op == "delete" {
			deletes++
		}
		return nil
	}
	o.Replace = false
	if _, err := Load(context.Background(), customers.Any, []Input{dump(1, 40, "suspended")}, o); err == nil || !strings.Contains(err.Error(), "did not finish") {
		t.Errorf("without Replace: %v", err)
	}
	o.Replace = true
	r := mustLoad(t, o, dump(1, 40, "suspended"))
	if r.Generation != 2 || r.Replaced != deletes || len(r.Objects) != 1 {
		t.Errorf("%+v, %d deletes", r, deletes)
	}
	rows := loaded(t, store)
	if len(rows) != 40 || rows[7].Status != customers.StatusSuspended || len(store.keys()) != 2 {
		t.Errorf("%d rows, the lake holds %q", len(rows), store.keys())
	}
}

// Two processes with different input: the later intent wins, the other one says so.
func TestTwoLoadsOfOneIdentity(t *testing.T) {
	store := newMemory()
	var inner error
	var once bool
	store.fail = func(_, key string) error {
		if strings.HasSuffix(key, ".parquet") && !once {
			once = true
			store.mu.Unlock()
			o := optionsOf(store)
			o.Replace = true
			_, inner = Load(context.Background(), customers.Any, []Input{dump(1, 9, "banned")}, o)
			store.mu.Lock()
		}
		return nil
	}
	_, err := Load(context.Background(), customers.Any, []Input{dump(1, 5, "active")}, optionsOf(store))
	if inner != nil || err == nil || !strings.Contains(err.Error(), "another process loads") {
		t.Errorf("outer: %v, inner: %v", err, inner)
	}
}

// A marker that this version did not write stops everything, and says what to do.
func TestForeignMarkers(t *testing.T) {
	good := newMemory()
	mustLoad(t, optionsOf(good), dump(1, 5, "active"))
	for _, c := range []struct{ from, to, want string }{
		{`"bridge_load": 1`, `"bridge_load": 2`, "was written by a newer bridgegen (format 2, this one knows 1)"},
		{`"table": "customers"`, `"table": "orders"`, `is no marker of a load (it says batch_2026081902 of table "orders"`},
		{`"load": "batch_2026081902"`, `"load": "batch_2026081903"`, "it says batch_2026081903"},
		{`"complete"`, `"perhaps"`, `state "perhaps"`},
		{`"as_of": "2026`, `"as_of": "noon`, `as_of "noon`},
		{`"generation": 0`, `"generation": 64`, "generation 64"},
		{`{`, `[`, "delete it and load with --replace"},
	} {
		store := newMemory()
		store.objects = maps.Clone(good.objects)
		store.objects[loadMarker] = []byte(strings.Replace(string(good.objects[loadMarker]), c.from, c.to, 1))
		before := store.content()
		o := optionsOf(store)
		o.Replace = true
		_, err := Load(context.Background(), customers.Any, []Input{dump(1, 6, "active")}, o)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "mem://"+loadMarker) {
			t.Errorf("%s: %v, want %s", c.to, err, c.want)
		}
		if !maps.Equal(before, store.content()) {
			t.Errorf("%s: the lake was changed", c.to)
		}
	}
}

// A table with CDC never takes a version above the load's as_of: an application clock
// that is ahead would outlive a later delete (design, _version).
func TestVersionsStayBelowAsOfWithCDC(t *testing.T) {
	for _, cdc := range []bool{false, true} {
		store := newMemory()
		table := customersTable(func(s *bridge.Schema) { s.CDC = cdc })
		in := text("dump.csv", "id,email,status,created_at,updated_at\n1,a@b,active,2026-01-01T00:00:00Z,2026-08-19T02:30:00Z\n")
		if _, err := Load(context.Background(), table, []Input{in}, optionsOf(store)); err != nil {
			t.Fatal(err)
		}
		want := bridge.TimestampOf(clock())
		if !cdc {
			want = bridge.TimestampOf(clock().Add(25 * time.Minute))
		}
		if got := loaded(t, store)[1]; bridge.Timestamp(got.Sys.Version.V) != want || got.UpdatedAt != bridge.TimestampOf(clock().Add(25*time.Minute)) {
			t.Errorf("cdc %v: %+v, want version %s", cdc, got, want)
		}
	}
}
