// Package reference renders the tables of the language as pages for people: types, keys,
// rules, operators, and the JSON Schemas.
package reference

import (
	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/spec/jsonschema"
)

// Files are the pages below docs/ that no person writes.
func Files() []model.File {
	return []model.File{
		{Path: "types.md", Content: typesPage()},
		{Path: "keys.md", Content: keysPage()},
		{Path: "rules.md", Content: rulesPage()},
		{Path: "operators.md", Content: operatorsPage()},
		{Path: "schema/spec.json", Content: jsonschema.Spec()},
		{Path: "schema/project.json", Content: jsonschema.Project()},
	}
}
