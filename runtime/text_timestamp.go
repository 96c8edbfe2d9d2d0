package bridge

import "time"

// Timestamp reads RFC 3339 or SQL text: a date, T or a blank, hh:mm:ss, up to nine
// digits of a second, and Z or an offset (+02, +0200, +02:00, a blank before it is
// legal). What is finer than a millisecond is floored and counted. A text without an
// offset is local time in Zone.
func (t *Text) Timestamp(dst *Timestamp) {
	if t.null() {
		return
	}
	ms, finer, rest, reason := parseDateTime(t.B)
	if reason != "" {
		t.Reason = reason
		return
	}
	var v Timestamp
	if len(rest) == 0 {
		v, reason = localTime(ms, t.Zone)
	} else {
		offset, ok := parseOffset(rest)
		if !ok {
			reason = reasonTimestamp
		}
		v = Timestamp(ms - offset)
	}
	if reason == "" && (v < MinTimestamp || v > MaxTimestamp) {
		reason = reasonTimestamp
	}
	if reason != "" {
		t.Reason = reason
		return
	}
	if finer {
		t.Floored++
	}
	*dst = v
}

// parseDateTime reads the date and the time of day as if in UTC. finer reports digits
// other than zero below the millisecond, which are cut: the fraction counts forward
// from the second, so cutting it floors.
func parseDateTime(b []byte) (ms int64, finer bool, rest []byte, reason string) {
	days, rest, ok := parseDate(b)
	if !ok || len(rest) < 9 || rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ' || rest[3] != ':' || rest[6] != ':' {
		return 0, false, nil, reasonTimestamp
	}
	h, m, s := digits(rest[1:3]), digits(rest[4:6]), digits(rest[7:9])
	if h < 0 || h > 23 || m < 0 || m > 59 || s < 0 || s > 60 {
		return 0, false, nil, reasonTimestamp
	}
	if s == 60 {
		return 0, false, nil, reasonLeap
	}
	ms = days*86400000 + int64(h*3600+m*60+s)*1000
	rest = rest[9:]
	if len(rest) == 0 || rest[0] != '.' {
		return ms, false, rest, ""
	}
	n, unit := 1, int64(100)
	for ; n < len(rest) && rest[n] >= '0' && rest[n] <= '9'; n++ {
		d := int64(rest[n] - '0')
		finer = finer || unit == 0 && d != 0
		ms += d * unit
		unit /= 10
	}
	if n == 1 || n > 10 {
		return 0, false, nil, reasonTimestamp
	}
	return ms, finer, rest[n:], ""
}

// parseOffset reads Z, +hh, +hhmm or +hh:mm as milliseconds east of UTC.
func parseOffset(b []byte) (ms int64, ok bool) {
	if b[0] == ' ' {
		b = b[1:]
	}
	if len(b) == 1 && (b[0] == 'Z' || b[0] == 'z') {
		return 0, true
	}
	if len(b) < 3 || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	h, m := digits(b[1:3]), 0
	switch {
	case len(b) == 5:
		m = digits(b[3:5])
	case len(b) == 6 && b[3] == ':':
		m = digits(b[4:6])
	case len(b) != 3:
		return 0, false
	}
	if h < 0 || h > 23 || m < 0 || m > 59 {
		return 0, false
	}
	ms = int64(h*60+m) * 60000
	if b[0] == '-' {
		ms = -ms
	}
	return ms, true
}

// localTime is the instant of a local time given as if in UTC. A time that a clock
// change skips has no instant and one that it repeats has two: both are refused.
func localTime(ms int64, zone *time.Location) (Timestamp, string) {
	if zone == nil {
		return 0, reasonZone
	}
	if zone == time.UTC {
		return Timestamp(ms), ""
	}
	found, hits := Timestamp(0), 0
	var seen [2]int64
	for i, probe := range [2]int64{ms - 86400000, ms + 86400000} { // the offsets around it
		_, seconds := time.UnixMilli(probe).In(zone).Zone()
		seen[i] = int64(seconds)
		if i == 1 && seen[0] == seen[1] {
			break
		}
		at := ms - int64(seconds)*1000
		if _, back := time.UnixMilli(at).In(zone).Zone(); back == seconds {
			found, hits = Timestamp(at), hits+1
		}
	}
	if hits != 1 {
		return 0, reasonLocal
	}
	return found, ""
}
