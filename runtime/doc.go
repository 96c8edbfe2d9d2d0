// Package bridge is what generated code imports: logical types, system columns, the
// one order, the table descriptor, and the pages between rows and roads. It imports
// the standard library and golang.org/x/text/unicode/norm, nothing else; the I/O lies
// in the packages below it, one per road.
//
// A generated package declares a record (a plain struct) and a Table of functions over
// it. Roads take the Table with its record type hidden (Any, Rows) and exchange rows
// as columns (Page), so they compile once for all tables.
package bridge

// SupportsV1 is the contract of code that bridgegen v1 generated. Generated packages
// mention it first, so that a runtime which no longer keeps the contract fails to
// compile there and not somewhere in the middle.
const SupportsV1 = true
