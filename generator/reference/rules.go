package reference

import (
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/jsonschema"
)

func rulesPage() []byte {
	p := newPage("Rules")
	p.text("Everything that `bridgegen validate` refuses, each with an example and the same put right. An error ends with the rule's name: `file:line:column: what is wrong, what to write instead (RULE)`. `bridgegen explain RULE` prints the rule.")
	p.text("An example holds keys of a spec, or items of `columns:`, as they stand in a file that is right otherwise; one that begins with `# bridgegen.yaml` is of the project file.")
	var rows [][]string
	for _, r := range spec.Rules {
		rows = append(rows, []string{"[" + r.ID + "](#" + strings.ToLower(r.ID) + ")", prose(r.Purpose)})
	}
	p.table([]string{"rule", "what must hold"}, rows)
	for _, r := range spec.Rules {
		p.section(r.ID)
		p.text("*Must hold:* " + prose(r.Purpose) + ".")
		p.text(prose(r.Why))
		if slices.Contains(jsonschema.Seen, r.ID) {
			p.text("An editor with the [JSON Schema](keys.md) marks the example too.")
		}
		p.text("Instead of")
		p.example(r.Bad)
		p.text("write")
		p.example(r.Good)
	}
	return p.bytes()
}
