// Package app is the bridge program of a project: its commands over the roads. A
// generated main calls Main; a program with flags of its own calls Command.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/spf13/cobra"
)

// Main runs the program with the process's arguments and ends it: 0 for success, 1 for
// an error, 2 for an answer that lacks something. The first interrupt or SIGTERM stops
// it cleanly, a second one at once.
func Main(p bridge.Project) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := Command(p).ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, message(err))
	}
	stop()
	os.Exit(ExitCode(err))
}

// incomplete is the error of a command that answered, but not from all sides.
type incomplete struct{ cause error }

func (e *incomplete) Error() string { return e.cause.Error() }
func (e *incomplete) Unwrap() error { return e.cause }

// ExitCode is the exit code for the error of a Command.
func ExitCode(err error) int {
	var partial *incomplete
	switch {
	case err == nil:
		return 0
	case errors.As(err, &partial):
		return 2
	}
	return 1
}

// message is what people read of an error: the program's name and what is wrong, or,
// where lines begin with a place of the input, as editors expect them.
func message(err error) string {
	var load *batch.Errors
	var places *placed
	if errors.As(err, &load) || errors.As(err, &places) {
		return err.Error()
	}
	return "bridge: " + err.Error()
}

// placed is an error whose lines begin with a place of the input.
type placed struct{ error }

// program is what all commands share.
type program struct {
	project   bridge.Project
	endpoints endpoints
	quiet     bool
	in        io.Reader
	out, err  io.Writer
	notes     sync.Mutex
}

// Command is the bridge program as a command: batch, stream, sink, speed, get, sql,
// register, dev.
func Command(p bridge.Project) *cobra.Command {
	a := &program{project: p}
	root := &cobra.Command{
		Use:           "bridge",
		Short:         "Run the roads of this project: " + strings.Join(a.tableNames(), ", "),
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.in, a.out, a.err = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			return a.endpoints.fromEnvironment(cmd.Flags(), os.LookupEnv)
		},
	}
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "print results and errors only")
	a.endpoints.flags(root.PersistentFlags())
	for _, command := range commands {
		root.AddCommand(command(a))
	}
	return root
}

// commands is the list of commands, in the order of the help.
var commands = []func(*program) *cobra.Command{
	batchCommand, streamCommand, sinkCommand, speedCommand, getCommand, sqlCommand, registerCommand, devCommand,
}

func (a *program) tableNames() []string {
	var names []string
	for _, t := range a.project.Tables {
		names = append(names, t.Info().Table)
	}
	return names
}

func (a *program) table(name string) (bridge.Any, error) {
	if t, ok := a.project.Table(name); ok {
		return t, nil
	}
	return nil, fmt.Errorf("no table %q; this project has %s", name, strings.Join(a.tableNames(), ", "))
}

// tables are the named ones, or all.
func (a *program) tables(names []string) ([]bridge.Any, error) {
	if len(names) == 0 {
		if len(a.project.Tables) == 0 {
			return nil, errors.New("this project has no tables; write a spec and run bridgegen generate")
		}
		return a.project.Tables, nil
	}
	var tables []bridge.Any
	for _, name := range names {
		t, err := a.table(name)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// note prints what a person may want to know and a script does not.
func (a *program) note(format string, args ...any) {
	if !a.quiet {
		a.warn(format, args...)
	}
}

// warn prints what is wrong and does not end the command.
func (a *program) warn(format string, args ...any) {
	a.notes.Lock()
	defer a.notes.Unlock()
	fmt.Fprintf(a.err, format+"\n", args...)
}

// parent is a command that does nothing but have commands.
func parent(name, short string, commands ...*cobra.Command) *cobra.Command {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name())
	}
	cmd := &cobra.Command{Use: name, Short: short, Args: cobra.ArbitraryArgs, RunE: func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("no command %q of %s; it has %s", args[0], cmd.CommandPath(), strings.Join(names, ", "))
		}
		return fmt.Errorf("name a command of %s: %s", cmd.CommandPath(), strings.Join(names, ", "))
	}}
	cmd.AddCommand(commands...)
	return cmd
}

// atLeast demands n arguments, and says what they are.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return fmt.Errorf("name %s: %s %s", what, cmd.CommandPath(), strings.SplitN(cmd.Use, " ", 2)[1])
		}
		return nil
	}
}
