package postgres

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// form appends the text that CSV has for a value to b; nil for types whose text is that
// already.
type form func(b, text []byte) ([]byte, error)

// OIDs of the types that are written otherwise. They are fixed for ever.
const (
	oidBool, oidBytea, oidInt8, oidInt2, oidInt4, oidOID = 16, 17, 20, 21, 23, 26
	oidJSON, oidFloat4, oidFloat8, oidNumeric, oidJSONB  = 114, 700, 701, 1700, 3802
)

// forms are those of types that no other type is part of.
var forms = map[uint32]form{oidBool: boolText, oidBytea: base64Text}

// bare are the types that JSON has without quotes.
var bare = map[uint32]bool{oidBool: true, oidInt2: true, oidInt4: true, oidInt8: true, oidOID: true, oidFloat4: true, oidFloat8: true,
	oidNumeric: true, oidJSON: true, oidJSONB: true}

// pgType is a row of pg_type.
type pgType struct {
	isArray, isDomain bool
	element           uint32 // of an array
	base              uint32 // of a domain
	delimiter         byte   // between the elements of an array of it
}

// formsOf finds the forms of the columns of a result.
func formsOf(ctx context.Context, conn *pgconn.PgConn, fields []pgconn.FieldDescription) ([]form, error) {
	known := map[uint32]pgType{}
	wanted := map[uint32]bool{}
	for _, f := range fields {
		wanted[f.DataTypeOID] = true
	}
	for len(wanted) > 0 {
		if err := lookUp(ctx, conn, wanted, known); err != nil {
			return nil, err
		}
		wanted = map[uint32]bool{}
		for _, t := range known {
			for _, oid := range []uint32{t.element, t.base} {
				if _, ok := known[oid]; oid != 0 && !ok {
					wanted[oid] = true
				}
			}
		}
	}
	out := make([]form, len(fields))
	for i, f := range fields {
		out[i] = formOf(f.DataTypeOID, known)
	}
	return out, nil
}

// lookUp reads types from the catalogue.
func lookUp(ctx context.Context, conn *pgconn.PgConn, wanted map[uint32]bool, known map[uint32]pgType) error {
	var oids []string
	for oid := range wanted {
		oids = append(oids, strconv.FormatUint(uint64(oid), 10))
	}
	const query = `select oid, exists (select from pg_catalog.pg_type e where e.oid = t.typelem and e.typarray = t.oid), typtype = 'd', typelem, typbasetype, typdelim
from pg_catalog.pg_type t where oid = any($1::pg_catalog.oid[])`
	result := conn.ExecParams(ctx, query, [][]byte{[]byte("{" + strings.Join(oids, ",") + "}")}, nil, nil, nil).Read()
	if result.Err != nil {
		return fmt.Errorf("the types of the query's columns: %w", reason(result.Err))
	}
	for _, row := range result.Rows {
		var t pgType
		t.isArray, t.isDomain = string(row[1]) == "t", string(row[2]) == "t"
		if t.isArray {
			t.element = oidOf(row[3])
		}
		t.base = oidOf(row[4])
		if len(row[5]) == 1 {
			t.delimiter = row[5][0]
		}
		known[oidOf(row[0])] = t
	}
	for oid := range wanted {
		if _, ok := known[oid]; !ok { // dropped meanwhile; its text is what it is
			known[oid] = pgType{}
		}
	}
	return nil
}

func oidOf(text []byte) uint32 {
	n, err := strconv.ParseUint(string(text), 10, 32)
	if err != nil {
		return 0 // no OID: the catalogue has only such
	}
	return uint32(n)
}

// formOf is the form of a type; a domain has that of what it is made of.
func formOf(oid uint32, known map[uint32]pgType) form {
	t := undomained(&oid, known)
	if !t.isArray {
		return forms[oid]
	}
	element := t.element
	of := undomained(&element, known)
	a := arrayForm{element: formOf(t.element, known), bare: bare[element] || of.isArray, delimiter: of.delimiter}
	if a.delimiter == 0 {
		a.delimiter = ','
	}
	return a.json
}

func undomained(oid *uint32, known map[uint32]pgType) pgType {
	t := known[*oid]
	for t.isDomain {
		*oid = t.base
		t = known[*oid]
	}
	return t
}

func boolText(b, text []byte) ([]byte, error) {
	switch string(text) {
	case "t":
		return append(b, "true"...), nil
	case "f":
		return append(b, "false"...), nil
	}
	return b, fmt.Errorf("%q is no boolean", text)
}

func base64Text(b, text []byte) ([]byte, error) {
	digits, ok := bytes.CutPrefix(text, []byte(`\x`))
	if !ok {
		return b, errors.New("a bytea is not in the hex form that was asked for")
	}
	raw, err := hex.AppendDecode(nil, digits)
	if err != nil {
		return b, err
	}
	return base64.StdEncoding.AppendEncode(b, raw), nil
}
