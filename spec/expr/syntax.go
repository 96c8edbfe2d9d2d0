package expr

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/parser"
)

// Limits of an expression.
const (
	maxCharacters = 4096
	maxDepth      = 64
)

var celParser, errParser = parser.NewParser(parser.EnablePrattParser(true), parser.MaxRecursionDepth(maxDepth), parser.ExpressionSizeCodePointLimit(maxCharacters))

// parse reports the first syntax error only: what follows it says nothing.
func (c *compiler) parse() (e ast.Expr) {
	defer func() {
		if p := recover(); p != nil {
			e = c.problemExpr(0, fmt.Sprintf("this is no CEL: %v", p))
		}
	}()
	if errParser != nil {
		return c.problemExpr(0, errParser.Error())
	}
	source := common.NewTextSource(c.src)
	tree, errs := celParser.Parse(source)
	if found := errs.GetErrors(); len(found) > 0 {
		at := 0
		if o, ok := source.LocationOffset(found[0].Location); ok {
			at = byteOffset(c.src, int(o))
		}
		return c.problemExpr(at, c.explain(at, found[0].Message))
	}
	c.info = tree.SourceInfo()
	return tree.Expr()
}

func (c *compiler) problemExpr(at int, message string) ast.Expr {
	c.problem(at, RuleSyntax, "%s", message)
	return nil
}

// foreign are operators of other languages, as they stand where CEL stumbles.
var foreign = []struct {
	at     *regexp.Regexp
	advice string
}{
	{regexp.MustCompile(`^(?:<>|>)`), "write != for not equal"},
	{regexp.MustCompile(`(?i)^and\b`), "write && for and"},
	{regexp.MustCompile(`(?i)^or\b`), "write || for or"},
	{regexp.MustCompile(`(?i)^not\b`), "write ! for not"},
	{regexp.MustCompile(`(?i)^is\b`), "write == null or != null"},
	{regexp.MustCompile(`(?i)^(?:like|between)\b`), "there is no such operator; see `bridgegen types`"},
	{regexp.MustCompile(`^=`), "write == to compare"},
	{regexp.MustCompile(`^&`), "write && for and"},
	{regexp.MustCompile(`^\|`), "write || for or"},
}

var (
	reserved = regexp.MustCompile(`^reserved identifier: (\w+)`)
	expected = regexp.MustCompile(`^Syntax error: (.*?)(?: expecting .*)?$`)
)

// explain says what a message of cel-go means.
func (c *compiler) explain(at int, message string) string {
	if m := reserved.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("%q is a word that CEL reserves; a column of that name cannot stand in expressions", m[1])
	}
	rest := c.src[at:]
	for _, f := range foreign {
		if f.at.MatchString(rest) {
			return f.advice
		}
	}
	switch {
	case strings.TrimSpace(rest) == "" && strings.Contains(message, "EOF"):
		return "the expression ends too early"
	case strings.Contains(message, "unterminated string"):
		return "this quote is not closed"
	case strings.Contains(message, "unescape"):
		return "unknown escape; in r\"…\" a backslash is plain text"
	case strings.Contains(message, "recursion") || strings.Contains(message, "code point size") || strings.Contains(message, "nesting"):
		return fmt.Sprintf("the expression is too long or too deeply nested (at most %d characters and %d levels)", maxCharacters, maxDepth)
	}
	if m := expected.FindStringSubmatch(message); m != nil {
		message = m[1]
	}
	if word := firstWord(rest); word != "" {
		return fmt.Sprintf("%s: %q", message, word)
	}
	return message
}

func firstWord(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	switch {
	case end < 0:
		return s
	case end > 0:
		return s[:end]
	}
	for _, r := range s {
		return string(r)
	}
	return ""
}
