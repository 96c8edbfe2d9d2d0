package batch

import (
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// item has what customers lacks: an optional column, a default, a name of the source,
// and no version.
type item struct {
	ID       int64
	Name     bridge.Opt[string]
	Priority int32
	At       bridge.Timestamp
	Urgent   bool
	Sys      bridge.System
}

func itemsTable(change func(*bridge.Schema)) *bridge.Table[item] {
	s := itemsSchema()
	if change != nil {
		change(s)
	}
	return &bridge.Table[item]{
		Schema: s, Sys: func(r *item) *bridge.System { return &r.Sys },
		PartitionTime: func(r *item) bridge.Timestamp { return r.Sys.IngestedAt },
		Apply: func(e *bridge.Env, r *item) bool {
			e.Reset()
			if r.Priority < 0 {
				e.Reject(2, "validate", "does not hold: priority >= 0")
			}
			if urgent := r.Priority > 5; urgent != r.Urgent {
				if e.Given.Has(4) {
					e.Differed++
				}
				r.Urgent = urgent
			}
			return len(e.Rejects) == 0
		},
		Set: setItem, AppendText: itemText,
		AppendAvro: func(b []byte, r *item) []byte {
			for col := range s.Fields {
				b = append(itemText(b, r, col), 0, bridge.BoolCode(r.Name.OK))
			}
			return b
		},
		Fill: func(p *bridge.Page, rows []item) { fillItems(s, p, rows) },
		Scan: func(p *bridge.Page, rows []item) { scanItems(s, p, rows) },
	}
}

func setItem(r *item, col int, t *bridge.Text) {
	switch col {
	case 0:
		t.Long(&r.ID)
	case 1:
		if r.Name = (bridge.Opt[string]{}); !t.Null {
			t.String(&r.Name.V)
			r.Name.OK = t.Reason == ""
		}
	case 2:
		t.Int(&r.Priority)
	case 3:
		t.Timestamp(&r.At)
	case 4:
		t.Bool(&r.Urgent)
	}
}

func itemText(b []byte, r *item, col int) []byte {
	switch col {
	case 0:
		return bridge.AppendLongText(b, r.ID)
	case 1:
		return bridge.AppendStringText(b, r.Name.V)
	case 2:
		return bridge.AppendIntText(b, r.Priority)
	case 3:
		return bridge.AppendTimestampText(b, r.At)
	}
	return bridge.AppendBoolText(b, r.Urgent)
}

func fillItems(s *bridge.Schema, p *bridge.Page, rows []item) {
	n := len(rows)
	p.N = n
	c, sys := p.Cols, p.SysFill(s, n)
	id, priority, at, urgent := c[0].Int64s(n), c[2].Int32s(n), c[3].Int64s(n), c[4].Codes(n)
	off, name, def, k := c[1].Offsets(n), c[1].Bytes[:0], p.Levels[0].Defs(n), 0
	for i := range rows {
		r := &rows[i]
		sys.Put(i, &r.Sys)
		id[i], priority[i], at[i], urgent[i] = r.ID, r.Priority, int64(r.At), bridge.BoolCode(r.Urgent)
		if def[i] = bridge.BoolCode(r.Name.OK); r.Name.OK {
			name = append(name, r.Name.V...)
			off[k+1] = uint32(len(name))
			k++
		}
	}
	c[1].Bytes = name
	c[1].Cut(bridge.Bytes, k)
	sys.Done()
}

func scanItems(s *bridge.Schema, p *bridge.Page, rows []item) {
	c, sys, k := p.Cols, p.SysScan(s), 0
	for i := range rows {
		r := &rows[i]
		*r = item{ID: c[0].I64[i], Priority: c[2].I32[i], At: bridge.Timestamp(c[3].I64[i]), Urgent: c[4].U8[i] != 0}
		sys.Get(i, &r.Sys)
		if p.Levels[0].Def[i] != 0 {
			r.Name = bridge.Some(c[1].String(k))
			k++
		}
	}
}

func itemsSchema() *bridge.Schema {
	return &bridge.Schema{
		Table: "items", Record: "Item",
		Fields: []bridge.Field{
			{Name: "id", From: "id", Type: "long", Key: true},
			{Name: "name", From: "fullName", Type: "string", Optional: true},
			{Name: "priority", From: "priority", Type: "int", Default: "7", HasDefault: true},
			{Name: "at", From: "at", Type: "timestamp"},
			{Name: "urgent", From: "urgent", Type: "boolean", Derived: true},
		},
		Leaves: []bridge.Leaf{
			{Path: []string{"id"}, Kind: bridge.Int64, Levels: -1, Field: 0},
			{Path: []string{"name"}, Kind: bridge.Bytes, Logical: "string", MaxDef: 1, Levels: 0, Field: 1},
			{Path: []string{"priority"}, Kind: bridge.Int32, Levels: -1, Field: 2},
			{Path: []string{"at"}, Kind: bridge.Int64, Logical: "timestamp", Levels: -1, Field: 3},
			{Path: []string{"urgent"}, Kind: bridge.Bool, Levels: -1, Field: 4},
			{Path: []string{"_source"}, Kind: bridge.Code, Logical: "string", Values: []string{"batch", "streaming"}, Levels: -1, Field: -1},
			{Path: []string{"_ingested_at"}, Kind: bridge.Int64, Logical: "timestamp", Levels: -1, Field: -1},
			{Path: []string{"_version"}, Kind: bridge.Int64, MaxDef: 1, Levels: 1, Field: -1},
			{Path: []string{"_seq"}, Kind: bridge.Int64, Levels: -1, Field: -1},
		},
		NLevels: 2, Key: []int{0}, Sys: 5, Version: -1, Preferred: bridge.Streaming, MaxFuture: time.Hour,
		PartitionBy: -1, ByHour: true, Topic: "item-events", Codec: "none", BatchSource: "csv", Extra: "refuse", Missing: "refuse",
	}
}
