package reference

import (
	"fmt"
	"strings"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/jsonschema"
)

func keysPage() []byte {
	p := newPage("Keys")
	p.text("All keys of a spec and of the project file. A number, a truth value or a date that is meant as a text is quoted. Durations are Go's plus `d`, always with a unit: `90s`, `2m`, `1d12h`.")
	p.text("Editors complete and check these by the JSON Schemas [spec.json](schema/spec.json) and [project.json](schema/project.json). `bridgegen init` names them in the first line of each file:")
	p.example(jsonschema.Modeline(jsonschema.SpecURL) + "\n" + jsonschema.Modeline(jsonschema.ProjectURL))
	p.text("They stay those of v1: a v2 of the files gets names of its own. Offline, write one to a file (`bridgegen schema spec > spec.schema.json`) and name that file in the place of the address.")
	p.section("A spec")
	p.text("*Project* says that the key may also stand below `defaults:` of the project file. *Place* says that it belongs to an environment: it is in SQL and configs, never in generated Go code.")
	keyTables(p, spec.Keys, true)
	p.section("The project file, bridgegen.yaml")
	keyTables(p, spec.ProjectKeys, false)
	return p.bytes()
}

// keyTables is a table of the keys on top, then one of each section.
func keyTables(p *page, keys []spec.Key, settings bool) {
	keyTable(p, spec.Children(keys, ""), settings)
	for _, k := range keys {
		if inside := spec.Children(keys, k.Path); len(inside) > 0 {
			p.b.WriteString("\n### " + k.Path + "\n")
			p.text(prose(strings.ToUpper(k.Doc[:1])+k.Doc[1:]) + ".")
			keyTable(p, inside, settings)
		}
	}
}

func keyTable(p *page, keys []spec.Key, settings bool) {
	head := []string{"key", "value", "default", "what"}
	if settings {
		head = append(head, "where")
	}
	var rows [][]string
	var later []string
	for _, k := range keys {
		if k.Later {
			later = append(later, k.Name())
			continue
		}
		row := []string{code(k.Name()), form(k), defaultCell(k), prose(k.Doc)}
		if settings {
			row = append(row, where(k))
		}
		rows = append(rows, row)
	}
	p.table(head, rows)
	if len(later) > 0 {
		p.text("Known, but refused by this version: " + codes(later) + ".")
	}
}

// form is the form of a key's value.
func form(k spec.Key) string {
	switch k.Kind {
	case spec.KindWord:
		return codes(k.Words)
	case spec.KindWords:
		return "list of " + codes(k.Words)
	}
	return string(k.Kind)
}

func where(k spec.Key) string {
	switch {
	case k.Shared && k.Place:
		return "project, place"
	case k.Shared:
		return "project"
	}
	return ""
}

// Default says what holds where the key is absent.
func Default(k spec.Key) string {
	switch {
	case k.Required:
		return "(required)"
	case k.Default != "":
		return k.Default
	case k.Computed != "":
		return fmt.Sprintf("(%s)", k.Computed)
	}
	return "(none)"
}

func defaultCell(k spec.Key) string {
	switch {
	case k.Required:
		return "required"
	case k.Default != "":
		return code(k.Default)
	}
	return prose(k.Computed)
}
