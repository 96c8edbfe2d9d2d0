package lake_test

import (
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// What Trino does not read, no reader of the lake takes (T109, T110).
func TestOnlyDataIsRead(t *testing.T) {
	for below, want := range map[string]bool{
		"year=2026/month=08/day=19/hour=02/batch_2026081902.parquet":             true,
		"year=2026/month=08/day=19/hour=02/customer-events+0+0000000000.parquet": true,
		"year=2026/month=08/day=19/hour=02/_batch.parquet":                       false,
		"year=2026/month=08/day=19/hour=02/.batch.parquet":                       false,
		"year=2026/month=08/day=19/hour=02/deeper/batch.parquet":                 false,
		"year=2026/month=08/day=19/batch.parquet":                                false,
		"_loads/batch_2026081902.json":                                           false,
		"_year=2026/month=08/day=19/hour=02/batch.parquet":                       false,
		"year=2026/month=08/day=19/hour=02/batch.json":                           false,
	} {
		if got := lake.IsData(&bridge.Schema{Dir: "lake", Topic: "customer-events", ByHour: true}, "lake/customer-events/"+below); got != want {
			t.Errorf("%s: %v, want %v", below, got, want)
		}
	}
	if !lake.IsData(&bridge.Schema{Topic: "events"}, "events/year=2026/month=08/day=19/batch_20260819.parquet") {
		t.Error("a table by day, without a folder above")
	}
	if lake.IsData(&bridge.Schema{Topic: "events"}, "other/year=2026/month=08/day=19/batch_20260819.parquet") {
		t.Error("another table's object")
	}
}
