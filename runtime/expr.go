package bridge

import (
	"math"
	"math/bits"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// What expressions of a spec (derive, validate) are rendered to. Arithmetic on integers
// is methods of Env: where it has no result it sets Fault, which rejects the row, and
// returns 0. The first fault of an expression stands.

// Faults of expressions.
const (
	FaultOverflow = "overflow"
	FaultDivision = "division by zero"
)

func (e *Env) fault(what string) int64 {
	if e.Fault == "" {
		e.Fault = what
	}
	return 0
}

// Add is a + b.
func (e *Env) Add(a, b int64) int64 {
	if c := a + b; (c > a) == (b > 0) {
		return c
	}
	return e.fault(FaultOverflow)
}

// Sub is a - b.
func (e *Env) Sub(a, b int64) int64 {
	if c := a - b; (c < a) == (b > 0) {
		return c
	}
	return e.fault(FaultOverflow)
}

// Mul is a × b.
func (e *Env) Mul(a, b int64) int64 {
	neg := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	switch {
	case hi == 0 && lo <= math.MaxInt64:
		return a * b
	case hi == 0 && lo == 1<<63 && neg:
		return math.MinInt64
	}
	return e.fault(FaultOverflow)
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// Div is a / b, cut towards zero.
func (e *Env) Div(a, b int64) int64 {
	switch {
	case b == 0:
		return e.fault(FaultDivision)
	case a == math.MinInt64 && b == -1:
		return e.fault(FaultOverflow)
	}
	return a / b
}

// Mod is the remainder of Div; it has the sign of a.
func (e *Env) Mod(a, b int64) int64 {
	switch {
	case b == 0:
		return e.fault(FaultDivision)
	case a == math.MinInt64 && b == -1:
		return e.fault(FaultOverflow)
	}
	return a % b
}

// Neg is -a.
func (e *Env) Neg(a int64) int64 {
	if a == math.MinInt64 {
		return e.fault(FaultOverflow)
	}
	return -a
}

// Int is a as a column of type int holds it.
func (e *Env) Int(a int64) int32 {
	if a != int64(int32(a)) {
		return int32(e.fault(FaultOverflow))
	}
	return int32(a)
}

// Float64 is v. Generated code wraps constants in it, so that the compiler does not
// compute with them by other rules than those of float64.
func Float64(v float64) float64 { return v }

// Size counts the code points of s.
func Size(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// Contains reports whether sub stands in s.
func Contains(s, sub string) bool { return strings.Contains(s, sub) }

// StartsWith reports whether s begins with prefix.
func StartsWith(s, prefix string) bool { return strings.HasPrefix(s, prefix) }

// EndsWith reports whether s ends with suffix.
func EndsWith(s, suffix string) bool { return strings.HasSuffix(s, suffix) }

// In reports whether v is one of list.
func In[T comparable](v T, list ...T) bool {
	for _, l := range list {
		if v == l {
			return true
		}
	}
	return false
}

var patterns sync.Map // of *regexp.Regexp, by the patterns of the program's specs

// Matches reports whether the RE2 pattern matches anywhere in s. Patterns are
// constants of generated code, compiled when they are first used; the generator has
// refused what does not compile.
func Matches(s, pattern string) bool {
	re, ok := patterns.Load(pattern)
	if !ok {
		re, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return re.(*regexp.Regexp).MatchString(s)
}
