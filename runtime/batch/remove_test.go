package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

func removal(t *testing.T, store lake.Store, name string) *Removal {
	t.Helper()
	r, err := FindRemoval(context.Background(), store, customers.Table.Schema, loadTime, name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// neighbours are a load of the next hour, one of another name, and objects of nobody.
func neighbours(t *testing.T) *memory {
	store := newMemory()
	o := optionsOf(store)
	o.Name = "eu"
	mustLoad(t, o, dump(100, 110, "active"))
	o = optionsOf(store)
	o.Time = loadTime + 3600000
	mustLoad(t, o, dump(1, 3, "active"))
	for _, name := range []string{"batch_2026081902_00001.parquet", "batch_20260819.parquet", "batch_2026081902_r1_x.parquet", "customer-events+0+0000000000.snappy.parquet", "notes.txt"} {
		store.objects[loadFolder+name] = []byte("of somebody else")
	}
	return store
}

func TestRemoveTakesOneLoadBack(t *testing.T) {
	store := neighbours(t)
	before := store.content()
	o := optionsOf(store)
	o.PartBytes, o.RowGroupRows = 1, batchRows
	mustLoad(t, o, dump(1, 20000, "active"))
	store.objects[loadFolder+"batch_2026081902_r3.parquet"] = []byte("cut off")
	with := store.content()
	r := removal(t, store, "")
	if r.Load != "batch_2026081902" || r.Marker != "mem://"+loadMarker || len(r.Objects) != 4 || r.Rows != 20000 || r.Unread != 1 || r.Resumed || r.Bytes <= 0 {
		t.Errorf("%+v", r)
	}
	if !maps.Equal(store.content(), with) {
		t.Error("looking changed the lake")
	}
	if err := r.Remove(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(store.content(), before) {
		t.Errorf("the lake holds %q, want %q", store.keys(), slices.Sorted(maps.Keys(before)))
	}
	if _, err := FindRemoval(context.Background(), store, customers.Table.Schema, loadTime, ""); !errors.Is(err, ErrNothingToRemove) ||
		err.Error() != `batch_2026081902 of table "customers": nothing of this load is in the lake` {
		t.Error(err)
	}
	if _, err := FindRemoval(context.Background(), store, customers.Table.Schema, loadTime+1, ""); err == nil || errors.Is(err, ErrNothingToRemove) {
		t.Error(err)
	}
	if r := mustLoad(t, optionsOf(store), dump(1, 2, "banned")); r.Generation != 0 || r.Rows != 2 {
		t.Errorf("%+v", r)
	}
}

func TestRemoveLooksAgain(t *testing.T) {
	store := newMemory()
	mustLoad(t, optionsOf(store), dump(1, 3, "active"))
	r := removal(t, store, "")
	o := optionsOf(store)
	o.Replace = true
	mustLoad(t, o, dump(1, 4, "active"))
	before := store.content()
	err := r.Remove(context.Background())
	if err == nil || err.Error() != `batch_2026081902 of table "customers" has changed since it was looked at; nothing was removed: look again` {
		t.Error(err)
	}
	if !maps.Equal(store.content(), before) {
		t.Error("it removed all the same")
	}
}

// Wherever a removal dies: the load is listed as half removed, cannot be loaded, and the
// next removal ends it. Nothing else is touched.
func TestARemovalThatDiesAnywhere(t *testing.T) {
	for _, marked := range []bool{true, false} {
		without := neighbours(t)
		with := newMemory()
		with.objects = maps.Clone(without.objects)
		o := optionsOf(with)
		o.PartBytes, o.RowGroupRows = 1, batchRows
		mustLoad(t, o, dump(1, 20000, "active"))
		if !marked {
			delete(with.objects, loadMarker)
		}
		steps := 0
		for ; ; steps++ {
			store := newMemory()
			store.objects = maps.Clone(with.objects)
			n := 0
			store.fail = func(string, string) error {
				if n++; n > steps {
					return errBrokenStore
				}
				return nil
			}
			err := removal(t, store, "").Remove(context.Background())
			store.fail = nil
			if err == nil {
				break
			}
			if !errors.Is(err, errBrokenStore) {
				t.Fatal(err)
			}
			endRemoval(t, store, steps > 0)
			if !maps.Equal(store.content(), without.content()) {
				t.Fatalf("marked %v, step %d: the lake holds %q", marked, steps, store.keys())
			}
		}
		if steps != 5 { // intent, three objects, marker
			t.Errorf("marked %v: a removal of %d changes", marked, steps)
		}
	}
}

// endRemoval ends a removal that died; begun says whether it had changed anything.
func endRemoval(t *testing.T, store *memory, begun bool) {
	t.Helper()
	if begun {
		checkHalfRemoved(t, store)
	}
	r := removal(t, store, "")
	if r.Resumed != begun {
		t.Errorf("begun %v: %+v", begun, r)
	}
	if err := r.Remove(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func checkHalfRemoved(t *testing.T, store *memory) {
	t.Helper()
	const want = `batch_2026081902 of table "customers" is half removed; end that first: bridge batch remove`
	o := optionsOf(store)
	o.Replace = true
	before := store.content()
	if _, err := Load(context.Background(), customers.Any, []Input{dump(1, 20000, "active")}, o); err == nil || err.Error() != want {
		t.Error(err)
	}
	if _, err := NewWriter(customers.Table, o).Close(context.Background()); err == nil || err.Error() != want {
		t.Error(err)
	}
	if !maps.Equal(store.content(), before) {
		t.Error("a refused load changed the lake")
	}
	entries := list(t, store, customers.Table.Schema, loadTime, loadTime)
	i := slices.IndexFunc(entries, func(e Entry) bool { return e.Load == "batch_2026081902" })
	if i < 0 || entries[i].State != HalfRemoved {
		t.Errorf("%+v", entries)
	}
}

// killRemoval tells the child of the kill test to remove the load.
const killRemoval = "BRIDGE_KILL_REMOVAL"

func killedRemoval(folder string) error {
	store, err := lake.OpenStore(context.Background(), folder, lake.StoreOptions{})
	if err != nil {
		return err
	}
	r, err := FindRemoval(context.Background(), store, customers.Table.Schema, loadTime, "")
	if errors.Is(err, ErrNothingToRemove) {
		return nil
	}
	if err == nil {
		err = r.Remove(context.Background())
	}
	return err
}

// manyObjects is a lake with a load of many objects beside one of another name.
func manyObjects(t *testing.T) (folder string, others []string) {
	t.Helper()
	folder = t.TempDir()
	store, err := lake.OpenStore(context.Background(), folder, lake.StoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Store: store, Time: loadTime, Now: clock, Name: "eu"}
	mustLoad(t, o, dump(1, 3, "active"))
	others = filesBelow(t, folder)
	o.Name = ""
	mustLoad(t, o, dump(1, 3, "active"))
	first := filepath.Join(folder, filepath.FromSlash(loadFolder), "batch_2026081902")
	b, err := os.ReadFile(first + ".parquet")
	if err != nil {
		t.Fatal(err)
	}
	for part := 2; part <= 500; part++ {
		if err := os.WriteFile(fmt.Sprintf("%s_%05d.parquet", first, part), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder, others
}

func filesBelow(t *testing.T, folder string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A removal that is killed at any point is ended by the next one, which touches nothing
// else.
func TestKillRemoval(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var whole time.Duration
	for round := range 3 {
		folder, others := manyObjects(t)
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), killFolder+"="+folder, killRemoval+"=1")
		cmd.Stderr = os.Stderr
		began := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if round == 0 { // undisturbed, for its time
			if err := cmd.Wait(); err != nil {
				t.Fatal(err)
			}
			whole = time.Since(began)
		} else {
			killAfter(cmd, time.Duration(rand.Int64N(int64(whole))))
			if err := killedRemoval(folder); err != nil {
				t.Errorf("round %d, again: %v", round, err)
			}
		}
		if left := filesBelow(t, folder); !slices.Equal(left, others) {
			t.Errorf("round %d: %d files are left, %d are another's", round, len(left), len(others))
		}
	}
}
