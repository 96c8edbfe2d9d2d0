package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// StatePrefix begins every state document; the order follows, OrderWidth characters
// long. What does not begin so was not written by bridgegen.
const StatePrefix = `{"_o":"`

// ReadState reads a state document (AppendJSON's form) into record i of rows. carried
// are the columns, as positions in Schema.Fields, that the document has a member for:
// null is carried, an absent member was unknown to the writer. An absent column reads as
// null, as its default, or as what it is derived from; one that is none of these is an
// error. Members that the schema does not know are skipped, and an unknown symbol
// becomes the column's fallback, if it has one (design, "State in Redis").
func ReadState(s *Schema, rows Rows, i int, doc []byte) (carried Columns, err error) {
	if !bytes.HasPrefix(doc, []byte(StatePrefix)) {
		return nil, fmt.Errorf("it does not begin with %s, so bridgegen did not write it", StatePrefix)
	}
	rows.Clear(i)
	r := stateReader{schema: s, rows: rows, i: i, cell: Text{Symbols: true}}
	if err := r.read(doc); err != nil {
		return nil, err
	}
	return r.carried, r.finish()
}

type stateReader struct {
	schema  *Schema
	rows    Rows
	i       int
	cell    Text
	carried Columns
	nulls   []int // columns that are null and not optional: legal in a delete only
	system  uint8 // required system columns seen, a bit each
}

func (r *stateReader) read(doc []byte) error {
	dec := json.NewDecoder(bytes.NewReader(doc))
	if _, err := dec.Token(); err != nil {
		return notJSON(err)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return notJSON(err)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return notJSON(err)
		}
		if err := r.member(name.(string), raw); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return notJSON(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON document")
	}
	return nil
}

func notJSON(err error) error { return fmt.Errorf("it is no valid JSON document: %w", err) }

func (r *stateReader) member(name string, raw []byte) error {
	if strings.HasPrefix(name, "_") {
		return r.systemMember(name, raw)
	}
	col := r.schema.FieldNamed(name)
	if col < 0 {
		return nil
	}
	f := &r.schema.Fields[col]
	r.carried.Add(col)
	null, text, err := scalar(raw)
	if err != nil {
		return fmt.Errorf("column %q: %w", name, err)
	}
	if f.Parts != nil { // whose text is JSON: a string is no list
		text = raw
	}
	if null && !f.Optional {
		r.nulls = append(r.nulls, col)
		return nil
	}
	r.cell.B, r.cell.Null, r.cell.Reason = text, null, ""
	r.rows.Set(r.i, col, &r.cell)
	if r.cell.Reason != "" && f.Fallback != "" {
		r.cell.B, r.cell.Reason = []byte(f.Fallback), ""
		r.rows.Set(r.i, col, &r.cell)
	}
	if r.cell.Reason != "" {
		return fmt.Errorf("column %q: %s %s", name, raw, r.cell.Reason)
	}
	return nil
}

// scalar is the text of a JSON value: what a string says, and the value itself of
// anything else.
func scalar(raw []byte) (null bool, text []byte, err error) {
	switch raw[0] {
	case 'n':
		return true, nil, nil
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return false, nil, err
		}
		return false, []byte(s), nil
	}
	return false, raw, nil
}

func (r *stateReader) systemMember(name string, raw []byte) error {
	s := r.rows.Sys(r.i)
	null, text, err := scalar(raw)
	if err != nil {
		return fmt.Errorf("column %q: %w", name, err)
	}
	ok := true
	switch name {
	case "_source":
		s.Source = sourceNamed(string(text))
		ok = s.Source != 0
		r.system |= 1
	case "_ingested_at":
		var v int64
		v, ok = long(text)
		s.IngestedAt = Timestamp(v)
		r.system |= 2
	case "_version":
		s.Version = Opt[int64]{}
		if !null {
			s.Version.V, s.Version.OK = long(text)
			ok = s.Version.OK
		}
		r.system |= 4
	case "_seq":
		s.Seq, ok = long(text)
		r.system |= 8
	case "_deleted":
		s.Deleted, ok = string(text) == "true", string(text) == "true" || string(text) == "false"
	}
	if !ok {
		return fmt.Errorf("column %q: %s is no value of it", name, raw)
	}
	return nil
}

func long(text []byte) (int64, bool) {
	v, err := strconv.ParseInt(string(text), 10, 64)
	return v, err == nil
}

func sourceNamed(name string) Source {
	for _, s := range [...]Source{Batch, Streaming} {
		if s.String() == name {
			return s
		}
	}
	return 0
}

// finish judges what only the whole document tells.
func (r *stateReader) finish() error {
	if r.system != 15 {
		return errors.New("it lacks one of _source, _ingested_at, _version, _seq")
	}
	if r.rows.Sys(r.i).Deleted {
		return nil
	}
	for _, col := range r.nulls {
		return fmt.Errorf("column %q %s", r.schema.Fields[col].Name, reasonNull)
	}
	for col := range r.schema.Fields {
		if err := r.absent(col); err != nil {
			return err
		}
	}
	if r.schema.LacksDerived(r.carried) {
		return Derive(r.schema, r.rows, r.i)
	}
	return nil
}

// absent gives a column of a live row that the document does not have its default.
func (r *stateReader) absent(col int) error {
	f := &r.schema.Fields[col]
	switch {
	case r.carried.Has(col), f.Derived, f.Optional:
		return nil
	case !f.HasDefault:
		return fmt.Errorf("column %q is absent, for its writer is older than the column, and has no default to read instead; give it one in the spec", f.Name)
	}
	cell := Text{B: []byte(f.Default)}
	if r.rows.Set(r.i, col, &cell); cell.Reason != "" {
		return fmt.Errorf("column %q: its default %q %s", f.Name, f.Default, cell.Reason)
	}
	return nil
}
