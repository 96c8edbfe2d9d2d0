// Package cli is the command line of bridgegen: a function of arguments and streams to
// an exit code. It reads specs and writes the generated tree; it never talks to a live
// system.
package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
)

// Exit codes, the same for all commands.
const (
	Clean       = 0
	Failed      = 1 // usage, I/O, an invalid spec
	Differences = 2 // generated output is not what the specs say
)

// shell is what commands share.
type shell struct {
	out, err io.Writer
	dir      string
	quiet    bool
	verbose  bool
}

// errDifferences ends a command that has already said what differs.
var errDifferences = errors.New("differences")

// errReported ends a command that has already said what is wrong.
var errReported = errors.New("reported")

// commands is the whole command line. To add a command, add a line.
var commands = []func(*shell) *cobra.Command{
	initCommand, validateCommand, generateCommand, checkCommand, explainCommand, typesCommand, schemaCommand, versionCommand,
}

// Main runs one command line and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := &shell{out: stdout, err: stderr}
	root := &cobra.Command{
		Use:           "bridgegen",
		Short:         "one spec per table, every artefact of the batch and the streaming road",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	f := root.PersistentFlags()
	f.StringVarP(&s.dir, "directory", "C", ".", "change to this `folder` first")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "print errors and differences only")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "name every file")
	for _, command := range commands {
		root.AddCommand(command(s))
	}
	switch err := root.Execute(); {
	case err == nil:
		return Clean
	case errors.Is(err, errDifferences):
		return Differences
	case errors.Is(err, errReported):
		return Failed
	default:
		fmt.Fprintf(stderr, "bridgegen: %v\n", err)
		return Failed
	}
}

// say prints what is no error and no difference.
func (s *shell) say(format string, args ...any) {
	if !s.quiet {
		fmt.Fprintf(s.out, format, args...)
	}
}

// path is a file as the user would name it: below the folder of -C.
func (s *shell) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(s.dir, file)
}

// plural is "1 file", "2 files".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
