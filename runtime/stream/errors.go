package stream

import (
	"fmt"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// Invalid says that a row was refused; nothing was sent.
type Invalid struct {
	Schema  *bridge.Schema
	Rejects []bridge.Reject
}

// Error names every column and what is wrong with it.
func (e *Invalid) Error() string {
	var parts []string
	for _, r := range e.Rejects {
		name := "?"
		if r.Col >= 0 && r.Col < len(e.Schema.Fields) {
			name = e.Schema.Fields[r.Col].Name
		}
		parts = append(parts, fmt.Sprintf("column %q %s", name, r.Reason))
	}
	return fmt.Sprintf("invalid row of table %q: %s", e.Schema.Table, strings.Join(parts, "; "))
}

// NotRegistered says that the registry does not hold the table's schema.
type NotRegistered struct{ Table, Subject string }

func (e *NotRegistered) Error() string {
	return fmt.Sprintf("the schema of table %q is not registered under %q; run: bridge register %s", e.Table, e.Subject, e.Table)
}

// Undelivered says that rows of earlier calls did not reach the broker. The error is
// returned once, by the next Write, Delete, Flush or Close; a Write that returns it has
// not sent its own row.
type Undelivered struct {
	Rows int    // how many
	Key  string // of the first of them
	Err  error  // of the first of them
}

func (e *Undelivered) Error() string {
	return fmt.Sprintf("%d rows were not delivered, first %s: %v; write them again", e.Rows, e.Key, e.Err)
}

// Unwrap is the first cause.
func (e *Undelivered) Unwrap() error { return e.Err }

// Undecodable says that a record is none of the table: it goes to a dead letter topic.
// Trying again does not help.
type Undecodable struct{ Cause string }

func (e *Undecodable) Error() string { return "undecodable record: " + e.Cause }

// UnknownSchema says that a record was written with a schema that has what this program
// does not know. A process that stores rows stops at it, for it would drop the new
// part without a word (design §2).
type UnknownSchema struct {
	Subject string
	ID      int    // of the writer's schema
	What    string // such as: has column "nickname", which ...
	Older   bool   // the writer lacks what this program requires, and not the other way round
}

func (e *UnknownSchema) Error() string {
	remedy := "bring the spec up to date, run bridgegen generate, and deploy this program again (readers before writers)"
	if e.Older {
		remedy = "its writer is older than this program: give the column a default in the spec or make it optional, run bridgegen generate, and deploy this program again"
	}
	return fmt.Sprintf("schema %d of %q %s; %s", e.ID, e.Subject, e.What, remedy)
}
