package serve

import (
	"fmt"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// The texts below are what Text reads. Nested values are put together as JSON by hand:
// Trino's own cast to JSON knows no varbinary, no NaN, and rows without their names.

// columnText is the SQL of a column as text; null stays null.
func columnText(f *bridge.Field) string {
	name := quote(f.Name)
	switch {
	case f.Parts != nil:
		return jsonText(f, name, 0)
	case f.Type == "bytes":
		return "to_base64(" + name + ")"
	}
	return "CAST(" + name + " AS varchar)"
}

// jsonTexts are the JSON of a scalar, $ being its SQL, by the first word of its type. What
// is missing here is a text.
var jsonTexts = map[string]string{
	"boolean": "CAST($ AS varchar)", "int": "CAST($ AS varchar)", "long": "CAST($ AS varchar)",
	"float":     `if(is_finite($), CAST($ AS varchar), '"' || CAST($ AS varchar) || '"')`,
	"double":    `if(is_finite($), CAST($ AS varchar), '"' || CAST($ AS varchar) || '"')`,
	"decimal":   `'"' || CAST($ AS varchar) || '"'`,
	"bytes":     `'"' || to_base64($) || '"'`,
	"date":      `'"' || CAST($ AS varchar) || '"'`,
	"timestamp": `'"' || CAST($ AS varchar) || '"'`,
}

const anyText = "json_format(CAST($ AS json))"

// jsonText is the SQL of the JSON of a value; null stays null. depth counts the lambdas
// around it, whose variables must differ.
func jsonText(f *bridge.Field, value string, depth int) string {
	word, _, _ := strings.Cut(f.Type, "(")
	word, _, _ = strings.Cut(word, "<")
	item := fmt.Sprintf("e%d", depth)
	switch word {
	case "list":
		return fmt.Sprintf("'[' || array_join(transform(%s, %s -> %s), ',') || ']'", value, item, jsonText(&f.Parts[0], item, depth+1))
	case "map":
		return fmt.Sprintf("'{' || array_join(transform(map_entries(%s), %s -> %s || ':' || %s), ',') || '}'",
			value, item, strings.ReplaceAll(anyText, "$", item+"[1]"), jsonText(&f.Parts[0], item+"[2]", depth+1))
	case "struct":
		return structText(f, value, depth)
	}
	form, ok := jsonTexts[word]
	if !ok {
		form = anyText
	}
	return strings.ReplaceAll(form, "$", value)
}

func structText(f *bridge.Field, value string, depth int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "if(%s IS NULL, NULL, '{", value)
	for i := range f.Parts {
		part := &f.Parts[i]
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\"%s\":' || coalesce(%s, 'null') || '", part.Name, jsonText(part, value+"."+quote(part.Name), depth))
	}
	b.WriteString("}')")
	return b.String()
}
