package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// coordinator speaks Trino's client protocol as its documentation has it: POST
// /v1/statement, then nextUri by GET until there is none; columns and data come in any
// of the answers.
type coordinator struct {
	*httptest.Server
	mu         sync.Mutex
	statements []string
	zones      []string
	rows       [][]any
	failure    map[string]any
}

const trinoColumns = 11

func startTrino(t *testing.T) *coordinator {
	c := &coordinator{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/statement", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.statements = append(c.statements, string(body))
		c.zones = append(c.zones, r.Header.Get("X-Trino-Time-Zone"))
		c.answer(w, map[string]any{"nextUri": c.URL + "/v1/statement/executing/q1/1"})
	})
	mux.HandleFunc("GET /v1/statement/executing/q1/1", func(w http.ResponseWriter, _ *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.failure != nil {
			c.answer(w, map[string]any{"error": c.failure, "stats": map[string]any{"state": "FAILED"}})
			return
		}
		var columns []any
		for i := range trinoColumns {
			columns = append(columns, map[string]any{"name": fmt.Sprintf("_col%d", i), "type": "varchar",
				"typeSignature": map[string]any{"rawType": "varchar", "arguments": []any{map[string]any{"kind": "LONG", "value": 2147483647}}}})
		}
		c.answer(w, map[string]any{"columns": columns, "data": c.rows, "stats": map[string]any{"state": "FINISHED"}})
	})
	mux.HandleFunc("DELETE /v1/statement/executing/q1/1", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	c.Server = httptest.NewServer(mux)
	t.Cleanup(c.Close)
	return c
}

func (c *coordinator) answer(w http.ResponseWriter, body map[string]any) {
	body["id"], body["infoUri"] = "q1", c.URL+"/ui/query.html?q1"
	if body["stats"] == nil {
		body["stats"] = map[string]any{"state": "QUEUED"}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func (c *coordinator) reader(t *testing.T, o Options) *Reader[customers.Customer] {
	t.Helper()
	o.Trino, o.Catalog, o.Schema = strings.Replace(c.URL, "http://", "http://ana@", 1), "hive", "lake"
	r, err := NewReader(customers.Table, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func TestHistoryFromTrino(t *testing.T) {
	c := startTrino(t)
	c.rows = [][]any{
		{"42", nil, nil, nil, nil, nil, "streaming", "2026-08-19 13:59:20.123", "1755611960124", "9007199254740993", "true"},
		{"42", "ana@example.com", "active", "true", "2026-08-19 02:03:04.000", "2026-08-19 02:03:04.500", "batch", "2026-08-19 02:00:00.000", nil, "1", "false"},
	}
	got, err := c.reader(t, Options{}).History(t.Context(), &customers.Customer{ID: 42})
	if err != nil {
		t.Fatal(err)
	}
	at := func(cell string) (ts bridge.Timestamp) {
		text := bridge.Text{B: []byte(cell)}
		text.Timestamp(&ts)
		return ts
	}
	want := []customers.Customer{
		{ID: 42, Sys: bridge.System{Source: bridge.Streaming, IngestedAt: at("2026-08-19T13:59:20.123Z"), Version: bridge.Some[int64](1755611960124),
			Seq: 9007199254740993, Deleted: true}},
		{ID: 42, Email: "ana@example.com", Status: "active", IsActive: true, CreatedAt: at("2026-08-19T02:03:04Z"), UpdatedAt: at("2026-08-19T02:03:04.5Z"),
			Sys: bridge.System{Source: bridge.Batch, IngestedAt: at("2026-08-19T02:00:00Z"), Seq: 1}},
	}
	if len(got) != 2 || got[1] != want[1] || got[0].Sys != want[0].Sys || got[0].Email != "" {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	const query = `SELECT CAST("id" AS varchar), CAST("email" AS varchar), CAST("status" AS varchar), CAST("is_active" AS varchar), ` +
		`CAST("created_at" AS varchar), CAST("updated_at" AS varchar), CAST("_source" AS varchar), CAST("_ingested_at" AS varchar), ` +
		`CAST("_version" AS varchar), CAST("_seq" AS varchar), CAST("_deleted" AS varchar) FROM "hive"."lake"."customers" ` +
		`WHERE "id" = CAST(? AS bigint) ORDER BY "_version" DESC NULLS LAST, CASE "_source" WHEN ''streaming'' THEN 0 ELSE 1 END, "_seq" DESC, "_ingested_at" DESC`
	if sent := "EXECUTE IMMEDIATE '" + query + "' USING '42'"; len(c.statements) != 1 || c.statements[0] != sent {
		t.Errorf("sent %q\nwant %q", c.statements, sent)
	}
	if c.zones[0] != "UTC" {
		t.Errorf("the session's zone is %q", c.zones[0])
	}
}

// A row that is older than the derived column has a null there.
func TestTrinoRowWithoutADerivedColumn(t *testing.T) {
	c := startTrino(t)
	c.rows = [][]any{{"1", "a@b.c", "active", nil, "2026-08-19 02:03:04.000", "2026-08-19 02:03:04.500", "batch", "2026-08-19 02:00:00.000", "7", "1", "false"}}
	got, err := c.reader(t, Options{}).History(t.Context(), &customers.Customer{ID: 1})
	if err != nil || len(got) != 1 || !got[0].IsActive || got[0].Sys.Version != bridge.Some[int64](7) || got[0].Sys.Source != bridge.Batch {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestGetFromTrinoAndItsErrors(t *testing.T) {
	c := startTrino(t)
	r := c.reader(t, Options{})
	got, err := r.Get(t.Context(), &customers.Customer{ID: 1})
	if err != nil || got.Live() != nil || got.Partial() || !strings.HasSuffix(c.statements[0], "USING '1'") || !strings.Contains(c.statements[0], " LIMIT 1'") {
		t.Errorf("no rows: %+v, %v; sent %q", got, err, c.statements)
	}
	c.rows = [][]any{{"1", "a@b.c", "vip", "true", nil, nil, "batch", "2026-08-19 02:00:00.000", nil, "1", "false"}}
	if _, err := r.History(t.Context(), &customers.Customer{ID: 1}); err == nil || !strings.Contains(err.Error(), `column "status": "vip" is not one of`) {
		t.Errorf("a symbol that the table does not know: %v", err)
	}
	c.failure = map[string]any{"message": "line 1:8: Table 'hive.lake.customers' does not exist", "errorCode": 46, "errorName": "TABLE_NOT_FOUND", "errorType": "USER_ERROR"}
	if _, err := r.History(t.Context(), &customers.Customer{ID: 1}); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a query that failed: %v", err)
	}
}

// The types of parameters are those of the generated table.
func TestHistoryQueryCastsItsParameters(t *testing.T) {
	s := bridge.Schema{Table: "t", Preferred: bridge.Batch, Key: []int{0, 1, 2, 3}, Sys: 0,
		Fields: []bridge.Field{{Name: "a", Type: "string"}, {Name: "b", Type: "int"}, {Name: "c", Type: "decimal(10,2)"}, {Name: "d", Type: "timestamp"}, {Name: "e", Type: "bytes"}},
		Leaves: []bridge.Leaf{{Path: []string{"_source"}}}}
	const want = `SELECT CAST("a" AS varchar), CAST("b" AS varchar), CAST("c" AS varchar), CAST("d" AS varchar), to_base64("e"), CAST("_source" AS varchar) ` +
		`FROM "c"."s"."t" WHERE "a" = ? AND "b" = CAST(? AS integer) AND "c" = CAST(? AS decimal(10,2)) AND "d" = CAST(? AS timestamp(3)) ` +
		`ORDER BY "_version" DESC NULLS LAST, CASE "_source" WHEN 'batch' THEN 0 ELSE 1 END, "_seq" DESC, "_ingested_at" DESC`
	if got := historyQuery(&s, "c", "s"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	for want, o := range map[string]Options{
		"nothing to read from":        {},
		"needs scheme, host and port": {Trino: "http://trino", Catalog: "hive", Schema: "lake"},
		"catalog and schema":          {Trino: "http://ana@trino:8080"},
		"TLS/SSL is required":         {Trino: "http://ana:secret@trino:8080", Catalog: "hive", Schema: "lake"},
	} {
		if _, err := Open(customers.Any, o); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
