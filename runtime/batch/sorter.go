package batch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// sortedRows are the rows that are sorted in memory; more are sorted run by run, kept in
// a temporary file as long as the load takes, and merged.
const sortedRows = 16 * batchRows

// sorter puts the rows of a load into the order of partition and key, and rows of one
// key into the order of the input.
type sorter struct {
	schema  *bridge.Schema
	newRows func(n int) bridge.Rows
	tempDir string
	room    int // rows in memory
	key     sortKey
	rows    bridge.Rows // since the last run
	keys    []byte      // of rows, one behind the other
	ends    []int       // of each in keys
	file    *os.File    // nil: no run yet
	runs    []span
	size    int // of file
}

func newSorter(c *settings, newRows func(n int) bridge.Rows) *sorter {
	return &sorter{schema: c.schema, newRows: newRows, tempDir: c.TempDir, room: sortedRows, key: newSortKey(c.schema), rows: newRows(0)}
}

// add takes the first n rows.
func (s *sorter) add(rows bridge.Rows, n int) error {
	at := s.rows.Len()
	s.rows.Resize(at + n)
	for i := range n {
		s.rows.Copy(at+i, rows, i)
	}
	s.keys, s.ends = s.key.append(s.keys, s.ends, rows, n)
	if at+n < s.room {
		return nil
	}
	return s.spill()
}

func (s *sorter) keyOf(i int) []byte {
	from := 0
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.keys[from:s.ends[i]]
}

// order is the sorted order of the rows in memory.
func (s *sorter) order() []int {
	order := make([]int, s.rows.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return bytes.Compare(s.keyOf(a), s.keyOf(b)) })
	return order
}

// spill writes the rows in memory as a run: their keys and their Avro form, each behind
// its length.
func (s *sorter) spill() error {
	if s.rows.Len() == 0 {
		return nil
	}
	if s.file == nil {
		f, err := os.CreateTemp(s.tempDir, "bridge-sort-*")
		if err != nil {
			return fmt.Errorf("sorting the rows: %w", err)
		}
		_ = os.Remove(f.Name()) // where the system allows it, so that a killed process leaves nothing
		s.file = f
	}
	w := bufio.NewWriterSize(s.file, windowLen)
	from, avro := s.size, []byte(nil)
	for _, i := range s.order() {
		avro = s.rows.AppendAvro(avro[:0], i)
		for _, part := range [][]byte{s.keyOf(i), avro} {
			length := binary.AppendUvarint(w.AvailableBuffer(), uint64(len(part)))
			_, _ = w.Write(length) // the first error stays until Flush
			_, _ = w.Write(part)
			s.size += len(length) + len(part)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("sorting the rows: %w", err)
	}
	s.runs = append(s.runs, span{from, s.size})
	s.rows.Resize(0)
	s.rows, s.keys, s.ends = s.newRows(0), s.keys[:0], s.ends[:0] // the old rows' memory goes
	return nil
}

// emit hands out all rows in their order, in batches.
func (s *sorter) emit(ctx context.Context, to func(rows bridge.Rows, n int) error) error {
	if s.file == nil {
		return s.emitMemory(ctx, to)
	}
	if err := s.spill(); err != nil {
		return err
	}
	m, err := newMerge(s.file, s.runs)
	for err == nil {
		out, n := s.newRows(batchRows), 0
		for ; n < batchRows && err == nil; n++ {
			var avro []byte
			if avro, err = m.next(); err == nil {
				err = out.ReadAvro(n, avro)
			}
			if err != nil {
				break
			}
		}
		if n > 0 && (err == nil || err == io.EOF) {
			if failed := errors.Join(ctx.Err(), to(out, n)); failed != nil {
				return failed
			}
		}
	}
	if err != io.EOF {
		return fmt.Errorf("sorting the rows: %w", err)
	}
	return nil
}

func (s *sorter) emitMemory(ctx context.Context, to func(rows bridge.Rows, n int) error) error {
	out := s.newRows(batchRows)
	for part := range slices.Chunk(s.order(), batchRows) {
		for k, i := range part {
			out.Copy(k, s.rows, i)
		}
		if err := errors.Join(ctx.Err(), to(out, len(part))); err != nil {
			return err
		}
	}
	return nil
}

// drop lets go of everything.
func (s *sorter) drop() {
	if s.file != nil {
		dropKept(s.file)
	}
	s.rows, s.keys, s.ends, s.file, s.runs, s.size = s.newRows(0), nil, nil, nil, nil, 0
}
