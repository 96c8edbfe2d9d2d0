package trino_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/generator/trino"
	"github.com/bridgegen/bridgegen/spec"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what is generated into the golden archives")

// specs are the tables of the goldens: the example, and one of every type with what the
// example does not need.
var specs = map[string]string{
	"customers": "../../examples/customers/customers.yaml",
	"scalars":   "testdata/scalars.yaml",
}

func table(t *testing.T, file string) *model.Table {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, diags := spec.Parse(file, src)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	p, diags := model.Resolve([]*spec.Spec{s}, nil, "example.com/shop/generated", "shop")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return p.Tables[0]
}

func render(t *testing.T, file string) []model.File {
	t.Helper()
	files, err := trino.Files(nil, table(t, file))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestGolden(t *testing.T) {
	for name, file := range specs {
		t.Run(name, func(t *testing.T) {
			var got txtar.Archive
			for _, f := range render(t, file) {
				got.Files = append(got.Files, txtar.File{Name: f.Path, Data: f.Content})
			}
			golden := "testdata/" + name + ".txtar"
			if *update {
				if err := os.WriteFile(golden, txtar.Format(&got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(txtar.Format(&got)) != string(want) {
				t.Errorf("the SQL is not that of %s; read the difference, then run with -update:\n%s", golden, txtar.Format(&got))
			}
		})
	}
}

// Facts of Trino that the SQL must respect, by their number.
func TestSQLReadForTraps(t *testing.T) {
	never := map[string]string{
		`(?i)\bEXTERNAL\s+TABLE|STORED AS|PARTITIONED BY|\bLOCATION\b|TBLPROPERTIES|MSCK`: "T99: Hive syntax",
		`(?i)\bSTRING\b|ARRAY<`:                  "T124: no type of Trino",
		`(?i)QUALIFY|INSERT OVERWRITE`:           "T124",
		"`":                                      "T121: identifiers are quoted with double quotes",
		`(?i)CURRENT_DATE|\bnow\(\)`:             "T120: session zone",
		`(?i)SELECT \*`:                          "T115: a view freezes its columns",
		`(?i)VIEW \S+ \(`:                        "traps §0: a view takes no column list",
		`(?i)MATERIALIZED|\bMERGE\b|DELETE FROM`: "T113, T114: not for a Hive catalog",
		`timestamp\(6\)|timestamp[,\s]`:          "T105: timestamp(3)",
		`(?i)"(year|month|day|hour)" (integer|int|bigint)`: "T102: partition keys are varchar",
	}
	for name, file := range specs {
		for _, f := range render(t, file) {
			sql := withoutComments(string(f.Content))
			for pattern, why := range never {
				if found := regexp.MustCompile(pattern).FindString(sql); found != "" {
					t.Errorf("%s: %s holds %q (%s)", name, f.Path, found, why)
				}
			}
			if strings.Count(strings.TrimSpace(sql), ";") != 1 || !strings.HasSuffix(strings.TrimSpace(sql), ";") {
				t.Errorf("%s: %s is not exactly one statement", name, f.Path)
			}
		}
	}
}

func withoutComments(sql string) string {
	var b strings.Builder
	for line := range strings.Lines(sql) {
		if !strings.HasPrefix(line, "--") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func content(t *testing.T, file, name string) string {
	t.Helper()
	for _, f := range render(t, file) {
		if strings.HasSuffix(f.Path, "/"+name) {
			return withoutComments(string(f.Content))
		}
	}
	t.Fatalf("no %s", name)
	return ""
}

func TestTheOneOrder(t *testing.T) {
	unified := content(t, specs["customers"], "unified.sql")
	order := regexp.MustCompile(`(?s)ORDER BY(.*?)\) AS`).FindStringSubmatch(unified)[1]
	at := -1
	for _, part := range []string{`"_version" DESC NULLS LAST`, `if("_source" = 'streaming', 1, 0) DESC`, `"_seq" DESC NULLS LAST`, `"_ingested_at" DESC NULLS LAST`} {
		i := strings.Index(order, part)
		if i <= at {
			t.Fatalf("%q is missing or out of its place in %s", part, order)
		}
		at = i
	}
	if strings.Contains(unified, "_deleted\" = ") || strings.Contains(unified, "WHERE NOT") {
		t.Error("unified filters deletes before the newest row is chosen (T118)")
	}
	if latest := content(t, specs["customers"], "latest.sql"); !strings.Contains(latest, `WHERE NOT coalesce("_deleted", false)`) {
		t.Errorf("latest does not filter deletes: %s", latest)
	}
	if strings.Contains(content(t, specs["scalars"], "latest.sql"), "WHERE") {
		t.Error("a table without deletes filters them")
	}
	if !strings.Contains(content(t, specs["scalars"], "unified.sql"), `if("_source" = 'batch', 1, 0) DESC`) {
		t.Error("the preferred source is not that of the spec")
	}
}

func TestPartitionColumnsAreLast(t *testing.T) {
	ddl := content(t, specs["customers"], "table.sql")
	if !regexp.MustCompile(`(?s)"_deleted" boolean,\s+"year" varchar,\s+"month" varchar,\s+"day" varchar,\s+"hour" varchar\s+\)`).MatchString(ddl) {
		t.Errorf("T100: %s", ddl)
	}
	if !strings.Contains(ddl, "external_location = 's3://data-lake-shop/lake/customer-events/'") {
		t.Errorf("T1: the location is not bucket, dir and topic: %s", ddl)
	}
	if strings.Contains(content(t, specs["scalars"], "table.sql"), `"hour"`) {
		t.Error("by day there is no hour")
	}
}
