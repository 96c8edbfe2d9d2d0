package batch

import (
	"bytes"
	"io"
)

// window is a sliding view of an input.
type window struct {
	src     io.Reader
	buf     []byte
	at, end int
	eof     bool
	line    int64 // of buf[at], from 1
}

func newWindow(src io.Reader) window { return window{src: src, line: 1} }

// bytes is what was read and not skipped.
func (w *window) bytes() []byte { return w.buf[w.at:w.end] }

// skip goes past n bytes and counts their lines.
func (w *window) skip(n int) {
	w.line += int64(bytes.Count(w.buf[w.at:w.at+n], newline))
	w.at += n
}

var newline = []byte{'\n'}

// more reads on; it moves or grows what is there, so slices of bytes die. At the end of
// the input it sets eof.
func (w *window) more() error {
	if w.at > 0 && w.at == w.end || w.at > len(w.buf)/2 {
		w.end = copy(w.buf, w.buf[w.at:w.end])
		w.at = 0
	}
	if w.end == len(w.buf) {
		bigger := make([]byte, max(2*(w.end-w.at), windowLen))
		w.end = copy(bigger, w.buf[w.at:w.end])
		w.buf, w.at = bigger, 0
	}
	for tries := 0; ; tries++ {
		n, err := w.src.Read(w.buf[w.end:])
		w.end += n
		if err == io.EOF {
			w.eof = true
			return nil
		}
		if err != nil || n > 0 {
			return err
		}
		if tries == 100 {
			return io.ErrNoProgress
		}
	}
}
