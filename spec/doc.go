// Package spec reads specs and project files as they were written: values with their
// places, nothing filled in. Parse finds what one file says wrongly (syntax, unknown
// keys, wrong types), Check finds what the tables of a project mean wrongly, by the
// rules of Rules. Both return all errors at once, with file, line, column and rule.
//
// The package does no I/O. What the keys are, which words they take and what their
// defaults are stands in Keys; package model fills the defaults in.
package spec
