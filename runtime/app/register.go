package app

import (
	"fmt"

	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/spf13/cobra"
)

func registerCommand(a *program) *cobra.Command {
	return &cobra.Command{
		Use:   "register [TABLE...]",
		Short: "Register the value schemas at the spec's compatibility (all tables unless named)",
		RunE: func(cmd *cobra.Command, args []string) error {
			tables, err := a.tables(args)
			if err != nil {
				return err
			}
			for _, t := range tables {
				s := t.Info()
				url, err := a.registry(s)
				if err != nil {
					return err
				}
				registry, err := stream.RegistryClient(url)
				if err != nil {
					return err
				}
				id, err := stream.Register(cmd.Context(), registry, s)
				if err != nil {
					return fmt.Errorf("table %q: %w", s.Table, err)
				}
				fmt.Fprintf(a.out, "%s: schema id %d at %s\n", s.Subject(), id, s.Compatibility)
			}
			return nil
		},
	}
}
