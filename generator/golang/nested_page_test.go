package golang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/golang/internal/nested"
	"github.com/bridgegen/bridgegen/generator/golang/internal/nesteddeletes"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/bridgetest"
)

// fullPage has values in all that is nested.
func fullPage() *bridge.Page {
	r := valid()
	r.Items = []nested.OrderItems{{Tags: []string{"a", "b"}, Attrs: map[string]int64{"k": 1}, Raw: []byte("raw")}, {Tags: []string{"c"}}}
	r.Events = map[string]nested.OrderEvents{"a": {}, "b": {}}
	r.ShipTo = bridge.Some(nested.OrderShipTo{Kind: nested.OrderShipToKindHome})
	p := bridge.NewPage(nested.Any.Info())
	nested.Table.Fill(p, []nested.Order{r, r})
	return p
}

// Streams of a page that do not fit each other end early, and are found out.
func TestScanOfPagesThatDoNotFit(t *testing.T) {
	s := nested.Any.Info()
	rows := make([]nested.Order, 2)
	for i := range s.NLevels - 1 {
		p := fullPage()
		l := &p.Levels[i]
		if len(l.Rep) == 0 {
			continue
		}
		l.Def, l.Rep = l.Def[:len(l.Def)/2], l.Rep[:len(l.Rep)/2]
		nested.Table.Scan(p, rows)
		p = fullPage()
		for k := range p.Levels[i].Rep {
			p.Levels[i].Rep[k] ^= 1
		}
		nested.Table.Scan(p, rows)
	}
	for i, leaf := range s.Leaves[:s.Sys] {
		if leaf.MaxRep > 0 {
			p := fullPage()
			p.Cols[i] = bridge.Column{}
			nested.Table.Scan(p, rows)
		}
	}
}

func TestPagesOfRowsFit(t *testing.T) {
	for name, table := range tables {
		rows, page := bridgetest.Rows(t, table, 300, 13), bridge.NewPage(table.Info())
		rows.Fill(page, 0, rows.Len())
		if err := table.Info().CheckNested(page); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		page.Levels[3] = bridge.Levels{} // not asked for
		if err := table.Info().CheckNested(page); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPagesThatDoNotFitAreFound(t *testing.T) {
	s := nested.Any.Info()
	stream := func(path string) int {
		for i := range s.Leaves {
			if strings.Join(s.Leaves[i].Path, ".") == path {
				return s.Leaves[i].Levels
			}
		}
		t.Fatalf("no leaf %s", path)
		return -1
	}
	for _, c := range []struct {
		path   string
		change func(l *bridge.Levels)
		want   string
	}{
		{"items.list.element.qty", func(l *bridge.Levels) { l.Put(1, l.Def[0]) }, `column "items": what lies in "list" disagrees about which values are there`},
		{"items.list.element.qty", func(l *bridge.Levels) { l.Def = slices.Clone(l.Def); l.Def[1] = 0 }, `column "items": what lies in "list" disagrees`},
		{"items.list.element.qty", func(l *bridge.Levels) { l.Rep[1] = 0 }, `column "items": what lies in "items" disagrees`},
		{"items.list.element.tags.list.element", func(l *bridge.Levels) { l.Def[1] = 3 }, `column "items": an element of a list is null`},
		{"items.list.element.tags.list.element", func(l *bridge.Levels) { l.Def[0] = 1 }, `column "items": what lies in "element" disagrees`},
		{"items.list.element.discount.percent", func(l *bridge.Levels) { l.Def[0] = 3 }, `column "items": what lies in "discount" disagrees`},
		{"l_int.list.element", func(l *bridge.Levels) { l.Def[0] = 1 }, `column "l_int": an element of a list is null`},
		{"ship_to.geo.lon", func(l *bridge.Levels) { l.Def[0] = 2 }, `column "ship_to": what lies in "geo" disagrees`},
		{"ship_to.geo.lon", func(l *bridge.Levels) { l.Def = l.Def[:1] }, `column "ship_to": what lies in "ship_to" disagrees`},
	} {
		p := fullPage()
		c.change(&p.Levels[stream(c.path)])
		if err := s.CheckNested(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
}

// Of a document a nested value is JSON, and no string that holds JSON.
func TestStateOfNestedTables(t *testing.T) {
	for name, table := range tables {
		rows, got := bridgetest.Rows(t, table, 100, 17), table.NewRows(1)
		for i := range rows.Len() {
			if _, err := bridge.ReadState(table.Info(), got, 0, rows.AppendJSON(nil, i)); err != nil {
				t.Fatalf("%s: row %d: %v", name, i, err)
			}
			sameRow(t, got, 0, rows, i)
		}
	}
	r := nesteddeletes.Order{Status: nesteddeletes.StatusOpen, Sys: bridge.System{Source: bridge.Batch}}
	doc := strings.Replace(string(nesteddeletes.AppendJSON(nil, &r)), `"items":[]`, `"items":"[]"`, 1)
	_, err := bridge.ReadState(nesteddeletes.Any.Info(), nesteddeletes.Any.NewRows(1), 0, []byte(doc))
	if err == nil || !strings.Contains(err.Error(), `column "items": "[]" is wrong: items is a string, not an array`) {
		t.Errorf("%v", err)
	}
}

// Writing a nested row takes no memory of its own, maps in order included.
func TestNestedRowsAreWrittenWithoutAllocations(t *testing.T) {
	rows := bridgetest.Rows(t, nested.Any, 50, 19).(*bridge.RowsOf[nested.Order])
	page, b := bridge.NewPage(nested.Any.Info()), make([]byte, 0, 1<<20)
	var e bridge.Env
	for name, write := range map[string]func(){
		"fill":  func() { nested.Table.Fill(page, rows.R) },
		"avro":  func() { nested.AppendAvro(b, &rows.R[0]) },
		"json":  func() { nested.AppendJSON(b, &rows.R[0]) },
		"apply": func() { nested.Apply(&e, &rows.R[0]) },
	} {
		if n := testing.AllocsPerRun(20, write); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
