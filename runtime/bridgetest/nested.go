package bridgetest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// random makes a random text of a column's type, as a load takes it: of a nested one it is
// JSON.
func random(r *rand.Rand, f *bridge.Field) (string, error) {
	if shape := shapes[word(f)]; shape != nil {
		return shape(r, f)
	}
	value, ok := values[word(f)]
	if !ok {
		return "", fmt.Errorf("type %q has no random values", f.Type)
	}
	return value(r, f), nil
}

func word(f *bridge.Field) string {
	w, _, _ := strings.Cut(f.Type, "(")
	w, _, _ = strings.Cut(w, "<")
	return w
}

// shapes are the types that hold values of others, which are Field.Parts.
var shapes map[string]func(*rand.Rand, *bridge.Field) (string, error)

func init() {
	shapes = map[string]func(*rand.Rand, *bridge.Field) (string, error){"list": list, "map": mapping, "struct": group}
}

func list(r *rand.Rand, f *bridge.Field) (string, error) {
	items, err := several(r, f, func(item string) string { return item })
	return "[" + items + "]", err
}

func mapping(r *rand.Rand, f *bridge.Field) (string, error) {
	keys := map[string]bool{}
	entries, err := several(r, f, func(item string) string {
		key := quoted(text(r, nil))
		for keys[key] {
			key = quoted(text(r, nil))
		}
		keys[key] = true
		return key + " : " + item
	})
	return "{" + entries + "}", err
}

// several joins a few values of the one part, each made into what stands for it.
func several(r *rand.Rand, f *bridge.Field, as func(string) string) (string, error) {
	var items []string
	for range r.IntN(4) {
		item, err := inJSON(r, &f.Parts[0])
		if err != nil {
			return "", err
		}
		items = append(items, as(item))
	}
	return strings.Join(items, ", "), nil
}

// group leaves out some optional fields, writes others as null, and turns the order.
func group(r *rand.Rand, f *bridge.Field) (string, error) {
	var members []string
	for _, i := range r.Perm(len(f.Parts)) {
		part, value := &f.Parts[i], "null"
		kind := r.IntN(6)
		if part.Optional && kind == 0 {
			continue
		}
		if !part.Optional || kind > 1 {
			var err error
			if value, err = inJSON(r, part); err != nil {
				return "", err
			}
		}
		members = append(members, quoted(part.From)+":"+value)
	}
	return "{" + strings.Join(members, ",") + "}", nil
}

// inJSON is a random value as it stands in JSON.
func inJSON(r *rand.Rand, f *bridge.Field) (string, error) {
	value, err := random(r, f)
	if form := bridge.JSONFormOf(f.Type); form.Tokens&bridge.JSONString != 0 && form.Texts == nil {
		value = quoted(value)
	}
	return value, err
}

// quoted is a JSON string without NUL, which no load takes.
func quoted(s string) string {
	b, _ := json.Marshal(strings.ReplaceAll(s, "\x00", "")) // a string always has a form
	return string(b)
}
