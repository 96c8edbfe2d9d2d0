package batch

import (
	"errors"
	"io"
	"os"
)

// random is an input that can be read at any place. The whole input is read for its
// checksum first; what is no plain file, or is packed, goes into a temporary file then,
// so the disk must have room for one input at a time, unpacked.
type random struct {
	*os.File
	size int64
	from os.FileInfo // of a file that somebody may write to meanwhile; nil: it is ours
}

// random reads the input through.
func (i *input) random() (*random, error) {
	if i.file != nil {
		info, err := i.file.Stat()
		if err == nil && info.Mode().IsRegular() {
			size, err := i.copyTo(io.Discard)
			return &random{i.file, size, info}, err
		}
	}
	var err error
	if i.kept, err = i.keep(); err != nil {
		return nil, err
	}
	size, err := i.copyTo(i.kept)
	return &random{i.kept, size, nil}, err
}

func (i *input) copyTo(w io.Writer) (size int64, err error) {
	block := make([]byte, windowLen)
	for err == nil {
		var n int
		if err = i.stopped(); err == nil {
			n, err = i.Read(block)
		}
		if _, failed := w.Write(block[:n]); failed != nil {
			return size, failed
		}
		size += int64(n)
	}
	return size, notEOF(err)
}

// unchanged finds a file that was written to between the reading for the checksum and
// the reading of its rows.
func (r *random) unchanged() error {
	if r.from == nil {
		return nil
	}
	now, err := r.Stat()
	if err == nil && (now.Size() != r.from.Size() || !now.ModTime().Equal(r.from.ModTime()) || r.size != now.Size()) {
		err = errors.New("the file changed while it was read; load it again when nobody writes to it")
	}
	return err
}
