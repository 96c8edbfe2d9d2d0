package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// RowReader reads the rows of one input as a load does, for a road that takes them one
// by one. It is for one goroutine.
type RowReader struct {
	in     *inputs
	src    *input
	reader reader
	schema *bridge.Schema
	record record
	rows   int64
	lost   int // of what the reader floored: in rows that were refused
	before int // what it had floored before the last row
}

// OpenRows opens an input in the format csv, jsonl or parquet (empty: Schema.BatchSource) and
// reads its header. The error is an *Errors if the header is to blame.
func OpenRows(ctx context.Context, s *bridge.Schema, file Input, format string) (*RowReader, error) {
	if format == "" {
		format = s.BatchSource
	}
	open := formats[format]
	if open == nil {
		return nil, unknownFormat(format)
	}
	zone, err := zoneOf(s)
	if err != nil {
		return nil, err
	}
	in, err := newInputs([]Input{file}, "")
	if err != nil {
		return nil, err
	}
	src, err := in.open(ctx, 0, false)
	if err != nil {
		return nil, err
	}
	r := &RowReader{in: in, src: src, schema: s, reader: open(s, zone, file.Name, src)}
	problems, err := r.reader.begin()
	if err == nil && len(problems) > 0 {
		err = &Errors{Problems: problems, Found: int64(len(problems))}
	}
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return r, nil
}

func unknownFormat(format string) error {
	return fmt.Errorf("the format is csv, jsonl or parquet, not %q", format)
}

// zoneOf is the zone of timestamps without an offset; nil where the spec names none.
func zoneOf(s *bridge.Schema) (*time.Location, error) {
	if s.Zone == "" {
		return nil, nil
	}
	zone, err := time.LoadLocation(s.Zone)
	if err != nil {
		return nil, fmt.Errorf("table %q: batch.zone %q: %w", s.Table, s.Zone, err)
	}
	return zone, nil
}

// Next reads the next row into record i of rows, which it empties before. io.EOF after
// the last one; *Invalid if this row does not fit the columns: the next one may. After
// any other error the input cannot be read any further: it is an *Errors with the place
// if the input's text is to blame.
func (r *RowReader) Next(rows bridge.Rows, i int) error {
	rows.Clear(i)
	r.record.reset()
	r.before = r.reader.floored()
	err := r.reader.next(rows, i, &r.record)
	var b *broken
	if errors.As(err, &b) {
		return &Errors{Problems: []Problem{b.Problem}, Found: 1}
	}
	if err != nil {
		return err
	}
	r.rows++
	if len(r.record.problems) > 0 {
		r.lost += r.reader.floored() - r.before
		return &Invalid{append([]Problem(nil), r.record.problems...)}
	}
	return nil
}

// Refused says with its places why a road's Apply refused the row that was read last.
func (r *RowReader) Refused(reasons []bridge.Reject) *Invalid {
	r.lost += r.reader.floored() - r.before
	r.before = r.reader.floored()
	return &Invalid{explained(r.schema, r.reader, r.record.line, reasons)}
}

// Rows is the number of rows read, invalid ones counted. Read is the number of bytes,
// packed as they are.
func (r *RowReader) Rows() int64 { return r.rows }
func (r *RowReader) Read() int64 { return r.in.read.Load() }

// Floored counts the timestamps that were finer than a millisecond, in rows that were not
// refused.
func (r *RowReader) Floored() int64 { return int64(r.reader.floored() - r.lost) }

// Close closes the input.
func (r *RowReader) Close() error { return r.src.Close() }

// Rejects is a file that takes invalid rows whole; see the package's description.
type Rejects struct{ to *rejects }

// CreateRejects makes the file. It is NAME.partial until Close. The error says so if it
// would replace one of the inputs.
func CreateRejects(s *bridge.Schema, path string, inputs ...Input) (*Rejects, error) {
	if err := checkRejects(path, inputs); err != nil {
		return nil, err
	}
	to, err := createRejects(path, comma(s.Delimiter))
	if err != nil {
		return nil, err
	}
	return &Rejects{to}, nil
}

// Begin writes the header of the input that r reads, if it is the first that has one. A
// file without rejects is then as one with them.
func (f *Rejects) Begin(r *RowReader) { f.to.begin(r.reader.title()) }

// Put adds the row that r read last, with the reasons of why.
func (f *Rejects) Put(r *RowReader, why *Invalid) {
	title, _ := r.reader.title()
	f.Begin(r)
	f.to.put(&r.record, title, why.Problems)
}

// Close gives the file its name. The error is the first one of all that were put.
func (f *Rejects) Close() error { return f.to.finish() }

// Discard drops the file; after Close it does nothing.
func (f *Rejects) Discard() { f.to.discard() }

var _ io.Closer = (*RowReader)(nil)
