package serve

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

const isActive = 3 // field and leaf of the derived column

// putOlder lands rows as a writer did that had no is_active or, as the S3 sink does with
// schema.compatibility=BACKWARD, had a null in its place.
func putOlder(t *testing.T, store lake.Store, file string, null bool, rows ...customers.Customer) {
	t.Helper()
	s, page := *customers.Table.Schema, bridge.NewPage(customers.Table.Schema)
	hide(rows...).Fill(page, 0, len(rows))
	s.Leaves = slices.Clone(s.Leaves)
	if null {
		s.Fields = slices.Clone(s.Fields)
		s.Fields[isActive].Optional = true
		s.Leaves[isActive].Levels, s.NLevels = s.NLevels, s.NLevels+1
		page.Levels = append(page.Levels, bridge.Levels{Def: make([]uint8, len(rows))})
		page.Cols[isActive] = bridge.Column{}
	} else {
		s.Leaves, s.Sys = slices.Delete(s.Leaves, isActive, isActive+1), s.Sys-1
		page.Cols = slices.Delete(page.Cols, isActive, isActive+1)
	}
	staged, err := store.Stage(t.Context(), folder+file)
	if err != nil {
		t.Fatal(err)
	}
	w := lake.NewWriter(&s, lake.WriterOptions{})
	w.Reset(staged)
	if err := errors.Join(w.WritePage(page), w.Close(), staged.Commit(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// Rows of a file that is older than a derived column read as if it had been there, with
// the order that they had; so do those of the state, and both beside newer rows.
func TestADerivedColumnThatWasAddedIsDerived(t *testing.T) {
	for name, null := range map[string]bool{"absent": false, "null": true} {
		t.Run(name, func(t *testing.T) {
			store := lake.NewLocal(t.TempDir())
			banned := streamed(2, 5)
			banned.Status, banned.IsActive = customers.StatusBanned, false
			older := []customers.Customer{streamed(1, 10), banned, deleteOf(3, 7)}
			newer := streamed(4, 3)
			putOlder(t, store, "customer-events+0+0000000000.parquet", null, older...)
			put(t, store, "customer-events+0+0000000009.parquet", newer)
			if !older[0].IsActive {
				t.Fatal("the test needs an active row")
			}
			got, _, err := latest(context.Background(), store)
			if err != nil || len(got) != 3 || got[1] != older[0] || got[2] != banned || got[4] != newer {
				t.Errorf("latest: %+v, %v", got, err)
			}
			for _, want := range older {
				a := get(t, Options{Store: store}, want.ID)
				if a.Lake.Row == nil || *a.Lake.Row != want {
					t.Errorf("get: %+v, want %+v", a.Lake, want)
				}
			}
		})
	}
}

// A derivation without a value is said, with the column.
func TestADerivationThatFailsIsSaid(t *testing.T) {
	table := *customers.Table
	table.Apply = func(e *bridge.Env, _ *customers.Customer) bool {
		e.Reset()
		e.Reject(1, "validate", "breaks a rule that is newer than the row")
		e.Reject(isActive, "derive", "overflow")
		return false
	}
	rows := &bridge.RowsOf[customers.Customer]{T: &table, R: []customers.Customer{streamed(1, 1), deleteOf(2, 1)}}
	const want = `column "is_active", which is derived for a row that was written without it, overflow`
	if err := bridge.Derive(table.Schema, rows, 0); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if err := bridge.Derive(table.Schema, rows, 1); err != nil {
		t.Errorf("a delete: %v", err)
	}
}
