package cli

import "testing"

// AsRelease lets the commands of a test believe that they are a released version: an
// unversioned build renders every table.
func AsRelease(t testing.TB, version string) {
	before := release
	release = func() string { return version }
	t.Cleanup(func() { release = before })
}
