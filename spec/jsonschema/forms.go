package jsonschema

import (
	"strings"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/types"
)

// forms are the schemas of single values and of lists of them, by kind. None refuses
// what the reader takes.
var forms = map[spec.Kind]func(k spec.Key) *schema{
	spec.KindText:     func(spec.Key) *schema { return text() },
	spec.KindWord:     func(k spec.Key) *schema { return &schema{Type: "string", Enum: k.Words} },
	spec.KindBool:     func(spec.Key) *schema { return &schema{Type: "boolean"} },
	spec.KindSize:     func(spec.Key) *schema { return &schema{Type: "integer"} },
	spec.KindDuration: func(spec.Key) *schema { return duration() },
	spec.KindScalar:   func(spec.Key) *schema { return scalar() },
	spec.KindExpr:     func(spec.Key) *schema { return &schema{Type: single, Pattern: `\S`} },
	spec.KindType:     func(spec.Key) *schema { return typeWord() },
	spec.KindTexts:    func(spec.Key) *schema { return list(text()) },
	spec.KindWords:    func(k spec.Key) *schema { return list(&schema{Type: "string", Enum: k.Words}) },
	spec.KindValues: func(spec.Key) *schema {
		return list(&schema{AnyOf: []*schema{text(), {Type: "object", Others: text()}}})
	},
}

// single are the types of a value that is no list and no section.
var single = []string{"string", "number", "boolean"}

func text() *schema { return &schema{Type: "string"} }

func list(of *schema) *schema { return &schema{Type: "array", Items: of} }

// durationForm is spec.ParseDuration's; a digit that is not 0 makes it positive.
const (
	durationForm = `^([0-9]+d(` + clockForm + `)?|\+?` + clockForm + `)$`
	clockForm    = `(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+`
)

func duration() *schema {
	return &schema{Type: "string", Pattern: durationForm, AllOf: []*schema{{Pattern: "[1-9]"}}}
}

// scalar is a default: a single value, or the empty list or map.
func scalar() *schema {
	none := 0
	return &schema{AnyOf: []*schema{{Type: single}, {Type: "array", MaxItems: &none}, {Type: "object", MaxKeys: &none}}}
}

// typeWord lists a form of each type, for completion, and takes all others by a pattern.
func typeWord() *schema {
	var samples []string
	for _, t := range types.All {
		samples = append(samples, types.Sample(t).Spell())
	}
	return &schema{Type: "string", AnyOf: []*schema{{Enum: samples}, {Pattern: "^" + typePattern() + "$"}}}
}

// typePattern takes each type of the table. What stands in a list or map is neither.
func typePattern() string {
	var plain []string
	for _, t := range types.All {
		switch {
		case t.Elements():
		case t.Params > 0:
			plain = append(plain, t.Word+`\s*\(`+strings.TrimSuffix(strings.Repeat(`\s*\+?[0-9]+\s*,`, t.Params), ",")+`\)`)
		default:
			plain = append(plain, t.Word)
		}
	}
	held := "(" + strings.Join(plain, "|") + ")"
	all := []string{held}
	for _, t := range types.All {
		switch t.Shape {
		case types.Sequence:
			all = append(all, t.Word+`\s*<\s*`+held+`\s*>`)
		case types.Mapping:
			all = append(all, t.Word+`\s*<\s*`+types.String.Word+`\s*,\s*`+held+`\s*>`)
		}
	}
	return "(" + strings.Join(all, "|") + ")"
}
