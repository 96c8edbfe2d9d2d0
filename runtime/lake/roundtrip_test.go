package lake_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// allKinds has a column of each kind, required and optional, in a table with deletes:
// stream 0 says which rows live.
func allKinds() *bridge.Schema {
	s := &bridge.Schema{Table: "t", Record: "T", NLevels: 1, Deletes: true, Preferred: bridge.Streaming}
	add := func(name string, kind bridge.Kind, logical, word string, key, optional bool, values ...string) {
		l := bridge.Leaf{Path: []string{name}, Kind: kind, Logical: logical, Values: values, MaxDef: 1, Field: len(s.Fields)}
		switch {
		case key:
			l.MaxDef, l.Levels = 0, -1
		case optional:
			l.Levels = s.NLevels
			s.NLevels++
		}
		s.Leaves = append(s.Leaves, l)
		s.Fields = append(s.Fields, bridge.Field{Name: name, Type: word, Key: key, Optional: optional, Symbols: values})
	}
	add("id", bridge.Int64, "", "long", true, false)
	add("name", bridge.Bytes, "string", "string", true, false)
	for _, optional := range []bool{false, true} {
		suffix := map[bool]string{false: "", true: "_opt"}[optional]
		add("b"+suffix, bridge.Bool, "", "boolean", false, optional)
		add("i"+suffix, bridge.Int32, "", "int", false, optional)
		add("d"+suffix, bridge.Int32, "date", "date", false, optional)
		add("l"+suffix, bridge.Int64, "", "long", false, optional)
		add("t"+suffix, bridge.Int64, "timestamp", "timestamp", false, optional)
		add("f"+suffix, bridge.Float, "", "float", false, optional)
		add("g"+suffix, bridge.Double, "", "double", false, optional)
		add("s"+suffix, bridge.Bytes, "string", "string", false, optional)
		add("y"+suffix, bridge.Bytes, "", "bytes", false, optional)
		add("dec"+suffix, bridge.Bytes, "decimal(38,4)", "decimal(38,4)", false, optional)
		add("e"+suffix, bridge.Code, "string", "enum", false, optional, "a", "bb", "ccc")
		add("one"+suffix, bridge.Code, "string", "enum", false, optional, "only")
	}
	s.Sys = len(s.Leaves)
	s.Leaves = append(s.Leaves,
		bridge.Leaf{Path: []string{"_source"}, Kind: bridge.Code, Logical: "string", Values: []string{"batch", "streaming"}, Levels: -1, Field: -1},
		bridge.Leaf{Path: []string{"_ingested_at"}, Kind: bridge.Int64, Logical: "timestamp", Levels: -1, Field: -1},
		bridge.Leaf{Path: []string{"_version"}, Kind: bridge.Int64, MaxDef: 1, Levels: s.NLevels, Field: -1},
		bridge.Leaf{Path: []string{"_seq"}, Kind: bridge.Int64, Levels: -1, Field: -1},
		bridge.Leaf{Path: []string{"_deleted"}, Kind: bridge.Bool, Levels: -1, Field: -1})
	s.NLevels++
	return s
}

// randomPage draws a page that keeps the promise of the schema.
func randomPage(t *rapid.T, s *bridge.Schema) *bridge.Page {
	p := bridge.NewPage(s)
	p.N = rapid.SampledFrom([]int{1, 2, 7, 8, 9, 31, 127, 129, 700}).Draw(t, "rows")
	src := rapid.Uint64().Draw(t, "seed")
	next := func(n int) int { // pseudo-random, for thousands of values
		src ^= src << 13
		src ^= src >> 7
		src ^= src << 17
		return int(src % uint64(n))
	}
	src |= 1
	dead := make([]uint8, p.N)
	deadIn := rapid.SampledFrom([]int{0, 3, 1}).Draw(t, "one row in so many is a delete")
	spread := rapid.SampledFrom([]int{1, 3, 1 << 20, 1 << 62}).Draw(t, "spread")
	for i := range dead {
		dead[i] = bridge.BoolCode(deadIn > 0 && next(deadIn) == 0)
	}
	levels := make([][]uint8, s.NLevels)
	for i := range s.Leaves {
		l, c := &s.Leaves[i], &p.Cols[i]
		n := p.N
		if l.MaxDef > 0 {
			if levels[l.Levels] == nil {
				def := make([]uint8, p.N)
				for k := range def {
					system := l.Field < 0
					if (system || dead[k] == 0) && (l.Levels == 0 || next(3) > 0) {
						def[k] = 1
					}
				}
				levels[l.Levels] = def
				p.Levels[l.Levels].Def = def
			}
			n = bytes.Count(levels[l.Levels], []byte{1})
		}
		randomValues(l, c, n, next, spread)
	}
	p.Cols[s.Sys+4].U8 = dead
	return p
}

func randomValues(l *bridge.Leaf, c *bridge.Column, n int, next func(int) int, spread int) {
	if l.Kind == bridge.Bytes {
		c.Off = append(c.Off, 0)
	}
	for range n {
		v := next(spread)
		if spread > 1 {
			v -= spread / 2
		}
		switch l.Kind {
		case bridge.Bool:
			c.U8 = append(c.U8, uint8(next(2)))
		case bridge.Code:
			c.U8 = append(c.U8, uint8(next(len(l.Values))))
		case bridge.Int32:
			c.I32 = append(c.I32, int32(v))
		case bridge.Int64:
			c.I64 = append(c.I64, int64(v))
		case bridge.Float:
			c.F32 = append(c.F32, float32(v)/3)
		case bridge.Double:
			c.F64 = append(c.F64, float64(v)/3)
		case bridge.Bytes:
			text := fmt.Sprintf("%*d", next(40), v)
			if l.Logical != "string" && l.Logical != "" {
				text = string(bridge.AppendDecimalBytes(nil, bridge.DecimalOf(int64(v), 4)))
			} else if next(5) == 0 {
				text = ""
			}
			c.Bytes = append(c.Bytes, text...)
			c.Off = append(c.Off, uint32(len(c.Bytes)))
		}
	}
}

func TestPagesComeBackAsTheyWere(t *testing.T) {
	s := allKinds()
	writers := map[string]*lake.Writer{}
	rapid.Check(t, func(t *rapid.T) {
		s.Codec = rapid.SampledFrom([]string{"none", "snappy", "gzip", "zstd"}).Draw(t, "codec")
		groupRows := rapid.SampledFrom([]int{1, 100, 500_000}).Draw(t, "group rows")
		key := fmt.Sprint(s.Codec, groupRows)
		if writers[key] == nil {
			own := *s
			writers[key] = lake.NewWriter(&own, lake.WriterOptions{RowGroupRows: groupRows})
		}
		w := writers[key]
		var out bytes.Buffer
		w.Reset(&out)
		want := make([][]string, len(s.Leaves))
		rows := int64(0)
		for range rapid.IntRange(0, 4).Draw(t, "pages") {
			p := randomPage(t, s)
			for i := range s.Leaves {
				want[i] = append(want[i], cells(&s.Leaves[i], p, i)...)
			}
			rows += int64(p.N)
			if err := w.WritePage(p); err != nil {
				t.Fatal(err)
			}
		}
		w.SetMeta("offset", "1")
		w.SetMeta("offset", "2")
		if w.Rows() != rows {
			t.Fatalf("the writer counts %d rows of %d", w.Rows(), rows)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := dumpBytes(s, out.Bytes(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("column %s:\n got %q\nwant %q", s.Leaves[i].Path, got[i], want[i])
			}
		}
		meta, n, err := lake.ReadMeta(bytes.NewReader(out.Bytes()), int64(out.Len()), "x")
		if err != nil || n != rows || !reflect.DeepEqual(meta, map[string]string{"offset": "2"}) {
			t.Fatalf("footer: %v rows %d of %d, %v", meta, n, rows, err)
		}
	})
}

func TestParquetGoReadsOurFilesAlone(t *testing.T) {
	rows := sample(20_000)
	for i := range rows {
		if i%7 == 0 {
			rows[i].Sys.Version = bridge.Opt[int64]{}
		}
		rows[i].Sys.Source = bridge.Source(1 + i%2)
	}
	want := peers(rows)
	for _, codec := range []string{"none", "snappy", "gzip", "zstd"} {
		s := *customers.Table.Schema
		s.Codec = codec
		var out bytes.Buffer
		writeRows(t, lake.NewWriter(&s, lake.WriterOptions{RowGroupRows: 9000}), bridge.NewPage(&s), &out, rows)
		got, err := parquet.Read[peerRow](bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatalf("%s: %v", codec, err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d rows of %d", codec, len(got), len(want))
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%s: row %d is %+v, want %+v", codec, i, got[i], want[i])
			}
		}
	}
}

// The footer as parquet-go decodes it: types, row groups, nulls and bounds. It prints a
// bare INT64 as INT(64,true).
func TestFooterSaysWhatTheFileHolds(t *testing.T) {
	rows := sample(20_000)
	var out bytes.Buffer
	s := customers.Table.Schema
	writeRows(t, lake.NewWriter(s, lake.WriterOptions{RowGroupRows: 10_000}), bridge.NewPage(s), &out, rows)
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	const schema = `message Customer {
	required int64 id (INT(64,true));
	optional binary email (STRING);
	optional binary status (STRING);
	optional boolean is_active;
	optional int64 created_at (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	optional int64 updated_at (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	required binary _source (STRING);
	required int64 _ingested_at (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	optional int64 _version (INT(64,true));
	required int64 _seq (INT(64,true));
	required boolean _deleted;
}`
	if got := f.Schema().String(); got != schema {
		t.Errorf("schema:\n%s", got)
	}
	if f.Metadata().CreatedBy != "bridgegen" {
		t.Errorf("created by %q", f.Metadata().CreatedBy)
	}
	groups := f.RowGroups()
	if len(groups) != 3 || groups[0].NumRows() != 8192 || groups[2].NumRows() != 20_000-2*8192 {
		t.Fatalf("%d row groups", len(groups))
	}
	g := f.Metadata().RowGroups[1]
	lo, hi := rows[8192].Email, rows[8192].Email
	nulls := int64(0)
	for _, r := range rows[8192:16384] {
		if r.Sys.Deleted {
			nulls++
			continue
		}
		lo, hi = min(lo, r.Email), max(hi, r.Email)
	}
	email, id, status := g.Columns[1].MetaData.Statistics, g.Columns[0].MetaData.Statistics, g.Columns[2].MetaData.Statistics
	if string(email.MinValue) != lo || string(email.MaxValue) != hi || email.NullCount != nulls {
		t.Errorf("email: %q to %q with %d nulls, want %q to %q with %d", email.MinValue, email.MaxValue, email.NullCount, lo, hi, nulls)
	}
	if string(id.MinValue) != "\x00\x20\x00\x00\x00\x00\x00\x00" || string(id.MaxValue) != "\xff\x3f\x00\x00\x00\x00\x00\x00" || id.NullCount != 0 {
		t.Errorf("id: %x to %x", id.MinValue, id.MaxValue)
	}
	if string(status.MinValue) != "active" || string(status.MaxValue) != "suspended" {
		t.Errorf("status: %q to %q", status.MinValue, status.MaxValue)
	}
}

// A long string's page is cut, so that no reader needs it whole, and rows stay in place.
func TestLongStringsAreCutIntoPages(t *testing.T) {
	s := allKinds()
	s.Codec = "snappy"
	var p *bridge.Page
	long := bytes.Repeat([]byte("0123456789abcdef"), 16<<10)
	p = rapid.Custom(func(t *rapid.T) *bridge.Page { return randomPage(t, s) }).Filter(func(p *bridge.Page) bool {
		return p.N >= 127 && p.N < 200 && bytes.Count(p.Levels[0].Def, []byte{1}) > 100
	}).Example(1)
	at := s.LeafNamed("s")
	c := &p.Cols[at]
	n := len(c.Off) - 1
	c.Bytes, c.Off = nil, []uint32{0}
	for i := range n {
		c.Bytes = append(c.Bytes, long[:len(long)-i%3]...)
		c.Off = append(c.Off, uint32(len(c.Bytes)))
	}
	var out bytes.Buffer
	w := lake.NewWriter(s, lake.WriterOptions{})
	w.Reset(&out)
	if err := w.WritePage(p); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := mustDump(t, s, out.Bytes())
	for i := range s.Leaves {
		if want := cells(&s.Leaves[i], p, i); !slices.Equal(got[i], want) {
			t.Errorf("column %s differs", s.Leaves[i].Path)
		}
	}
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	pages := f.RowGroups()[0].ColumnChunks()[at].Pages()
	defer pages.Close()
	count := 0
	for {
		page, err := pages.ReadPage()
		if err != nil {
			break
		}
		if count++; page.Size() > 18<<20 {
			t.Errorf("page %d has %d bytes", count, page.Size())
		}
	}
	if want := n / 64; count <= want {
		t.Errorf("%d values of 256 KiB in %d pages", n, count)
	}
}

func TestWriterRefuses(t *testing.T) {
	s := *customers.Table.Schema
	w := lake.NewWriter(&s, lake.WriterOptions{})
	wantError(t, w.WritePage(&bridge.Page{N: 1}), "Reset")
	var out bytes.Buffer
	fill := func() *bridge.Page {
		w.Reset(&out)
		p := bridge.NewPage(&s)
		customers.Table.Fill(p, sample(100))
		return p
	}
	p := fill()
	p.Cols[2].U8[4] = 255
	wantError(t, w.WritePage(p), `"customers"`, `"status"`, "value 4")
	wantError(t, w.Close(), `"status"`)
	p = fill()
	p.Cols[0].I64 = p.Cols[0].I64[:99]
	wantError(t, w.WritePage(p), `"id"`, "99 values")
	p = fill()
	p.Cols[1].Off = p.Cols[1].Off[:20]
	wantError(t, w.WritePage(p), `"email"`, "19 values")
	p = fill()
	p.Levels[0].Def = p.Levels[0].Def[:50]
	wantError(t, w.WritePage(p), `"email"`, "levels for 50")
	s.Codec = "lzo"
	w = lake.NewWriter(&s, lake.WriterOptions{})
	w.Reset(&out)
	wantError(t, w.WritePage(p), "lzo", "zstd")
	s.Codec = "snappy"
	w = lake.NewWriter(&s, lake.WriterOptions{})
	p = fill()
	w.Reset(brokenWriter{})
	if err := w.WritePage(p); err != nil {
		t.Fatal(err)
	}
	wantError(t, w.Close(), "no space")
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left") }
