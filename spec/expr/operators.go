package expr

import "github.com/bridgegen/bridgegen/spec/types"

// Operator is one row of the operator table: an operator or a function over one type
// of operands.
type Operator struct {
	Name   string        // of the function in CEL
	Usage  string        // as one writes it
	Doc    string        // one line
	Over   []*types.Type // all operands have one of these types, and all the same
	Result *types.Type   // nil: the type of the operands
	Go     Form          // over r's fields and *bridge.Env e
	Trino  Form
	Flink  Form

	Faults       bool // has no value for some operands, which rejects the row
	Arithmetic   bool // SQL would compute in the width of the operands
	Divides      bool // SQL must not divide by zero where Go does not get there
	Narrow       bool // Flink's result has 32 bits
	Pattern      bool // the last operand is a literal RE2 pattern
	ValidateOnly bool // not in derive

	Vectors []Vector
}

// Vector is one case of an operator: an expression, a row, and what comes of it.
type Vector struct {
	Expr string
	Row  string // columns of VectorColumns as name=text, separated by |; the others are zero, optional ones null
	Want string // the text of the value
	Flaw string // instead of Want: the fault
}

// Form is how a target spells an operator: $1 and $2 are its operands.
type Form struct {
	Text string
	Prec Prec
}

// Prec says how strongly a form binds its operands.
type Prec int

// Precedences, loosest first. An Atom needs no parentheses, and gives none to what
// stands between its own.
const (
	Or Prec = iota + 1
	And
	Not // SQL only
	Comparison
	Sum
	Product
	Unary
	Atom
)

func infix(p Prec, text string) Form { return Form{text, p} }

func call(text string) Form { return Form{text, Atom} }

// Operands by what one can do with them. int and float columns count as long and
// double: CEL has one integer and one floating point type.
var (
	plain   = []*types.Type{types.Boolean, types.Long, types.Double, types.Decimal, types.String, types.Date, types.Timestamp, types.UUID, types.Enum}
	ordered = []*types.Type{types.Long, types.Double, types.String, types.Date, types.Timestamp}
	boolean = []*types.Type{types.Boolean}
	long    = []*types.Type{types.Long}
	double  = []*types.Type{types.Double}
	decimal = []*types.Type{types.Decimal}
	str     = []*types.Type{types.String}
	raw     = []*types.Type{types.Bytes}
	many    = []*types.Type{types.List, types.Map}
)

// Operators is the operator table. Null tests, in, ?: and literals are syntax and
// stand in Syntax.
var Operators = []Operator{
	{Name: "_||_", Usage: "a || b", Doc: "or; b counts only if a is false", Over: boolean,
		Go: infix(Or, "$1 || $2"), Trino: infix(Or, "$1 OR $2"), Flink: infix(Or, "$1 OR $2"),
		Vectors: []Vector{{Expr: "b || n > 0", Row: "n=1", Want: "true"}, {Expr: "b || n > 0", Want: "false"}, {Expr: "!b || 1 / n == 1", Want: "true"}}},
	{Name: "_&&_", Usage: "a && b", Doc: "and; b counts only if a is true", Over: boolean,
		Go: infix(And, "$1 && $2"), Trino: infix(And, "$1 AND $2"), Flink: infix(And, "$1 AND $2"),
		Vectors: []Vector{{Expr: "n > 0 && n < 3", Row: "n=2", Want: "true"}, {Expr: "n != 0 && 6 / n == 2", Want: "false"}, {Expr: "n != 0 && 6 / n == 2", Row: "n=3", Want: "true"}}},
	{Name: "!_", Usage: "!a", Doc: "not", Over: boolean,
		Go: infix(Unary, "!$1"), Trino: infix(Not, "NOT $1"), Flink: infix(Not, "NOT $1"),
		Vectors: []Vector{{Expr: "!b", Want: "true"}, {Expr: "!(n > 0 || b)", Row: "n=5", Want: "false"}}},

	{Name: "_==_", Usage: "a == b", Doc: "equal", Over: plain, Result: types.Boolean,
		Go: infix(Comparison, "$1 == $2"), Trino: infix(Comparison, "$1 = $2"), Flink: infix(Comparison, "$1 = $2"),
		Vectors: []Vector{{Expr: "n == 5", Row: "n=5", Want: "true"}, {Expr: "n == i", Row: "n=5", Want: "false"}, {Expr: `s == "ü'"`, Row: "s=ü'", Want: "true"},
			{Expr: "amount == 2", Row: "amount=2.00", Want: "true"}, {Expr: `status == "active"`, Row: "status=active", Want: "true"}, {Expr: "status == s", Row: "status=banned|s=banned", Want: "true"},
			{Expr: `u == "0190F2A4-0000-7000-8000-000000000001"`, Row: "u=0190f2a4-0000-7000-8000-000000000001", Want: "true"}, {Expr: "d == 0.5", Row: "d=0.5", Want: "true"},
			{Expr: "d == d", Row: "d=NaN", Want: "false"}, {Expr: "b == (n > 0)", Want: "true"}, {Expr: `day == date("2026-01-31")`, Row: "day=2026-01-31", Want: "true"}}},
	{Name: "_==_", Usage: "a == b", Doc: "equal, byte by byte", Over: raw, Result: types.Boolean,
		Go: infix(Comparison, "string($1) == string($2)"), Trino: infix(Comparison, "$1 = $2"), Flink: infix(Comparison, "$1 = $2"),
		Vectors: []Vector{{Expr: `raw == b"ab"`, Row: "raw=YWI=", Want: "true"}, {Expr: `raw == b"\xff"`, Row: "raw=YWI=", Want: "false"}}},
	{Name: "_!=_", Usage: "a != b", Doc: "not equal", Over: plain, Result: types.Boolean,
		Go: infix(Comparison, "$1 != $2"), Trino: infix(Comparison, "$1 <> $2"), Flink: infix(Comparison, "$1 <> $2"),
		Vectors: []Vector{{Expr: "n != 5", Row: "n=4", Want: "true"}, {Expr: `status != "active"`, Row: "status=active", Want: "false"}, {Expr: "d != d", Row: "d=NaN", Want: "true"}}},
	{Name: "_!=_", Usage: "a != b", Doc: "not equal, byte by byte", Over: raw, Result: types.Boolean,
		Go: infix(Comparison, "string($1) != string($2)"), Trino: infix(Comparison, "$1 <> $2"), Flink: infix(Comparison, "$1 <> $2"),
		Vectors: []Vector{{Expr: `raw != b"ab"`, Row: "raw=YWI=", Want: "false"}}},
	{Name: "_<_", Usage: "a < b", Doc: "less; strings by code point", Over: ordered, Result: types.Boolean,
		Go: infix(Comparison, "$1 < $2"), Trino: infix(Comparison, "$1 < $2"), Flink: infix(Comparison, "$1 < $2"),
		Vectors: []Vector{{Expr: "n < 5", Row: "n=4", Want: "true"}, {Expr: "n < 5", Row: "n=5", Want: "false"}, {Expr: `s < "b"`, Row: "s=Z", Want: "true"}, {Expr: "d < 1", Row: "d=NaN", Want: "false"},
			{Expr: `at < timestamp("2026-01-31T01:00:00+01:00")`, Row: "at=2026-01-30T23:59:59.999Z", Want: "true"}}},
	{Name: "_<_", Usage: "a < b", Doc: "less", Over: decimal, Result: types.Boolean,
		Go: infix(Comparison, "$1.Cmp($2) < 0"), Trino: infix(Comparison, "$1 < $2"), Flink: infix(Comparison, "$1 < $2"),
		Vectors: []Vector{{Expr: "amount < 0.5", Row: "amount=0.49", Want: "true"}, {Expr: "amount < price", Row: "amount=-1.00", Want: "true"}}},
	{Name: "_<=_", Usage: "a <= b", Doc: "less or equal", Over: ordered, Result: types.Boolean,
		Go: infix(Comparison, "$1 <= $2"), Trino: infix(Comparison, "$1 <= $2"), Flink: infix(Comparison, "$1 <= $2"),
		Vectors: []Vector{{Expr: "n <= 5", Row: "n=5", Want: "true"}, {Expr: "n <= 5", Row: "n=6", Want: "false"}, {Expr: "f <= 0.5", Row: "f=0.5", Want: "true"}}},
	{Name: "_<=_", Usage: "a <= b", Doc: "less or equal", Over: decimal, Result: types.Boolean,
		Go: infix(Comparison, "$1.Cmp($2) <= 0"), Trino: infix(Comparison, "$1 <= $2"), Flink: infix(Comparison, "$1 <= $2"),
		Vectors: []Vector{{Expr: "amount <= 0", Row: "amount=0.01", Want: "false"}}},
	{Name: "_>_", Usage: "a > b", Doc: "greater", Over: ordered, Result: types.Boolean,
		Go: infix(Comparison, "$1 > $2"), Trino: infix(Comparison, "$1 > $2"), Flink: infix(Comparison, "$1 > $2"),
		Vectors: []Vector{{Expr: "i > 3000000000", Row: "i=2147483647", Want: "false"}, {Expr: `day > date("1969-12-31")`, Row: "day=1970-01-01", Want: "true"}}},
	{Name: "_>_", Usage: "a > b", Doc: "greater", Over: decimal, Result: types.Boolean,
		Go: infix(Comparison, "$1.Cmp($2) > 0"), Trino: infix(Comparison, "$1 > $2"), Flink: infix(Comparison, "$1 > $2"),
		Vectors: []Vector{{Expr: "amount > 99999999.98", Row: "amount=99999999.99", Want: "true"}}},
	{Name: "_>=_", Usage: "a >= b", Doc: "greater or equal", Over: ordered, Result: types.Boolean,
		Go: infix(Comparison, "$1 >= $2"), Trino: infix(Comparison, "$1 >= $2"), Flink: infix(Comparison, "$1 >= $2"),
		Vectors: []Vector{{Expr: "n >= -9223372036854775808", Row: "n=-9223372036854775808", Want: "true"}, {Expr: `s >= "é"`, Row: "s=z", Want: "false"}}},
	{Name: "_>=_", Usage: "a >= b", Doc: "greater or equal", Over: decimal, Result: types.Boolean,
		Go: infix(Comparison, "$1.Cmp($2) >= 0"), Trino: infix(Comparison, "$1 >= $2"), Flink: infix(Comparison, "$1 >= $2"),
		Vectors: []Vector{{Expr: "amount >= 0", Row: "amount=-0.01", Want: "false"}, {Expr: "amount >= 0", Want: "true"}}},

	{Name: "_+_", Usage: "a + b", Doc: "sum", Over: long, Faults: true, Arithmetic: true,
		Go: call("e.Add($1, $2)"), Trino: infix(Sum, "$1 + $2"), Flink: infix(Sum, "$1 + $2"),
		Vectors: []Vector{{Expr: "n + 2", Row: "n=40", Want: "42"}, {Expr: "i + i", Row: "i=2147483647", Want: "4294967294"}, {Expr: "n + 1", Row: "n=9223372036854775807", Flaw: "overflow"}, {Expr: "n + -1", Row: "n=-9223372036854775808", Flaw: "overflow"}}},
	{Name: "_+_", Usage: "a + b", Doc: "sum", Over: double, Arithmetic: true,
		Go: infix(Sum, "$1 + $2"), Trino: infix(Sum, "$1 + $2"), Flink: infix(Sum, "$1 + $2"),
		Vectors: []Vector{{Expr: "d + 0.25", Row: "d=0.5", Want: "0.75"}, {Expr: "d + 1", Row: "d=0.5", Want: "1.5"}}},
	{Name: "_+_", Usage: "a + b", Doc: "strings joined", Over: str,
		Go: infix(Sum, "$1 + $2"), Trino: infix(Sum, "$1 || $2"), Flink: infix(Sum, "$1 || $2"),
		Vectors: []Vector{{Expr: `s + "-" + t`, Row: "s=a|t=b", Want: "a-b"}, {Expr: `status + s`, Row: "status=active|s=!", Want: "active!"}}},
	{Name: "_-_", Usage: "a - b", Doc: "difference", Over: long, Faults: true, Arithmetic: true,
		Go: call("e.Sub($1, $2)"), Trino: infix(Sum, "$1 - $2"), Flink: infix(Sum, "$1 - $2"),
		Vectors: []Vector{{Expr: "n - m - 1", Row: "n=10|m=3", Want: "6"}, {Expr: "n - (m - 1)", Row: "n=10|m=3", Want: "8"}, {Expr: "n - 1", Row: "n=-9223372036854775808", Flaw: "overflow"}, {Expr: "0 - n", Row: "n=-9223372036854775808", Flaw: "overflow"}}},
	{Name: "_-_", Usage: "a - b", Doc: "difference", Over: double, Arithmetic: true,
		Go: infix(Sum, "$1 - $2"), Trino: infix(Sum, "$1 - $2"), Flink: infix(Sum, "$1 - $2"),
		Vectors: []Vector{{Expr: "d - (d - 1)", Row: "d=3", Want: "1"}}},
	{Name: "_*_", Usage: "a * b", Doc: "product", Over: long, Faults: true, Arithmetic: true,
		Go: call("e.Mul($1, $2)"), Trino: infix(Product, "$1 * $2"), Flink: infix(Product, "$1 * $2"),
		Vectors: []Vector{{Expr: "(n + 1) * m", Row: "n=5|m=7", Want: "42"}, {Expr: "n * 2", Row: "n=-4611686018427387904", Want: "-9223372036854775808"}, {Expr: "n * 2", Row: "n=4611686018427387904", Flaw: "overflow"}, {Expr: "n * -1", Row: "n=-9223372036854775808", Flaw: "overflow"}}},
	{Name: "_*_", Usage: "a * b", Doc: "product", Over: double, Arithmetic: true,
		Go: call("float64($1 * $2)"), Trino: infix(Product, "$1 * $2"), Flink: infix(Product, "$1 * $2"),
		Vectors: []Vector{{Expr: "f * 2", Row: "f=0.75", Want: "1.5"}, {Expr: "1e308 * 10.0", Want: "Infinity"}}},
	{Name: "_/_", Usage: "a / b", Doc: "quotient, cut towards zero", Over: long, Faults: true, Arithmetic: true, Divides: true,
		Go: call("e.Div($1, $2)"), Trino: infix(Product, "$1 / $2"), Flink: infix(Product, "$1 / $2"),
		Vectors: []Vector{{Expr: "n / 2", Row: "n=-7", Want: "-3"}, {Expr: "n / m", Row: "n=1", Flaw: "division by zero"}, {Expr: "n / -1", Row: "n=-9223372036854775808", Flaw: "overflow"}, {Expr: "1 / 0", Flaw: "division by zero"}}},
	{Name: "_/_", Usage: "a / b", Doc: "quotient", Over: double, Arithmetic: true,
		Go: infix(Product, "$1 / $2"), Trino: infix(Product, "$1 / $2"), Flink: infix(Product, "$1 / $2"),
		Vectors: []Vector{{Expr: "d / 4", Row: "d=1", Want: "0.25"}, {Expr: "1.0 / 0.0", Want: "Infinity"}, {Expr: "1.0 / -0.0", Want: "-Infinity"}}},
	{Name: "_%_", Usage: "a % b", Doc: "remainder, with the sign of a", Over: long, Faults: true, Arithmetic: true, Divides: true,
		Go: call("e.Mod($1, $2)"), Trino: infix(Product, "$1 % $2"), Flink: infix(Product, "$1 % $2"),
		Vectors: []Vector{{Expr: "n % 3", Row: "n=-7", Want: "-1"}, {Expr: "n % m", Row: "n=1", Flaw: "division by zero"}}},
	{Name: "-_", Usage: "-a", Doc: "negative", Over: long, Faults: true, Arithmetic: true,
		Go: call("e.Neg($1)"), Trino: infix(Unary, "-$1"), Flink: infix(Unary, "-$1"),
		Vectors: []Vector{{Expr: "-n", Row: "n=5", Want: "-5"}, {Expr: "-n", Row: "n=-9223372036854775808", Flaw: "overflow"}, {Expr: "-(-5)", Want: "5"}}},
	{Name: "-_", Usage: "-a", Doc: "negative", Over: double, Arithmetic: true,
		Go: infix(Unary, "-$1"), Trino: infix(Unary, "-$1"), Flink: infix(Unary, "-$1"),
		Vectors: []Vector{{Expr: "-d", Row: "d=0.5", Want: "-0.5"}}},

	{Name: "size", Usage: "size(s)", Doc: "code points of a string", Over: str, Result: types.Long, Narrow: true,
		Go: call("bridge.Size($1)"), Trino: call("length($1)"), Flink: call("CHAR_LENGTH($1)"),
		Vectors: []Vector{{Expr: "size(s)", Row: "s=añ😀", Want: "3"}, {Expr: "s.size() + 1", Row: "s=ab", Want: "3"}, {Expr: "size(status)", Row: "status=banned", Want: "6"}}},
	{Name: "size", Usage: "size(b)", Doc: "number of bytes", Over: raw, Result: types.Long, Narrow: true,
		// Every byte is one character of ISO-8859-1; Flink has no length of bytes.
		Go: call("int64(len($1))"), Trino: call("length($1)"), Flink: call("CHAR_LENGTH(DECODE($1, 'ISO-8859-1'))"),
		Vectors: []Vector{{Expr: "size(raw)", Row: "raw=w7wA", Want: "3"}}},
	{Name: "size", Usage: "size(l)", Doc: "number of elements or entries", Over: many, Result: types.Long, Narrow: true,
		Go: call("int64(len($1))"), Trino: call("cardinality($1)"), Flink: call("CARDINALITY($1)"),
		Vectors: []Vector{{Expr: "size(tags)", Row: "tags=a,b,a", Want: "3"}, {Expr: "size(attrs) + tags.size()", Row: "attrs=a,b|tags=c", Want: "3"}, {Expr: "otags == null || size(otags) > 1", Row: "otags=a", Want: "false"}, {Expr: "otags != null", Want: "false"}}},
	{Name: "contains", Usage: "s.contains(t)", Doc: "t stands in s", Over: str, Result: types.Boolean,
		Go: call("bridge.Contains($1, $2)"), Trino: infix(Comparison, "strpos($1, $2) > 0"), Flink: infix(Comparison, "POSITION($2 IN $1) > 0"),
		Vectors: []Vector{{Expr: `s.contains("@")`, Row: "s=a@b", Want: "true"}, {Expr: `s.contains("")`, Want: "true"}, {Expr: `s.contains(t)`, Row: "s=ab|t=ba", Want: "false"}}},
	{Name: "startsWith", Usage: "s.startsWith(t)", Doc: "s begins with t", Over: str, Result: types.Boolean,
		Go: call("bridge.StartsWith($1, $2)"), Trino: call("starts_with($1, $2)"), Flink: infix(Comparison, "POSITION($2 IN $1) = 1"),
		Vectors: []Vector{{Expr: `s.startsWith("+49")`, Row: "s=+4930", Want: "true"}, {Expr: `s.startsWith("+49")`, Row: "s= +49", Want: "false"}, {Expr: `s.startsWith("")`, Want: "true"}}},
	{Name: "endsWith", Usage: "s.endsWith(t)", Doc: "s ends with t", Over: str, Result: types.Boolean,
		// Trino's ends_with is younger than the versions that the SQL must run on.
		Go: call("bridge.EndsWith($1, $2)"), Trino: call("starts_with(reverse($1), reverse($2))"), Flink: infix(Comparison, "RIGHT($1, CHAR_LENGTH($2)) = $2"),
		Vectors: []Vector{{Expr: `s.endsWith(".de")`, Row: "s=a.de", Want: "true"}, {Expr: `s.endsWith(".de")`, Row: "s=de", Want: "false"}, {Expr: `s.endsWith("")`, Want: "true"}}},
	{Name: "matches", Usage: `s.matches("pattern")`, Doc: "an RE2 pattern matches anywhere in s", Over: str, Result: types.Boolean, Pattern: true, ValidateOnly: true,
		Go: call("bridge.Matches($1, $2)"), Trino: call("regexp_like($1, $2)"), Flink: call("REGEXP($1, $2)"),
		Vectors: []Vector{{Expr: `s.matches("^[a-z]+$")`, Row: "s=abc", Want: "true"}, {Expr: `s.matches("^[a-z]+$")`, Row: "s=a1", Want: "false"}, {Expr: `s.matches("b")`, Row: "s=abc", Want: "true"}}},
	{Name: "double", Usage: "double(n)", Doc: "an integer as a double", Over: long, Result: types.Double,
		Go: call("float64($1)"), Trino: call("CAST($1 AS double)"), Flink: call("CAST($1 AS DOUBLE)"),
		Vectors: []Vector{{Expr: "double(n) / 2.0", Row: "n=3", Want: "1.5"}, {Expr: "double(i)", Row: "i=7", Want: "7"}}},
}

// Construct is one row of Syntax.
type Construct struct {
	Usage, Doc string
	Vectors    []Vector
}

// Syntax lists what expressions have beside Operators.
var Syntax = []Construct{
	{"x == null, x != null", "null test of an optional column; every other use of one must stand behind it", []Vector{
		{Expr: "on == null", Want: "true"}, {Expr: "on != null", Row: "on=0", Want: "true"}, {Expr: "null == os", Row: "os=", Want: "false"}, {Expr: "oraw == null", Row: "oraw=YQ==", Want: "false"},
		{Expr: "on != null && on > 1", Want: "false"}, {Expr: "on == null || on > 1", Want: "true"}, {Expr: "!(on == null) && on > 1", Row: "on=2", Want: "true"},
		{Expr: "on == null || os == null || size(os) == on", Row: "on=2|os=ab", Want: "true"}}},
	{"x in [a, b]", "x equals one of the literals", []Vector{
		{Expr: "n in [1, 2]", Row: "n=2", Want: "true"}, {Expr: `s in ["a"]`, Row: "s=b", Want: "false"}, {Expr: `status in ["active", "banned"]`, Row: "status=banned", Want: "true"},
		{Expr: "amount in [1, 2.5]", Row: "amount=2.50", Want: "true"}, {Expr: "!(i in [1, 3000000000])", Row: "i=1", Want: "false"}, {Expr: "d in [1, 2.5]", Row: "d=1", Want: "true"}}},
	{"c ? a : b", "a if c is true, else b; the other one is not computed", []Vector{
		{Expr: "m == 0 ? 0 : n / m", Row: "n=1", Want: "0"}, {Expr: "m == 0 ? 0 : n / m", Row: "n=6|m=2", Want: "3"}, {Expr: `on == null ? "none" : on < 0 ? "neg" : "pos"`, Row: "on=-1", Want: "neg"},
		{Expr: `b ? status : "banned"`, Want: "banned"}, {Expr: "on != null ? on : n", Row: "n=7", Want: "7"}, {Expr: "on == null ? null : on * 2", Row: "on=4", Want: "8"}, {Expr: "on == null ? null : on * 2", Want: "null"}}},
	{`timestamp("2026-01-31T13:59:00Z")`, "an instant: RFC 3339, no finer than a millisecond", []Vector{
		{Expr: `at == timestamp("1969-12-31T23:59:59.5Z")`, Row: "at=1969-12-31T23:59:59.500Z", Want: "true"}}},
	{`date("2026-01-31")`, "a day", []Vector{{Expr: `day <= date("2024-02-29")`, Row: "day=2024-02-29", Want: "true"}}},
	{`true, 42, 1.5, "text", b"bytes", null`, "literals; an integer may stand for a double or a decimal, a text for a symbol or a UUID", []Vector{
		{Expr: "true", Want: "true"}, {Expr: "-42", Want: "-42"}, {Expr: "0x10", Want: "16"}, {Expr: `"a\n\"b'"`, Want: "a\n\"b'"}, {Expr: "r'a\\b'", Want: `a\b`}, {Expr: "1.5e3", Want: "1500"}}},
}
