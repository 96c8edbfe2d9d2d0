package bridge_test

import (
	"testing"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

func TestEpoch(t *testing.T) {
	const years = "is outside the years 1 to 9999; is the declared unit "
	for _, c := range []struct {
		text, unit string
		want       string // RFC 3339
		floored    int
		reason     string
	}{
		{"0", "s", "1970-01-01T00:00:00.000Z", 0, ""},
		{"1769867940", "s", "2026-01-31T13:59:00.000Z", 0, ""},
		{"1769867940123", "ms", "2026-01-31T13:59:00.123Z", 0, ""},
		{"1769867940123999", "us", "2026-01-31T13:59:00.123Z", 1, ""},
		{"1769867940123000000", "ns", "2026-01-31T13:59:00.123Z", 0, ""},
		{"1769867940123000001", "ns", "2026-01-31T13:59:00.123Z", 1, ""},
		{"-1", "us", "1969-12-31T23:59:59.999Z", 1, ""},
		{"-1", "s", "1969-12-31T23:59:59.000Z", 0, ""},
		{"+60", "s", "1970-01-01T00:01:00.000Z", 0, ""},
		{"-62135596800", "s", "0001-01-01T00:00:00.000Z", 0, ""},
		{"253402300799", "s", "9999-12-31T23:59:59.000Z", 0, ""},
		{"253402300799999", "ms", "9999-12-31T23:59:59.999Z", 0, ""},
		{"9223372036854775807", "ns", "2262-04-11T23:47:16.854Z", 1, ""},
		{"2026-01-31T13:59:00Z", "ms", "2026-01-31T13:59:00.000Z", 0, ""},
		{"253402300800", "s", "", 0, years + "s right?"},
		{"253402300800000", "ms", "", 0, years + "ms right?"},
		{"9223372036854775807", "s", "", 0, years + "s right?"},
		{"-62135596801", "s", "", 0, years + "s right?"},
		{"9223372036854775808", "ns", "", 0, "is no whole number of ns since 1970, nor a timestamp by RFC 3339"},
		{"1.5", "s", "", 0, "is no whole number of s since 1970, nor a timestamp by RFC 3339"},
		{"1e3", "s", "", 0, "is no whole number of s since 1970, nor a timestamp by RFC 3339"},
		{"", "us", "", 0, "is no whole number of us since 1970, nor a timestamp by RFC 3339"},
		{"2026-02-30T00:00:00Z", "ms", "", 0, "is no timestamp (RFC 3339; for epochs declare their unit)"},
	} {
		cell := bridge.Text{B: []byte(c.text)}
		var got bridge.Timestamp
		cell.Epoch(&got, bridge.EpochUnits[c.unit])
		if cell.Reason != c.reason || cell.Floored != c.floored {
			t.Errorf("%q in %s: %q, %d floored; want %q, %d", c.text, c.unit, cell.Reason, cell.Floored, c.reason, c.floored)
			continue
		}
		if c.reason != "" {
			continue
		}
		if want, err := time.Parse(time.RFC3339, c.want); err != nil || got != bridge.TimestampOf(want) {
			t.Errorf("%q in %s is %s, want %s (%v)", c.text, c.unit, got, c.want, err)
		}
	}
}
