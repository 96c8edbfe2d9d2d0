package cli

import (
	"fmt"

	"github.com/bridgegen/bridgegen/spec/jsonschema"
	"github.com/spf13/cobra"
)

// schemas are the JSON Schemas by the file that they are of.
var schemas = map[string]func() []byte{"spec": jsonschema.Spec, "project": jsonschema.Project}

func schemaCommand(s *shell) *cobra.Command {
	return &cobra.Command{
		Use:       "schema spec|project",
		Short:     "print the JSON Schema of a spec or a project file, for an editor that is offline",
		Args:      cobra.ExactArgs(1),
		ValidArgs: []string{"spec", "project"},
		RunE: func(_ *cobra.Command, args []string) error {
			schema, ok := schemas[args[0]]
			if !ok {
				return fmt.Errorf("no schema of %q; write spec or project", args[0])
			}
			_, err := s.out.Write(schema())
			return err
		},
	}
}
