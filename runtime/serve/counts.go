package serve

import bridge "github.com/bridgegen/bridgegen/runtime"

// Counts are the rows of the lake, before and after dedup.
type Counts struct {
	Batch, Streaming SourceCounts
}

// SourceCounts are the rows that came by one road.
type SourceCounts struct {
	Rows    int64 // in the files
	Winners int64 // newest of their key, deletes included
	Deleted int64 // of the winners: deletes
}

// Rows are all rows in the files.
func (c *Counts) Rows() int64 { return c.Batch.Rows + c.Streaming.Rows }

// Keys are the distinct keys, deleted ones included: the rows after dedup.
func (c *Counts) Keys() int64 { return c.Batch.Winners + c.Streaming.Winners }

// Deleted are the keys whose newest row is a delete.
func (c *Counts) Deleted() int64 { return c.Batch.Deleted + c.Streaming.Deleted }

// Live are the keys that are there.
func (c *Counts) Live() int64 { return c.Keys() - c.Deleted() }

func (c *Counts) winner(s *bridge.Schema, e *entry) {
	streaming := s.Preferred == bridge.Streaming
	if e.row&preferred == 0 {
		streaming = !streaming
	}
	of := &c.Batch
	if streaming {
		of = &c.Streaming
	}
	of.Winners++
	if e.row&deleted != 0 {
		of.Deleted++
	}
}
