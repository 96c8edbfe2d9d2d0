package spec_test

import (
	"os"
	"testing"

	"github.com/bridgegen/bridgegen/spec"
	"github.com/bridgegen/bridgegen/spec/spectest"
)

func exampleFile(t testing.TB) []byte {
	t.Helper()
	src, err := os.ReadFile("../examples/customers/customers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func FuzzParse(f *testing.F) {
	f.Add(exampleFile(f))
	f.Add([]byte(spectest.Spec))
	for _, r := range spec.Rules {
		f.Add([]byte(spectest.Merge(spectest.Spec, r.Bad)))
		f.Add([]byte(spectest.Merge(spectest.Spec, r.Good)))
	}
	for _, m := range messages {
		f.Add([]byte(spectest.Merge(spectest.Spec, m.example)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, ds := spec.Parse("x.yaml", src)
		known(t, ds)
		if s == nil && len(ds) == 0 {
			t.Fatal("neither a spec nor an error")
		}
		p, more := spec.ParseProject("x.yaml", src)
		known(t, more)
		var specs []*spec.Spec
		if s != nil {
			specs = append(specs, s)
		}
		known(t, spec.Check(specs, p))
	})
}
