package batch

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Input is one file of a load.
type Input struct {
	Name string // for messages
	// Open opens it at its start. Gzip and zstd are recognised by their first bytes. After
	// a failure Close may come while a Read is still under way, as os.File allows it.
	Open func(context.Context) (io.ReadCloser, error)
	// Once says that Open works only once, as for standard input. If the load has to
	// read twice (because its identity is there already), the input is kept in a
	// temporary file.
	Once bool
	Size int64 // bytes that Open's reader has, for Progress; 0: unknown
	// Info is of the file, if it is one: the file of rejects must not replace it.
	Info fs.FileInfo
}

// inputs are the files of a load, in their order.
type inputs struct {
	files   []Input
	tempDir string
	kept    []*os.File    // by file; nil: not kept
	read    *atomic.Int64 // bytes read from the files, before decompression, in this pass
}

func newInputs(files []Input, tempDir string) (*inputs, error) {
	if len(files) == 0 {
		return nil, errors.New("no input: name a file, or - for standard input")
	}
	return &inputs{files: files, tempDir: tempDir, kept: make([]*os.File, len(files)), read: new(atomic.Int64)}, nil
}

// size is the sum of the files' sizes; 0 if one is unknown.
func (in *inputs) size() (n int64) {
	for _, f := range in.files {
		if f.Size <= 0 {
			return 0
		}
		n += f.Size
	}
	return n
}

// close drops what was kept.
func (in *inputs) close() {
	for _, f := range in.kept {
		if f != nil {
			dropKept(f)
		}
	}
}

func dropKept(f *os.File) {
	_ = f.Close()
	_ = os.Remove(f.Name()) // most systems have let go of the name already
}

// keep makes a temporary file. Its name goes at once where the system allows that, so
// that a killed process leaves nothing.
func (in *inputs) keep() (*os.File, error) {
	f, err := os.CreateTemp(in.tempDir, "bridge-input-*")
	if err != nil {
		return nil, fmt.Errorf("keeping the input for a second pass: %w", err)
	}
	_ = os.Remove(f.Name())
	return f, nil
}

// open opens file i for one pass. With again, a file that opens only once is kept for
// a further pass.
func (in *inputs) open(ctx context.Context, i int, again bool) (*input, error) {
	file := in.files[i]
	var src io.Reader
	var closer io.Closer = io.NopCloser(nil)
	if kept := in.kept[i]; kept != nil {
		if _, err := kept.Seek(0, io.SeekStart); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		src = kept
	} else {
		opened, err := file.Open(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		src, closer = opened, opened
		if file.Once && again {
			if in.kept[i], err = in.keep(); err != nil {
				return nil, errors.Join(err, opened.Close())
			}
			src = io.TeeReader(opened, in.kept[i])
		}
	}
	plain, done, err := decompressed(&countingReader{src, in.read})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", file.Name, err), closer.Close())
	}
	sum := sha256.New()
	opened := &input{pump: newPump(io.TeeReader(plain, sum), done), sum: sum, closer: closer, keep: in.keep, stopped: ctx.Err}
	if _, packed := plain.(*unpacking); !packed {
		opened.file, _ = src.(*os.File)
	}
	return opened, nil
}

// input is an open file: its decompressed bytes, and their checksum as they are read.
type input struct {
	*pump
	sum    hash.Hash // whole once Read has said io.EOF
	closer io.Closer
	file   *os.File                 // that Read reads as it is; nil: it is packed, or no file
	keep   func() (*os.File, error) // makes a temporary file
	kept   *os.File                 // what random made

	stopped func() error // not nil: the load was told to stop
}

func (i *input) Close() error {
	i.pump.Close()
	if i.kept != nil {
		dropKept(i.kept)
	}
	return i.closer.Close()
}

type countingReader struct {
	src io.Reader
	n   *atomic.Int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.src.Read(b)
	c.n.Add(int64(n))
	return n, err
}

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// decompressed undoes gzip and zstd. No text begins as they do.
func decompressed(src io.Reader) (plain io.Reader, done func(), err error) {
	b := bufio.NewReaderSize(src, windowLen)
	head, err := b.Peek(len(zstdMagic))
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, nil, damaged("gzip", err)
		}
		return &unpacking{z, "gzip"}, func() {}, nil
	case bytes.HasPrefix(head, zstdMagic):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, nil, damaged("zstd", err)
		}
		return &unpacking{z, "zstd"}, z.Close, nil
	}
	return b, func() {}, nil
}

// unpacking says in people's words what a decompressor stumbles over.
type unpacking struct {
	src    io.Reader
	packer string
}

func (u *unpacking) Read(b []byte) (int, error) {
	n, err := u.src.Read(b)
	return n, damaged(u.packer, err)
}

func damaged(packer string, err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrHeader), errors.Is(err, zstd.ErrMagicMismatch):
		return fmt.Errorf("the %s data is cut off or followed by something else; pack the file again (%w)", packer, err)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch):
		return fmt.Errorf("the %s data is damaged; pack the file again (%w)", packer, err)
	}
	return err
}

// checksum is the checksum of the inputs whose decompressed bytes have these sums: of
// one input its SHA-256; of several the SHA-256 of theirs, one after the other, since
// only so the borders count.
func checksum(sums [][]byte) string {
	if len(sums) == 1 {
		return "sha256:" + hex.EncodeToString(sums[0])
	}
	all := sha256.Sum256(bytes.Join(sums, nil))
	return fmt.Sprintf("sha256x%d:%s", len(sums), hex.EncodeToString(all[:]))
}

// digest reads all inputs for their checksum only.
func (in *inputs) digest(ctx context.Context, tick func()) (string, error) {
	in.read.Store(0)
	var sums [][]byte
	block := make([]byte, windowLen)
	for i := range in.files {
		src, err := in.open(ctx, i, true)
		if err != nil {
			return "", err
		}
		for err == nil {
			if err = ctx.Err(); err == nil {
				_, err = src.Read(block)
			}
			tick()
		}
		if err = errors.Join(notEOF(err), src.Close()); err != nil {
			return "", fmt.Errorf("%s: %w", in.files[i].Name, err)
		}
		sums = append(sums, src.sum.Sum(nil))
	}
	return checksum(sums), nil
}

func notEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
