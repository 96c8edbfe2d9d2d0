package batch

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// However the source gives its bytes and the reader takes them, they are the same, and
// so is the error behind them.
func TestPumpIsTransparent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOfN(rapid.Byte(), 0, 3000).Draw(t, "content")
		failure := rapid.SampledFrom([]error{nil, errBrokenStore}).Draw(t, "failure")
		var src io.Reader = bytes.NewReader(content)
		if failure != nil {
			src = io.MultiReader(src, iotest.ErrReader(failure))
		}
		wraps := []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader}
		src = wraps[rapid.IntRange(0, len(wraps)-1).Draw(t, "wrap")](src)
		ended := make(chan struct{})
		p := newPump(src, func() { close(ended) })
		got, err := io.ReadAll(iotest.HalfReader(p))
		if !bytes.Equal(got, content) || !errors.Is(err, failure) {
			t.Fatalf("%d bytes of %d, %v", len(got), len(content), err)
		}
		want := failure
		if want == nil {
			want = io.EOF
		}
		if n, again := p.Read(make([]byte, 1)); n != 0 || again != want {
			t.Fatalf("after the end: %d, %v", n, again)
		}
		<-ended
		p.Close()
	})
}

// A pump that nobody reads from ends at Close.
func TestPumpCloses(t *testing.T) {
	ended := make(chan struct{})
	p := newPump(endless{}, func() { close(ended) })
	if _, err := io.ReadFull(p, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	p.Close()
	p.Close()
	<-ended
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }
