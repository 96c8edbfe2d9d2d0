// Package schematest holds the published JSON Schemas against a validator. It is a module
// of its own, so that the modules of users do not inherit the validator.
package schematest
