package spec

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

var errDuration = errors.New("is no duration (a number with a unit: 500ms, 90s, 2m, 26h, 7d)")

// ParseDuration reads Go's durations plus the unit d of 24 hours, which comes first:
// 1d12h. Every number needs its unit, also 0.
func ParseDuration(s string) (time.Duration, error) {
	rest, days := s, time.Duration(0)
	if before, after, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(before, 10, 32)
		if err != nil || time.Duration(n) > math.MaxInt64/(24*time.Hour) {
			return 0, errDuration
		}
		if rest, days = after, time.Duration(n)*24*time.Hour; rest == "" {
			return days, nil
		}
		if rest[0] == '-' || rest[0] == '+' {
			return 0, errDuration
		}
	}
	if rest == "0" || rest == "-0" || rest == "+0" {
		return 0, errDuration
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d > 0 && days > math.MaxInt64-d {
		return 0, errDuration
	}
	return days + d, nil
}
