// Package expr compiles the CEL subset of a spec's derive: and validate:, checks its
// types, and renders it to Go and to SQL from one operator table.
//
// cel-go parses; Operators says which functions there are, over which types, and how
// each target spells them. Types are checked here, for an int literal may stand for a
// double or a decimal, a string literal for a symbol of an enum or a UUID, and CEL has
// no decimal and no date.
//
// Expressions are two-valued. A null is only ever asked for (x == null, x != null): an
// optional column must be tested on every path before its value is used, so no operator
// meets a null, and SQL's third truth value never arises. && and || look at their left
// side first and at the right one only if it decides. Arithmetic on integers that
// overflows or divides by zero has no value and rejects the row; arithmetic on doubles
// is IEEE 754.
package expr
