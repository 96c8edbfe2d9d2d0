package bridge_test

import (
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/spec/types"
)

// A type that JSON lines cannot say would be found by the first load only.
func TestEveryTypeHasItsJSONForm(t *testing.T) {
	for _, typ := range types.All {
		if bridge.JSONFormOf(typ.Word) == nil {
			t.Errorf("type %s has no row in the table of JSON forms", typ.Word)
		}
	}
}
