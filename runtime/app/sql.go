package app

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/spf13/cobra"
)

func sqlCommand(a *program) *cobra.Command {
	return &cobra.Command{
		Use:   "sql [TABLE [STATEMENT]]",
		Short: "Print the SQL of a table: table, partitions, unified, latest, by_source",
		Args:  cobra.MaximumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			tables, err := a.tables(args[:min(len(args), 1)])
			if err != nil {
				return err
			}
			for _, t := range tables {
				if err := a.printSQL(t.Info().Table, args); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// statements is the order in which a new table needs its files.
var statements = []string{"table", "partitions", "unified", "latest", "by_source"}

func (a *program) printSQL(table string, args []string) error {
	names := statements
	if len(args) == 2 {
		names = args[1:]
	}
	for _, name := range names {
		text, err := fs.ReadFile(a.project.Files, path.Join(table, "trino", name+".sql"))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			return fmt.Errorf("no statement %q of table %q; there are %s", name, table, strings.Join(statements, ", "))
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s\n", text)
	}
	return nil
}
