package serve

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/trinodb/trino-go-client/trino"
)

// trinoTable is a table as Trino reads it.
type trinoTable struct {
	table bridge.Any
	db    *sql.DB
	query string
}

// trinoTimeout bounds a query unless the URL says otherwise; the client's own default
// is ten hours (T170).
const trinoTimeout = 2 * time.Minute

func openTrino(t bridge.Any, o Options) (*trinoTable, error) {
	config, err := trino.ParseDSN(o.Trino)
	if err != nil {
		return nil, fmt.Errorf("the URL of Trino (want http://user@host:8080): %w", err)
	}
	at, err := url.Parse(config.ServerURI)
	if err != nil || at.Host == "" || at.Port() == "" {
		return nil, errors.New("the URL of Trino needs scheme, host and port: http://user@host:8080")
	}
	if o.Catalog == "" || o.Schema == "" {
		return nil, errors.New("no catalog and schema of the table are given, which Trino needs")
	}
	if !strings.Contains(o.Trino, "explicitPrepare=") {
		config.DisableExplicitPrepare = true // the statement goes in the body, for a header has a limit (T169)
	}
	if config.QueryTimeout == nil {
		limit := trinoTimeout
		config.QueryTimeout = &limit
	}
	if config.TimeZone == "" {
		config.TimeZone = "UTC" // else values without a zone are read in this machine's (T166)
	}
	if config.Source == "" {
		config.Source = "bridgegen"
	}
	connector, err := trino.NewConnector(config)
	if err != nil {
		return nil, fmt.Errorf("the client of Trino: %w", err)
	}
	return &trinoTable{table: t, db: sql.OpenDB(connector), query: historyQuery(t.Info(), o.Catalog, o.Schema)}, nil
}

func (q *trinoTable) close() error { return q.db.Close() }

// historyQuery reads every row of a key, newest first. All columns come as text, which
// Text reads as it reads a load: no number or time goes through a client's type (T164-T168).
func historyQuery(s *bridge.Schema, catalog, schema string) string {
	var columns, where []string
	for i := range s.Fields {
		columns = append(columns, columnText(&s.Fields[i]))
	}
	for leaf := s.Sys; leaf < len(s.Leaves); leaf++ {
		columns = append(columns, "CAST("+quote(s.Leaves[leaf].Path[0])+" AS varchar)")
	}
	for _, col := range s.Key {
		f := &s.Fields[col]
		parameter := "?"
		if typ := trinoType(f.Type); typ != "varchar" {
			parameter = "CAST(? AS " + typ + ")"
		}
		where = append(where, quote(f.Name)+" = "+parameter)
	}
	return "SELECT " + strings.Join(columns, ", ") +
		" FROM " + quote(catalog) + "." + quote(schema) + "." + quote(s.Table) +
		" WHERE " + strings.Join(where, " AND ") +
		" ORDER BY \"_version\" DESC NULLS LAST, CASE \"_source\" WHEN '" + s.Preferred.String() + "' THEN 0 ELSE 1 END, \"_seq\" DESC, \"_ingested_at\" DESC"
}

// quote makes a delimited identifier (T121).
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// trinoType is the type of a key column in the generated table.
func trinoType(word string) string {
	switch word {
	case "boolean", "date":
		return word
	case "int":
		return "integer"
	case "long":
		return "bigint"
	case "timestamp":
		return "timestamp(3)"
	}
	if strings.HasPrefix(word, "decimal(") {
		return word
	}
	return "varchar"
}

// history is the key's rows, newest first; at most limit, if that is not 0.
func (q *trinoTable) history(ctx context.Context, key bridge.Rows, limit int) (out bridge.Rows, err error) {
	s := q.table.Info()
	query, args := q.query, make([]any, len(s.Key))
	for i, col := range s.Key {
		text := string(key.AppendText(nil, 0, col))
		if s.Fields[col].Type == "timestamp" {
			text = strings.TrimSuffix(strings.Replace(text, "T", " ", 1), "Z") // as a cast of Trino reads it
		}
		args[i] = text
	}
	if limit > 0 {
		query += fmt.Sprintf(" LIMIT %d", limit)
	}
	rows, err := q.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("asking Trino for table %q: %w", s.Table, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out = q.table.NewRows(0)
	cells := make([]sql.NullString, len(s.Fields)+len(s.Leaves)-s.Sys)
	into := make([]any, len(cells))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("reading what Trino says of table %q: %w", s.Table, err)
		}
		n := out.Len()
		out.Resize(n + 1)
		if err := setRow(s, out, n, cells); err != nil {
			return nil, fmt.Errorf("reading what Trino says of table %q: %w", s.Table, err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("asking Trino for table %q: %w", s.Table, err)
	}
	return out, nil
}

// setRow reads a row of texts: the columns, then the system columns.
func setRow(s *bridge.Schema, rows bridge.Rows, i int, cells []sql.NullString) error {
	if err := setSystem(rows.Sys(i), cells[len(s.Fields):]); err != nil {
		return err
	}
	dead, underived := rows.Sys(i).Deleted, false
	for col := range s.Fields {
		f, c := &s.Fields[col], &cells[col]
		cell := bridge.Text{B: []byte(c.String), Null: !c.Valid, Zone: time.UTC, Symbols: true}
		if !c.Valid && f.Derived {
			underived = true
			continue
		}
		if !c.Valid && !f.Optional {
			if dead {
				continue
			}
			if f.HasDefault { // the row is older than the column
				cell = bridge.Text{B: []byte(f.Default)}
			}
		}
		if rows.Set(i, col, &cell); cell.Reason != "" {
			return fmt.Errorf("column %q: %q %s", f.Name, c.String, cell.Reason)
		}
	}
	if underived { // the row is older than the column
		return bridge.Derive(s, rows, i)
	}
	return nil
}

func setSystem(s *bridge.System, cells []sql.NullString) error {
	text := func(i int) *bridge.Text {
		return &bridge.Text{B: []byte(cells[i].String), Null: !cells[i].Valid, Zone: time.UTC}
	}
	check := func(name string, t *bridge.Text) error {
		if t.Reason != "" {
			return fmt.Errorf("column %q: %q %s", name, t.B, t.Reason)
		}
		return nil
	}
	switch cells[0].String {
	case bridge.Batch.String():
		s.Source = bridge.Batch
	case bridge.Streaming.String():
		s.Source = bridge.Streaming
	default:
		return fmt.Errorf("column \"_source\": %q is neither batch nor streaming", cells[0].String)
	}
	ingested, version, seq := text(1), text(2), text(3)
	ingested.Timestamp(&s.IngestedAt)
	if !version.Null {
		version.Long(&s.Version.V)
		s.Version.OK = true
	}
	seq.Long(&s.Seq)
	err := errors.Join(check("_ingested_at", ingested), check("_version", version), check("_seq", seq))
	if len(cells) > 4 && cells[4].Valid {
		dead := text(4)
		dead.Bool(&s.Deleted)
		err = errors.Join(err, check("_deleted", dead))
	}
	return err
}
