package sink

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// epoch is what is read of a Kafka partition and not yet in the lake.
type epoch struct {
	span           // end is behind the last record
	buckets        map[bridge.Timestamp]*bucket
	dead           []deadLetter
	records, bytes int64
	began          time.Time // when the first record or marker came
	ending         string    // of a planned epoch's objects; empty: that of the codec
}

// bucket is the part of an epoch that lies in one partition of the lake: one object.
type bucket struct {
	rows  bridge.Rows
	first int64 // offset of its first record
}

type deadLetter struct {
	record *kgo.Record
	cause  string
}

func newEpoch(at int64) *epoch {
	return &epoch{span: span{at, at}, buckets: map[bridge.Timestamp]*bucket{}}
}

// open tells whether something was read.
func (e *epoch) open() bool { return e.end > e.start }

// took counts a record of the epoch. A transaction's marker only has an offset.
func (e *epoch) took(r *kgo.Record) {
	if !e.open() {
		e.began = time.Now()
	}
	if !r.Attrs.IsControl() {
		e.records++
		e.bytes += int64(len(r.Value))
	}
	e.end = r.Offset + 1
}

// add appends row 0 of from to its bucket.
func (e *epoch) add(t bridge.Any, from bridge.Rows, offset int64) {
	folder := t.Info().FloorPartition(from.PartitionTime(0))
	b := e.buckets[folder]
	if b == nil {
		b = &bucket{rows: t.NewRows(0), first: offset}
		e.buckets[folder] = b
	}
	n := b.rows.Len()
	b.rows.Resize(n + 1)
	b.rows.Copy(n, from, 0)
}

// folders are the buckets' partitions of the lake, in order of time.
func (e *epoch) folders() []bridge.Timestamp {
	var all []bridge.Timestamp
	for f := range e.buckets {
		all = append(all, f)
	}
	slices.Sort(all)
	return all
}

// objectWriter writes the objects of one Kafka partition.
type objectWriter struct {
	s         *bridge.Schema
	store     lake.Store
	partition int32
	topicID   string
	file      *lake.Writer
	page      *bridge.Page
}

func newObjectWriter(s *bridge.Schema, store lake.Store, partition int32, topicID string) *objectWriter {
	return &objectWriter{s, store, partition, topicID, lake.NewWriter(s, lake.WriterOptions{}), bridge.NewPage(s)}
}

// pageRows are the rows of a page; one loop over them stays in the cache.
const pageRows = 8192

// write makes the object of a bucket, whole or not at all, and returns its size. The
// same epoch makes the same object again.
func (w *objectWriter) write(ctx context.Context, e *epoch, folder bridge.Timestamp) (size int64, err error) {
	b := e.buckets[folder]
	key := w.s.Prefix() + "/" + w.s.Partition(folder) + "/" + objectName(w.s, w.partition, b.first, e.ending)
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", w.store.URL(key), err)
		}
	}()
	staged, err := w.store.Stage(ctx, key)
	if err != nil {
		return 0, err
	}
	defer staged.Discard()
	w.file.Reset(staged)
	w.describe(e)
	for from := 0; from < b.rows.Len(); from += pageRows {
		b.rows.Fill(w.page, from, min(from+pageRows, b.rows.Len()))
		if err := w.file.WritePage(w.page); err != nil {
			return 0, err
		}
	}
	if err := w.file.Close(); err != nil {
		return 0, err
	}
	size = staged.Size()
	return size, staged.Commit(ctx)
}

func (w *objectWriter) describe(e *epoch) {
	w.file.SetMeta(metaTable, w.s.Table)
	w.file.SetMeta(metaTopicID, w.topicID)
	w.file.SetMeta(metaFirst, strconv.FormatInt(e.start, 10))
	w.file.SetMeta(metaEnd, strconv.FormatInt(e.end, 10))
	w.file.SetMeta(metaObjects, strconv.Itoa(len(e.buckets)))
	w.file.SetMeta(metaRecords, strconv.FormatInt(e.records, 10))
}
