package batch

import (
	"strings"
	"testing"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"pgregory.net/rapid"
)

func TestObjectNames(t *testing.T) {
	hourly, daily := itemsSchema(), itemsSchema()
	daily.ByHour = false
	day := bridge.TimestampOf(time.Date(2026, 8, 19, 0, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		id               identity
		generation, part int
		want             string
	}{ // spelled in design §2
		{identity{hourly, loadTime, ""}, 0, 1, "batch_2026081902.parquet"},
		{identity{hourly, loadTime, ""}, 0, 2, "batch_2026081902_00002.parquet"},
		{identity{hourly, loadTime, "eu"}, 0, 1, "batch_2026081902_eu.parquet"},
		{identity{hourly, loadTime, "eu"}, 0, 2, "batch_2026081902_eu_00002.parquet"},
		{identity{hourly, loadTime, ""}, 1, 1, "batch_2026081902_r1.parquet"},
		{identity{daily, day, ""}, 0, 1, "batch_20260819.parquet"},
		{identity{daily, day, "eu"}, 12, 34, "batch_20260819_eu_r12_00034.parquet"},
	} {
		if got := c.id.object(c.generation, c.part); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if got, want := (identity{hourly, loadTime, "eu"}).markerKey(), "item-events/_loads/batch_2026081902_eu.json"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Every name is read as the load that spelled it, and as no other.
func TestObjectNamesAreReadBack(t *testing.T) {
	s := itemsSchema()
	rapid.Check(t, func(t *rapid.T) {
		hour := rapid.Int64Range(0, 1<<23-1).Draw(t, "hour")
		hour = min(hour, int64(bridge.MaxTimestamp)/3600000-1)
		name := rapid.StringMatching(`([a-z][a-z0-9-]{0,8})?`).Draw(t, "name")
		id, err := newIdentity(s, bridge.Timestamp(hour*3600000), name)
		if err != nil {
			if !generationForm.MatchString(name) {
				t.Fatal(err)
			}
			return
		}
		generation, part := rapid.IntRange(0, maxGeneration).Draw(t, "generation"), rapid.IntRange(1, 200000).Draw(t, "part")
		file := id.object(generation, part)
		other, g, p, ok := parseObject(s, file)
		if !ok || other != id || g != generation || p != part {
			t.Fatalf("%s reads as %s, generation %d, part %d, %v", file, other, g, p, ok)
		}
		marker := strings.TrimPrefix(id.markerKey(), s.Prefix()+"/"+markerFolder+"/")
		if other, ok = parseMarker(s, marker); !ok || other != id {
			t.Fatalf("%s reads as %s, %v", marker, other, ok)
		}
	})
}

func TestForeignNamesAreNobodys(t *testing.T) {
	s := itemsSchema()
	for _, file := range []string{
		"batch_2026081902_00001.parquet", "batch_2026081902_2.parquet", "batch_2026081902_r0.parquet", "batch_2026081902_r01.parquet",
		"batch_2026081902_r64.parquet", "batch_20260819.parquet", "batch_2026081925.parquet", "batch_2026023002.parquet",
		"batch_2026081902_EU.parquet", "batch_2026081902_eu_x.parquet", "batch_2026081902.parquet.tmp", "xbatch_2026081902.parquet",
		"batch_2026081902_.parquet", "batch_2026081902__00002.parquet", "batch_2026081902.csv", "item-events+0+0000000000.parquet", "",
	} {
		if id, g, p, ok := parseObject(s, file); ok {
			t.Errorf("%q reads as %s, generation %d, part %d", file, id, g, p)
		}
	}
	for _, folder := range []string{"year=2026/month=08/day=19", "year=2026/month=8/day=19/hour=02", "year=2026/month=08/day=19/hour=24", "year=2026/month=02/day=30/hour=01", ""} {
		if at, ok := parsePartition(s, folder); ok {
			t.Errorf("%q reads as %s", folder, at)
		}
	}
}

func TestIdentitiesRefused(t *testing.T) {
	s := itemsSchema()
	for _, c := range []struct {
		time bridge.Timestamp
		name string
		want string
	}{
		{loadTime + 1, "", "is not the start of an hour"},
		{-3600000, "", "outside the years 1970 to 9999"},
		{bridge.Timestamp(1<<23) * 3600000, "", "too late for _seq"},
		{loadTime, "r2", "not legal"}, {loadTime, "EU", "not legal"}, {loadTime, "e_u", "not legal"}, {loadTime, "2", "not legal"},
		{loadTime, "../x", "not legal"},
	} {
		if _, err := newIdentity(s, c.time, c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %s", c.time, c.name, err, c.want)
		}
	}
	s.ByHour = false
	if _, err := newIdentity(s, loadTime, ""); err == nil || !strings.Contains(err.Error(), "not the start of a day") {
		t.Errorf("an hour of a table by day: %v", err)
	}
}
