//go:build cgo

package duckdb

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/internal/valuetable"
	"github.com/bridgegen/bridgegen/internal/valuetable/generated/values"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// TestValues lands the table of values by a load and reads it with DuckDB.
func TestValues(t *testing.T) {
	dir, rows := t.TempDir(), valuetable.Rows()
	in := batch.Input{Name: "values.csv", Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(valuetable.CSV(rows))), nil
	}}
	at := bridge.TimestampOf(time.Date(2026, 8, 19, 2, 0, 0, 0, time.UTC))
	if _, err := batch.Load(t.Context(), values.Any, []batch.Input{in}, batch.Options{Store: lake.NewLocal(dir), Time: at}); err != nil {
		t.Fatal(err)
	}
	if read := Compare(t, values.Any, dir); read != len(rows) {
		t.Errorf("%d values landed, %d were compared", len(rows), read)
	}
}
