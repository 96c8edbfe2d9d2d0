package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/spf13/cobra"
)

func streamCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{Use: "stream", Short: "The stream: send"}
	cmd.AddCommand(streamSendCommand(a))
	return cmd
}

func streamSendCommand(a *program) *cobra.Command {
	var format, rejects string
	cmd := &cobra.Command{
		Use:   "send TABLE FILE...",
		Short: "Send the rows of CSV or JSON lines as an application would; - is standard input",
		Long: "Send the rows of CSV or JSON lines to the table's topic, as an application with the\n" +
			"stream writer would. A row that is not valid is reported with its place and not sent;\n" +
			"the others are. Sending a file again is safe: its rows repeat events, and dedup makes\n" +
			"them one.",
		Args: atLeast(2, "the table and a file (- is standard input)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.table(args[0])
			if err != nil {
				return err
			}
			files, err := a.inputs(cmd.Context(), args[1:])
			if err != nil {
				return err
			}
			if format == "" {
				format = formatOf(args[1:])
			}
			return a.send(cmd.Context(), t, files, format, rejects)
		},
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", "", formatUsage)
	f.StringVar(&rejects, "rejects", "", "`file` that takes invalid rows; without it they fail the command, after the valid ones were sent")
	return cmd
}

// sending is one run of stream send.
type sending struct {
	program  *program
	table    bridge.Any
	to       *stream.Producer
	rows     bridge.Rows // one
	rejects  *batch.Rejects
	sent     int64 // acknowledged, once the producer is closed
	read     int64
	invalid  int64
	floored  int64
	rejectTo string
}

func (a *program) send(ctx context.Context, t bridge.Any, files []batch.Input, format, rejects string) (err error) {
	brokers, err := a.brokers()
	if err != nil {
		return err
	}
	registry, err := a.registry(t.Info())
	if err != nil {
		return err
	}
	s := &sending{program: a, table: t, rows: t.NewRows(1), rejectTo: rejects}
	if rejects != "" {
		if s.rejects, err = batch.CreateRejects(rejects); err != nil {
			return err
		}
		defer s.rejects.Discard()
	}
	began := time.Now()
	if s.to, err = stream.Open(ctx, t, stream.Options{Brokers: brokers, Registry: registry}); err != nil {
		return err
	}
	err = s.run(ctx, files, format)
	if closing := s.close(ctx); err == nil {
		err = closing
	} else if closing != nil {
		err = errors.Join(err, closing)
	}
	return s.report(err, time.Since(began))
}

func (s *sending) run(ctx context.Context, files []batch.Input, format string) error {
	for _, file := range files {
		r, err := batch.OpenRows(ctx, s.table.Info(), file, format)
		if err != nil {
			return notSent(err)
		}
		err = s.file(ctx, r)
		s.read += r.Rows()
		s.floored += r.Floored()
		if err := errors.Join(err, r.Close()); err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return nil
}

// notSent says of a header what a load says, in the words of this command.
func notSent(err error) error {
	var header *batch.Errors
	if !errors.As(err, &header) {
		return err
	}
	var all []error
	for _, p := range header.Problems {
		all = append(all, errors.New(p.String()))
	}
	return &placed{errors.Join(append(all, errors.New("nothing of this file was sent"))...)}
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
			s.lost(err)
			return err
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

// lost takes back what was counted as sent and did not arrive.
func (s *sending) lost(err error) {
	var undelivered *stream.Undelivered
	if errors.As(err, &undelivered) {
		s.sent -= int64(undelivered.Rows)
	}
}

// lastAcks is how long rows on their way may still take once the command is stopped.
const lastAcks = 30 * time.Second

// close waits for the rows on their way, also when the command was interrupted.
func (s *sending) close(ctx context.Context) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	timer := time.AfterFunc(lastAcks, cancel)
	defer timer.Stop()
	err := s.to.Close(ctx)
	s.lost(err)
	if s.rejects != nil {
		err = errors.Join(err, s.rejects.Close())
	}
	return err
}

// report prints what was done; the error also says what was not.
func (s *sending) report(err error, elapsed time.Duration) error {
	a, info := s.program, s.table.Info()
	fmt.Fprintf(a.out, "%s: %s sent to %s, %.1f s", info.Table, count(s.sent, "row"), info.Topic, elapsed.Seconds())
	if s.invalid > 0 && s.rejects != nil {
		fmt.Fprintf(a.out, "; %s rejected, in %s", grouped(s.invalid), s.rejectTo)
	}
	fmt.Fprintln(a.out)
	if s.floored > 0 {
		fmt.Fprintf(a.out, "  %s finer than a millisecond, floored\n", count(s.floored, "timestamp"))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped before the end of the input; send it again, repeated rows do no harm: %w", err)
	case err != nil:
		return err
	case s.invalid > 0 && s.rejects == nil:
		return fmt.Errorf("%s of %s rows are invalid and were not sent; fix them, or set them aside with --rejects FILE", grouped(s.invalid), grouped(s.read))
	case s.invalid > 0 && s.sent == 0:
		return fmt.Errorf("no row is valid; they are in %s", s.rejectTo)
	}
	return nil
}
