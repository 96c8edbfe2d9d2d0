package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func batchRemoveCommand(a *program) *cobra.Command {
	var logical, name string
	var yes bool
	cmd := &cobra.Command{
		Use:   "remove TABLE --hour 2026-08-19T02",
		Short: "Take a load back: its objects and its marker, after saying what goes",
		Args:  exactly(1, "the table"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.table(args[0])
			if err != nil {
				return err
			}
			time, err := logicalTime(logical, t.Info())
			if err != nil {
				return err
			}
			return a.remove(cmd.Context(), t.Info(), time, name, yes)
		},
	}
	f := cmd.Flags()
	f.StringVar(&logical, "hour", "", "logical `time` of the load, UTC: 2026-08-19T02, or 2026-08-19 for a table by day")
	f.StringVar(&logical, "day", "", "the same, for a table by day")
	f.StringVar(&name, "name", "", "`name` of the load, if it has one")
	f.BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return fmt.Errorf("name %s: %s %s", what, cmd.CommandPath(), strings.SplitN(cmd.Use, " ", 2)[1])
		}
		return nil
	}
}

func (a *program) remove(ctx context.Context, s *bridge.Schema, at bridge.Timestamp, name string, yes bool) error {
	store, err := a.store(ctx, s, reading)
	if err != nil {
		return err
	}
	r, err := batch.FindRemoval(ctx, store, s, at, name)
	if err != nil {
		return err
	}
	a.showRemoval(loadLabel(s, at), r)
	if !yes {
		if err := a.confirm(ctx); err != nil {
			return err
		}
	}
	if err := r.Remove(ctx); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "removed %s\n", count(int64(len(r.Objects)), "object"))
	return nil
}

// showRemoval says what goes.
func (a *program) showRemoval(label string, r *batch.Removal) {
	fmt.Fprintf(a.out, "%s (%s): %s in %s, %s", label, r.Load, count(r.Rows, "row"), count(int64(len(r.Objects)), "object"), size(r.Bytes))
	if r.Unread > 0 {
		fmt.Fprintf(a.out, "; %s cannot be read", count(int64(r.Unread), "object"))
	}
	if r.Resumed {
		fmt.Fprint(a.out, "; what an earlier removal left")
	}
	fmt.Fprintln(a.out)
	a.showObjects(r.Objects)
	if r.Marker != "" {
		fmt.Fprintf(a.out, "  %s\n", r.Marker)
	}
}

// confirm asks a person; who is none has to say --yes.
func (a *program) confirm(ctx context.Context) error {
	file, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return errors.New("nothing was removed; to remove this without being asked, say --yes")
	}
	fmt.Fprint(a.err, "Remove this? Readers will not see these rows any more. [y/N] ")
	return agreed(ctx, a.in)
}

// agreed reads the answer.
func agreed(ctx context.Context, in io.Reader) error {
	lines := interruptible(ctx, in)
	defer lines.Close()
	answer, err := bufio.NewReader(lines).ReadString('\n')
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if word := strings.ToLower(strings.TrimSpace(answer)); err != nil || word != "y" && word != "yes" {
		return errors.New("nothing was removed")
	}
	return nil
}
