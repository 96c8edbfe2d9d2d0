package expr_test

import (
	"testing"

	"github.com/bridgegen/bridgegen/spec/expr"
)

func double(column string) string { return `"` + column + `"` }
func tick(column string) string   { return "`" + column + "`" }

// The forms are those of the Trino 470 and Flink 2.0 function references.
var sqlCases = []struct{ expr, trino, flink string }{
	{"b || n > 0", `"b" OR "n" > 0`, "`b` OR `n` > 0"},
	{"(b || n > 0) && n != 0 && 6 / n == 2", `("b" OR "n" > 0) AND "n" <> 0 AND 6 / NULLIF("n", 0) = 2`, "(`b` OR `n` > 0) AND `n` <> 0 AND 6 / NULLIF(`n`, 0) = 2"},
	{"!b", `NOT "b"`, "NOT `b`"},
	{"!(n > 0 || b)", `NOT ("n" > 0 OR "b")`, "NOT (`n` > 0 OR `b`)"},
	{"!b == (n >= 1)", `(NOT "b") = ("n" >= 1)`, "(NOT `b`) = (`n` >= 1)"},
	{`s == "ü'"`, `"s" = 'ü'''`, "`s` = 'ü'''"},
	{"amount == 2", `"amount" = DECIMAL '2.00'`, "`amount` = 2.00"},
	{`u != "0190F2A4-0000-7000-8000-000000000001"`, `"u" <> '0190f2a4-0000-7000-8000-000000000001'`, "`u` <> '0190f2a4-0000-7000-8000-000000000001'"},
	{`raw != b"a\xff"`, `"raw" <> X'61FF'`, "`raw` <> X'61FF'"},
	{`raw == b""`, `"raw" = X''`, "`raw` = X''"},
	{"d < 0.25", `"d" < 2.5E-1`, "`d` < 2.5E-1"},
	{"d <= 1", `"d" <= 1E0`, "`d` <= 1E0"},
	{"f > -1.5e300", `"f" > -1.5E300`, "`f` > -1.5E300"},
	{"amount < -0.5", `"amount" < DECIMAL '-0.50'`, "`amount` < -0.50"},
	{"amount <= 0 || amount > 1 || amount >= price", `"amount" <= DECIMAL '0.00' OR "amount" > DECIMAL '1.00' OR "amount" >= "price"`, "`amount` <= 0.00 OR `amount` > 1.00 OR `amount` >= `price`"},
	{`at >= timestamp("2026-01-31T01:00:00+01:00")`, `"at" >= TIMESTAMP '2026-01-31 00:00:00.000'`, "`at` >= TIMESTAMP '2026-01-31 00:00:00.000'"},
	{`day < date("2024-02-29")`, `"day" < DATE '2024-02-29'`, "`day` < DATE '2024-02-29'"},
	{"n >= -9223372036854775808", `"n" >= BIGINT '-9223372036854775808'`, "`n` >= CAST('-9223372036854775808' AS BIGINT)"},
	{"i + i * 2", `CAST("i" AS bigint) + CAST("i" AS bigint) * 2`, "CAST(`i` AS BIGINT) + CAST(`i` AS BIGINT) * 2"},
	{"n - (m - 1)", `"n" - ("m" - 1)`, "`n` - (`m` - 1)"},
	{"n - m - 1", `"n" - "m" - 1`, "`n` - `m` - 1"},
	{"(n + 1) * m", `("n" + 1) * "m"`, "(`n` + 1) * `m`"},
	{"3000000 * 3000000", `BIGINT '3000000' * 3000000`, "CAST('3000000' AS BIGINT) * 3000000"},
	{"n % m", `"n" % NULLIF("m", 0)`, "`n` % NULLIF(`m`, 0)"},
	{"n / 2", `"n" / 2`, "`n` / 2"},
	{"f / 2.0 - d", `CAST("f" AS double) / 2E0 - "d"`, "CAST(`f` AS DOUBLE) / 2E0 - `d`"},
	{"-n * -(d + 1) > 0.0 ? 1 : 2", "", ""}, // long times double: does not compile
	{"-(d + 1) * 2", `-("d" + 1E0) * 2E0`, "-(`d` + 1E0) * 2E0"},
	{"-n", `-"n"`, "-`n`"},
	{`s + "-" + t`, `"s" || '-' || "t"`, "`s` || '-' || `t`"},
	{"size(s) + 1", `length("s") + 1`, "CAST(CHAR_LENGTH(`s`) AS BIGINT) + 1"},
	{"size(raw) > 0", `length("raw") > 0`, "CHAR_LENGTH(DECODE(`raw`, 'ISO-8859-1')) > 0"},
	{`s.contains(t + "x")`, `strpos("s", ("t" || 'x')) > 0`, "POSITION((`t` || 'x') IN `s`) > 0"},
	{`s.startsWith("+49")`, `starts_with("s", '+49')`, "POSITION('+49' IN `s`) = 1"},
	{`status.endsWith("ed")`, `starts_with(reverse("status"), reverse('ed'))`, "RIGHT(`status`, CHAR_LENGTH('ed')) = 'ed'"},
	{"double(n) * 1.5", `CAST("n" AS double) * 1.5E0`, "CAST(`n` AS DOUBLE) * 1.5E0"},
	{"on == null || on > 1", `"on" IS NULL OR "on" > 1`, "`on` IS NULL OR `on` > 1"},
	{"!(os != null)", `NOT ("os" IS NOT NULL)`, "NOT (`os` IS NOT NULL)"},
	{`status in ["active", "banned"]`, `"status" IN ('active', 'banned')`, "`status` IN ('active', 'banned')"},
	{"n + 1 in [1, 2]", `("n" + 1) IN (1, 2)`, "(`n` + 1) IN (1, 2)"},
	{"amount in [1, 2.5]", `"amount" IN (DECIMAL '1.00', DECIMAL '2.50')`, "`amount` IN (1.00, 2.50)"},
	{"m == 0 ? 0 : n / m", `CASE WHEN "m" = 0 THEN 0 ELSE "n" / NULLIF("m", 0) END`, "CASE WHEN `m` = 0 THEN 0 ELSE `n` / NULLIF(`m`, 0) END"},
	{"(b ? i : 0) * 2", `CAST(CASE WHEN "b" THEN "i" ELSE 0 END AS bigint) * 2`, "CAST(CASE WHEN `b` THEN `i` ELSE 0 END AS BIGINT) * 2"},
	{"(b ? 2147483647 : 1) + 1", `CAST(CASE WHEN "b" THEN 2147483647 ELSE 1 END AS bigint) + 1`, "CAST(CASE WHEN `b` THEN 2147483647 ELSE 1 END AS BIGINT) + 1"},
	{"on == null ? null : on * 2", `CASE WHEN "on" IS NULL THEN NULL ELSE "on" * 2 END`, "CASE WHEN `on` IS NULL THEN NULL ELSE `on` * 2 END"},
}

func TestSQL(t *testing.T) {
	for _, c := range sqlCases {
		e, problems := expr.Compile(c.expr, expr.VectorColumns, false)
		if c.trino == "" {
			if e != nil {
				t.Errorf("%s compiles", c.expr)
			}
			continue
		}
		if len(problems) > 0 {
			t.Errorf("%s: %+v", c.expr, problems)
			continue
		}
		if got := e.SQL(double, expr.Trino); got != c.trino {
			t.Errorf("Trino, %s:\n got %s\nwant %s", c.expr, got, c.trino)
		}
		if got := e.SQL(tick, expr.Flink); got != c.flink {
			t.Errorf("Flink, %s:\n got %s\nwant %s", c.expr, got, c.flink)
		}
	}
	e, problems := expr.Compile(`s.matches("^\\d+'$")`, expr.VectorColumns, true)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got := e.SQL(double, expr.Trino); got != `regexp_like("s", '^\d+''$')` {
		t.Error(got)
	}
	if got := e.SQL(tick, expr.Flink); got != "REGEXP(`s`, '^\\d+''$')" {
		t.Error(got)
	}
}
