package bridgetest

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// values makes a random text of each type, edges included, as CSV writes it. To add a
// type, add a line.
var values = map[string]func(*rand.Rand, *bridge.Field) string{
	"boolean": func(r *rand.Rand, _ *bridge.Field) string { return strconv.FormatBool(r.IntN(2) == 1) },
	"int":     func(r *rand.Rand, _ *bridge.Field) string { return strconv.Itoa(int(int32(r.Uint32() >> r.IntN(32)))) },
	"long": func(r *rand.Rand, _ *bridge.Field) string {
		return strconv.FormatInt(int64(r.Uint64()>>r.IntN(64)), 10)
	},
	"float": func(r *rand.Rand, _ *bridge.Field) string {
		return strconv.FormatFloat(float64(float32(r.NormFloat64())), 'g', -1, 32)
	},
	"double": func(r *rand.Rand, _ *bridge.Field) string {
		return strconv.FormatFloat(r.NormFloat64()*1e9, 'g', -1, 64)
	},
	"decimal": decimal,
	"string":  text,
	"bytes": func(r *rand.Rand, _ *bridge.Field) string {
		return base64.StdEncoding.EncodeToString([]byte(text(r, nil)))
	},
	"date":      func(r *rand.Rand, _ *bridge.Field) string { return moment(r).Format(time.DateOnly) },
	"timestamp": func(r *rand.Rand, _ *bridge.Field) string { return moment(r).Format("2006-01-02T15:04:05.000Z07:00") },
	"uuid": func(r *rand.Rand, _ *bridge.Field) string {
		return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", r.Uint32(), r.Uint32()>>16, r.Uint32()>>16, r.Uint32()>>16, r.Uint64()>>16)
	},
	"enum": func(r *rand.Rand, f *bridge.Field) string { return f.Symbols[r.IntN(len(f.Symbols))] },
}

func decimal(r *rand.Rand, f *bridge.Field) string {
	digits := make([]byte, 0, f.Precision+2)
	if r.IntN(2) == 0 {
		digits = append(digits, '-')
	}
	for i := range f.Precision {
		if i == f.Precision-f.Scale {
			if i == 0 {
				digits = append(digits, '0')
			}
			digits = append(digits, '.')
		}
		digits = append(digits, byte('0'+r.IntN(10)))
	}
	return string(digits)
}

var alphabet = []rune("abcXYZ 0189-_.,;\"'\\\n\t<>&éßñ日本😀\u00a0\u0000")

func text(r *rand.Rand, _ *bridge.Field) string {
	var b strings.Builder
	for range r.IntN(24) {
		b.WriteRune(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// moment lies between 1970 and 2100, where every rule of a spec allows it.
func moment(r *rand.Rand) time.Time { return time.UnixMilli(r.Int64N(4_100_000_000_000)).UTC() }
