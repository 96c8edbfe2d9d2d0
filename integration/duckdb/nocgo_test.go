//go:build !cgo

package duckdb

import (
	"testing"

	"github.com/bridgegen/bridgegen/integration/preflight"
)

func TestDuckDB(t *testing.T) {
	preflight.Need(t, preflight.CGO)
	preflight.Lacks(t, "this test was built without cgo")
}
