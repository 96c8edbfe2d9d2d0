package cli

import (
	"fmt"
	"strings"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/spf13/cobra"
)

func explainCommand(s *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [RULE]",
		Short: "say what a rule wants and why, with an example; without a rule, list them",
		Args:  cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return ruleIDs(begun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				s.listRules()
				return nil
			}
			return s.explain(args[0])
		},
	}
}

// ruleIDs are the rules that complete what is begun, each with what it says.
func ruleIDs(begun string) []string {
	var ids []string
	for _, r := range spec.Rules {
		if strings.HasPrefix(r.ID, strings.ToUpper(begun)) {
			ids = append(ids, cobra.CompletionWithDesc(r.ID, r.Purpose))
		}
	}
	return ids
}

func (s *shell) listRules() {
	width := 0
	for _, r := range spec.Rules {
		width = max(width, len(r.ID))
	}
	for _, r := range spec.Rules {
		fmt.Fprintf(s.out, "%-*s  %s\n", width, r.ID, r.Purpose)
	}
}

func (s *shell) explain(id string) error {
	id = strings.ToUpper(strings.Trim(id, "()"))
	r, ok := spec.LookupRule(id)
	if !ok {
		return fmt.Errorf("no rule %q%s; `bridgegen explain` lists them", id, spec.SuggestRule(id))
	}
	fmt.Fprintf(s.out, "%s: %s\n\n%s\n\nInstead of\n\n%s\n\nwrite\n\n%s\n", r.ID, r.Purpose, r.Why, indent(r.Bad), indent(r.Good))
	return nil
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.Trim(text, "\n"), "\n", "\n  ")
}
