package spec

import "github.com/bridgegen/bridgegen/spec/types"

// nestedRules are about lists, maps and structs.
var nestedRules = []Rule{
	{ID: "TYPE_NESTING", Purpose: "a list or map holds scalars, enums or structs",
		Why:  "A list directly in a list has no name for what lies between, and the systems disagree about its nulls and its Parquet form. A struct between gives it one, and room for more fields later.",
		Bad:  "- {name: paths, type: \"list<list<string>>\"}",
		Good: "- name: paths\n  type: list<struct>\n  fields:\n    - {name: steps, type: list<string>}"},
	{ID: "STRUCT_FIELDS", Purpose: "a struct lists its fields, one at least; no other type lists any",
		Why:  "Parquet and Trino know no empty struct. The fields of list<struct> and map<string,struct> stand beside the type too.",
		Bad:  "- {name: ship_to, type: struct}",
		Good: "- {name: ship_to, type: struct, fields: [{name: street, type: string}]}", check: checkFields},
	{ID: "FIELD_KEYS", Purpose: "a field of a struct has no default, derive, validate or fallback",
		Why:  "Expressions and defaults reach columns only: inside a list there is no one place that SQL could fill in or test. A field that older rows lack is optional; a check over the whole stands on the column, such as validate: 'size(items) > 0'.",
		Bad:  "- {name: ship_to, type: struct, fields: [{name: country, type: string, default: DE}]}",
		Good: "- {name: ship_to, type: struct, fields: [{name: country, type: string, optional: true}]}", check: checkFieldKeys},
	{ID: "DERIVE_NESTED", Purpose: "a derived column is a scalar or an enum",
		Why:  "Expressions compute scalars, for the engines have no common form of lists, maps and structs. Over a list or map there are size and null tests.",
		Bad:  "- {name: labels, type: list<string>, derive: 'tags'}",
		Good: "- {name: labels, type: long, derive: 'size(\"a b\")'}", check: checkDerivedNested},
}

func checkFields(t *Table, r reporter) {
	for c := range t.Every() {
		f := c.Column.Fields
		switch held, written := c.Held(); {
		case held != types.Struct && f.Set:
			r.at(f.Pos, "column %q is %s; only a struct has fields", c.Path, written.Word)
		case held != types.Struct:
		case !f.Set && f.Pos.Line == 0:
			r.at(c.Column.Type.Pos, "column %q: a struct needs its fields: fields: [{name: a, type: long}]", c.Path)
		case f.Set && len(f.V) == 0:
			r.at(f.Pos, "column %q: a struct has at least one field", c.Path)
		}
	}
}

func checkFieldKeys(t *Table, r reporter) {
	for _, column := range t.Columns {
		every(column.Fields, func(c *TableColumn) bool {
			for _, k := range []struct {
				pos    Pos
				key    string
				remedy string
			}{
				{c.Default.Pos, "default", "make the field optional instead"},
				{c.Column.Derive.Pos, "derive", "derive a column of its own instead"},
				{c.Column.Validate.Pos, "validate", "validate a column instead"},
				{c.Fallback.Pos, "fallback", "leave it out; only an enum column has one"},
			} {
				if k.pos.Line > 0 {
					r.at(k.pos, "field %q: %s reaches columns only; %s", c.Path, k.key, k.remedy)
				}
			}
			return true
		})
	}
}

func checkDerivedNested(t *Table, r reporter) {
	for _, c := range t.Columns {
		if c.Column.Derive.Set && c.Type.Shape != types.Scalar {
			r.at(c.Column.Derive.Pos, "column %q is %s, which no expression computes; leave derive out", c.Path, c.Column.Type.V.Word)
		}
	}
}
