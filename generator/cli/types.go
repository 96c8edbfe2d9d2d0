package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/expr"
	"github.com/bridgegen/bridgegen/spec/types"
	"github.com/spf13/cobra"
)

func typesCommand(s *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "types",
		Short: "print the types and what every system makes of them, the operators of expressions, the keys of a spec with their defaults, and the names that generated code declares",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return s.types() },
	}
}

func (s *shell) types() error {
	fmt.Fprintln(s.out, "Types")
	err := table(s.out, []string{"type", "Go", "Avro", "Parquet", "Trino", "Flink", "Iceberg", "Connect", "JSON", "CSV"}, func(row func(...string)) {
		for _, t := range types.All {
			n := types.Sample(t)
			row(n.Spell(), goType(t), avroType(n), t.Parquet(n), t.Trino(n), t.Flink(n), t.Iceberg(n), t.Connect, t.JSON, t.CSV)
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "\nExpressions of derive and validate (a subset of CEL)")
	err = table(s.out, nil, func(row func(...string)) {
		for _, o := range expr.Syntax {
			row(o.Usage, "", o.Doc)
		}
		for _, o := range expr.Operators {
			row(o.Usage, words(o.Over), o.Doc)
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "\nKeys of a spec")
	if err := keys(s.out, spec.Keys); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "\nKeys of a project file (keys of a spec marked * may stand below its defaults)")
	if err := keys(s.out, spec.ProjectKeys); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "\nNames that a generated package declares itself")
	return table(s.out, nil, func(row func(...string)) {
		for _, d := range spec.DeclaredNames {
			row(d.Name, d.Doc)
		}
	})
}

// words lists types by their words.
func words(list []*types.Type) string {
	var out []string
	for _, t := range list {
		out = append(out, t.Word)
	}
	return strings.Join(out, ", ")
}

// goTypes are the types without a name of their own in the table.
var goTypes = map[*types.Type]string{
	types.Enum: "a string type of its own", types.List: "[]T", types.Map: "map[string]T", types.Struct: "a struct of its own",
}

func goType(t *types.Type) string {
	if t.Go == "" {
		return goTypes[t]
	}
	return t.Go
}

func avroType(n *types.Node) string {
	switch a := n.Type.Avro(n).(type) {
	case types.Logical:
		if a.Precision > 0 {
			return fmt.Sprintf("%s (%s(%d,%d))", a.Type, a.LogicalType, a.Precision, a.Scale)
		}
		return fmt.Sprintf("%s (%s)", a.Type, a.LogicalType)
	case string:
		return a
	default:
		return avroWords[n.Type]
	}
}

// avroWords are the Avro types that are built of others.
var avroWords = map[*types.Type]string{types.Enum: "enum", types.List: `array of ["null",T]`, types.Map: "map", types.Struct: "record"}

func keys(out io.Writer, list []spec.Key) error {
	return table(out, []string{"key", "value", "default", ""}, func(row func(...string)) {
		for _, k := range list {
			if k.Later || k.Kind == spec.KindSection {
				continue
			}
			name, value := k.Path, string(k.Kind)
			if k.Shared {
				name += " *"
			}
			if len(k.Words) > 0 {
				value = strings.Join(k.Words, ", ")
			}
			row(name, value, defaultOf(k), k.Doc)
		}
	})
}

func defaultOf(k spec.Key) string {
	switch {
	case k.Required:
		return "(required)"
	case k.Default != "":
		return k.Default
	case k.Computed != "":
		return "(" + k.Computed + ")"
	}
	return "(none)"
}

// table prints aligned rows.
func table(out io.Writer, head []string, fill func(row func(...string))) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprintln(w, strings.TrimRight("  "+strings.Join(cells, "\t"), "\t ")) }
	if head != nil {
		row(head...)
	}
	fill(row)
	return w.Flush()
}
