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
			inputs = append(inputs, batch.Input{Name: "stdin", Once: true, Open: func(context.Context) (io.ReadCloser, error) {
				return interruptible(ctx, a.in), nil
			}})
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; name its files, as in %s/*.csv", name, filepath.ToSlash(filepath.Clean(name)))
		}
		in := batch.Input{Name: name, Open: func(context.Context) (io.ReadCloser, error) { return os.Open(name) }}
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

const formatUsage = "csv or jsonl (default: by the files' names, else the spec's batch.source)"

// formats are what the ends of file names say.
var formats = map[string]string{".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}

// formatOf is the format that the names of all files agree on; empty, for the spec's, if
// they do not or say nothing.
func formatOf(files []string) string {
	format := ""
	for i, name := range files {
		name = strings.ToLower(name)
		for _, packed := range []string{".gz", ".zst"} {
			name = strings.TrimSuffix(name, packed)
		}
		one := formats[filepath.Ext(name)]
		if i > 0 && one != format {
			return ""
		}
		format = one
	}
	return format
}
