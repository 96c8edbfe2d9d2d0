package batch

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"io"
	"os"
)

// merge reads the rows of sorted runs in one order.
type merge struct {
	heads []*runHead // a heap
	arena []byte
}

// runHead is the row of a run that comes next.
type runHead struct {
	run       int
	src       *bufio.Reader
	key, avro []byte
}

// runBuffer is what is read ahead of a run.
const runBuffer = 64 << 10

func newMerge(f *os.File, runs []span) (*merge, error) {
	m := &merge{}
	for i, r := range runs {
		h := &runHead{run: i, src: bufio.NewReaderSize(io.NewSectionReader(f, int64(r.from), int64(r.to-r.from)), runBuffer)}
		if err := h.advance(); err != nil {
			return nil, err // a run has a row
		}
		m.heads = append(m.heads, h)
	}
	heap.Init(m)
	return m, nil
}

// advance reads the run's next row; io.EOF after the last.
func (h *runHead) advance() (err error) {
	if h.key, err = h.part(h.key); err != nil {
		return err
	}
	h.avro, err = h.part(h.avro)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (h *runHead) part(b []byte) ([]byte, error) {
	n, err := binary.ReadUvarint(h.src)
	if err != nil {
		return b, err
	}
	if uint64(cap(b)) < n {
		b = make([]byte, n, n+n/4)
	}
	b = b[:n]
	_, err = io.ReadFull(h.src, b)
	return b, err
}

// next is the Avro form of the next row. It stays as it is, for rows alias it.
func (m *merge) next() ([]byte, error) {
	if len(m.heads) == 0 {
		return nil, io.EOF
	}
	h := m.heads[0]
	if cap(m.arena)-len(m.arena) < len(h.avro) {
		m.arena = make([]byte, 0, max(arenaBytes, len(h.avro)))
	}
	from := len(m.arena)
	m.arena = append(m.arena, h.avro...)
	avro := m.arena[from:len(m.arena):len(m.arena)]
	switch err := h.advance(); err {
	case nil:
		heap.Fix(m, 0)
	case io.EOF:
		heap.Pop(m)
	default:
		return nil, err
	}
	return avro, nil
}

func (m *merge) Len() int      { return len(m.heads) }
func (m *merge) Swap(i, j int) { m.heads[i], m.heads[j] = m.heads[j], m.heads[i] }
func (m *merge) Push(x any)    { m.heads = append(m.heads, x.(*runHead)) }

// Less compares keys, then runs: an earlier run holds earlier rows of the input.
func (m *merge) Less(i, j int) bool {
	a, b := m.heads[i], m.heads[j]
	if c := bytes.Compare(a.key, b.key); c != 0 {
		return c < 0
	}
	return a.run < b.run
}

func (m *merge) Pop() any {
	last := m.heads[len(m.heads)-1]
	m.heads = m.heads[:len(m.heads)-1]
	return last
}
