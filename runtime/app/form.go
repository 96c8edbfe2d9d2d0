package app

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/spf13/pflag"
)

// inputForm are the flags that say how an input is to be read.
type inputForm struct {
	format string
	csv    batch.CSV
}

func (i *inputForm) flags(f *pflag.FlagSet) {
	f.StringVar(&i.format, "format", "", formatUsage)
	f.StringVar(&i.csv.Delimiter, "delimiter", "", "`character` between the fields of CSV; tab is \\t (default: the spec's batch.delimiter)")
	f.VarPF(&optionalBool{&i.csv.Header}, "header", "", "whether CSV begins with the names of its columns (default: the spec's batch.header)").NoOptDefVal = "true"
}

// of is the format of the files.
func (i *inputForm) of(files []string) (string, error) {
	if i.format != "" {
		return i.format, nil
	}
	return formatOf(files)
}

// optionalBool is a flag that knows whether it was given.
type optionalBool struct{ to *bridge.Opt[bool] }

func (b *optionalBool) Set(text string) error {
	v, err := strconv.ParseBool(text)
	*b.to = bridge.Some(v)
	return err
}

func (b *optionalBool) String() string { return "" }
func (b *optionalBool) Type() string   { return "bool" }

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
