package batch

import (
	"errors"
	"fmt"
	"io"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// parquetTable reads a Parquet file of any writer. Its values become the text that CSV
// would have, so that one set of rules and messages holds for all inputs.
type parquetTable struct {
	schema  *bridge.Schema
	zone    *time.Location
	name    string
	src     io.Reader
	data    *random
	file    *lake.File
	columns []*lake.Foreign
	shapes  []*shape // by column; nil: not read
	streams []*stream
	byLeaf  []*stream // nil: not read
	pages   *lake.Pages
	held    int   // rows of the page
	at      int   // of them, the row at hand
	rows    int64 // read before the page
	scratch []byte
	err     error // found by cell: the columns of a list disagree
}

func newParquetReader(s *bridge.Schema, zone *time.Location, file string, src io.Reader) reader {
	return newTableReader(s, zone, file, &parquetTable{schema: s, zone: zone, name: file, src: src})
}

func (p *parquetTable) open() (names []string, err error) {
	in, ok := p.src.(interface{ random() (*random, error) })
	if !ok {
		return nil, fmt.Errorf("%s: Parquet is read from a file, not from %T", p.name, p.src)
	}
	if p.data, err = in.random(); err != nil {
		return nil, err
	}
	if p.file, p.columns, err = lake.OpenForeign(p.data, p.data.size, p.name); err != nil {
		return nil, err
	}
	for _, c := range p.columns {
		names = append(names, c.Name)
	}
	p.shapes = make([]*shape, len(names))
	p.byLeaf = make([]*stream, p.file.Leaves())
	return names, nil
}

func (p *parquetTable) refuse(i int, f *bridge.Field) string {
	m := matcher{schema: p.schema, zone: p.zone}
	s, why := m.match(p.columns[i], f)
	if why == "" {
		p.shapes[i] = s
	}
	return why
}

// begin opens the pages of the columns that are read.
func (p *parquetTable) begin() {
	var leaves []int
	for _, s := range p.shapes {
		if s != nil {
			s.each(func(d *lake.Foreign) {
				leaves = append(leaves, d.Leaf)
				p.byLeaf[d.Leaf] = &stream{Foreign: d}
				p.streams = append(p.streams, p.byLeaf[d.Leaf])
			})
		}
	}
	p.pages = p.file.Pages(leaves)
}

func (p *parquetTable) next() error {
	if p.pages == nil {
		p.begin()
	}
	if p.err != nil {
		return p.err
	}
	p.at++
	if p.at >= p.held {
		p.rows += int64(p.held)
		page, err := p.pages.Next()
		if err == io.EOF {
			return p.end()
		}
		if err != nil {
			return err
		}
		for _, s := range p.streams {
			s.open(page)
		}
		p.at, p.held = 0, page.N
	}
	for _, s := range p.streams {
		s.advance()
	}
	return nil
}

// end is io.EOF if all rows came.
func (p *parquetTable) end() error {
	if p.rows != p.file.Rows() {
		return fmt.Errorf("%s: not a readable Parquet file: it has %d rows, its footer says %d", p.name, p.rows, p.file.Rows())
	}
	if err := errors.Join(p.pages.Close(), p.data.unchanged()); err != nil {
		return err
	}
	return io.EOF
}

func (p *parquetTable) cell(i int) (text []byte, null bool, reason string) {
	s := p.shapes[i]
	if s == nil { // a derived column of another type
		return nil, false, "is of another type"
	}
	if s.Leaf >= 0 {
		at := p.byLeaf[s.Leaf]
		if !at.present(at.level) {
			return nil, true, ""
		}
		if s.Is == lake.Chars || s.Is == lake.Blob && s.plain {
			return at.col.Bytes[at.col.Off[at.value]:at.col.Off[at.value+1]], false, ""
		}
		p.scratch, reason = s.text(p.scratch[:0], s, at.col, at.value)
		return p.scratch, false, reason
	}
	j := jsonOf{streams: p.byLeaf, b: p.scratch[:0]}
	null = j.row(s)
	p.scratch = j.b
	if j.broken {
		p.err = fmt.Errorf("%s: not a readable Parquet file: column %q: its parts disagree about which elements are there", p.name, s.Name)
		return nil, false, "is damaged"
	}
	return p.scratch, null, j.reason
}
