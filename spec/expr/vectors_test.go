package expr_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/bridgegen/bridgegen/spec/expr"
)

// compileVector takes a condition as validate, so that matches is legal there.
func compileVector(t *testing.T, v expr.Vector) *expr.Expr {
	t.Helper()
	validate := strings.Contains(v.Expr, "matches")
	e, problems := expr.Compile(v.Expr, expr.VectorColumns, validate)
	if len(problems) > 0 {
		t.Fatalf("%s: %+v", v.Expr, problems)
	}
	return e
}

func goField(column string) string { return "r." + strings.ToUpper(column[:1]) + column[1:] }

func goConst(column, symbol string) string {
	return strings.ToUpper(column[:1]) + column[1:] + strings.ToUpper(symbol[:1]) + symbol[1:]
}

// TestEveryOperatorHasVectors keeps the table honest: a row without a case proves
// nothing, and one that may fault must show a fault.
func TestEveryOperatorHasVectors(t *testing.T) {
	for _, o := range expr.Operators {
		faults := false
		for _, v := range o.Vectors {
			faults = faults || v.Flaw != ""
		}
		if len(o.Vectors) == 0 || faults != o.Faults {
			t.Errorf("%s over %s: %d vectors, fault shown %v, may fault %v", o.Usage, o.Over[0].Word, len(o.Vectors), faults, o.Faults)
		}
		for _, f := range []expr.Form{o.Go, o.Trino, o.Flink} {
			if f.Text == "" || f.Prec == 0 {
				t.Errorf("%s over %s: a target has no form", o.Usage, o.Over[0].Word)
			}
		}
	}
	for _, s := range expr.Syntax {
		if len(s.Vectors) == 0 {
			t.Errorf("%s has no vectors", s.Usage)
		}
	}
}

// program evaluates the Go form of every vector. Rows are read by the runtime's own
// Text, as a load reads them, and values written as a load would write them.
var program = template.Must(template.New("").Parse(`package main

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

type Status string
type Ostatus string

const (
	StatusActive  Status  = "active"
	StatusBanned  Status  = "banned"
	OstatusActive Ostatus = "active"
	OstatusBanned Ostatus = "banned"
)

type row struct {
{{- range .Columns}}
	{{.Field}} {{.GoType}}
{{- end}}
}

func opt[T any](v bridge.Opt[T]) string {
	if !v.OK {
		return "null"
	}
	return show(v.V)
}

func show(v any) string {
	switch v := v.(type) {
	case bridge.Opt[int64]:
		return opt(v)
	case bridge.Opt[int32]:
		return opt(v)
	case bridge.Opt[string]:
		return opt(v)
	case bridge.Opt[Ostatus]:
		return opt(v)
	case float64:
		if math.IsInf(v, 0) {
			return map[bool]string{true: "Infinity", false: "-Infinity"}[v > 0]
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		if v == nil {
			return "null"
		}
		return base64.StdEncoding.EncodeToString(v)
	}
	return fmt.Sprint(v)
}

func cell(text string) *bridge.Text { return &bridge.Text{B: []byte(text)} }

func main() {
	e := &bridge.Env{}
{{- range .Cases}}
	{
		e.Reset()
		r := &row{Status: StatusActive}
{{- range .Sets}}
		{{.}}
{{- end}}
		var v {{.Type}} = {{.Go}}
		_ = r
		fmt.Printf("%q %q\n", show(v), e.Fault)
	}
{{- end}}
}
`))

type vectorCase struct {
	Type, Go string // Type is empty where the expression gives it
	Sets     []string
}

// asCases are values of derived columns: an expression, a row, the column, its text.
var asCases = []struct{ expr, row, target, want, fault string }{
	{"n", "n=2147483647", "i", "2147483647", ""},
	{"n + 1", "n=2147483647", "i", "0", "overflow"},
	{"i", "i=-7", "i", "-7", ""},
	{"i", "i=-7", "n", "-7", ""},
	{"i + 1", "i=-7", "oi", "-6", ""},
	{"7", "", "i", "7", ""},
	{"1", "", "f", "1", ""},
	{"0.1", "", "f", "0.1", ""},
	{"d", "d=0.5", "f", "0.5", ""},
	{"f", "f=0.5", "d", "0.5", ""},
	{"3", "", "d", "3", ""},
	{"1.5", "", "amount", "1.50", ""},
	{"amount", "amount=1.50", "price", "1.50", ""},
	{"-9223372036854775807", "", "price", "-9223372036854775807.00", ""},
	{`"active"`, "", "status", "active", ""},
	{`n > 0 ? "active" : "banned"`, "", "status", "banned", ""},
	{"ostatus != null ? ostatus : status", "status=banned", "s", "banned", ""},
	{"ostatus", "ostatus=banned", "ostatus", "banned", ""},
	{"ostatus", "", "ostatus", "null", ""},
	{"status", "status=banned", "ostatus", "banned", ""},
	{"ostatus", "ostatus=banned", "os", "banned", ""},
	{"ostatus", "", "os", "null", ""},
	{"status", "status=banned", "s", "banned", ""},
	{"u", "u=0190f2a4-0000-7000-8000-000000000001", "s", "0190f2a4-0000-7000-8000-000000000001", ""},
	{"null", "", "os", "null", ""},
	{"null", "", "oraw", "null", ""},
	{"raw", "raw=YQ==", "oraw", "YQ==", ""},
	{"oraw", "oraw=YQ==", "oraw", "YQ==", ""},
	{"oraw == null ? raw : oraw", "raw=YQ==", "raw", "YQ==", ""},
	{"b ? null : oraw", "oraw=YQ==", "oraw", "YQ==", ""},
	{"on", "on=5", "oi", "5", ""},
	{"on", "", "oi", "null", ""},
	{"oi", "oi=5", "on", "5", ""},
	{"oi", "", "on", "null", ""},
	{"oi", "oi=5", "oi", "5", ""},
	{"b ? oi : 3", "", "on", "3", ""},
	{"on == null ? null : on * 3", "on=4611686018427387904", "on", "", "overflow"},
	{`timestamp("2026-01-31T00:00:00Z")`, "", "at", "2026-01-31T00:00:00.000Z", ""},
	{`date("2026-01-31")`, "", "day", "2026-01-31", ""},
	{`"0190F2A4-0000-7000-8000-000000000001"`, "", "u", "0190f2a4-0000-7000-8000-000000000001", ""},
	{"size(s) > 2 || !b", "", "b", "true", ""},
}

func vectorRow(t *testing.T, row string) (sets []string) {
	t.Helper()
	if row == "" {
		return nil
	}
	for cell := range strings.SplitSeq(row, "|") {
		name, text, _ := strings.Cut(cell, "=")
		v := vectorColumn(t, name)
		to, field := "&"+goField(name), goField(name)
		if v.Type.Elements() {
			sets = append(sets, field+" = "+goType(v)+elements(v, text))
			continue
		}
		if v.Optional && v.Type.Word != "bytes" {
			to = "&" + field + ".V"
			sets = append(sets, field+".OK = true")
		}
		switch v.Type.Word {
		case "enum":
			sets = append(sets, fmt.Sprintf("%s = %s(%q)", strings.TrimPrefix(to, "&"), v.GoType, text))
		case "decimal":
			sets = append(sets, fmt.Sprintf("cell(%q).Decimal(%s, %d, %d)", text, to, v.Precision, v.Scale))
		default:
			sets = append(sets, fmt.Sprintf("cell(%q).%s(%s)", text, v.Type.Func, to))
		}
	}
	return sets
}

// elements are the texts of a list or the keys of a map as a literal.
func elements(v expr.Var, text string) string {
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strconv.Quote(item); v.Type.Word == "map" {
			item += `: ""`
		}
		items = append(items, item)
	}
	return "{" + strings.Join(items, ", ") + "}"
}

func vectorColumn(t *testing.T, name string) expr.Var {
	t.Helper()
	for _, v := range expr.VectorColumns {
		if v.Name == name {
			return v
		}
	}
	t.Fatalf("no vector column %q", name)
	return expr.Var{}
}

func writeProgram(t *testing.T, cases []vectorCase) []byte {
	t.Helper()
	type field struct{ Field, GoType string }
	var fields []field
	for _, v := range expr.VectorColumns {
		f := field{strings.TrimPrefix(goField(v.Name), "r."), goType(v)}
		fields = append(fields, f)
	}
	var b bytes.Buffer
	if err := program.Execute(&b, map[string]any{"Columns": fields, "Cases": cases}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// run compiles and runs a program inside the module, in a folder that the go command
// passes over in patterns, and returns its lines.
func run(t *testing.T, source []byte) []string {
	t.Helper()
	if err := os.MkdirAll("testdata", 0o777); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("testdata", "vectors")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir); os.Remove("testdata") })
	if err := os.WriteFile(filepath.Join(dir, "main.go"), source, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "./"+filepath.ToSlash(dir))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, stderr.String(), source)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

type expectation struct{ what, want, fault string }

func (x expectation) judge(t *testing.T, line, code string) {
	t.Helper()
	var value, fault string
	if _, err := fmt.Sscanf(line, "%q %q", &value, &fault); err != nil {
		t.Fatal(err)
	}
	if fault != x.fault || fault == "" && value != x.want {
		t.Errorf("%s is %q, fault %q; want %q, fault %q\n%s", x.what, value, fault, x.want, x.fault, code)
	}
}

func TestGoComputesEveryVector(t *testing.T) {
	var cases []vectorCase
	var want []expectation
	for _, v := range expr.Vectors() {
		cases = append(cases, vectorCase{Go: compileVector(t, v).Go(goField, goConst), Sets: vectorRow(t, v.Row)})
		want = append(want, expectation{v.Expr + " over " + v.Row, v.Want, v.Flaw})
	}
	for _, c := range asCases {
		target := vectorColumn(t, c.target)
		e, _ := expr.Compile(c.expr, expr.VectorColumns, false)
		e, problems := e.As(target)
		if len(problems) > 0 {
			t.Errorf("%s as %s: %+v", c.expr, c.target, problems)
			continue
		}
		cases = append(cases, vectorCase{Type: goType(target), Go: e.Go(goField, goConst), Sets: vectorRow(t, c.row)})
		want = append(want, expectation{c.expr + " over " + c.row + " as " + c.target, c.want, c.fault})
	}
	lines := run(t, writeProgram(t, cases))
	if len(lines) != len(cases) {
		t.Fatalf("%d lines of %d cases", len(lines), len(cases))
	}
	for i, x := range want {
		x.judge(t, lines[i], cases[i].Go)
	}
}

// goType is the type of the column's field.
func goType(v expr.Var) string {
	t := v.Type.Go
	if v.Type.Elements() {
		return map[string]string{"list": "[]string", "map": "map[string]string"}[v.Type.Word]
	}
	if v.GoType != "" {
		t = v.GoType
	}
	if v.Optional && v.Type.Word != "bytes" {
		t = "bridge.Opt[" + t + "]"
	}
	return t
}
