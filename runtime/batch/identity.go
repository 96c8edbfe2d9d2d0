package batch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// maxGeneration is the greatest that _seq has room for.
const maxGeneration = 63

// partWidth is the width of part numbers: batch_2026081902.parquet, then _00002.
const partWidth = 5

// identity is what a load is known by, beside its table.
type identity struct {
	schema *bridge.Schema
	time   bridge.Timestamp // start of an hour, or of a day
	name   string           // empty, or as nameForm
}

var (
	nameForm       = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	generationForm = regexp.MustCompile(`^r[0-9]+$`)
)

func newIdentity(s *bridge.Schema, time bridge.Timestamp, name string) (identity, error) {
	unit, example := "day", "2026-08-19"
	if s.ByHour {
		unit, example = "hour", "2026-08-19T02"
	}
	id := identity{s, time, name}
	switch {
	case s.FloorPartition(time) != time:
		return id, fmt.Errorf("the load's time %s is not the start of %s %s in UTC, as table %q is partitioned; write one like %s", time, article(unit), unit, s.Table, example)
	case time < 0 || time > bridge.MaxTimestamp:
		return id, fmt.Errorf("the load's time %s lies outside the years 1970 to 9999", time)
	}
	if name != "" && (!nameForm.MatchString(name) || generationForm.MatchString(name)) {
		return id, fmt.Errorf("the load's name %q is not legal: lower case letters, digits and -, a letter first, and not r and digits, which are generations", name)
	}
	if _, ok := bridge.BatchSeq(id.hour(), 0, 0); !ok {
		return id, fmt.Errorf("the load's time %s is too late for _seq", time)
	}
	return id, nil
}

func article(noun string) string {
	if noun == "hour" {
		return "an"
	}
	return "a"
}

// hour is the logical time in hours since 1970, as _seq takes it.
func (id identity) hour() int64 { return int64(id.time) / 3600000 }

// stamp is the logical time in names: 2026081902, or 20260819.
func stamp(s *bridge.Schema, t bridge.Timestamp) string {
	if s.ByHour {
		return t.Time().Format("2006010215")
	}
	return t.Time().Format("20060102")
}

// String is the load's name everywhere: batch_2026081902 or batch_2026081902_eu.
func (id identity) String() string {
	s := "batch_" + stamp(id.schema, id.time)
	if id.name != "" {
		s += "_" + id.name
	}
	return s
}

// markerKey is the key of the load's marker in the store.
func (id identity) markerKey() string {
	return id.schema.Prefix() + "/" + markerFolder + "/" + id.String() + ".json"
}

// object is the file name of a part, which counts from 1 within a partition.
func (id identity) object(generation, part int) string {
	b := []byte(id.String())
	if generation > 0 {
		b = strconv.AppendInt(append(b, "_r"...), int64(generation), 10)
	}
	if part > 1 {
		b = fmt.Appendf(append(b, '_'), "%0*d", partWidth, part)
	}
	return string(append(b, ".parquet"...))
}

var objectForm = regexp.MustCompile(`^batch_([0-9]+)(?:_([a-z][a-z0-9-]*?))??(?:_r([0-9]+))?(?:_([0-9]+))?\.parquet$`)

// parseObject reads the file name of an object of any load of the table. Not ok unless
// it is spelled exactly as object spells it.
func parseObject(s *bridge.Schema, file string) (id identity, generation, part int, ok bool) {
	m := objectForm.FindStringSubmatch(file)
	if m == nil {
		return id, 0, 0, false
	}
	t, ok := parseStamp(s, m[1])
	if !ok {
		return id, 0, 0, false
	}
	id = identity{s, t, m[2]}
	part = 1
	if m[3] != "" {
		generation, _ = strconv.Atoi(m[3])
	}
	if m[4] != "" {
		part, _ = strconv.Atoi(m[4])
	}
	// Spelling it again also refuses leading zeros, _r0, _00001 and what overflowed.
	return id, generation, part, id.object(generation, part) == file && !generationForm.MatchString(m[2]) && generation <= maxGeneration
}

// parseMarker reads the file name of a marker.
func parseMarker(s *bridge.Schema, file string) (id identity, ok bool) {
	text, isMarker := strings.CutSuffix(file, ".json")
	text, isBatch := strings.CutPrefix(text, "batch_")
	if !isMarker || !isBatch {
		return id, false
	}
	digits, name, named := strings.Cut(text, "_")
	t, ok := parseStamp(s, digits)
	if !ok || named && (!nameForm.MatchString(name) || generationForm.MatchString(name)) {
		return id, false
	}
	return identity{s, t, name}, true
}

func parseStamp(s *bridge.Schema, text string) (bridge.Timestamp, bool) {
	digits := len("2006010215")
	if !s.ByHour {
		digits = len("20060102")
	}
	if len(text) != digits {
		return 0, false
	}
	year, e0 := strconv.Atoi(text[:4])
	month, e1 := strconv.Atoi(text[4:6])
	day, e2 := strconv.Atoi(text[6:8])
	hour, e3 := 0, error(nil)
	if s.ByHour {
		hour, e3 = strconv.Atoi(text[8:])
	}
	if e0 != nil || e1 != nil || e2 != nil || e3 != nil {
		return 0, false
	}
	t := dateTime(year, month, day, hour)
	return t, stamp(s, t) == text
}

var partitionForm = regexp.MustCompile(`^year=([0-9]{4})/month=([0-9]{2})/day=([0-9]{2})(?:/hour=([0-9]{2}))?$`)

// parsePartition reads a folder as Schema.Partition spells it.
func parsePartition(s *bridge.Schema, folder string) (bridge.Timestamp, bool) {
	m := partitionForm.FindStringSubmatch(folder)
	if m == nil {
		return 0, false
	}
	var v [4]int
	for i := range v {
		v[i], _ = strconv.Atoi(m[i+1]) // digits, or no hour
	}
	t := dateTime(v[0], v[1], v[2], v[3])
	return t, s.Partition(t) == folder
}
