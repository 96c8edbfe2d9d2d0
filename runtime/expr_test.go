package bridge_test

import (
	"math"
	"math/big"
	"testing"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"pgregory.net/rapid"
)

// edge draws integers near the ends of their range as often as others.
func edge(t *rapid.T, name string) int64 {
	return rapid.OneOf(
		rapid.Int64(), rapid.Int64Range(-3, 3),
		rapid.Int64Range(math.MaxInt64-3, math.MaxInt64), rapid.Int64Range(math.MinInt64, math.MinInt64+3),
		rapid.Int64Range(-1<<32, 1<<32),
	).Draw(t, name)
}

// TestArithmetic compares with numbers that cannot overflow.
func TestArithmetic(t *testing.T) {
	e := &bridge.Env{}
	operations := map[string]struct {
		ours  func(a, b int64) int64
		exact func(z, a, b *big.Int) *big.Int
	}{
		"+": {e.Add, (*big.Int).Add},
		"-": {e.Sub, (*big.Int).Sub},
		"*": {e.Mul, (*big.Int).Mul},
		"/": {e.Div, (*big.Int).Quo},
		"%": {e.Mod, nil},
		"n": {func(a, _ int64) int64 { return e.Neg(a) }, func(z, a, _ *big.Int) *big.Int { return z.Neg(a) }},
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := edge(t, "a"), edge(t, "b")
		for name, op := range operations {
			e.Reset()
			got := op.ours(a, b)
			fault := e.Fault
			switch {
			case (name == "/" || name == "%") && b == 0:
				if fault != bridge.FaultDivision {
					t.Fatalf("%d %s %d: fault %q", a, name, b, fault)
				}
			case name == "%":
				// CEL calls the remainder of the least number and -1 an overflow, as it is for /.
				if overflow := a == math.MinInt64 && b == -1; overflow != (fault == bridge.FaultOverflow) || !overflow && got != a%b {
					t.Fatalf("%d %% %d is %d, fault %q", a, b, got, fault)
				}
			default:
				want := op.exact(new(big.Int), big.NewInt(a), big.NewInt(b))
				if want.IsInt64() != (fault == "") || want.IsInt64() && got != want.Int64() || !want.IsInt64() && fault != bridge.FaultOverflow {
					t.Fatalf("%d %s %d is %d, fault %q; exactly %v", a, name, b, got, fault, want)
				}
			}
		}
		e.Reset()
		if got := e.Int(a); (int64(got) == a) != (e.Fault == "") {
			t.Fatalf("Int(%d) is %d, fault %q", a, got, e.Fault)
		}
	})
}

func TestTheFirstFaultStands(t *testing.T) {
	e := &bridge.Env{}
	e.Div(1, 0)
	e.Add(math.MaxInt64, 1)
	if e.Fault != bridge.FaultDivision {
		t.Errorf("%q", e.Fault)
	}
}

func TestMatches(t *testing.T) {
	for range 2 { // compiled, then remembered
		if !bridge.Matches("abc", "^a.c$") || bridge.Matches("ab", "^a.c$") {
			t.Error("Matches")
		}
	}
	if n := testing.AllocsPerRun(100, func() { bridge.Matches("abc", "^a.c$") }); n > 0 {
		t.Errorf("%v allocations per row", n)
	}
}
