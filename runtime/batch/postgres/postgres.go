// Package postgres makes the result of a query an input of a load: all of one snapshot,
// row by row, with the memory of a row.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/jackc/pgx/v5/pgconn"
)

// Query is a query in a read-only transaction that sees one snapshot. It is for one load.
type Query struct {
	conn   *pgconn.PgConn
	sql    string
	taken  bridge.Timestamp
	names  []string
	forms  []form
	rows   *pgconn.ResultReader
	row    [][]byte
	room   []byte // of the texts of a row that were written anew
	number int64
}

// begin makes texts the same whatever the server's settings are, and tells when the
// snapshot was taken, in milliseconds since 1970.
const begin = `begin isolation level repeatable read read only;
set local client_encoding = 'UTF8';
set local datestyle = 'ISO, YMD';
set local timezone = 'UTC';
set local bytea_output = 'hex';
set local extra_float_digits = 3;
select floor(extract(epoch from now()) * 1000)::bigint`

// Open connects to the database of a URL, or of a text of key=value pairs, and begins
// the transaction. What they leave out comes from the environment (PGPASSWORD and the
// like), a password file or a service file, as for every PostgreSQL client. Errors name
// no password.
func Open(ctx context.Context, url, sql string) (*Query, error) {
	config, err := pgconn.ParseConfig(url)
	if err != nil { // its cause may repeat the password
		return nil, errors.New("the address of PostgreSQL cannot be read; write postgres://user@host:5432/database, and the password as PGPASSWORD or in a password file")
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "bridge"
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, connecting(ctx, config, err)
	}
	q := &Query{conn: conn, sql: sql, room: []byte{}} // a nil text would be a null
	if err := q.prepare(ctx); err != nil {
		return nil, errors.Join(err, q.Close())
	}
	return q, nil
}

// connecting says why there is no connection.
func connecting(ctx context.Context, c *pgconn.Config, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("PostgreSQL at %s:%d, database %q, user %q: %w", c.Host, c.Port, c.Database, c.User, reason(err))
}

func (q *Query) prepare(ctx context.Context) error {
	results, err := q.conn.Exec(ctx, begin).ReadAll()
	if err != nil {
		return fmt.Errorf("PostgreSQL: beginning a transaction: %w", reason(err))
	}
	taken, err := strconv.ParseInt(string(results[len(results)-1].Rows[0][0]), 10, 64)
	if err != nil {
		return fmt.Errorf("PostgreSQL: the time of the snapshot: %w", err)
	}
	q.taken = bridge.Timestamp(taken)
	statement, err := q.conn.Prepare(ctx, "", q.sql, nil)
	switch {
	case err != nil:
		return fmt.Errorf("the query: %w", reason(err))
	case len(statement.ParamOIDs) > 0:
		return errors.New("the query has parameters ($1); write their values in their place")
	case len(statement.Fields) == 0:
		return errors.New("the query gives no columns; write a select")
	}
	for _, f := range statement.Fields {
		q.names = append(q.names, f.Name)
	}
	q.forms, err = formsOf(ctx, q.conn, statement.Fields)
	return err
}

// Taken is when the snapshot was taken: the default of Options.AsOf.
func (q *Query) Taken() bridge.Timestamp { return q.taken }

// Input is the result as an input of Options.Format batch.FormatRows. Rows count in the
// order in which the server gives them, so a query whose result shall be the same input
// again orders it.
func (q *Query) Input() batch.Input {
	return batch.RowsInput("query", func(ctx context.Context) (batch.RowSource, error) {
		q.rows = q.conn.ExecParams(ctx, q.sql, nil, nil, nil, nil)
		return q, nil
	})
}

// Columns are the names of the result's columns.
func (q *Query) Columns() []string { return q.names }

// Next reads the next row as texts.
func (q *Query) Next() ([][]byte, error) {
	if !q.rows.NextRow() {
		if _, err := q.rows.Close(); err != nil {
			return nil, fmt.Errorf("after row %d: %w", q.number, reason(err))
		}
		return nil, io.EOF
	}
	q.number++
	values := q.rows.Values()
	if len(values) != len(q.names) {
		return nil, errors.New("the query's columns changed while it ran")
	}
	q.row, q.room = q.row[:0], q.room[:0]
	for i, text := range values {
		if text != nil && q.forms[i] != nil {
			from := len(q.room)
			var err error
			if q.room, err = q.forms[i](q.room, text); err != nil {
				return nil, fmt.Errorf("row %d, column %q: %w", q.number, q.names[i], err)
			}
			text = q.room[from:len(q.room):len(q.room)]
		}
		q.row = append(q.row, text)
	}
	return q.row, nil
}

// closing bounds the farewell to a server that does not answer.
const closing = 5 * time.Second

// Close ends transaction and connection.
func (q *Query) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	_ = q.conn.Close(ctx) // nothing was written
	return nil
}

// reason is what people need of an error of the client: the server's own words, or what
// the network says.
func reason(err error) error {
	var server *pgconn.PgError
	if !errors.As(err, &server) {
		return flat(err)
	}
	text := server.Message
	if server.Hint != "" {
		text += " (" + server.Hint + ")"
	}
	if server.Position > 0 {
		text += fmt.Sprintf(", at character %d", server.Position)
	}
	return fmt.Errorf("%s (SQLSTATE %s)", text, server.Code)
}
