package bridge

import "strings"

// JSONToken is the kind of a JSON value, a bit each.
type JSONToken uint8

// The kinds of JSON values.
const (
	JSONNull JSONToken = 1 << iota
	JSONBool
	JSONNumber
	JSONString
	JSONArray
	JSONObject
)

var tokenNames = map[JSONToken]string{JSONNull: "null", JSONBool: "a boolean", JSONNumber: "a number", JSONString: "a string", JSONArray: "an array", JSONObject: "an object"}

// String names the kind in a sentence.
func (t JSONToken) String() string { return tokenNames[t] }

// JSONForm says which JSON values a type can be written as.
type JSONForm struct {
	Type   string // word of the spec
	Tokens JSONToken
	Want   string   // the same for people
	Texts  []string // with a string: only these; nil: any
}

const (
	formBoolean = iota
	formInt
	formLong
	formFloat
	formDouble
	formDecimal
	formString
	formBytes
	formDate
	formTimestamp
	formUUID
	formEnum
	formList
	formMap
	formStruct
)

var notFinite = []string{"NaN", "Infinity", "-Infinity"}

// jsonForms has a row for each type. Long and decimal may be strings, since many writers
// quote what a double cannot hold.
var jsonForms = [...]JSONForm{
	formBoolean:   {"boolean", JSONBool, "true or false", nil},
	formInt:       {"int", JSONNumber, "a number", nil},
	formLong:      {"long", JSONNumber | JSONString, "a number, or a string of digits", nil},
	formFloat:     {"float", JSONNumber | JSONString, `a number, or "NaN", "Infinity", "-Infinity"`, notFinite},
	formDouble:    {"double", JSONNumber | JSONString, `a number, or "NaN", "Infinity", "-Infinity"`, notFinite},
	formDecimal:   {"decimal", JSONNumber | JSONString, "a number, or a string of digits", nil},
	formString:    {"string", JSONString, "a string", nil},
	formBytes:     {"bytes", JSONString, "a string of base64", nil},
	formDate:      {"date", JSONString, `a string like "2026-01-31"`, nil},
	formTimestamp: {"timestamp", JSONString, `a string by RFC 3339; for epochs declare their unit`, nil},
	formUUID:      {"uuid", JSONString, "a string", nil},
	formEnum:      {"enum", JSONString, "a string", nil},
	formList:      {"list", JSONArray, "an array", nil},
	formMap:       {"map", JSONObject, "an object", nil},
	formStruct:    {"struct", JSONObject, "an object", nil},
}

// JSONFormOf finds the form of a type as Field.Type spells it; nil if there is none.
func JSONFormOf(typ string) *JSONForm {
	word, _, _ := strings.Cut(typ, "(")
	word, _, _ = strings.Cut(word, "<")
	for i := range jsonForms {
		if jsonForms[i].Type == word {
			return &jsonForms[i]
		}
	}
	return nil
}

// Allows tells whether a value of the kind, which for a string has the content text, is of
// the form.
func (f *JSONForm) Allows(kind JSONToken, text []byte) bool {
	if f.Tokens&kind == 0 {
		return false
	}
	if kind != JSONString || f.Texts == nil {
		return true
	}
	for _, word := range f.Texts {
		if string(text) == word {
			return true
		}
	}
	return false
}
