package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/spf13/cobra"
)

func streamCommand(a *program) *cobra.Command {
	return parent("stream", "The stream: send", streamSendCommand(a))
}

func streamSendCommand(a *program) *cobra.Command {
	var rejects string
	var form inputForm
	cmd := &cobra.Command{
		Use:   "send TABLE FILE...",
		Short: "Send the rows of CSV or JSON lines as an application would; - is standard input",
		Long: "Send the rows of CSV or JSON lines to the table's topic, as an application with the\n" +
			"stream writer would. A row that is not valid is reported with its place and not sent;\n" +
			"the others are. Sending a file again is safe if the spec names a dedup.version: its\n" +
			"rows repeat events, and dedup makes them one. Without one the row that came last\n" +
			"wins, so rows that are sent again win over what came since.",
		Args: atLeast(2, "the table and a file (- is standard input)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.table(args[0])
			if err != nil {
				return err
			}
			files, err := a.inputs(cmd.Context(), t.Info(), args[1:])
			if err != nil {
				return err
			}
			if form.format, err = form.of(args[1:]); err != nil {
				return err
			}
			return a.send(cmd.Context(), t, files, form, rejects)
		},
	}
	f := cmd.Flags()
	form.flags(f)
	f.StringVar(&rejects, "rejects", "", "`file` that takes invalid rows; without it they fail the command, after the valid ones were sent")
	return cmd
}

// sending is one run of stream send.
type sending struct {
	program  *program
	table    bridge.Any
	input    *bridge.Schema // as it is read
	brokers  []string
	to       *stream.Producer
	rows     bridge.Rows // one
	rejects  *batch.Rejects
	begun    bool  // an input was opened
	sent     int64 // acknowledged, once the producer is closed
	read     int64
	invalid  int64
	floored  int64
	rejectTo string
}

func (a *program) send(ctx context.Context, t bridge.Any, files []batch.Input, form inputForm, rejects string) (err error) {
	brokers, err := a.brokers()
	if err != nil {
		return err
	}
	registry, err := a.registry(t.Info())
	if err != nil {
		return err
	}
	reach := brokersAnswer(brokers)
	if err := reach.answers(ctx); err != nil {
		return err
	}
	s := &sending{program: a, table: t, brokers: brokers, rows: t.NewRows(1), rejectTo: rejects}
	if s.input, err = form.csv.Over(t.Info()); err != nil {
		return err
	}
	if rejects != "" {
		if s.rejects, err = batch.CreateRejects(s.input, rejects, files...); err != nil {
			return err
		}
		defer s.rejects.Discard()
	}
	began := time.Now()
	if s.to, err = stream.Open(ctx, t, stream.Options{Brokers: brokers, Registry: registry}); err != nil {
		return err
	}
	err = s.run(ctx, files, form.format)
	if closing := s.close(ctx); err == nil {
		err = closing
	} else if closing != nil {
		err = errors.Join(err, closing)
	}
	return s.report(ctx, err, time.Since(began))
}

func (s *sending) run(ctx context.Context, files []batch.Input, format string) error {
	for _, file := range files {
		r, err := batch.OpenRows(ctx, s.input, file, format)
		if err != nil {
			return inWords(err, "nothing of this file was sent")
		}
		s.begun = true
		if s.rejects != nil {
			s.rejects.Begin(r)
		}
		err = s.file(ctx, r)
		s.read += r.Rows()
		s.floored += r.Floored()
		if err != nil {
			return errors.Join(s.ended(file, err), r.Close())
		}
		if err := r.Close(); err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return nil
}

// ended is the error that ended an input, with the input's name or a place in it.
func (s *sending) ended(file batch.Input, err error) error {
	var text *batch.Errors
	if errors.As(err, &text) {
		return inWords(err, "the input cannot be read any further from there; what was valid before it was sent")
	}
	return fmt.Errorf("%s: %w", file.Name, err)
}

// inWords says of an input's text what a load says, with what this command made of it.
func inWords(err error, outcome string) error {
	var text *batch.Errors
	if !errors.As(err, &text) {
		return err
	}
	var all []error
	for _, p := range text.Problems {
		all = append(all, errors.New(p.String()))
	}
	return &placed{errors.Join(append(all, errors.New(outcome))...)}
}

func (s *sending) file(ctx context.Context, r *batch.RowReader) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := r.Next(s.rows, 0)
		if err == nil {
			err = s.to.Write(ctx, s.rows, 0)
		}
		var refused *stream.Invalid
		var invalid *batch.Invalid
		switch {
		case err == nil:
			s.sent++
			continue
		case errors.As(err, &refused):
			invalid = r.Refused(refused.Rejects)
		case errors.Is(err, io.EOF):
			return nil
		case !errors.As(err, &invalid):
			return s.lost(err)
		}
		s.reject(r, invalid)
	}
}

// shownRows are reported one by one; of the rest the count must do.
const shownRows = 20

func (s *sending) reject(r *batch.RowReader, why *batch.Invalid) {
	s.invalid++
	if s.rejects != nil {
		s.rejects.Put(r, why)
		return
	}
	if s.invalid <= shownRows {
		fmt.Fprintln(s.program.err, why)
	}
}

// lost takes back what was counted as sent and did not arrive, and names the brokers.
func (s *sending) lost(err error) error {
	var undelivered *stream.Undelivered
	if errors.As(err, &undelivered) {
		s.sent -= int64(undelivered.Rows)
		return fmt.Errorf("brokers %s: %w", strings.Join(s.brokers, ","), err)
	}
	return err
}

// lastAcks is how long rows on their way may still take once the command is stopped.
const lastAcks = 30 * time.Second

// close waits for the rows on their way, until the producer gives them up or the command
// was interrupted lastAcks ago. Where no input was opened the rejects keep out of the
// way of an older file.
func (s *sending) close(ctx context.Context) error {
	acks, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastAcks, cancel) })()
	err := s.lost(s.to.Close(acks))
	if s.rejects != nil && s.begun {
		err = errors.Join(err, s.rejects.Close())
	}
	return err
}

// report prints what was done; the error also says what was not.
func (s *sending) report(ctx context.Context, err error, elapsed time.Duration) error {
	a, info := s.program, s.table.Info()
	fmt.Fprintf(a.out, "%s: %s sent to %s, %.1f s", info.Table, count(s.sent, "row"), info.Topic, elapsed.Seconds())
	if s.invalid > 0 && s.rejects != nil {
		fmt.Fprintf(a.out, "; %s rejected, in %s", grouped(s.invalid), s.rejectTo)
	}
	fmt.Fprintln(a.out)
	if s.floored > 0 {
		fmt.Fprintf(a.out, "  %s finer than a millisecond, floored\n", count(s.floored, "timestamp"))
	}
	if s.sent > 0 && info.Version < 0 {
		a.note("%s", s.again())
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("stopped before the end of the input; %s: %w", s.again(), err)
	case err != nil:
		return err
	case s.invalid > 0 && s.rejects == nil:
		return fmt.Errorf("%s of %s rows are invalid and were not sent; fix them, or set them aside with --rejects FILE", grouped(s.invalid), grouped(s.read))
	case s.invalid > 0 && s.sent == 0:
		return fmt.Errorf("no row is valid; they are in %s", s.rejectTo)
	}
	return nil
}

// again is what sending the input again does.
func (s *sending) again() string {
	info := s.table.Info()
	if info.Version >= 0 {
		return "send it again, repeated rows do no harm"
	}
	return fmt.Sprintf("the spec of table %q names no dedup.version, so rows that are sent again win over what came since", info.Table)
}
