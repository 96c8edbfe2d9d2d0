package expr_test

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"cel.dev/cel-go/cel"
	celtypes "cel.dev/cel-go/common/types"

	"github.com/bridgegen/bridgegen/spec/expr"
)

// celType is what cel-go knows a column as; nil if CEL has no such type.
func celType(v expr.Var) *cel.Type {
	t := map[string]*cel.Type{
		"bool": cel.BoolType, "int": cel.IntType, "double": cel.DoubleType, "string": cel.StringType,
		"bytes": cel.BytesType, "timestamp": cel.TimestampType,
		"list": cel.ListType(cel.StringType), "map": cel.MapType(cel.StringType, cel.StringType),
	}[v.Type.CEL]
	if t != nil && v.Optional && !v.Type.Elements() {

		return cel.NullableType(t)
	}
	return t
}

// beyondCEL reports what the subset adds to CEL: an int literal for a double, a symbol
// or a UUID in upper case, and a UUID or decimal or date at all.
func beyondCEL(e *expr.Expr, source string) bool {
	for _, name := range e.Columns() {
		for _, v := range expr.VectorColumns {
			if v.Name == name && (celType(v) == nil || v.Type.Word == "uuid") {
				return true
			}
		}
	}
	switch source {
	case "d < 1", "d + 1", "d - (d - 1)", "f * 2", "d / 4", "d in [1, 2.5]":
		return true
	}
	return false
}

func celRow(t *testing.T, row string) map[string]any {
	t.Helper()
	in := map[string]any{}
	for _, v := range expr.VectorColumns {
		if zero, ok := map[string]any{"bool": false, "int": int64(0), "double": 0.0, "string": "", "bytes": []byte{}, "timestamp": time.Unix(0, 0), "list": []string{}, "map": map[string]string{}}[v.Type.CEL]; ok {
			in[v.Name] = zero
		}
		if v.Optional {
			in[v.Name] = celtypes.NullValue
		}
	}
	in["status"] = "active"
	if row == "" {
		return in
	}
	for cell := range strings.SplitSeq(row, "|") {
		name, text, _ := strings.Cut(cell, "=")
		var value any = text
		var err error
		switch vectorColumn(t, name).Type.CEL {
		case "int":
			value, err = strconv.ParseInt(text, 10, 64)
		case "double":
			value, err = strconv.ParseFloat(text, 64)
		case "bool":
			value, err = strconv.ParseBool(text)
		case "bytes":
			value, err = base64.StdEncoding.DecodeString(text)
		case "list":
			value = strings.Split(text, ",")
		case "map":
			m := map[string]string{}
			for key := range strings.SplitSeq(text, ",") {
				m[key] = ""
			}
			value = m
		case "timestamp":
			value, err = time.Parse(time.RFC3339, text)
		}
		if err != nil {
			t.Fatal(err)
		}
		in[name] = value
	}
	return in
}

// TestCELAgreesWithEveryVector evaluates the vectors with cel-go itself: what the
// subset shares with CEL must mean what CEL means, faults included.
func TestCELAgreesWithEveryVector(t *testing.T) {
	options := []cel.EnvOption{}
	for _, v := range expr.VectorColumns {
		if ct := celType(v); ct != nil {
			options = append(options, cel.Variable(v.Name, ct))
		}
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		t.Fatal(err)
	}
	agreed := 0
	for _, v := range expr.Vectors() {
		if beyondCEL(compileVector(t, v), v.Expr) {
			continue
		}
		checked, issues := env.Compile(v.Expr)
		if issues.Err() != nil {
			// CEL's checker wants both branches alike, and has null beside primitive types only.
			if strings.Contains(v.Expr, "? null :") || strings.Contains(v.Expr, "otags") {
				continue
			}
			t.Errorf("%s: CEL refuses it: %v", v.Expr, issues.Err())
			continue
		}
		p, err := env.Program(checked)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := p.Eval(celRow(t, v.Row))
		if v.Flaw != "" {
			if err == nil {
				t.Errorf("%s over %q: CEL gives %v, the vector a fault", v.Expr, v.Row, out)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s over %q: %v", v.Expr, v.Row, err)
			continue
		}
		got := fmt.Sprint(out.Value())
		if want := v.Want; got != want && got != map[string]string{"Infinity": "+Inf", "-Infinity": "-Inf"}[want] {
			t.Errorf("%s over %q: CEL gives %v, the vector %q", v.Expr, v.Row, out, want)
		}
		agreed++
	}
	t.Logf("CEL has judged %d of %d vectors", agreed, len(expr.Vectors()))
	if agreed < 60 {
		t.Errorf("CEL has judged %d vectors only", agreed)
	}
}
