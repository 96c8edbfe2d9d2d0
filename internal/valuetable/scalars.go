package valuetable

import (
	"math"
	"strings"

	"github.com/bridgegen/bridgegen/internal/valuetable/generated/values"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// v and s are what the functions below set.
type (
	v = values.Values
	s = values.ValuesS
)

func scalars(b *builder) {
	numbers(b)
	texts(b)
	times(b)
}

func numbers(b *builder) {
	each(b, places[bool]{"boolean", true, func(r *v, x bool) { r.RBoolean = x }, func(r *v, x bool) { r.OBoolean = bridge.Some(x) },
		func(r *v, x bool) { r.LBoolean = []bool{x} }, func(r *v, x bool) { r.MBoolean = map[string]bool{"k": x} }, func(r *s, x bool) { r.FBoolean = bridge.Some(x) }},
		[]literal[bool]{{"true", "", true, true}, {"false", "", false, false}})
	each(b, places[int32]{"int", true, func(r *v, x int32) { r.RInt = x }, func(r *v, x int32) { r.OInt = bridge.Some(x) },
		func(r *v, x int32) { r.LInt = []int32{x} }, func(r *v, x int32) { r.MInt = map[string]int32{"k": x} }, func(r *s, x int32) { r.FInt = bridge.Some(x) }},
		[]literal[int32]{{"0", "", 0, int32(0)}, {"1", "", 1, int32(1)}, {"-1", "", -1, int32(-1)}, {"63", "", 63, int32(63)}, {"64", "", 64, int32(64)},
			{"2147483647", "", math.MaxInt32, int32(math.MaxInt32)}, {"-2147483648", "", math.MinInt32, int32(math.MinInt32)}})
	each(b, places[int64]{"long", true, func(r *v, x int64) { r.RLong = x }, func(r *v, x int64) { r.OLong = bridge.Some(x) },
		func(r *v, x int64) { r.LLong = []int64{x} }, func(r *v, x int64) { r.MLong = map[string]int64{"k": x} }, func(r *s, x int64) { r.FLong = bridge.Some(x) }},
		[]literal[int64]{{"0", "", 0, int64(0)}, {"-1", "", -1, int64(-1)}, {"9007199254740993", "", 9007199254740993, int64(9007199254740993)}, // beyond a double
			{"9223372036854775807", "", math.MaxInt64, int64(math.MaxInt64)}, {"-9223372036854775808", `"-9223372036854775808"`, math.MinInt64, int64(math.MinInt64)}})
	each(b, places[float32]{"float", true, func(r *v, x float32) { r.RFloat = x }, func(r *v, x float32) { r.OFloat = bridge.Some(x) },
		func(r *v, x float32) { r.LFloat = []float32{x} }, func(r *v, x float32) { r.MFloat = map[string]float32{"k": x} }, func(r *s, x float32) { r.FFloat = bridge.Some(x) }},
		[]literal[float32]{{"0.5", "", 0.5, float32(0.5)}, {"-0.0", "", float32(math.Copysign(0, -1)), float32(math.Copysign(0, -1))}, {"16777216", "", 1 << 24, float32(1 << 24)},
			{"3.4028235e+38", "", math.MaxFloat32, float32(math.MaxFloat32)}, {"1e-45", "", math.SmallestNonzeroFloat32, float32(math.SmallestNonzeroFloat32)},
			{"NaN", `"NaN"`, float32(math.NaN()), float32(math.NaN())}, {"Infinity", `"Infinity"`, float32(math.Inf(1)), float32(math.Inf(1))}, {"-Infinity", `"-Infinity"`, float32(math.Inf(-1)), float32(math.Inf(-1))}})
	each(b, places[float64]{"double", true, func(r *v, x float64) { r.RDouble = x }, func(r *v, x float64) { r.ODouble = bridge.Some(x) },
		func(r *v, x float64) { r.LDouble = []float64{x} }, func(r *v, x float64) { r.MDouble = map[string]float64{"k": x} }, func(r *s, x float64) { r.FDouble = bridge.Some(x) }},
		[]literal[float64]{{"0.1", "", 0.1, 0.1}, {"-0.0", "", math.Copysign(0, -1), math.Copysign(0, -1)}, {"9007199254740993", "", 9007199254740992, 9007199254740992.0},
			{"1.7976931348623157e308", "", math.MaxFloat64, math.MaxFloat64}, {"5e-324", "", math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64}, {"2.2250738585072011e-308", "", 2.225073858507201e-308, 2.225073858507201e-308},
			{"NaN", `"NaN"`, math.NaN(), math.NaN()}, {"Infinity", `"Infinity"`, math.Inf(1), math.Inf(1)}, {"-Infinity", `"-Infinity"`, math.Inf(-1), math.Inf(-1)}})
	each(b, places[bridge.Decimal]{"decimal", true, func(r *v, x bridge.Decimal) { r.RDecimal = x }, func(r *v, x bridge.Decimal) { r.ODecimal = bridge.Some(x) },
		func(r *v, x bridge.Decimal) { r.LDecimal = []bridge.Decimal{x} }, func(r *v, x bridge.Decimal) { r.MDecimal = map[string]bridge.Decimal{"k": x} }, func(r *s, x bridge.Decimal) { r.FDecimal = bridge.Some(x) }},
		[]literal[bridge.Decimal]{
			{"0", "", bridge.DecimalOf(0, 10), "\x00"}, {"1", "", bridge.DecimalOf(10000000000, 10), "\x02\x54\x0b\xe4\x00"}, {"-1.5", `"-1.5"`, bridge.DecimalOf(-15000000000, 10), "\xfc\x81\xee\x2a\x00"},
			{"0.0000000001", "", bridge.DecimalOf(1, 10), "\x01"}, {"-0.0000000001", "", bridge.DecimalOf(-1, 10), "\xff"}, {"0.0000000128", "", bridge.DecimalOf(128, 10), "\x00\x80"}, {"-0.0000000128", "", bridge.DecimalOf(-128, 10), "\x80"},
			// 10^38 - 1 is 0x4B3B4CA85A86C47A 098A223FFFFFFFFF.
			{"9999999999999999999999999999.9999999999", "", bridge.Decimal{Hi: 0x4b3b4ca85a86c47a, Lo: 0x098a223fffffffff, Scale: 10}, "\x4b\x3b\x4c\xa8\x5a\x86\xc4\x7a\x09\x8a\x22\x3f\xff\xff\xff\xff"},
			{"-9999999999999999999999999999.9999999999", "", bridge.Decimal{Hi: ^0x4b3b4ca85a86c47a, Lo: ^uint64(0x098a223fffffffff) + 1, Scale: 10}, "\xb4\xc4\xb3\x57\xa5\x79\x3b\x85\xf6\x75\xdd\xc0\x00\x00\x00\x01"},
		})
}

func texts(b *builder) {
	each(b, places[string]{"string", false, func(r *v, x string) { r.RString = x }, func(r *v, x string) { r.OString = bridge.Some(x) },
		func(r *v, x string) { r.LString = []string{x} }, func(r *v, x string) { r.MString = map[string]string{"k": x} }, func(r *s, x string) { r.FString = bridge.Some(x) }},
		same("", " ", "a", `"quoted", and a comma`, "line\nbreak", "carriage\r\nreturn", "tab\tand \x01\x1f\x7f", "null", "NULL", `\N`, "NaN", "{}", "[]", `back\slash`, "<&>'", "é", "e\u0301", "ÄÖÜß", "日本語", "שלום مرحبا",
			"\u00a0\u200b\ufeff", "\u2028\u2029", "😀👩‍👩‍👧", "\U00010000", "\U0001f600\U00020000\U000e0001\U000f0000", "\U0010ffff", "\ud7ff\ue000\ufffd\uffff", strings.Repeat("x", 1<<19)))
	each(b, places[[]byte]{"bytes", false, func(r *v, x []byte) { r.RBytes = x }, func(r *v, x []byte) { r.OBytes = x },
		func(r *v, x []byte) { r.LBytes = [][]byte{x} }, func(r *v, x []byte) { r.MBytes = map[string][]byte{"k": x} }, func(r *s, x []byte) { r.FBytes = x }},
		[]literal[[]byte]{{"", "", []byte{}, ""}, {"AA==", "", []byte{0}, "\x00"}, {"/w==", "", []byte{0xff}, "\xff"}, {"+/8A", "", []byte{0xfb, 0xff, 0}, "\xfb\xff\x00"}, {"UEFSMQ==", "", []byte("PAR1"), "PAR1"}})
	each(b, places[bridge.UUID]{"uuid", false, func(r *v, x bridge.UUID) { r.RUUID = x }, func(r *v, x bridge.UUID) { r.OUUID = bridge.Some(x) },
		func(r *v, x bridge.UUID) { r.LUUID = []bridge.UUID{x} }, func(r *v, x bridge.UUID) { r.MUUID = map[string]bridge.UUID{"k": x} }, func(r *s, x bridge.UUID) { r.FUUID = bridge.Some(x) }},
		[]literal[bridge.UUID]{{"00000000-0000-0000-0000-000000000000", "", bridge.UUID{}, "00000000-0000-0000-0000-000000000000"},
			{"FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF", "", bridge.UUID{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}, "ffffffff-ffff-ffff-ffff-ffffffffffff"},
			{"0190f2a4-0000-7000-8000-000000000001", "", bridge.UUID{0x01, 0x90, 0xf2, 0xa4, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 1}, "0190f2a4-0000-7000-8000-000000000001"}})
	each(b, places[string]{"enum", false, func(r *v, x string) { r.REnum = values.REnum(x) }, func(r *v, x string) { r.OEnum = bridge.Some(values.OEnum(x)) },
		func(r *v, x string) { r.LEnum = []values.LEnum{values.LEnum(x)} }, func(r *v, x string) { r.MEnum = map[string]values.MEnum{"k": values.MEnum(x)} }, func(r *s, x string) { r.FEnum = bridge.Some(values.ValuesSFEnum(x)) }},
		[]literal[string]{{"red", "", "red", "red"}, {"dark_green", "", "dark_green", "dark_green"}, {"x-1", "", "x_1", "x_1"}})
}

// same are texts that mean themselves.
func same(all ...string) (out []literal[string]) {
	for _, text := range all {
		out = append(out, literal[string]{text, "", text, text})
	}
	return out
}

func times(b *builder) {
	each(b, places[bridge.Date]{"date", false, func(r *v, x bridge.Date) { r.RDate = x }, func(r *v, x bridge.Date) { r.ODate = bridge.Some(x) },
		func(r *v, x bridge.Date) { r.LDate = []bridge.Date{x} }, func(r *v, x bridge.Date) { r.MDate = map[string]bridge.Date{"k": x} }, func(r *s, x bridge.Date) { r.FDate = bridge.Some(x) }},
		[]literal[bridge.Date]{{"1970-01-01", "", 0, int32(0)}, {"1969-12-31", "", -1, int32(-1)}, {"2024-02-29", "", 19782, int32(19782)}, {"2000-02-29", "", 11016, int32(11016)},
			{"0001-01-01", "", -719162, int32(-719162)}, {"9999-12-31", "", 2932896, int32(2932896)}})
	each(b, places[bridge.Timestamp]{"timestamp", false, func(r *v, x bridge.Timestamp) { r.RTimestamp = x }, func(r *v, x bridge.Timestamp) { r.OTimestamp = bridge.Some(x) },
		func(r *v, x bridge.Timestamp) { r.LTimestamp = []bridge.Timestamp{x} }, func(r *v, x bridge.Timestamp) { r.MTimestamp = map[string]bridge.Timestamp{"k": x} }, func(r *s, x bridge.Timestamp) { r.FTimestamp = bridge.Some(x) }},
		[]literal[bridge.Timestamp]{{"1970-01-01T00:00:00Z", "", 0, int64(0)}, {"1970-01-01T00:00:00.001Z", "", 1, int64(1)}, {"1969-12-31T23:59:59.999Z", "", -1, int64(-1)},
			{"2026-01-31T13:59:00.123Z", "", 1769867940123, int64(1769867940123)}, {"2026-01-31 14:59:00.123+01", "", 1769867940123, int64(1769867940123)}, {"2024-02-29T23:59:59.999+00:00", "", 1709251199999, int64(1709251199999)},
			{"0001-01-01T00:00:00Z", "", -62135596800000, int64(-62135596800000)}, {"9999-12-31T23:59:59.999Z", "", 253402300799999, int64(253402300799999)}})
}
