package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/batch/postgres"
	"github.com/spf13/pflag"
)

// querySource is a database instead of files.
type querySource struct{ url, query, file string }

func (q *querySource) flags(f *pflag.FlagSet) {
	f.StringVar(&q.query, "query", "", "load the result of this `select` of PostgreSQL instead of files, as of its snapshot; order it, so that the same rows are the same input")
	f.StringVar(&q.file, "query-file", "", "the same, with the select in a `file`")
	f.StringVar(&q.url, "postgres", "", "`URL` of the database: postgres://user@host:5432/database (BRIDGE_POSTGRES; the password as PGPASSWORD or in ~/.pgpass)")
}

func (q *querySource) asked() bool { return q.query != "" || q.file != "" }

// text is the query, from the flag or the file.
func (q *querySource) text() (string, error) {
	switch {
	case q.url == "":
		return "", errors.New("no database: give --postgres postgres://user@host:5432/database, or set BRIDGE_POSTGRES")
	case q.query != "" && q.file != "":
		return "", errors.New("give the query as --query or as --query-file, not both")
	case q.query != "":
		return q.query, nil
	}
	b, err := os.ReadFile(q.file)
	if err != nil {
		return "", fmt.Errorf("--query-file: %w", err)
	}
	return string(b), nil
}

// source are the inputs of a load: files, or a query. done lets go of what was opened.
func (a *program) source(ctx context.Context, t *bridge.Schema, q *querySource, files []string, o *batch.Options) (inputs []batch.Input, done func() error, err error) {
	done = func() error { return nil }
	switch {
	case q.asked() && len(files) > 0:
		return nil, done, errors.New("a load reads files or a query, not both")
	case q.asked() && o.Format != "":
		return nil, done, errors.New("--format is of files; the columns of a query have their types")
	case len(files) == 0 && !q.asked():
		return nil, done, errors.New("name the files to load (- is standard input), or give --query 'select …' with --postgres URL")
	case !q.asked():
		inputs, err = a.inputs(ctx, t, files)
		return inputs, done, err
	}
	sql, err := q.text()
	if err != nil {
		return nil, done, err
	}
	query, err := postgres.Open(ctx, q.url, sql)
	if err != nil {
		return nil, done, err
	}
	o.Format, o.TakenAt = batch.FormatRows, query.Taken()
	return []batch.Input{query.Input()}, query.Close, nil
}
