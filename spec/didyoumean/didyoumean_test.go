package didyoumean_test

import (
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/spec/didyoumean"
)

func TestNearest(t *testing.T) {
	legal := []string{"optional", "default", "derive", "key", "to"}
	synonyms := map[string]string{"nullable": "optional", "pk": "key", "foreign": "elsewhere"}
	for word, want := range map[string]string{
		"optionnal": "optional", "Optional": "optional", "nullable": "optional", "NULLABLE": "optional", "pk": "key",
		"dervie": "derive", // a swap counts once
		"kye":    "key", "xyz": "", "ot": "", "foreign": "", "": "", strings.Repeat("x", 200): "",
	} {
		if got := didyoumean.Nearest(word, legal, synonyms); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if didyoumean.Hint("") != "" || didyoumean.Hint("key") != `; did you mean "key"?` {
		t.Error("Hint")
	}
}
