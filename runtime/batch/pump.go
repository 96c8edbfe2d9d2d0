package batch

import (
	"io"
	"sync"
)

// pumpBlocks bounds what a pump has read and nobody has taken.
const pumpBlocks = 3

// pump reads src in a goroutine of its own: unpacking and the checksum go on while rows
// are made of what came before. What has come is handed on at once, so an input that
// only drips is no slower.
type pump struct {
	full chan []byte
	free chan []byte
	stop chan struct{}
	once sync.Once
	err  error // why it ended; set before full is closed
	have []byte
	rest []byte // of have, not yet taken
}

// newPump begins to read; it calls ended when it will not read src any more.
func newPump(src io.Reader, ended func()) *pump {
	p := &pump{full: make(chan []byte, pumpBlocks), free: make(chan []byte, pumpBlocks), stop: make(chan struct{})}
	for range pumpBlocks {
		p.free <- make([]byte, windowLen)
	}
	go func() {
		defer ended()
		defer close(p.full)
		p.err = p.run(src)
	}()
	return p
}

func (p *pump) run(src io.Reader) error {
	for {
		var block []byte
		select {
		case block = <-p.free:
		case <-p.stop:
			return io.ErrClosedPipe
		}
		n, err := src.Read(block[:windowLen])
		select {
		case p.full <- block[:n]:
		case <-p.stop:
			return io.ErrClosedPipe
		}
		if err != nil {
			return err
		}
	}
}

func (p *pump) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		if p.have != nil {
			p.free <- p.have
		}
		var ok bool
		if p.have, ok = <-p.full; !ok {
			p.have = nil
			return 0, p.err
		}
		p.rest = p.have
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// Close ends the pump. It does not wait for a read that hangs in src.
func (p *pump) Close() { p.once.Do(func() { close(p.stop) }) }
