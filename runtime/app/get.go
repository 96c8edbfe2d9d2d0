package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/bridgegen/bridgegen/runtime/serve"
	"github.com/spf13/cobra"
)

func getCommand(a *program) *cobra.Command {
	var asJSON, history bool
	cmd := &cobra.Command{
		Use:   "get TABLE KEY...",
		Short: "Show what the lake and Redis hold of a key, and both merged",
		Long: "Show what the lake and Redis hold of a key, and both merged by the one order, field by\n" +
			"field. Of several key columns give all, in key order. Exit code 2 says that one side\n" +
			"could not be asked, so the answer may be old.",
		Args: atLeast(2, "the table and its key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.table(args[0])
			if err != nil {
				return err
			}
			key, err := keyOf(t, args[1:])
			if err != nil {
				return err
			}
			return a.get(cmd.Context(), t, key, strings.Join(args[1:], " "), asJSON, history)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object; with --history one per line")
	cmd.Flags().BoolVar(&history, "history", false, "every row of the key in the lake, newest first, and what decided")
	return cmd
}

// keyOf is a record with the key that the arguments spell, as CSV would.
func keyOf(t bridge.Any, args []string) (bridge.Rows, error) {
	s := t.Info()
	var names []string
	for _, col := range s.Key {
		names = append(names, s.Fields[col].Name)
	}
	if len(args) != len(s.Key) {
		return nil, fmt.Errorf("the key of table %q is %s: give %s, not %d", s.Table, strings.Join(names, ", "), count(int64(len(s.Key)), "value"), len(args))
	}
	rows := t.NewRows(1)
	for i, col := range s.Key {
		cell := bridge.Text{B: []byte(args[i])}
		if rows.Set(0, col, &cell); cell.Reason != "" {
			return nil, fmt.Errorf("key column %q: %q %s", names[i], args[i], cell.Reason)
		}
	}
	return rows, nil
}

// asked are the sides that a reader has.
type asked struct{ lake, fresh bool }

// openReader opens the sides that are configured.
func (a *program) openReader(ctx context.Context, t bridge.Any) (r *serve.AnyReader, sides asked, done func() error, err error) {
	p, err := a.places(t.Info().Table)
	if err != nil {
		return nil, sides, nil, err
	}
	o := serve.Options{Trino: a.endpoints.trino, Catalog: p.Trino.Catalog, Schema: p.Trino.Schema}
	if location := a.location(p); location != "" {
		if o.Store, err = lake.OpenStore(ctx, location, a.storeOptions(p, reading)); err != nil {
			return nil, sides, nil, err
		}
	}
	client, err := a.openRedis(false)
	if err != nil {
		return nil, sides, nil, err
	}
	closeRedis := func() error { return nil }
	if client != nil {
		o.Redis, closeRedis = client, client.Close
	}
	if r, err = serve.Open(t, o); err != nil {
		return nil, sides, nil, errors.Join(err, closeRedis())
	}
	sides = asked{lake: o.Store != nil || o.Trino != "", fresh: client != nil}
	return r, sides, func() error { return errors.Join(r.Close(), closeRedis()) }, nil
}

func (a *program) get(ctx context.Context, t bridge.Any, key bridge.Rows, named string, asJSON, history bool) (err error) {
	r, sides, done, err := a.openReader(ctx, t)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if history {
		rows, err := r.History(ctx, key, 0)
		if err != nil {
			return err
		}
		return a.showHistory(t.Info(), rows, named, asJSON)
	}
	answer, err := r.Get(ctx, key, 0)
	if err != nil {
		return err
	}
	if asJSON {
		err = a.printAnswer(answer)
	} else if answer.Merged.Found {
		err = a.showAnswer(t.Info(), answer, sides)
	}
	return errors.Join(err, missing(t.Info(), answer, sides, named))
}

// missing says what an answer lacks: a side, or the key.
func missing(s *bridge.Schema, answer *serve.Answer, sides asked, named string) error {
	var down error
	switch {
	case answer.Lake.Err != nil:
		down = fmt.Errorf("no answer from the lake, this is what Redis alone says: %w", answer.Lake.Err)
	case answer.Fresh.Err != nil:
		down = fmt.Errorf("no answer from Redis, this is what the lake alone says: %w", answer.Fresh.Err)
	}
	switch {
	case down != nil && !answer.Merged.Found:
		return &incomplete{fmt.Errorf("%s %s is not there; %w", s.Table, named, down)}
	case down != nil:
		return &incomplete{down}
	case !answer.Merged.Found:
		return fmt.Errorf("no %s %s: %s", s.Table, named, sides.nothing())
	}
	return nil
}

// nothing says where a key is not.
func (s asked) nothing() string {
	switch {
	case !s.fresh:
		return "the lake does not hold that key (Redis was not asked: give --redis host:port, or set BRIDGE_REDIS)"
	case !s.lake:
		return "Redis does not hold that key (the lake was not asked: give --lake, or set BRIDGE_LAKE)"
	}
	return "neither the lake nor Redis holds that key"
}

// sides is the form of get --json: documents as Redis holds them, null where there is
// none.
type sides struct {
	Merged json.RawMessage `json:"merged"`
	Lake   json.RawMessage `json:"lake"`
	Fresh  json.RawMessage `json:"fresh"`
	Errors []string        `json:"errors,omitempty"`
}

func (a *program) printAnswer(answer *serve.Answer) error {
	out := sides{document(&answer.Merged), document(&answer.Lake), document(&answer.Fresh), nil}
	for _, err := range []error{answer.Lake.Err, answer.Fresh.Err} {
		if err != nil {
			out.Errors = append(out.Errors, err.Error())
		}
	}
	return json.NewEncoder(a.out).Encode(out)
}

func document(r *serve.Record) json.RawMessage {
	if !r.Found {
		return nil
	}
	return r.Rows.AppendJSON(nil, 0)
}
