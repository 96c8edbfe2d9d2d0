package batch

import (
	"bytes"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// rowCells shows an application's record as text, for messages and rejects.
type rowCells struct {
	schema *bridge.Schema
	header []byte
	rows   bridge.Rows
	i      int
	page   *bridge.Page // of record i; it alone tells null from the empty text
	filled bool
}

func newRowCells(s *bridge.Schema) rowCells {
	c := rowCells{schema: s, page: bridge.NewPage(s)}
	for i := range s.Fields {
		if i > 0 {
			c.header = append(c.header, comma(s.Delimiter))
		}
		c.header = append(c.header, s.Fields[i].From...)
	}
	return c
}

// point looks at record i of rows.
func (c *rowCells) point(rows bridge.Rows, i int) { c.rows, c.i, c.filled = rows, i, false }

func (c *rowCells) name() string         { return "" }
func (c *rowCells) title() ([]byte, int) { return c.header, len(c.schema.Fields) }

func (c *rowCells) cell(col int) (at int, text []byte, null, ok bool) {
	text = c.rows.AppendText(nil, c.i, col)
	return 0, text, len(text) == 0 && c.null(col), true
}

// null reports whether column col, whose text is empty, is null.
func (c *rowCells) null(col int) bool {
	if !c.schema.Fields[col].Optional {
		return false
	}
	if !c.filled {
		c.rows.Fill(c.page, c.i, c.i+1)
		c.filled = true
	}
	for _, leaf := range c.schema.Leaves {
		if leaf.Field == col && leaf.Levels >= 0 {
			return c.page.Levels[leaf.Levels].Def[0] < leaf.MaxDef
		}
	}
	return false
}

// line is the record as a line of CSV: null is an empty field, the empty text "".
func (c *rowCells) line() []byte {
	var b []byte
	for col := range c.schema.Fields {
		if col > 0 {
			b = append(b, comma(c.schema.Delimiter))
		}
		_, text, null, _ := c.cell(col)
		switch {
		case null:
		case len(text) == 0 || strings.ContainsAny(string(text), "\"\r\n") || bytes.IndexByte(text, comma(c.schema.Delimiter)) >= 0:
			b = appendQuoted(b, string(text))
		default:
			b = append(b, text...)
		}
	}
	return b
}
