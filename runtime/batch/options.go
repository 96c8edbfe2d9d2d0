package batch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// Options say what a load is and how it behaves.
type Options struct {
	Store lake.Store
	Time  bridge.Timestamp // logical time: the start of an hour, or of a day where the table is partitioned by day
	Name  string           // of one of several loads of one time, which must hold disjoint keys
	// AsOf is when the dump was taken; 0: TakenAt when the load first began.
	AsOf bridge.Timestamp
	// TakenAt is when the input was taken, where that is known but need not be the same at
	// every run; 0: the clock.
	TakenAt bridge.Timestamp
	Replace bool   // another input of this identity replaces what is there
	DryRun  bool   // fail as the load would, write nothing to the lake
	Format  string // csv, jsonl, parquet, or FormatRows; empty: Schema.BatchSource

	CSV CSV

	Rejects    string // file that takes invalid rows; empty: an invalid row stops the load
	MaxRejects string // most rows that may be rejected: "100" or "2%"; empty: no limit
	MaxErrors  int    // problems that an Errors lists; 0: 20

	PartBytes    int64  // size at which an object ends, up to a row group more; 0: Schema.PartBytes, else 128 MiB
	RowGroupRows int    // rows of a row group, which lies in memory; 0: Schema.RowGroupRows, else lake's default; less where a load spans partitions
	SortByKey    bool   // rows lie by key within a partition, whatever the schema says; rows of one key as they came
	TempDir      string // for an input that must be read twice and cannot; empty: the system's

	Now      func() time.Time // nil: time.Now
	Progress func(Progress)   // called about ten times a second, by the goroutine that loads
}

// MinAsOf is the earliest Options.AsOf, 1970-01-02: 0 says that none is given, and what
// lies near it is a number that was lost.
const MinAsOf bridge.Timestamp = 24 * 60 * 60 * 1000

const (
	defaultPartBytes = 128 << 20
	defaultMaxErrors = 20
	batchRows        = 8192
)

// CSV says how CSV is read, over what the schema says.
type CSV struct {
	Delimiter string           // between fields: , ; | or a tab; empty: Schema.Delimiter
	Header    bridge.Opt[bool] // whether the first record names the columns; not set: Schema.NoHeader
}

// delimiters are those that a CSV can have.
var delimiters = []string{",", ";", "|", "\t"}

// Over is the schema with c over it.
func (c CSV) Over(s *bridge.Schema) (*bridge.Schema, error) {
	if c == (CSV{}) {
		return s, nil
	}
	over := *s
	if c.Delimiter != "" {
		over.Delimiter = strings.ReplaceAll(c.Delimiter, `\t`, "\t")
		if !slices.Contains(delimiters, over.Delimiter) {
			return nil, fmt.Errorf("the delimiter %q is none; write one of , ; | or \\t", c.Delimiter)
		}
	}
	if c.Header.OK {
		over.NoHeader = !c.Header.V
	}
	return &over, nil
}

// Progress is how far a load is.
type Progress struct {
	Stage    string // checking, reading or writing
	Rows     int64  // rows read
	Rejected int64
	Read     int64 // bytes of the inputs, packed as they are
	Total    int64 // of Read; 0: unknown
	Objects  int   // objects written, while writing
	Elapsed  time.Duration
}

// Result is what a load did.
type Result struct {
	Rows, Rejected int64
	Objects        []Object
	Bytes          int64 // of all objects
	Generation     int   // how often this identity was replaced
	AsOf           bridge.Timestamp
	Already        bool  // the same input was complete before; nothing was done
	Replaced       int   // objects of earlier generations, removed
	Removed        int   // objects that an unfinished run left, removed
	Floored        int64 // timestamps that were finer than a millisecond
	Differed       int64 // rows that carried another value of a derived column
	Elapsed        time.Duration
}

// Object is one object of a load.
type Object struct {
	URL  string // for people
	Key  string // in the store
	Rows int64
	Size int64 // bytes
}

// settings are Options with every default resolved.
type settings struct {
	Options
	schema *bridge.Schema
	id     identity
	limit  limit
	zone   *time.Location
}

func newSettings(s *bridge.Schema, o Options) (*settings, error) {
	s, err := o.CSV.Over(s)
	if err != nil {
		return nil, err
	}
	c := &settings{Options: o, schema: s}
	if c.id, err = newIdentity(s, o.Time, o.Name); err != nil {
		return nil, err
	}
	if c.limit, err = parseLimit(o.MaxRejects); err != nil {
		return nil, err
	}
	if c.Format == "" {
		c.Format = s.BatchSource
	}
	if c.PartBytes <= 0 {
		c.PartBytes = cmp.Or(s.PartBytes, defaultPartBytes)
	}
	if c.RowGroupRows <= 0 {
		c.RowGroupRows = s.RowGroupRows
		if s.PartitionBy >= 0 && (c.RowGroupRows <= 0 || c.RowGroupRows > sharedGroupRows) {
			c.RowGroupRows = sharedGroupRows
		}
	}
	c.SortByKey = c.SortByKey || s.SortByKey
	if c.MaxErrors <= 0 {
		c.MaxErrors = defaultMaxErrors
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.zone, err = zoneOf(s); err != nil {
		return nil, err
	}
	if o.Store == nil {
		return nil, errors.New("batch: Options.Store is nil; open one with lake.OpenStore")
	}
	if o.AsOf != 0 && o.AsOf < MinAsOf || !o.AsOf.Valid() {
		return nil, fmt.Errorf("as_of (%d ms since 1970) lies outside %s to the year 9999; it is when the dump was taken", int64(o.AsOf), MinAsOf)
	}
	return c, nil
}

// env is what Apply needs for rows of a dump taken at asOf.
func (c *settings) env(asOf bridge.Timestamp) bridge.Env {
	e := bridge.Env{Horizon: asOf + bridge.Timestamp(c.schema.MaxFuture.Milliseconds())}
	if c.schema.CDC {
		e.VersionCap = asOf
	}
	return e
}
