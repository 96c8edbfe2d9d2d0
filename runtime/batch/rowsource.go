package batch

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// FormatRows is the Options.Format of inputs that RowsInput made.
const FormatRows = "rows"

// RowSource is a result of named columns, row by row, such as a query's.
type RowSource interface {
	// Columns are the names of the columns, as the source spells them.
	Columns() []string
	// Next reads the next row: a text per column, as CSV would write it, or nil for null.
	// The texts live until the next call. io.EOF after the last row. It returns when the
	// context that it was opened with ends.
	Next() ([][]byte, error)
	Close() error
}

// RowsInput is a RowSource as an input. The checksum is over its names and texts in
// their order, so the same rows are the same input however they were fetched. It opens
// once: where its identity is there already, its rows are kept in a temporary file.
func RowsInput(name string, open func(context.Context) (RowSource, error)) Input {
	return Input{Name: name, Once: true, Open: func(ctx context.Context) (io.ReadCloser, error) {
		ctx, cancel := context.WithCancel(ctx)
		src, err := open(ctx)
		if err != nil {
			cancel()
			return nil, err
		}
		return &rowEncoder{src: src, cancel: cancel}, nil
	}}
}

// rowEncoder writes rows as bytes: the number of columns, their names, then row after
// row. A text stands behind its length plus one, a null is a zero, numbers are uvarints.
type rowEncoder struct {
	cancel context.CancelFunc
	mu     sync.Mutex // Close may come while a Read is under way
	src    RowSource
	begun  bool
	b      []byte
	rest   []byte // of b, not yet read
	err    error
}

func (e *rowEncoder) Read(to []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.rest) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.fill()
	}
	n := copy(to, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// fill encodes rows until there is a block of them.
func (e *rowEncoder) fill() {
	e.b = e.b[:0]
	if !e.begun {
		e.begun = true
		names := e.src.Columns()
		e.b = binary.AppendUvarint(append(e.b, rowsMagic...), uint64(len(names)))
		for _, name := range names {
			e.put([]byte(name))
		}
	}
	for e.err == nil && len(e.b) < windowLen/2 {
		var row [][]byte
		if row, e.err = e.src.Next(); e.err == nil {
			e.b = append(e.b, 1)
			for _, text := range row {
				e.put(text)
			}
		}
	}
	if e.err == io.EOF {
		e.b = append(e.b, 0)
	}
	e.rest = e.b
}

func (e *rowEncoder) put(text []byte) {
	if text == nil {
		e.b = append(e.b, 0)
		return
	}
	e.b = append(binary.AppendUvarint(e.b, uint64(len(text))+1), text...)
}

func (e *rowEncoder) Close() error {
	e.cancel()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rest, e.err = nil, fs.ErrClosed
	return e.src.Close()
}

// rowsMagic begins the bytes of a RowsInput, so that they pass for nothing else.
const rowsMagic = "bridge rows 1\n"

// rowsTable reads what a rowEncoder wrote.
type rowsTable struct {
	window window
	names  []string
	cells  []span // of the row at hand, in window's bytes before the next
	row    []byte
	used   int // bytes of the window that belong to the row at hand
}

// span is a cell in its row; from is negative for a null.
type span struct{ from, to int }

func newRowsReader(s *bridge.Schema, zone *time.Location, file string, src io.Reader) reader {
	return newTableReader(s, zone, file, &rowsTable{window: newWindow(src)})
}

func (t *rowsTable) open() ([]string, error) {
	foreign := false
	head, err := t.parse(func(d []byte) int {
		if len(d) < len(rowsMagic) {
			return 0
		}
		at := len(rowsMagic)
		if string(d[:at]) != rowsMagic {
			foreign = true
			return len(d)
		}
		n, size := binary.Uvarint(d[at:])
		if size <= 0 {
			return 0
		}
		return t.split(d, at+size, int(n))
	})
	if foreign {
		err = errors.New("these are no rows of a query")
	}
	if err != nil {
		return nil, err
	}
	for _, c := range t.cells {
		if c.from < 0 {
			return nil, errors.New("these are no rows of a query: a column has no name")
		}
		t.names = append(t.names, string(head[c.from:c.to]))
	}
	return t.names, nil
}

// parse gives the bytes that size finds whole; size is 0 as long as they are not.
func (t *rowsTable) parse(size func([]byte) int) ([]byte, error) {
	t.window.skip(t.used)
	t.used = 0
	for {
		d := t.window.bytes()
		if n := size(d); n > 0 {
			t.used = n
			return d[:n], nil
		}
		if t.window.eof || len(d) > maxRecord {
			return nil, fmt.Errorf("a row is cut off, or longer than 64 MiB: %w", io.ErrUnexpectedEOF)
		}
		if err := t.window.more(); err != nil {
			return nil, err
		}
	}
}

// split finds n cells behind d[at] and returns the position behind them; 0 if they are
// not all there.
func (t *rowsTable) split(d []byte, at, n int) int {
	t.cells = t.cells[:0]
	for range n {
		length, size := binary.Uvarint(d[at:])
		if size <= 0 || length > uint64(len(d)-at-size)+1 {
			return 0
		}
		at += size
		if length == 0 {
			t.cells = append(t.cells, span{-1, -1})
			continue
		}
		t.cells = append(t.cells, span{at, at + int(length) - 1})
		at += int(length) - 1
	}
	return at
}

func (t *rowsTable) next() (err error) {
	t.row, err = t.parse(func(d []byte) int {
		switch {
		case len(d) == 0:
			return 0
		case d[0] == 0:
			return 1
		}
		return t.split(d, 1, len(t.names))
	})
	if err == nil && t.row[0] == 0 {
		err = t.end()
	}
	return err
}

// end is io.EOF if nothing follows.
func (t *rowsTable) end() error {
	t.window.skip(t.used)
	t.used = 0
	for !t.window.eof {
		if err := t.window.more(); err != nil {
			return err
		}
	}
	if len(t.window.bytes()) > 0 {
		return errors.New("something stands behind the last row")
	}
	return io.EOF
}

// refuse accepts all columns: their texts say what they are.
func (t *rowsTable) refuse(int, *bridge.Field) string { return "" }

func (t *rowsTable) cell(i int) (text []byte, null bool, reason string) {
	c := t.cells[i]
	if c.from < 0 {
		return nil, true, ""
	}
	return t.row[c.from:c.to], false, ""
}
