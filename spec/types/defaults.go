package types

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// parse is the runtime's reader of one type, without its value.
func parse[T any](method func(t *bridge.Text, dst *T)) func(t *bridge.Text, _, _ int) {
	return func(t *bridge.Text, _, _ int) {
		var v T
		method(t, &v)
	}
}

func parseDecimal(t *bridge.Text, p, s int) {
	var d bridge.Decimal
	t.Decimal(&d, p, s)
}

// The functions below take texts that the rules have read as the type before.

func plainDefault(text string, _, _ int) json.RawMessage { return json.RawMessage(text) }

// numberDefault takes what JSON has no form of, such as +1 and .5, through its value.
func numberDefault(text string, _, _ int) json.RawMessage {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return json.RawMessage(strconv.FormatInt(n, 10))
	}
	f, _ := strconv.ParseFloat(text, 64)
	b, err := json.Marshal(f)
	if err != nil { // NaN and the infinities
		return nil
	}
	return b
}

func textDefault(text string, _, _ int) json.RawMessage {
	b, _ := json.Marshal(text)
	return b
}

// octets is a default of bytes: a string whose code points are the bytes (Avro
// specification, "Complex Types, Records").
func octets(raw []byte) json.RawMessage {
	runes := make([]rune, len(raw))
	for i, c := range raw {
		runes[i] = rune(c)
	}
	return textDefault(string(runes), 0, 0)
}

func bytesDefault(text string, _, _ int) json.RawMessage {
	raw, _ := base64.StdEncoding.DecodeString(text)
	return octets(raw)
}

func decimalDefault(text string, p, s int) json.RawMessage {
	d, _ := bridge.ParseDecimal([]byte(text), p, s)
	return octets(bridge.AppendDecimalBytes(nil, d))
}

// canonical is a UUID as every system holds it.
func canonical(text string) string {
	u, _ := bridge.ParseUUID([]byte(text))
	return u.String()
}

func uuidDefault(text string, _, _ int) json.RawMessage { return textDefault(canonical(text), 0, 0) }

func uuidLiteral(text string, _, _ int) string { return quoted(canonical(text)) }

func dateDefault(text string, _, _ int) json.RawMessage {
	var d bridge.Date
	(&bridge.Text{B: []byte(text)}).Date(&d)
	return numberDefault(strconv.Itoa(int(d)), 0, 0)
}

func timestampDefault(text string, _, _ int) json.RawMessage {
	var t bridge.Timestamp
	(&bridge.Text{B: []byte(text)}).Timestamp(&t)
	return numberDefault(strconv.FormatInt(int64(t), 10), 0, 0)
}

// castDefault is a default in Trino's SQL where a text casts to the type as CSV spells it.
func castDefault(typ string) func(text string, p, s int) string {
	return func(text string, p, s int) string { return "CAST(" + quoted(text) + " AS " + typ + ")" }
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func textLiteral(text string, _, _ int) string { return quoted(text) }

func decimalLiteral(text string, p, s int) string {
	return fmt.Sprintf("CAST(%s AS decimal(%d,%d))", quoted(text), p, s)
}

func bytesLiteral(text string, _, _ int) string { return "from_base64(" + quoted(text) + ")" }

func timestampLiteral(text string, _, _ int) string {
	var t bridge.Timestamp
	(&bridge.Text{B: []byte(text)}).Timestamp(&t)
	return "TIMESTAMP " + quoted(t.Time().Format("2006-01-02 15:04:05.000"))
}
