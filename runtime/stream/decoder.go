package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/twmb/franz-go/pkg/sr"
)

// Decoder reads the values of a table's topic. Records of the table's own schema take
// a short way; of other writer schemas, columns are matched by name, promoted as Avro
// allows, and filled with their defaults. It is safe for concurrent use.
type Decoder struct {
	t      bridge.Any
	s      *bridge.Schema
	client *sr.Client
	reader *reader
	broken error // the table's own schema does not parse

	mu    sync.RWMutex
	plans map[int]resolved // by the id of the writer's schema
}

type resolved struct {
	plan *plan
	err  error
}

// NewDecoder decodes rows of t; client finds the writers' schemas.
func NewDecoder(t bridge.Any, client *sr.Client) *Decoder {
	d := &Decoder{t: t, s: t.Info(), client: client, plans: map[int]resolved{}}
	d.reader, d.broken = newReader(d.s)
	return d
}

// Decode reads a record's value into row i of rows, which are of the same table.
// Strings of the row alias value. An *Undecodable belongs into a dead letter topic; an
// *UnknownSchema stops a process that stores rows; any other error (the registry does
// not answer) passes, so the caller tries again.
func (d *Decoder) Decode(ctx context.Context, value []byte, rows bridge.Rows, i int) error {
	if d.broken != nil {
		return d.broken
	}
	switch {
	case value == nil:
		return &Undecodable{"the value is null; a delete is a row with _deleted, not a tombstone"}
	case len(value) < 5 || value[0] != 0:
		return &Undecodable{"the value has no header of the Confluent wire format"}
	}
	id := int(binary.BigEndian.Uint32(value[1:5]))
	p, err := d.plan(ctx, id)
	if err != nil {
		return err
	}
	if p.own {
		return d.own(p, value[5:], rows, i)
	}
	return d.resolve(p, value[5:], rows, i)
}

// plan finds the plan of a writer's schema, once per id.
func (d *Decoder) plan(ctx context.Context, id int) (*plan, error) {
	d.mu.RLock()
	known, ok := d.plans[id]
	d.mu.RUnlock()
	if ok {
		return known.plan, known.err
	}
	schema, err := d.client.SchemaByID(ctx, id)
	switch {
	case said(err, sr.ErrSchemaNotFound):
		return nil, &Undecodable{fmt.Sprintf("the registry has no schema %d", id)}
	case err != nil:
		return nil, fmt.Errorf("schema %d from the registry: %w", id, err)
	case schema.Schema == "":
		return nil, fmt.Errorf("schema %d from the registry: the answer holds no schema; is the URL that of a registry?", id)
	}
	if schema.Type == sr.TypeAvro {
		known.plan, known.err = d.reader.plan(id, schema.Schema)
	} else {
		known.err = &Undecodable{fmt.Sprintf("schema %d is not Avro", id)}
	}
	d.mu.Lock()
	d.plans[id] = known
	d.mu.Unlock()
	return known.plan, known.err
}

// own reads a record of the table's own layout.
func (d *Decoder) own(p *plan, b []byte, rows bridge.Rows, i int) error {
	if err := d.walk(p, b, nil); err != nil {
		return err
	}
	if err := rows.ReadAvro(i, b); err != nil {
		return &Undecodable{err.Error()}
	}
	return nil
}

// walk goes over a record, checks it, and calls take for every value that is not null.
func (d *Decoder) walk(p *plan, b []byte, take func(st *step, at, end int) error) error {
	at, deleted, null := 0, false, ""
	for k := range p.steps {
		st := &p.steps[k]
		value, from := st.branch(b, at)
		if from < 0 {
			return &Undecodable{fmt.Sprintf("column %q %s", st.name, badForm)}
		}
		if !value {
			if st.always {
				return &Undecodable{fmt.Sprintf("column %q is null", st.name)}
			}
			if st.live && null == "" {
				null = st.name
			}
			at = from
			continue
		}
		end, err := st.end(b, from)
		if err != nil {
			return err
		}
		if st.field == len(d.s.Fields)+4 && d.s.Deletes {
			deleted = b[from] == 1
		}
		if take != nil {
			if err := take(st, from, end); err != nil {
				return err
			}
		}
		at = end
	}
	if at != len(b) {
		return &Undecodable{fmt.Sprintf("%d bytes are left over behind the record", len(b)-at)}
	}
	if null != "" && !deleted {
		return &Undecodable{fmt.Sprintf("column %q is null in a row that is no delete", null)}
	}
	return nil
}

// end checks the column's value at b[i:] and returns the position behind it.
func (st *step) end(b []byte, i int) (int, error) {
	if !st.nested() {
		at, bad := st.skip(b, i)
		if bad != "" {
			return at, &Undecodable{fmt.Sprintf("column %q %s", st.name, bad)}
		}
		return at, nil
	}
	at, fault := st.check(b, i)
	if fault.Why != "" {
		return at, &Undecodable{fmt.Sprintf("column %q is wrong: %s%s %s", st.name, st.name, fault.Path, fault.Why)}
	}
	return at, nil
}

// resolve reads a record of another layout.
func (d *Decoder) resolve(p *plan, b []byte, rows bridge.Rows, i int) error {
	rows.Clear(i)
	err := d.walk(p, b, func(st *step, at, end int) error {
		value := b[at:end:end]
		if st.convert != asIs || st.nested() {
			value, _ = st.appendTo(nil, b, at)
		}
		if rows.ReadAvroField(i, st.field, value, 0) != len(value) {
			return &Undecodable{fmt.Sprintf("column %q %s", st.name, badForm)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if rows.Sys(i).Deleted {
		return nil
	}
	if err := d.fill(p, rows, i); err != nil {
		return err
	}
	if p.derive {
		return d.derive(rows, i)
	}
	return nil
}

// fill gives the columns that the writer did not have their defaults.
func (d *Decoder) fill(p *plan, rows bridge.Rows, i int) error {
	for _, col := range p.absent {
		f := &d.s.Fields[col]
		text := bridge.Text{B: []byte(f.Default), Symbols: true}
		if rows.Set(i, col, &text); text.Reason != "" {
			return fmt.Errorf("the default %q of column %q %s; run bridgegen validate", f.Default, f.Name, text.Reason)
		}
	}
	return nil
}

// derive computes derived columns of a row whose writer had none. The system columns
// are the writer's own.
func (d *Decoder) derive(rows bridge.Rows, i int) error {
	sys, env := *rows.Sys(i), bridge.Env{}
	ok := rows.Apply(&env, i)
	*rows.Sys(i) = sys
	if !ok {
		return &Undecodable{(&Invalid{d.s, env.Rejects}).Error()}
	}
	return nil
}

// Permanent tells whether an error of Decode stays the same at another try.
func Permanent(err error) bool {
	var undecodable *Undecodable
	var unknown *UnknownSchema
	return errors.As(err, &undecodable) || errors.As(err, &unknown)
}
