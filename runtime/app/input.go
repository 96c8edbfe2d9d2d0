package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bridgegen/bridgegen/runtime/batch"
)

// inputs are the files of a command in the order given, which counts: the later row of
// a key wins. - is standard input.
func (a *program) inputs(ctx context.Context, files []string) ([]batch.Input, error) {
	var inputs []batch.Input
	for _, name := range files {
		if name == "-" {
			in := batch.Input{Name: "stdin", Once: true, Open: func(context.Context) (io.ReadCloser, error) {
				return interruptible(ctx, a.in), nil
			}}
			if file, ok := a.in.(*os.File); ok {
				in.Info, _ = file.Stat() // nil: no file to take care of
			}
			inputs = append(inputs, in)
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; name its files, as in %s/*.csv", name, filepath.ToSlash(filepath.Clean(name)))
		}
		in := batch.Input{Name: name, Info: info, Open: func(context.Context) (io.ReadCloser, error) { return os.Open(name) }}
		if in.Once = !info.Mode().IsRegular(); !in.Once {
			in.Size = info.Size()
		}
		inputs = append(inputs, in)
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

const formatUsage = "csv, jsonl or parquet (default: by the files' names, else the spec's batch.source)"

// formats are what the ends of file names say.
var formats = map[string]string{".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}

// formatOf is the format that the names of all files agree on; empty, for the spec's, if
// one says nothing. Files of different formats are no one input.
func formatOf(files []string) (string, error) {
	format, first, silent := "", "", false
	for _, name := range files {
		one := formatOfName(name)
		switch {
		case one == "":
			silent = true
		case format == "":
			format, first = one, name
		case one != format:
			return "", fmt.Errorf("%s is %s and %s is %s by its name; give files of one format at a time, or say with --format what all of them are", first, format, name, one)
		}
	}
	if silent {
		return "", nil
	}
	return format, nil
}

func formatOfName(name string) string {
	name = strings.ToLower(name)
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	return formats[filepath.Ext(name)]
}
