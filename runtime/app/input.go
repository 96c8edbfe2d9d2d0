package app

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
)

// inputs are the files of a command in the order given, which counts: the later row of
// a key wins. - is standard input; a pattern stands for the files that it matches, in the
// order of their names; s3://bucket/key and patterns of keys are read from S3.
func (a *program) inputs(ctx context.Context, t *bridge.Schema, names []string) ([]batch.Input, error) {
	var inputs []batch.Input
	for _, name := range names {
		found, err := a.input(ctx, t, name)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, found...)
	}
	return inputs, nil
}

func (a *program) input(ctx context.Context, t *bridge.Schema, name string) ([]batch.Input, error) {
	switch {
	case name == "-":
		in := batch.Input{Name: "stdin", Once: true, Open: func(context.Context) (io.ReadCloser, error) {
			return interruptible(ctx, a.in), nil
		}}
		if file, ok := a.in.(*os.File); ok {
			in.Info, _ = file.Stat() // nil: no file to take care of
		}
		return []batch.Input{in}, nil
	case strings.HasPrefix(name, "s3://"):
		return a.objects(ctx, t, name)
	}
	info, err := os.Stat(name)
	if err != nil && strings.ContainsAny(name, patternChars) {
		return matching(name)
	}
	if err != nil {
		return nil, err
	}
	in, err := fileInput(name, info)
	return []batch.Input{in}, err
}

func fileInput(name string, info fs.FileInfo) (batch.Input, error) {
	if info.IsDir() {
		return batch.Input{}, fmt.Errorf("%s is a folder; name its files, as in %s/*.csv", name, filepath.ToSlash(filepath.Clean(name)))
	}
	in := batch.Input{Name: name, Info: info, Open: func(context.Context) (io.ReadCloser, error) { return os.Open(name) }}
	if in.Once = !info.Mode().IsRegular(); !in.Once {
		in.Size = info.Size()
	}
	return in, nil
}

// patternChars make a name a pattern, as path.Match reads it.
const patternChars = "*?["

// matching are the files of a pattern that no shell has resolved. Folders are passed over.
func matching(pattern string) (inputs []batch.Input, err error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: it is no pattern: %w", pattern, err)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			continue
		}
		in, err := fileInput(name, info)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("%s: no file matches the pattern", pattern)
	}
	return inputs, nil
}

// interruptible is src, whose reads end with ctx: standard input may never say anything
// again, and a signal has to stop the command all the same.
func interruptible(ctx context.Context, src io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(w, src)
		stop()
		w.CloseWithError(err)
	}()
	return r
}
