package bridge_test

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"pgregory.net/rapid"
)

func timestamps() *rapid.Generator[bridge.Timestamp] {
	return rapid.Custom(func(t *rapid.T) bridge.Timestamp {
		return bridge.Timestamp(rapid.Int64Range(int64(bridge.MinTimestamp), int64(bridge.MaxTimestamp)).Draw(t, "ms"))
	})
}

// The standard library is the reference for the calendar.
func TestTimestampTextAgreesWithTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ts := timestamps().Draw(t, "ts")
		want := ts.Time().Format("2006-01-02T15:04:05.000Z")
		if got := ts.String(); got != want {
			t.Fatalf("%d: %q, want %q", int64(ts), got, want)
		}
		cell := bridge.Text{B: []byte(want)}
		var back bridge.Timestamp
		if cell.Timestamp(&back); cell.Reason != "" || back != ts {
			t.Fatalf("%q reads as %d (%s), want %d", want, back, cell.Reason, ts)
		}
		d := bridge.DateOf(ts.Time())
		if got, want := d.String(), ts.Time().Format("2006-01-02"); got != want {
			t.Fatalf("date %q, want %q", got, want)
		}
		cell = bridge.Text{B: []byte(d.String())}
		var day bridge.Date
		if cell.Date(&day); cell.Reason != "" || day != d {
			t.Fatalf("%q reads as %d", d, day)
		}
	})
}

func TestTimestampText(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zone database")
	}
	ok := func(want string) string { return want }
	for _, c := range []struct {
		text    string
		zone    *time.Location
		want    string // RFC 3339, or the reason's beginning
		floored int
	}{
		{"2026-08-19T02:03:04Z", nil, ok("2026-08-19T02:03:04.000Z"), 0},
		{"2026-08-19t02:03:04.5z", nil, ok("2026-08-19T02:03:04.500Z"), 0},
		{"2026-08-19 02:03:04.123456+02", nil, ok("2026-08-19T00:03:04.123Z"), 1},
		{"2026-08-19 02:03:04.123000000+0230", nil, ok("2026-08-18T23:33:04.123Z"), 0},
		{"2026-08-19 02:03:04 -02:00", nil, ok("2026-08-19T04:03:04.000Z"), 0},
		{"1969-12-31T23:59:59.9999Z", nil, ok("1969-12-31T23:59:59.999Z"), 1},
		{"2024-02-29T00:00:00Z", nil, ok("2024-02-29T00:00:00.000Z"), 0},
		{"2026-08-19 02:03:04", time.UTC, ok("2026-08-19T02:03:04.000Z"), 0},
		{"2026-08-19 02:03:04", berlin, ok("2026-08-19T00:03:04.000Z"), 0},
		{"2026-03-29 01:59:59", berlin, ok("2026-03-29T00:59:59.000Z"), 0},
		{"2026-03-29 03:00:00", berlin, ok("2026-03-29T01:00:00.000Z"), 0},
		{"2026-10-25 01:59:59", berlin, ok("2026-10-24T23:59:59.000Z"), 0},
		{"2026-10-25 03:00:00", berlin, ok("2026-10-25T02:00:00.000Z"), 0},
		{"2026-03-29 02:30:00", berlin, "is skipped or repeated", 0},
		{"2026-10-25 02:30:00", berlin, "is skipped or repeated", 0},
		{"2026-08-19 02:03:04", nil, "has no offset", 0},
		{"2026-06-30T23:59:60Z", nil, "is a leap second", 0},
		{"2026-02-29T00:00:00Z", nil, "is no timestamp", 0},
		{"2026-13-01", nil, "is no timestamp", 0},
		{"2026-08-19T02:03:04.Z", nil, "is no timestamp", 0},
		{"2026-08-19T02:03:04.1234567890Z", nil, "is no timestamp", 0},
		{"2026-08-19T24:00:00Z", nil, "is no timestamp", 0},
		{"2026-08-19T02:03:04+2", nil, "is no timestamp", 0},
		{"2026-08-19T02:03:04+02:0", nil, "is no timestamp", 0},
		{"2026-08-19T02:03:04 ", nil, "is no timestamp", 0},
		{"2026-08-19T02:03:04Q", nil, "is no timestamp", 0},
		{"9999-12-31T23:59:59-01:00", nil, "is no timestamp", 0},
		{"0001-01-01T00:00:00+01:00", nil, "is no timestamp", 0},
		{"1755561784000", nil, "is no timestamp", 0},
		{"", nil, "is no timestamp", 0},
	} {
		cell := bridge.Text{B: []byte(c.text), Zone: c.zone}
		var got bridge.Timestamp
		cell.Timestamp(&got)
		if cell.Reason != "" {
			if !strings.HasPrefix(cell.Reason, c.want) {
				t.Errorf("%q in %v: %s, want %s", c.text, c.zone, cell.Reason, c.want)
			}
			continue
		}
		if got.String() != c.want || cell.Floored != c.floored {
			t.Errorf("%q in %v: %s floored %d, want %s floored %d", c.text, c.zone, got, cell.Floored, c.want, c.floored)
		}
	}
}

func unscaled(d bridge.Decimal) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(d.Hi), 64)
	return v.Add(v, new(big.Int).SetUint64(d.Lo))
}

func decimals() *rapid.Generator[bridge.Decimal] {
	return rapid.Custom(func(t *rapid.T) bridge.Decimal {
		digits := rapid.StringMatching(`-?[0-9]{1,38}`).Draw(t, "digits")
		scale := rapid.IntRange(0, 38).Draw(t, "scale")
		d, ok := bridge.ParseDecimal([]byte(digits), 38, 0)
		if !ok {
			t.Fatalf("%q refused", digits)
		}
		d.Scale = uint8(scale)
		return d
	})
}

// math/big is the reference for decimals.
func TestDecimalAgreesWithBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, e := decimals().Draw(t, "d"), decimals().Draw(t, "e")
		rat := func(d bridge.Decimal) *big.Rat {
			return new(big.Rat).SetFrac(unscaled(d), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Scale)), nil))
		}
		if got, want := d.Cmp(e), rat(d).Cmp(rat(e)); got != want {
			t.Fatalf("%s cmp %s: %d, want %d", d, e, got, want)
		}
		if got, want := d.String(), rat(d).FloatString(int(d.Scale)); got != want {
			t.Fatalf("text %q, want %q", got, want)
		}
		back, ok := bridge.ParseDecimal([]byte(d.String()), 38, int(d.Scale))
		if !ok || back != d {
			t.Fatalf("%s reads as %v, %v", d, back, ok)
		}
		raw := bridge.AppendDecimalBytes(nil, d)
		if back, ok = bridge.DecimalFromBytes(raw, d.Scale); !ok || back != d {
			t.Fatalf("%s through %x is %v", d, raw, back)
		}
		if n := len(raw); n > 1 {
			if short, ok := bridge.DecimalFromBytes(raw[1:], d.Scale); ok && short == d {
				t.Fatalf("%s: %x is not the least form", d, raw)
			}
		}
		long := append([]byte{byte(int8(d.Sign()) >> 7), byte(int8(d.Sign()) >> 7)}, raw...)
		if back, ok = bridge.DecimalFromBytes(long, d.Scale); !ok || back != d {
			t.Fatalf("%s through %x is %v", d, long, back)
		}
	})
}

func TestDecimalRefuses(t *testing.T) {
	for _, c := range []struct {
		text             string
		precision, scale int
		want             string // "" refused
	}{
		{"1.25", 10, 2, "1.25"}, {"1.250", 10, 2, "1.25"}, {"1.251", 10, 2, ""}, {"+1", 3, 2, "1.00"},
		{"10", 3, 2, ""}, {"9.99", 3, 2, "9.99"}, {"-9.99", 3, 2, "-9.99"}, {".5", 3, 2, "0.50"}, {"5.", 3, 2, "5.00"},
		{"", 3, 2, ""}, {"-", 3, 2, ""}, {".", 3, 2, ""}, {"1e3", 10, 2, ""}, {"1.2.3", 10, 2, ""}, {"0.00", 2, 2, "0.00"},
		{"99999999999999999999999999999999999999", 38, 0, "99999999999999999999999999999999999999"},
		{"100000000000000000000000000000000000000", 38, 0, ""},
		{"999999999999999999999999999999999999999999999", 38, 0, ""},
		{"00000000000000000000000000000000000000000000000001", 38, 0, "1"},
	} {
		d, ok := bridge.ParseDecimal([]byte(c.text), c.precision, c.scale)
		if ok != (c.want != "") || ok && d.String() != c.want {
			t.Errorf("%q as decimal(%d,%d): %s %v, want %q", c.text, c.precision, c.scale, d, ok, c.want)
		}
	}
}

func TestTextRefuses(t *testing.T) {
	var (
		i32 int32
		i64 int64
		f32 float32
		f64 float64
		s   string
		b   []byte
		u   bridge.UUID
		ok  bool
	)
	for _, c := range []struct {
		text string
		set  func(*bridge.Text)
		want string // "" accepted
	}{
		{"2147483647", func(t *bridge.Text) { t.Int(&i32) }, ""},
		{"2147483648", func(t *bridge.Text) { t.Int(&i32) }, "is no int"},
		{"-9223372036854775808", func(t *bridge.Text) { t.Long(&i64) }, ""},
		{"9223372036854775808", func(t *bridge.Text) { t.Long(&i64) }, "is no long"},
		{"1_000", func(t *bridge.Text) { t.Long(&i64) }, "is no long"},
		{" 1", func(t *bridge.Text) { t.Long(&i64) }, "is no long"},
		{"1e39", func(t *bridge.Text) { t.Float(&f32) }, "is no float"},
		{"Infinity", func(t *bridge.Text) { t.Float(&f32) }, ""},
		{"inf", func(t *bridge.Text) { t.Double(&f64) }, "is no double"},
		{"0x1p4", func(t *bridge.Text) { t.Double(&f64) }, "is no double"},
		{"-1.5e-3", func(t *bridge.Text) { t.Double(&f64) }, ""},
		{"a\xff", func(t *bridge.Text) { t.String(&s) }, "is no valid UTF-8"},
		{"aGk=", func(t *bridge.Text) { t.Bytes(&b) }, ""},
		{"aGk", func(t *bridge.Text) { t.Bytes(&b) }, "is no base64"},
		{"F47AC10B-58CC-4372-A567-0E02B2C3D479", func(t *bridge.Text) { t.UUID(&u) }, ""},
		{"f47ac10b58cc4372a5670e02b2c3d479", func(t *bridge.Text) { t.UUID(&u) }, "is no UUID"},
		{"yes", func(t *bridge.Text) { t.Bool(&ok) }, "is neither true nor false"},
	} {
		cell := bridge.Text{B: []byte(c.text)}
		if c.set(&cell); !strings.HasPrefix(cell.Reason, c.want) || (cell.Reason == "") != (c.want == "") {
			t.Errorf("%q: reason %q, want %q", c.text, cell.Reason, c.want)
		}
	}
	if i32 != math.MaxInt32 || i64 != math.MinInt64 || !math.IsInf(float64(f32), 1) || f64 != -0.0015 || string(b) != "hi" ||
		u.String() != "f47ac10b-58cc-4372-a567-0e02b2c3d479" {
		t.Error("an accepted text was misread:", i32, i64, f32, f64, b, u)
	}
	cell := bridge.Text{Null: true}
	if cell.Long(&i64); !strings.Contains(cell.Reason, "not optional") {
		t.Errorf("null: %q", cell.Reason)
	}
}

func TestNormalisers(t *testing.T) {
	for _, c := range []struct{ f, in, want string }{
		{"trim", " \tana\u00a0\u2003", "ana"}, {"trim", "\u200bana\ufeff", "\u200bana\ufeff"}, {"trim", "", ""}, {"trim", "é ", "é"},
		{"lower", "Ana@EXAMPLE.com", "ana@example.com"}, {"lower", "İ", "i"}, {"lower", "ΑΣ", "ασ"},
		{"upper", "straße", "STRAßE"}, {"upper", "ana", "ANA"},
		{"collapse", " a \t b\u00a0", " a b "}, {"collapse", "a b", "a b"}, {"collapse", "\n", " "}, {"collapse", "", ""}, {"collapse", "é\u2003\u2003è", "é è"},
		{"nfc", "e\u0301", "é"}, {"nfc", "é", "é"},
	} {
		f := map[string]func(string) string{"trim": bridge.Trim, "lower": bridge.Lower, "upper": bridge.Upper, "collapse": bridge.CollapseSpace, "nfc": bridge.NFC}[c.f]
		if got := f(c.in); got != c.want {
			t.Errorf("%s(%q) = %q, want %q", c.f, c.in, got, c.want)
		}
	}
}

// Two keys of several texts never meet, whatever stands in them.
func TestKeyText(t *testing.T) {
	for _, c := range []struct{ text, between, want string }{
		{"plain", ":", "plain"}, {"a:b", ":", "a%3Ab"}, {"100%", ":", "100%25"}, {"ü/ñ", "/", "ü%2Fñ"}, {"", ":", ""},
	} {
		if got := string(bridge.AppendKeyText(nil, c.text, c.between)); got != c.want {
			t.Errorf("%q between %q: %q, want %q", c.text, c.between, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("a:%3A")), 0, 6, -1)
		key := func(a, b string) string {
			return string(bridge.AppendKeyText(append(bridge.AppendKeyText(nil, a, ":"), ':'), b, ":"))
		}
		a, b, c, d := text.Draw(t, "a"), text.Draw(t, "b"), text.Draw(t, "c"), text.Draw(t, "d")
		if key(a, b) == key(c, d) && (a != c || b != d) {
			t.Fatalf("(%q, %q) and (%q, %q) have one key %q", a, b, c, d, key(a, b))
		}
	})
}

// A page in which every value is empty has no bytes at all, and still no null.
func TestEmptyBytesAreNoNull(t *testing.T) {
	c := bridge.Column{Off: []uint32{0, 0, 0}}
	if c.Slice(0) == nil || c.Slice(1) == nil {
		t.Error("an empty value reads as nil")
	}
}
