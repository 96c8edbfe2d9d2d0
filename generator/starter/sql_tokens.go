package starter

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind tells tokens of SQL apart.
type tokenKind uint8

const (
	endOfFile tokenKind = iota
	word                // bare: a keyword or a name
	quotedName
	text
	number
	mark // one character
)

type token struct {
	kind      tokenKind
	text      string // without its quotes
	line, col int
}

// is reports whether a token is a bare word or a mark, whatever the case.
func (t token) is(words ...string) bool {
	if t.kind != word && t.kind != mark {
		return false
	}
	for _, w := range words {
		if strings.EqualFold(t.text, w) {
			return true
		}
	}
	return false
}

// name is a name as the database knows it. Bare capitals are folded, as all of them
// but MySQL do.
func (t token) name() string {
	if t.kind == word && strings.ToUpper(t.text) == t.text {
		return strings.ToLower(t.text)
	}
	return t.text
}

// closing is what ends a quote, by what opens it.
var closing = map[byte]byte{'\'': '\'', '"': '"', '`': '`', '[': ']'}

// dollars opens and closes a text of PostgreSQL, such as the body of a function.
var dollars = regexp.MustCompile(`^\$[A-Za-z_]*\$`)

// tokens splits SQL into its tokens, without comments; the last one is endOfFile.
func (f *file) tokens() ([]token, error) {
	var out []token
	src := string(f.src)
	at := token{line: 1, col: 1}
	for len(src) > 0 {
		t := token{line: at.line, col: at.col}
		n, err := f.token(&t, src)
		if err != nil {
			return nil, err
		}
		if t.kind != endOfFile {
			out = append(out, t)
		}
		for _, c := range src[:n] {
			if at.col++; c == '\n' {
				at.line, at.col = at.line+1, 1
			}
		}
		src = src[n:]
	}
	return append(out, at), nil
}

// token reads the token that src begins with, and returns its length in bytes. Blanks
// and comments leave t as it is.
func (f *file) token(t *token, src string) (n int, err error) {
	switch c := src[0]; {
	case unicode.IsSpace(rune(c)):
		return 1, nil
	case strings.HasPrefix(src, "--"), c == '#':
		return lineEnd(src), nil
	case strings.HasPrefix(src, "/*"):
		end := strings.Index(src, "*/")
		if end < 0 {
			return 0, f.errorAt(t.line, t.col, "this comment does not end; write */")
		}
		return end + 2, nil
	case dollars.MatchString(src):
		tag := dollars.FindString(src)
		end := strings.Index(src[len(tag):], tag)
		if end < 0 {
			return 0, f.errorAt(t.line, t.col, "this text does not end; write %s", tag)
		}
		t.kind, t.text = text, src[len(tag):len(tag)+end]
		return 2*len(tag) + end, nil
	case c == '\'' || c == '"' || c == '`' || c == '[' && quotesName(src):
		value, n, ok := quoted(src, closing[c])
		if !ok {
			return 0, f.errorAt(t.line, t.col, "this quote is not closed: %c", c)
		}
		if t.kind, t.text = quotedName, value; c == '\'' {
			t.kind = text
		}
		return n, nil
	}
	t.kind, n = plainToken(src)
	t.text = src[:n]
	return n, nil
}

// quotesName tells [a name] of SQL Server from the brackets of an array.
func quotesName(rest string) bool {
	return len(rest) > 1 && rest[1] != ']' && (rest[1] < '0' || rest[1] > '9')
}

func lineEnd(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// quoted reads a text to its closing quote, which stands for itself when it is doubled.
func quoted(s string, end byte) (value string, n int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] != end {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == end {
			b.WriteByte(end)
			i++
			continue
		}
		return b.String(), i + 1, true
	}
	return "", 0, false
}

func plainToken(s string) (tokenKind, int) {
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '$' }
	end := strings.IndexFunc(s, func(r rune) bool { return !part(r) })
	if end < 0 {
		end = len(s)
	}
	if end == 0 {
		_, n := utf8.DecodeRuneInString(s)
		return mark, n
	}
	if s[0] >= '0' && s[0] <= '9' {
		return number, end
	}
	return word, end
}
