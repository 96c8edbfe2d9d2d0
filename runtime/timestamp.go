package bridge

import "time"

// Timestamp is an instant in milliseconds since 1970-01-01T00:00:00Z.
type Timestamp int64

// Date is a calendar day in days since 1970-01-01.
type Date int32

// The years that every system of the bridge can hold and print with four digits.
const (
	MinTimestamp Timestamp = -62135596800000 // 0001-01-01T00:00:00.000Z
	MaxTimestamp Timestamp = 253402300799999 // 9999-12-31T23:59:59.999Z
	MinDate      Date      = -719162         // 0001-01-01
	MaxDate      Date      = 2932896         // 9999-12-31
)

// TimestampOf floors t to the millisecond.
func TimestampOf(t time.Time) Timestamp { return Timestamp(t.UnixMilli()) }

// Time is the instant in UTC.
func (t Timestamp) Time() time.Time { return time.UnixMilli(int64(t)).UTC() }

// String is RFC 3339 in UTC, always with three digits of a second.
func (t Timestamp) String() string { return string(AppendTimestamp(nil, t)) }

// DateOf is the calendar day of t in t's own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// Time is midnight UTC of the day.
func (d Date) Time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// String is the ISO form, 2026-01-31.
func (d Date) String() string { return string(AppendDate(nil, d)) }

// civil splits days since 1970 into year, month and day of the proleptic Gregorian
// calendar (the algorithm counts from 1 March of year 0, where leap days come last).
func civil(days int64) (year, month, day int) {
	z := days + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy - (153*mp+2)/5 + 1)
	month = int(mp) + 3
	if month > 12 {
		month -= 12
	}
	year = int(yoe + era*400)
	if month <= 2 {
		year++
	}
	return year, month, day
}

// daysOf is the inverse of civil.
func daysOf(year, month, day int) int64 {
	y := int64(year)
	if month <= 2 {
		y--
	}
	era := y / 400
	if y < 0 {
		era = (y - 399) / 400
	}
	yoe := y - era*400
	mp := int64(month) - 3
	if month <= 2 {
		mp += 12
	}
	doe := yoe*365 + yoe/4 - yoe/100 + (153*mp+2)/5 + int64(day) - 1
	return era*146097 + doe - 719468
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func appendPadded(b []byte, v, width int) []byte {
	at := len(b)
	for range width {
		b = append(b, '0')
	}
	for i := at + width - 1; i >= at; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
	return b
}

// AppendDate appends d as 2026-01-31.
func AppendDate(b []byte, d Date) []byte {
	y, m, day := civil(int64(d))
	b = appendPadded(b, y, 4)
	b = appendPadded(append(b, '-'), m, 2)
	return appendPadded(append(b, '-'), day, 2)
}

// AppendTimestamp appends t as 2026-01-31T13:59:59.123Z.
func AppendTimestamp(b []byte, t Timestamp) []byte {
	days := floorDiv(int64(t), 86400000)
	ms := int(int64(t) - days*86400000)
	b = append(AppendDate(b, Date(days)), 'T')
	b = append(appendPadded(b, ms/3600000, 2), ':')
	b = append(appendPadded(b, ms/60000%60, 2), ':')
	b = append(appendPadded(b, ms/1000%60, 2), '.')
	return append(appendPadded(b, ms%1000, 3), 'Z')
}

// Valid reports whether t lies in the years 1 to 9999.
func (t Timestamp) Valid() bool { return t >= MinTimestamp && t <= MaxTimestamp }

// Valid reports whether d lies in the years 1 to 9999.
func (d Date) Valid() bool { return d >= MinDate && d <= MaxDate }
