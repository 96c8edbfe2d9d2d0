package lake_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/parquet-go/parquet-go"
)

// filtered is the table of customers with bloom filters of an integer, a text, an enum
// and a timestamp.
func filtered() *bridge.Schema {
	s := *customers.Table.Schema
	for _, name := range []string{"id", "email", "status", "created_at"} {
		s.Bloom = append(s.Bloom, s.FieldNamed(name))
	}
	return &s
}

func filteredFile(t *testing.T, rows []customers.Customer, groupRows int) []byte {
	t.Helper()
	s := filtered()
	var out bytes.Buffer
	w := lake.NewWriter(s, lake.WriterOptions{RowGroupRows: groupRows})
	w.Reset(&out)
	p := bridge.NewPage(s)
	for part := range slices.Chunk(rows, groupRows) {
		customers.Table.Fill(p, part)
		if err := w.WritePage(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// apart are customers with even ids, in no order.
func apart(n int) []customers.Customer {
	rows := sample(n)
	for i := range rows {
		rows[i].ID = int64(i*7919%n) * 2
		rows[i].Email = fmt.Sprintf("c%d@example.com", rows[i].ID)
		rows[i].CreatedAt = bridge.Timestamp(rows[i].ID * 1000)
		rows[i].Status, rows[i].Sys.Deleted = statuses[i%len(statuses)], false
	}
	return rows
}

// parquet-go alone finds every value in the filters, and hardly any other.
func TestBloomFiltersAsParquetGoReadsThem(t *testing.T) {
	rows := apart(20_000)
	b := filteredFile(t, rows, 5000)
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	s := filtered()
	for g, group := range f.RowGroups() {
		chunks := group.ColumnChunks()
		for leaf := range s.Leaves {
			wanted := slices.Contains(s.Bloom, s.Leaves[leaf].Field)
			if filter := chunks[leaf].BloomFilter(); (filter != nil) != wanted {
				t.Errorf("%v has a filter: %v", s.Leaves[leaf].Path, filter != nil)
			}
		}
		check := func(column string, v any) bool {
			found, err := chunks[s.LeafNamed(column)].BloomFilter().Check(parquet.ValueOf(v))
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		wrong := 0
		for i := range rows[g*5000 : (g+1)*5000] {
			r := &rows[g*5000+i]
			if !check("id", r.ID) || !check("email", r.Email) || !check("created_at", int64(r.CreatedAt)) || !check("status", string(r.Status)) {
				t.Fatalf("group %d: %+v is not in its filters", g, r)
			}
			for _, found := range []bool{check("id", r.ID+1), check("email", "x"+r.Email), check("created_at", int64(r.CreatedAt)+1)} {
				if found {
					wrong++
				}
			}
		}
		if wrong > 3*5000/50 { // 1 in 100 is what the size is for
			t.Errorf("group %d: %d of 15,000 absent values are said to be there", g, wrong)
		}
		if check("status", "unheard of") {
			t.Error("a symbol that no row has")
		}
	}
}

func TestBloomFiltersOfTheSameRowsAreTheSame(t *testing.T) {
	rows := apart(3000)
	if !bytes.Equal(filteredFile(t, rows, 1000), filteredFile(t, rows, 1000)) {
		t.Error("the same rows make other bytes")
	}
}

// keyPage holds one row.
func keyPage(r customers.Customer) *bridge.Page {
	p := bridge.NewPage(customers.Table.Schema)
	customers.Table.Fill(p, []customers.Customer{r})
	return p
}

// No group that holds a row is passed over; most others are.
func TestMayHold(t *testing.T) {
	rows := apart(4000)
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b customers.Customer) int { return int(a.ID - b.ID) })
	theirs := write(t, peers(rows), parquet.MaxRowsPerRowGroup(500), parquet.BloomFilters(parquet.SplitBlockFilter(10, "id"), parquet.SplitBlockFilter(10, "email")))
	bounds := write(t, peers(sorted), parquet.MaxRowsPerRowGroup(500))
	for name, c := range map[string]struct {
		b    []byte
		rows []customers.Customer
	}{"ours": {filteredFile(t, rows, 500), rows}, "sorted": {filteredFile(t, sorted, 500), sorted}, "theirs": {theirs, rows}, "bounds": {bounds, sorted}} {
		f, err := lake.OpenFile(customers.Table.Schema, bytes.NewReader(c.b), int64(len(c.b)), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, leaf := range []int{f0("id"), f0("email")} {
			others, absent := 0, 0
			for i := range c.rows {
				groups, err := f.MayHold([]int{leaf}, keyPage(c.rows[i]))
				if err != nil || len(groups) != 8 || !groups[i/500] {
					t.Fatalf("%s, row %d: %v, %v", name, i, groups, err)
				}
				others += len(yes(groups)) - 1
				missing := c.rows[i]
				missing.ID, missing.Email = missing.ID+1, "d"+missing.Email[1:]
				if groups, err = f.MayHold([]int{leaf}, keyPage(missing)); err != nil {
					t.Fatal(err)
				}
				absent += len(yes(groups))
			}
			if name != "bounds" && others > 7*4000/50 || name == "bounds" && leaf == f0("id") && others > 0 {
				t.Errorf("%s: %d groups were read for nothing", name, others)
			}
			if name != "bounds" && absent > 8*4000/50 {
				t.Errorf("%s: %d groups were read for keys that are not there", name, absent)
			}
		}
	}
}

func f0(name string) int { return customers.Table.Schema.LeafNamed(name) }

func yes(groups []bool) (at []int) {
	for i, ok := range groups {
		if ok {
			at = append(at, i)
		}
	}
	return at
}

// A filter that was damaged, or is of another kind, excludes nothing or is an error; it
// never panics.
func TestDamagedBloomFilter(t *testing.T) {
	rows := apart(200)
	sound := filteredFile(t, rows, 200)
	whole, err := parquet.OpenFile(bytes.NewReader(sound), int64(len(sound)))
	if err != nil {
		t.Fatal(err)
	}
	at := whole.Metadata().RowGroups[0].Columns[f0("id")].MetaData.BloomFilterOffset
	for i := range int64(24) { // the header and a little more
		for bit := range 8 {
			b := slices.Clone(sound)
			b[at+i] ^= 1 << bit
			f, err := lake.OpenFile(customers.Table.Schema, bytes.NewReader(b), int64(len(b)), "file.parquet")
			if err != nil {
				t.Fatal(err)
			}
			if groups, err := f.MayHold([]int{f0("id")}, keyPage(rows[0])); err != nil || len(groups) != 1 {
				t.Errorf("byte %d, bit %d: %v, %v", i, bit, groups, err)
			}
		}
	}
}

// Pages of some groups say where they are.
func TestPagesInSomeGroups(t *testing.T) {
	rows := apart(2000)
	b := filteredFile(t, rows, 500)
	f, err := lake.OpenFile(customers.Table.Schema, bytes.NewReader(b), int64(len(b)), "file.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if got := f.GroupsOf([]int64{0, 499, 1500}); !slices.Equal(got, []bool{true, false, false, true}) {
		t.Error(got)
	}
	pages := f.PagesIn([]bool{false, true, false, true}, []int{f0("id")})
	defer pages.Close()
	var firsts []int64
	for {
		p, err := pages.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		firsts = append(firsts, pages.First())
		for i, id := range p.Cols[f0("id")].I64 {
			if want := rows[int(pages.First())+i].ID; id != want {
				t.Fatalf("row %d is %d, want %d", int(pages.First())+i, id, want)
			}
		}
	}
	if !slices.Equal(firsts, []int64{500, 1500}) {
		t.Errorf("pages begin at %v", firsts)
	}
}
