package expr

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/spec/didyoumean"
	"github.com/bridgegen/bridgegen/spec/types"
)

// literalForm is what a literal of one type is in Go and in SQL.
type literalForm struct {
	Go    func(v any) Form
	Trino func(v any) Form
	Flink func(v any) Form
}

func same(f func(v any) Form) literalForm { return literalForm{f, f, f} }

var literalForms = map[*types.Type]literalForm{
	types.Boolean:   same(func(v any) Form { return call(strconv.FormatBool(v.(bool))) }),
	types.Int:       same(integer),
	types.Long:      same(integer),
	types.Float:     {goDouble, sqlDouble, sqlDouble},
	types.Double:    {goDouble, sqlDouble, sqlDouble},
	types.String:    {goString, sqlString, sqlString},
	types.Enum:      {goString, sqlString, sqlString},
	types.Bytes:     {func(v any) Form { return call(fmt.Sprintf("[]byte(%q)", v)) }, sqlBytes, sqlBytes},
	types.Decimal:   {goDecimal, func(v any) Form { return call("DECIMAL '" + v.(bridge.Decimal).String() + "'") }, func(v any) Form { return signed(v.(bridge.Decimal).String()) }},
	types.Date:      {func(v any) Form { return call(fmt.Sprintf("bridge.Date(%d)", v)) }, sqlTime("DATE"), sqlTime("DATE")},
	types.Timestamp: {func(v any) Form { return call(fmt.Sprintf("bridge.Timestamp(%d)", v)) }, sqlTime("TIMESTAMP"), sqlTime("TIMESTAMP")},
	types.UUID:      {goUUID, func(v any) Form { return sqlString(v.(bridge.UUID).String()) }, func(v any) Form { return sqlString(v.(bridge.UUID).String()) }},
}

func signed(s string) Form {
	if strings.HasPrefix(s, "-") {
		return Form{s, Unary}
	}
	return call(s)
}

func integer(v any) Form { return signed(strconv.FormatInt(v.(int64), 10)) }

func goDouble(v any) Form {
	f := v.(float64)
	if f == 0 && math.Signbit(f) { // Go's constant -0.0 is 0
		return Form{"-bridge.Float64(0)", Unary}
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return signed(s)
}

// sqlDouble has an exponent: without one SQL reads a decimal.
func sqlDouble(v any) Form {
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(v.(float64), 'E', -1, 64), "E")
	n, _ := strconv.Atoi(exponent)
	return signed(digits + "E" + strconv.Itoa(n))
}

func goString(v any) Form { return call(strconv.Quote(v.(string))) }

func sqlString(v any) Form { return call("'" + strings.ReplaceAll(v.(string), "'", "''") + "'") }

func sqlBytes(v any) Form { return call(fmt.Sprintf("X'%X'", v)) }

// goDecimal is never a bare composite literal, which could not stand in the header of
// an if.
func goDecimal(v any) Form {
	d := v.(bridge.Decimal)
	if bridge.DecimalOf(int64(d.Lo), d.Scale) == d {
		return call(fmt.Sprintf("bridge.DecimalOf(%d, %d)", int64(d.Lo), d.Scale))
	}
	return call(fmt.Sprintf("(bridge.Decimal{Hi: %d, Lo: %#x, Scale: %d})", d.Hi, d.Lo, d.Scale))
}

func goUUID(v any) Form {
	var b strings.Builder
	for i, c := range v.(bridge.UUID) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%#02x", c)
	}
	return call("(bridge.UUID{" + b.String() + "})")
}

// sqlTime is a literal without a zone, for the columns are UTC and have none.
func sqlTime(word string) func(v any) Form {
	return func(v any) Form {
		text := strings.TrimSuffix(fmt.Sprint(v), "Z")
		return call(word + " '" + strings.Replace(text, "T", " ", 1) + "'")
	}
}

// become is the literal n as a value of want's type; reason ends the sentence that
// begins with it if it is none. Where a literal of n's type never stands for one of
// want's, ok is false.
func (n *node) become(want *node) (r *node, reason string, ok bool) {
	out := *n
	out.typ, out.scale, out.col = want.typ, want.scale, nil
	switch v := n.lit.(type) {
	case int64:
		out.lit, reason, ok = ofInteger(v, want)
	case float64:
		out.lit, reason, ok = ofDouble(v, want)
	case string:
		if n.typ == types.String {
			out.lit, reason, ok = ofString(v, want)
			out.col = want.col
		}
	}
	return &out, reason, ok
}

func ofInteger(v int64, want *node) (any, string, bool) {
	switch want.typ {
	case types.Double:
		if int64(float64(v)) != v || v == math.MaxInt64 {
			return nil, "is no double exactly; write it with a point", true
		}
		return float64(v), "", true
	case types.Decimal:
		return toDecimal(strconv.FormatInt(v, 10), want.scale)
	}
	return nil, "", false
}

func ofDouble(v float64, want *node) (any, string, bool) {
	if want.typ != types.Decimal {
		return nil, "", false
	}
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if digits := strings.Trim(strings.Replace(text, ".", "", 1), "-0"); len(digits) > 15 {
		return nil, "has more than 15 digits, which a literal with a point does not hold exactly", true
	}
	return toDecimal(text, want.scale)
}

func toDecimal(text string, scale int) (any, string, bool) {
	d, ok := bridge.ParseDecimal([]byte(text), 38, scale)
	if !ok {
		return nil, fmt.Sprintf("is no decimal with %d digits behind the point", scale), true
	}
	return d, "", true
}

func ofString(v string, want *node) (any, string, bool) {
	switch want.typ {
	case types.Enum:
		if !slices.Contains(want.col.Symbols, v) {
			return nil, fmt.Sprintf("is no symbol of column %q (%s)%s", want.col.Name, strings.Join(want.col.Symbols, ", "), didyoumean.Hint(didyoumean.Nearest(v, want.col.Symbols, nil))), true
		}
		return v, "", true
	case types.UUID:
		u, ok := bridge.ParseUUID([]byte(v))
		if !ok {
			return nil, "is no UUID (8-4-4-4-12 hex digits)", true
		}
		return u, "", true
	case types.Timestamp, types.Date:
		return nil, fmt.Sprintf("is a text; write %s(%q)", want.typ.Word, v), true
	}
	return nil, "", false
}

// instants are the functions that make a literal of a text.
var instants = map[string]func(text string) (lit any, typ *types.Type, reason string){
	"timestamp": func(text string) (any, *types.Type, string) {
		var v bridge.Timestamp
		t := bridge.Text{B: []byte(text)}
		t.Timestamp(&v)
		switch {
		case t.Reason == "" && t.Floored > 0:
			t.Reason = "is finer than a millisecond"
		case t.Reason != "" || text[10] != 'T': // Text reads SQL's form too, CEL does not
			t.Reason = "is no timestamp; write RFC 3339 with an offset: 2026-01-31T13:59:00Z"
		}
		return v, types.Timestamp, t.Reason
	},
	"date": func(text string) (any, *types.Type, string) {
		var v bridge.Date
		t := bridge.Text{B: []byte(text)}
		t.Date(&v)
		return v, types.Date, t.Reason
	},
}
