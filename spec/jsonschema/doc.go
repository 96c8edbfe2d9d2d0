// Package jsonschema renders the key table and the type table as JSON Schema 2020-12, for
// completion and checks in editors. A schema sees the form of single values; what the
// rules say of several together is left to `bridgegen validate`.
package jsonschema
