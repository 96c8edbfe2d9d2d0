package randomspec

import (
	"fmt"
	"testing"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/expr"
	"github.com/bridgegen/bridgegen/spec/types"
)

const seeds = 500

// A spec that is refused is a mistake of this package, or of the rule that refuses it.
func TestSpecsAreValid(t *testing.T) {
	var specs []*spec.Spec
	for seed := range uint64(seeds) {
		text := Spec(seed)
		if again := Spec(seed); again != text {
			t.Fatalf("seed %d gives two specs:\n%s\n%s", seed, text, again)
		}
		s, found := spec.Parse("spec.yaml", []byte(text))
		if s != nil {
			found = append(found, spec.Check([]*spec.Spec{s}, nil)...)
			specs = append(specs, s)
		}
		if len(found) > 0 {
			t.Errorf("seed %d: %v\n%s", seed, found, text)
		}
	}
	if found := spec.Check(specs, nil); len(found) > 0 {
		t.Errorf("together: %v", found)
	}
}

// What the tables have and no spec shows is not tested by the specs either.
func TestSpecsShowEverything(t *testing.T) {
	took := map[string]bool{}
	for seed := range uint64(seeds) {
		_, one := draw(seed)
		for what := range one {
			took[what] = true
		}
	}
	want := []string{"null", "null test", "in", "?:"}
	for _, k := range spec.Keys {
		if k.Later {
			continue
		}
		want = append(want, k.Path)
		for _, w := range k.Words {
			if k.Path != "bridgegen" {
				want = append(want, k.Path+"="+w)
			}
		}
	}
	for _, typ := range types.All {
		want = append(want, "type "+typ.Word)
	}
	for i := range expr.Operators {
		want = append(want, fmt.Sprintf("operator %d", i))
	}
	for _, what := range want {
		if !took[what] {
			t.Errorf("no spec of %d has %s", seeds, what)
		}
	}
	for _, typ := range types.All {
		if typ.Shape != types.Group && defaults[typ] == nil || typ.Shape == types.Scalar && literals[widest(typ)] == nil {
			t.Errorf("type %q has no default or literal here", typ.Word)
		}
	}
}
