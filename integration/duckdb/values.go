//go:build cgo

package duckdb

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/duckdb/duckdb-go/v2"
)

// forms spell DuckDB's value of a type as the state document spells it. The type of the
// value is the one that DuckDB must find in the file.
var forms = map[string]func(f *bridge.Field, v any) (any, bool){
	"boolean": func(_ *bridge.Field, v any) (any, bool) { b, ok := v.(bool); return b, ok },
	"int":     func(_ *bridge.Field, v any) (any, bool) { n, ok := v.(int32); return number(int64(n)), ok },
	"long":    func(_ *bridge.Field, v any) (any, bool) { n, ok := v.(int64); return number(n), ok },
	"float":   func(_ *bridge.Field, v any) (any, bool) { n, ok := v.(float32); return n, ok },
	"double":  func(_ *bridge.Field, v any) (any, bool) { n, ok := v.(float64); return n, ok },
	"decimal": decimal,
	"string":  text,
	"uuid":    text,
	"enum":    text,
	"bytes": func(_ *bridge.Field, v any) (any, bool) {
		b, ok := v.([]byte)
		return base64.StdEncoding.EncodeToString(b), ok
	},
	"date":      instant(time.DateOnly),
	"timestamp": instant("2006-01-02T15:04:05.000Z"),
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

func text(_ *bridge.Field, v any) (any, bool) {
	s, ok := v.(string)
	return s, ok
}

func instant(layout string) func(*bridge.Field, any) (any, bool) {
	return func(_ *bridge.Field, v any) (any, bool) {
		t, ok := v.(time.Time)
		return t.UTC().Format(layout), ok
	}
}

func decimal(f *bridge.Field, v any) (any, bool) {
	d, ok := v.(duckdb.Decimal)
	if !ok || int(d.Scale) != f.Scale || int(d.Width) != f.Precision {
		return v, false
	}
	digits := new(big.Int).Abs(d.Value).String()
	if missing := f.Scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	if f.Scale > 0 {
		digits = digits[:len(digits)-f.Scale] + "." + digits[len(digits)-f.Scale:]
	}
	if d.Value.Sign() < 0 {
		digits = "-" + digits
	}
	return digits, true
}

// differ says how DuckDB's value of a column differs from ours in the state document;
// empty if they are the same.
func differ(f *bridge.Field, theirs, ours any) string {
	word, _, _ := strings.Cut(f.Type, "(")
	word, _, _ = strings.Cut(word, "<")
	if theirs == nil || ours == nil {
		if theirs == nil && ours == nil {
			return ""
		}
		return fmt.Sprintf("%s: DuckDB has %v, we have %v", f.Name, theirs, ours)
	}
	if nested := shapes[word]; nested != nil {
		return nested(f, theirs, ours)
	}
	form := forms[word]
	if form == nil {
		return fmt.Sprintf("%s: type %q has no form here", f.Name, f.Type)
	}
	v, ok := form(f, theirs)
	if !ok {
		return fmt.Sprintf("%s is %s, and for DuckDB a %T: %v", f.Name, f.Type, theirs, theirs)
	}
	if word == "float" || word == "double" {
		return differentNumber(f, v, ours)
	}
	if v != ours {
		return fmt.Sprintf("%s: DuckDB has %v, we have %v", f.Name, v, ours)
	}
	return ""
}

func differentNumber(f *bridge.Field, theirs, ours any) string {
	same := false
	switch v := theirs.(type) {
	case float32:
		n, err := strconv.ParseFloat(fmt.Sprint(ours), 32)
		same = err == nil && (math.Float32bits(v) == math.Float32bits(float32(n)) || v != v && n != n)
	case float64:
		n, err := strconv.ParseFloat(fmt.Sprint(ours), 64)
		same = err == nil && (math.Float64bits(v) == math.Float64bits(n) || v != v && n != n)
	}
	if same {
		return ""
	}
	return fmt.Sprintf("%s: DuckDB has %v, we have %v", f.Name, theirs, ours)
}

// shapes compare nested values.
var shapes map[string]func(f *bridge.Field, theirs, ours any) string

func init() {
	shapes = map[string]func(*bridge.Field, any, any) string{"list": differentList, "map": differentMap, "struct": differentStruct}
}

func differentList(f *bridge.Field, theirs, ours any) string {
	a, ok1 := theirs.([]any)
	b, ok2 := ours.([]any)
	if !ok1 || !ok2 || len(a) != len(b) {
		return fmt.Sprintf("%s: DuckDB has %v, we have %v", f.Name, theirs, ours)
	}
	for i := range a {
		if d := differ(&f.Parts[0], a[i], b[i]); d != "" {
			return fmt.Sprintf("%s[%d].%s", f.Name, i, d)
		}
	}
	return ""
}

func differentMap(f *bridge.Field, theirs, ours any) string {
	a, ok1 := theirs.(duckdb.OrderedMap)
	b, ok2 := ours.(map[string]any)
	if !ok1 || !ok2 || a.Len() != len(b) {
		return fmt.Sprintf("%s: DuckDB has %v (%T), we have %v", f.Name, theirs, theirs, ours)
	}
	for i, key := range a.Keys() {
		name, isText := key.(string)
		value, there := b[name]
		if !isText || !there {
			return fmt.Sprintf("%s: DuckDB has the key %v, we have %v", f.Name, key, ours)
		}
		if d := differ(&f.Parts[0], a.Values()[i], value); d != "" {
			return fmt.Sprintf("%s[%q].%s", f.Name, name, d)
		}
	}
	return ""
}

func differentStruct(f *bridge.Field, theirs, ours any) string {
	a, ok1 := theirs.(map[string]any)
	b, ok2 := ours.(map[string]any)
	if !ok1 || !ok2 || len(a) != len(f.Parts) || len(b) != len(f.Parts) {
		return fmt.Sprintf("%s: DuckDB has %v (%T), we have %v", f.Name, theirs, theirs, ours)
	}
	for i := range f.Parts {
		name := f.Parts[i].Name
		if d := differ(&f.Parts[i], a[name], b[name]); d != "" {
			return f.Name + "." + d
		}
	}
	return ""
}
