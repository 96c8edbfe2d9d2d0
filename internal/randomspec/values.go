package randomspec

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/bridgegen/bridgegen/spec/types"
	"gopkg.in/yaml.v3"
)

// defaults make a default of each type, as a spec writes it.
var defaults = map[*types.Type]func(*generator, *column) *yaml.Node{
	types.Boolean: func(g *generator, _ *column) *yaml.Node { return plain("!!bool", fmt.Sprint(g.coin())) },
	types.Int:     func(g *generator, _ *column) *yaml.Node { return plain("!!int", fmt.Sprint(int32(g.Uint32()))) },
	types.Long:    func(g *generator, _ *column) *yaml.Node { return plain("!!int", fmt.Sprint(g.Int64()-g.Int64())) },
	types.Float:   func(g *generator, _ *column) *yaml.Node { return text(pick(g, floats)) },
	types.Double:  func(g *generator, _ *column) *yaml.Node { return text(pick(g, floats)) },
	types.Decimal: func(g *generator, c *column) *yaml.Node { return quoted(g.digits(c.p, c.s, 38)) },
	types.String:  func(g *generator, _ *column) *yaml.Node { return text(pick(g, words)) },
	types.Bytes: func(g *generator, _ *column) *yaml.Node {
		return text(base64.StdEncoding.EncodeToString([]byte(pick(g, words))))
	},
	types.Date:      func(g *generator, _ *column) *yaml.Node { return text(pick(g, dates)) },
	types.Timestamp: func(g *generator, _ *column) *yaml.Node { return text(pick(g, instants)) },
	types.UUID:      func(g *generator, _ *column) *yaml.Node { return text(pick(g, uuids)) },
	types.Enum:      func(g *generator, c *column) *yaml.Node { return text(pick(g, c.symbols)) },
	types.List: func(*generator, *column) *yaml.Node {
		return &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	},
	types.Map: func(*generator, *column) *yaml.Node {
		return &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	},
}

// literals make a literal of each type that expressions have.
var literals = map[*types.Type]func(*generator, want) string{
	types.Boolean:   func(g *generator, _ want) string { return fmt.Sprint(g.coin()) },
	types.Long:      func(g *generator, w want) string { return pick(g, within(integers, w.narrow || !g.oneIn(8))) },
	types.Double:    func(g *generator, w want) string { return pick(g, within(doubles, w.narrow)) },
	types.Decimal:   func(g *generator, w want) string { return pointed(g.digits(min(w.p, 15), w.s, 14)) },
	types.String:    func(g *generator, _ want) string { return strconv.Quote(pick(g, words)) },
	types.Bytes:     func(g *generator, _ want) string { return pick(g, []string{`b""`, `b"ab"`, `b"\xff\x00"`}) },
	types.Date:      func(g *generator, _ want) string { return fmt.Sprintf("date(%q)", pick(g, dates)) },
	types.Timestamp: func(g *generator, _ want) string { return fmt.Sprintf("timestamp(%q)", pick(g, instants)) },
	types.UUID:      func(g *generator, _ want) string { return strconv.Quote(pick(g, uuids)) },
	types.Enum:      func(g *generator, w want) string { return strconv.Quote(pick(g, w.enum.symbols)) },
}

var (
	floats   = []string{"0.5", "-1e10", "3.4028235e38", "1e-45", "+1", ".5", "-0.0"}
	doubles  = []string{"0.5", "1.0", "-2.25", "1e10", "1.5e-3", "0.0", "-0.0", "1e308", "-1e300", "3.5e38"}
	integers = []string{"0", "1", "2", "-1", "7", "100", "0x10", "2147483648", "9223372036854775807", "-9223372036854775808"}
	words    = []string{"", "a", "it's", "say \"hi\"", "back\\slash", "tab\tline\nend", "é日本😀", " blank ", "$1 {x} %s", "null", "--", "/* */ `"}
	dates    = []string{"1970-01-01", "2024-02-29", "0001-01-01", "9999-12-31", "1969-12-31"}
	instants = []string{"1970-01-01T00:00:00Z", "2026-01-31T13:59:00.123Z", "9999-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"}
	uuids    = []string{"0190f2a4-0000-7000-8000-000000000001", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "00000000-0000-0000-0000-000000000000"}
	patterns = []string{`^[a-z]+$`, `\d{2,3}`, `(?i)abc|x`, `^$|.`, `[^\s"']`, `é+`, `\.$`, `^(?:a|b)*?c{0,2}`}
)

// within are the literals that fit 32 bits, or all: the last three are too wide.
func within(literals []string, narrow bool) []string {
	if narrow {
		return literals[:len(literals)-3]
	}
	return literals
}

// digits is a decimal number of precision p and scale s, with at most n digits.
func (g *generator) digits(p, s, n int) string {
	whole := g.IntN(min(p-min(p, s), n) + 1)
	behind := g.IntN(min(s, n-whole) + 1)
	b := []byte{}
	if g.coin() {
		b = append(b, '-')
	}
	for range whole {
		b = append(b, byte('1'+g.IntN(9)))
	}
	if whole == 0 {
		b = append(b, '0')
	}
	if behind > 0 {
		b = append(b, '.')
	}
	for range behind {
		b = append(b, byte('0'+g.IntN(10)))
	}
	return string(b)
}

// pointed is a number with a point, as all branches of ?: must have one or none.
func pointed(number string) string {
	if strings.Contains(number, ".") {
		return number
	}
	return number + ".0"
}
