package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// markerFolder lies in the table's folder. Trino and Hive ignore names that begin with _.
const markerFolder = "_loads"

// maxMarker bounds what is read as a marker: 64 MiB are some 300,000 objects.
const maxMarker = 64 << 20

// The states of a marker.
const (
	stateIntent   = "intent"   // the objects are being written
	stateComplete = "complete" // all of them are there
	stateRemoving = "removing" // they are being removed
)

// marker is the record of a load in the lake.
type marker struct {
	Format     int          `json:"bridge_load"` // 1
	Table      string       `json:"table"`
	Load       string       `json:"load"` // batch_2026081902_eu
	Name       string       `json:"name,omitempty"`
	Time       string       `json:"time"` // logical time, RFC 3339
	State      string       `json:"state"`
	Checksum   string       `json:"checksum"` // of the decompressed input
	AsOf       string       `json:"as_of"`    // when the dump was taken, RFC 3339
	Generation int          `json:"generation"`
	Rows       int64        `json:"rows"`
	Rejected   int64        `json:"rejected"`
	Objects    []partObject `json:"objects"`
}

// partObject is one object of a load.
type partObject struct {
	Key    string `json:"key"` // from the table's folder on
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// asOf is the marker's as_of; readMarker has checked it.
func (m *marker) asOf() bridge.Timestamp {
	t, _ := parseTime(m.AsOf)
	return t
}

func (m *marker) bytes() (n int64) {
	for _, o := range m.Objects {
		n += o.Bytes
	}
	return n
}

// samePlan reports whether both are one generation of the same bytes.
func (m *marker) samePlan(other *marker) bool {
	if m.Generation != other.Generation || m.AsOf != other.AsOf || len(m.Objects) != len(other.Objects) {
		return false
	}
	for i := range m.Objects {
		if m.Objects[i] != other.Objects[i] {
			return false
		}
	}
	return true
}

// readMarker reads the marker of a load; nil if there is none.
func readMarker(ctx context.Context, store lake.Store, id identity) (*marker, error) {
	key := id.markerKey()
	src, err := store.Open(ctx, key)
	if errors.Is(err, lake.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the load's marker %s: %w", store.URL(key), err)
	}
	defer src.Close()
	if src.Size() > maxMarker {
		return nil, badMarker(store.URL(key), errors.New("it is too large"))
	}
	text := make([]byte, src.Size())
	if n, err := src.ReadAt(text, 0); n < len(text) {
		return nil, fmt.Errorf("reading the load's marker %s: %w", store.URL(key), errors.Join(err, io.ErrUnexpectedEOF))
	}
	m := &marker{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, badMarker(store.URL(key), err)
	}
	return m, m.check(store.URL(key), id)
}

func badMarker(url string, cause error) error {
	return fmt.Errorf("%s is no marker of a load (%w); if nothing else owns it, delete it and load with --replace", url, cause)
}

// check refuses what this version did not write.
func (m *marker) check(url string, id identity) error {
	_, asOfOK := parseTime(m.AsOf)
	switch {
	case m.Format != 1:
		return fmt.Errorf("%s was written by a newer bridgegen (format %d, this one knows 1); update the program", url, m.Format)
	case m.Table != id.schema.Table || m.Load != id.String():
		return badMarker(url, fmt.Errorf("it says %s of table %q, and belongs to %s of %q", m.Load, m.Table, id, id.schema.Table))
	case m.State != stateIntent && m.State != stateComplete && m.State != stateRemoving:
		return badMarker(url, fmt.Errorf("state %q", m.State))
	case !asOfOK:
		return badMarker(url, fmt.Errorf("as_of %q", m.AsOf))
	case m.Generation < 0 || m.Generation > maxGeneration:
		return badMarker(url, fmt.Errorf("generation %d", m.Generation))
	}
	return nil
}

// writeMarker makes m the load's marker.
func writeMarker(ctx context.Context, store lake.Store, id identity, m *marker) error {
	key := id.markerKey()
	text, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = putObject(ctx, store, key, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing the load's marker %s: %w", store.URL(key), err)
	}
	return nil
}

func putObject(ctx context.Context, store lake.Store, key string, content []byte) error {
	staged, err := store.Stage(ctx, key)
	if err != nil {
		return err
	}
	defer staged.Discard()
	if _, err := io.Copy(staged, bytes.NewReader(content)); err != nil {
		return err
	}
	return staged.Commit(ctx)
}

func dateTime(year, month, day, hour int) bridge.Timestamp {
	return bridge.TimestampOf(time.Date(year, time.Month(month), day, hour, 0, 0, 0, time.UTC))
}

func parseTime(text string) (bridge.Timestamp, bool) {
	t, err := time.Parse(time.RFC3339Nano, text)
	return bridge.TimestampOf(t), err == nil && bridge.TimestampOf(t).Valid()
}
