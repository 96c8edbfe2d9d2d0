package bridge

import (
	"fmt"
	"strconv"
)

// EpochUnits are the units of Field.Epoch, by how many of them make a second.
var EpochUnits = map[string]int64{"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}

const (
	reasonEpoch      = "is no whole number of %s since 1970, nor a timestamp by RFC 3339"
	reasonEpochRange = "is outside the years 1 to 9999; is the declared unit %s right?"
)

func epochReason(format string, perSecond int64) string {
	for unit, n := range EpochUnits {
		if n == perSecond {
			return fmt.Sprintf(format, unit)
		}
	}
	return format
}

// Epoch reads a number of units since 1970; perSecond of them make a second. What is
// finer than a millisecond is floored and counted. A text that is no number is read as a
// Timestamp: there is nothing to guess about it, and rejected rows and states are written
// so.
func (t *Text) Epoch(dst *Timestamp, perSecond int64) {
	if t.null() {
		return
	}
	if len(t.B) > 5 && t.B[4] == '-' {
		t.Timestamp(dst)
		return
	}
	n, err := strconv.ParseInt(t.view(), 10, 64)
	if err != nil {
		t.Reason = epochReason(reasonEpoch, perSecond)
		return
	}
	ms, finer := n, false
	switch {
	case perSecond == 1 && (n > int64(MaxTimestamp)/1e3 || n < int64(MinTimestamp)/1e3):
		t.Reason = epochReason(reasonEpochRange, perSecond)
		return
	case perSecond == 1:
		ms = n * 1e3
	default:
		per := perSecond / 1e3
		ms = floorDiv(n, per)
		finer = ms*per != n
	}
	if !Timestamp(ms).Valid() {
		t.Reason = epochReason(reasonEpochRange, perSecond)
		return
	}
	if finer {
		t.Floored++
	}
	*dst = Timestamp(ms)
}
