package expr_test

import (
	"fmt"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/bridgegen/bridgegen/spec/expr"
	"github.com/bridgegen/bridgegen/spec/types"
)

var problemCases = []struct {
	expr     string
	validate bool
	want     string // line:col rule message
}{
	{``, true, `1:1 EXPR_SYNTAX the expression ends too early`},
	{`n +`, true, `1:4 EXPR_SYNTAX the expression ends too early`},
	{`n = 1`, true, `1:3 EXPR_SYNTAX write == to compare`},
	{`n > 1 and b`, true, `1:7 EXPR_SYNTAX write && for and`},
	{`n > 1 OR b`, true, `1:7 EXPR_SYNTAX write || for or`},
	{`not b`, true, `1:5 EXPR_SYNTAX unexpected token after expression: "b"`},
	{`n <> 1`, true, `1:4 EXPR_SYNTAX write != for not equal`},
	{`on is null`, true, `1:4 EXPR_SYNTAX write == null or != null`},
	{`s == "a`, true, `1:6 EXPR_SYNTAX this quote is not closed`},
	{`s == "\q"`, true, `1:6 EXPR_SYNTAX unknown escape; in r"…" a backslash is plain text`},
	{`package == "x"`, true, `1:1 EXPR_SYNTAX "package" is a word that CEL reserves; a column of that name cannot stand in expressions`},
	{"s == \"ü\" &&\n  stauts == \"x\"", true, `2:3 EXPR_COLUMN there is no column "stauts"; did you mean "status"?`},
	{`n == 99999999999999999999`, true, `1:6 EXPR_SYNTAX invalid int literal: "99999999999999999999"`},

	{`length(s) > 1`, true, `1:1 EXPR_SUBSET there is no function "length"; did you mean "size"?`},
	{`has(s.x)`, true, `1:1 EXPR_SUBSET has() is for messages; test a column with x != null`},
	{`[1, 2].all(x, x > n)`, true, `1:8 EXPR_SUBSET there is no function "all"`},
	{`contains(s, "a")`, true, `1:1 EXPR_SUBSET write s.contains(t)`},
	{`s.contains()`, true, `1:3 EXPR_SUBSET write s.contains(t)`},
	{`s.matches("a")`, false, `1:3 EXPR_SUBSET matches stands in validate only`},
	{`n in [n]`, true, `1:7 EXPR_SUBSET a list holds literals only`},
	{`n in []`, true, `1:3 EXPR_SUBSET behind in stands a list of literals: x in [1, 2]`},
	{`[1] == [1]`, true, `1:1 EXPR_SUBSET a list stands only behind in: x in [1, 2] | 1:8 EXPR_SUBSET a list stands only behind in: x in [1, 2]`},
	{`n > 3u`, true, `1:5 EXPR_SUBSET there is no unsigned integer; write 3`},
	{`s.t == "x"`, true, `1:2 EXPR_SUBSET ".t": fields inside a column are out of reach`},
	{`timestamp(s) < at`, true, `1:1 EXPR_SUBSET timestamp takes one text in quotes, not a column`},

	{`n`, true, `1:1 EXPR_TYPE validate must be true or false, but this is a long`},
	{`n == "5"`, true, `1:3 EXPR_TYPE string and long do not go together`},
	{`n > d`, true, `1:3 EXPR_TYPE long and double do not go together; write double(…) around the long`},
	{`b < true`, true, `1:3 EXPR_TYPE "a < b" takes long, double, string, date, timestamp, decimal, not boolean`},
	{`amount + 1 > 0`, true, `1:8 EXPR_TYPE "a + b" takes long, double, string, not decimal`},
	{`n && b`, true, `1:3 EXPR_TYPE long and boolean do not go together`},
	{`size(n) > 1`, true, `1:1 EXPR_TYPE "size(s)" takes string, bytes, list, map, not long`},
	{`n ? 1 : 2`, false, `1:1 EXPR_TYPE before ? stands true or false, not a long`},
	{`raw in [b"a"]`, true, `1:1 EXPR_TYPE in does not take bytes; compare with ==`},

	{`n > 1 || b || n > 1`, true, `1:17 EXPR_VAIN n > 1 stands there twice; write it once`},
	{`b && (n > 0 && b)`, true, `1:16 EXPR_VAIN b stands there twice; write it once`},
	{`n != 1 || b || n != 2`, true, `1:18 EXPR_VAIN n != 1 || n != 2 is always true; write && instead`},
	{`s == "a" && s == "b"`, true, `1:15 EXPR_VAIN s == "a" && s == "b" is never true; write || instead`},
	{`size(tags) > 1 && tags in ["a"]`, true, `1:19 EXPR_TYPE in does not take a list`},
	{`b ? tags : tags`, true, `1:5 EXPR_TYPE ?: does not take a list`},

	{`on > 1`, true, `1:1 EXPR_NULL column "on" is optional; test it for null on every path: on == null || …`},
	{`on + 1`, false, `1:1 EXPR_NULL column "on" is optional; test it for null on every path: on != null && …`},
	{`on != null || on > 1`, true, `1:15 EXPR_NULL column "on" is optional; test it for null on every path: on == null || …`},
	{`on > 1 && on != null`, true, `1:1 EXPR_NULL column "on" is optional; test it for null on every path: on == null || …`},
	{`(on != null || b) && on > 1`, true, `1:22 EXPR_NULL column "on" is optional; test it for null on every path: on == null || …`},
	{`on == null ? on > 1 : true`, true, `1:14 EXPR_NULL column "on" is optional; test it for null on every path: on == null || …`},
	{`n == null`, true, `1:1 EXPR_NULL column "n" is not optional, so it is never null`},
	{`n + 1 == null`, true, `1:7 EXPR_NULL only a column can be tested for null`},
	{`n > null`, true, `1:5 EXPR_NULL null stands only in a null test: x == null`},

	{`status == "actve"`, true, `1:11 EXPR_LITERAL "actve" is no symbol of column "status" (active, banned); did you mean "active"?`},
	{`status in ["active", "gone"]`, true, `1:22 EXPR_LITERAL "gone" is no symbol of column "status" (active, banned)`},
	{`u == "42"`, true, `1:6 EXPR_LITERAL "42" is no UUID (8-4-4-4-12 hex digits)`},
	{`at > "2026-01-31T00:00:00Z"`, true, `1:6 EXPR_LITERAL "2026-01-31T00:00:00Z" is a text; write timestamp("2026-01-31T00:00:00Z")`},
	{`at > timestamp("2026-01-31 00:00:00Z")`, true, `1:16 EXPR_LITERAL "2026-01-31 00:00:00Z" is no timestamp; write RFC 3339 with an offset: 2026-01-31T13:59:00Z`},
	{`at > timestamp("2026-01-31T00:00:00.0001Z")`, true, `1:16 EXPR_LITERAL "2026-01-31T00:00:00.0001Z" is finer than a millisecond`},
	{`at > timestamp("")`, true, `1:16 EXPR_LITERAL "" is no timestamp; write RFC 3339 with an offset: 2026-01-31T13:59:00Z`},
	{`day > date("2026-02-30")`, true, `1:12 EXPR_LITERAL "2026-02-30" is no date (2026-01-31)`},
	{`amount > 0.005`, true, `1:10 EXPR_LITERAL 0.005 is no decimal with 2 digits behind the point`},
	{`d == 9007199254740993`, true, `1:6 EXPR_LITERAL 9007199254740993 is no double exactly; write it with a point`},
	{`s.matches("a(")`, true, "1:11 EXPR_LITERAL pattern \"a(\" is no RE2: missing closing ): `a(`"},
	{`s.matches(t)`, true, `1:11 EXPR_LITERAL a pattern must be a text in quotes, not computed`},

	{`x == 1 || on > 1`, true, `1:1 EXPR_COLUMN there is no column "x" | 1:11 EXPR_NULL column "on" is optional; test it for null on every path: on == null || …`},
}

func texts(problems []expr.Problem) string {
	text := ""
	for i, p := range problems {
		if i > 0 {
			text += " | "
		}
		text += fmt.Sprintf("%d:%d %s %s", p.Line, p.Col, p.Rule, p.Message)
	}
	return text
}

func TestProblems(t *testing.T) {
	for _, c := range problemCases {
		e, problems := expr.Compile(c.expr, expr.VectorColumns, c.validate)
		if got := texts(problems); got != c.want || e != nil {
			t.Errorf("%s\n got %s\nwant %s", c.expr, got, c.want)
		}
	}
}

// A column whose own type is wrong is reported where it stands, not in every
// expression over it.
func TestUnknownTypeIsNotRepeated(t *testing.T) {
	e, problems := expr.Compile("broken == 1", []expr.Var{{Name: "broken"}}, true)
	if e != nil || problems != nil {
		t.Errorf("%v %v", e, problems)
	}
}

func TestColumns(t *testing.T) {
	e, _ := expr.Compile("on == null ? n : on + n + 1", expr.VectorColumns, false)
	if got := e.Columns(); !slices.Equal(got, []string{"on", "n"}) {
		t.Error(got)
	}
	if e.Type != "long" || e.Optional || !e.Faults() || e.Source() != "on == null ? n : on + n + 1" {
		t.Errorf("%+v", e)
	}
}

func column(name string) expr.Var {
	for _, v := range expr.VectorColumns {
		if v.Name == name {
			return v
		}
	}
	return expr.Var{}
}

func TestAsRefuses(t *testing.T) {
	for _, c := range []struct {
		expr   string
		target expr.Var
		want   string
	}{
		{"n", column("s"), `1:1 EXPR_TYPE the expression gives long, but column "s" is string`},
		{"double(n)", column("n"), `1:1 EXPR_TYPE the expression gives double, but column "n" is long`},
		{"n", column("d"), `1:1 EXPR_TYPE the expression gives long, but column "d" is double`},
		{"on", column("n"), `1:1 EXPR_NULL the expression may be null, but column "n" is not optional`},
		{"b ? null : 1", column("n"), `1:1 EXPR_NULL the expression may be null, but column "n" is not optional`},
		{`b ? "active" : "bannd"`, column("status"), `1:16 EXPR_LITERAL "bannd" is no symbol of column "status" (active, banned); did you mean "banned"?`},
		{"s", column("status"), `1:1 EXPR_TYPE the expression gives string, but column "status" is enum`},
		{"3000000000", column("i"), `1:1 EXPR_LITERAL 3000000000 does not fit column "i", which is int (32 bit)`},
		{"1e300", column("f"), `1:1 EXPR_LITERAL 1e+300 does not fit column "f", which is float (32 bit)`},
		{"100000000", column("amount"), `1:1 EXPR_LITERAL 100000000.00 has more digits than decimal(10,2)`},
		{"price", column("amount"), `1:1 EXPR_TYPE decimal(38,2) does not fit column "amount", which is decimal(10,2)`},
		{"status", expr.Var{Name: "x", Type: types.Enum, Symbols: []string{"active"}, GoType: "X"}, `1:1 EXPR_TYPE column "status" may be "banned", which is no symbol of column "x"`},
	} {
		e, problems := expr.Compile(c.expr, expr.VectorColumns, false)
		if problems != nil {
			t.Errorf("%s: %v", c.expr, problems)
			continue
		}
		if _, problems = e.As(c.target); texts(problems) != c.want {
			t.Errorf("%s as %s\n got %s\nwant %s", c.expr, c.target.Name, texts(problems), c.want)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, v := range expr.Vectors() {
		f.Add(v.Expr, true)
	}
	for _, c := range problemCases {
		f.Add(c.expr, c.validate)
	}
	f.Fuzz(func(t *testing.T, src string, validate bool) {
		e, problems := expr.Compile(src, expr.VectorColumns, validate)
		if (e == nil) != (len(problems) > 0) {
			t.Fatalf("expr %v with problems %v", e, problems)
		}
		for _, p := range problems {
			if p.Offset < 0 || p.Offset > len(src) || p.Line < 1 || p.Col < 1 || p.Message == "" || p.Rule == "" {
				t.Fatalf("%+v", p)
			}
		}
		if e == nil || !utf8.ValidString(src) {
			return
		}
		for _, target := range expr.VectorColumns {
			if as, _ := e.As(target); as != nil && (as.Go(goField, goConst) == "" || as.SQL(double, expr.Trino) == "" || as.SQL(tick, expr.Flink) == "") {
				t.Fatal("renders to nothing")
			}
		}
	})
}
