package lake_test

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// cells spells a leaf of a page, a text per level: the value, or its definition level in
// brackets where there is none, with the repetition level in front if it is not 0.
func cells(l *bridge.Leaf, p *bridge.Page, index int) []string {
	c, k := &p.Cols[index], 0
	value := func() string {
		k++
		switch l.Kind {
		case bridge.Bool:
			return strconv.FormatBool(c.U8[k-1] == 1)
		case bridge.Code:
			return l.Values[c.U8[k-1]]
		case bridge.Int32:
			return strconv.Itoa(int(c.I32[k-1]))
		case bridge.Int64:
			return strconv.FormatInt(c.I64[k-1], 10)
		case bridge.Float:
			return fmt.Sprintf("%x", c.F32[k-1])
		case bridge.Double:
			return fmt.Sprintf("%x", c.F64[k-1])
		}
		return strconv.Quote(c.String(k - 1))
	}
	var out []string
	if l.MaxDef == 0 {
		for range p.N {
			out = append(out, value())
		}
	} else {
		lv := &p.Levels[l.Levels]
		for i, d := range lv.Def {
			text := "(" + strconv.Itoa(int(d)) + ")"
			if d == l.MaxDef {
				text = value()
			}
			if l.MaxRep > 0 && lv.Rep[i] > 0 {
				text = strconv.Itoa(int(lv.Rep[i])) + ":" + text
			}
			out = append(out, text)
		}
	}
	if n := c.Len(l.Kind); n != k {
		out = append(out, fmt.Sprintf("and %d values too many", n-k))
	}
	return out
}

// dump is all cells of a file's leaves.
func dump(f *lake.File, s *bridge.Schema, leaves []int) ([][]string, error) {
	if leaves == nil {
		for i := range s.Leaves {
			leaves = append(leaves, i)
		}
	}
	out := make([][]string, len(s.Leaves))
	pages := f.Pages(leaves)
	defer pages.Close()
	rows := int64(0)
	for {
		p, err := pages.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		rows += int64(p.N)
		for _, i := range leaves {
			out[i] = append(out[i], cells(&s.Leaves[i], p, i)...)
		}
	}
	if rows != f.Rows() {
		return nil, fmt.Errorf("%d rows read, the footer says %d", rows, f.Rows())
	}
	return out, nil
}

func dumpBytes(s *bridge.Schema, b []byte, leaves []int) ([][]string, error) {
	f, err := lake.OpenFile(s, bytes.NewReader(b), int64(len(b)), "file.parquet")
	if err != nil {
		return nil, err
	}
	return dump(f, s, leaves)
}

func mustDump(t *testing.T, s *bridge.Schema, b []byte) [][]string {
	t.Helper()
	got, err := dumpBytes(s, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func wantCells(t *testing.T, s *bridge.Schema, got [][]string, want map[string]string) {
	t.Helper()
	for name, cells := range want {
		if text := strings.Join(got[s.LeafNamed(name)], " "); text != cells {
			t.Errorf("column %s:\n got %s\nwant %s", name, text, cells)
		}
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
}
