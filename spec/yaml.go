package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Limits of a file. Beyond them lies nothing that a person wrote.
const (
	maxBytes   = 4 << 20
	maxDepth   = 64
	maxNodes   = 1 << 18 // with every alias counted as what it stands for
	maxColumns = 2000
)

// document parses src as exactly one YAML document and returns its root, or nil if it
// reported an error.
func (r *reader) document(src []byte) *yaml.Node {
	start := Pos{r.file, 1, 1}
	if len(src) > maxBytes {
		r.report(start, "TOO_LARGE", "the file has %d bytes; at most %d are read", len(src), maxBytes)
		return nil
	}
	if !r.text(src) {
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc, second yaml.Node
	err := decode(dec, &doc)
	if err == nil {
		err = decode(dec, &second)
	} else if errors.Is(err, io.EOF) {
		r.report(start, "EMPTY", "the file is empty; `bridgegen init` writes a first spec")
		return nil
	}
	switch {
	case err == nil:
		r.report(r.pos(&second), "ONE_DOCUMENT", "a second document begins here; write one table per file and no further ---")
		return nil
	case !errors.Is(err, io.EOF):
		r.syntax(src, err)
		return nil
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		r.report(start, "EMPTY", "the file is empty; `bridgegen init` writes a first spec")
		return nil
	}
	if nodes := 0; !r.bounded(root, 1, &nodes) {
		return nil
	}
	return root
}

// decode turns what the YAML library panics with into an error.
func decode(dec *yaml.Decoder, n *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	return dec.Decode(n)
}

// text reports what is no UTF-8 text, with its place, which the YAML library does not give.
func (r *reader) text(src []byte) bool {
	line, col := 1, 1
	for i := 0; i < len(src); {
		c, n := utf8.DecodeRune(src[i:])
		switch {
		case c == utf8.RuneError && n == 1:
			r.report(Pos{r.file, line, col}, "YAML_SYNTAX", "byte 0x%02x is no UTF-8; save the file as UTF-8", src[i])
			return false
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f:
			r.report(Pos{r.file, line, col}, "YAML_SYNTAX", "control character U+%04X; the file must be text", c)
			return false
		case c == '\n':
			line, col = line+1, 0
		}
		i += n
		col++
	}
	return true
}

// bounded reports nesting, size and tags that no spec needs. Aliases count as what
// they stand for, so that a few lines cannot unfold into millions.
func (r *reader) bounded(n *yaml.Node, depth int, nodes *int) bool {
	if *nodes++; *nodes > maxNodes {
		r.report(r.pos(n), "TOO_LARGE", "the file unfolds into more than %d values; do not nest aliases", maxNodes)
		return false
	}
	if depth > maxDepth {
		r.report(r.pos(n), "TOO_DEEP", "values are nested more than %d deep", maxDepth)
		return false
	}
	if n.Style&yaml.TaggedStyle != 0 {
		r.report(r.pos(n), "YAML_SYNTAX", "tag %q: a spec has no tags; put a text that begins with ! in single quotes", n.Tag)
		return false
	}
	if n.Kind == yaml.AliasNode {
		return r.bounded(n.Alias, depth+1, nodes)
	}
	for _, c := range n.Content {
		if !r.bounded(c, depth+1, nodes) {
			return false
		}
	}
	return true
}

// unquoted finds an expression that YAML reads otherwise than meant: it begins at the
// second group.
var unquoted = regexp.MustCompile(`(?:^|[\s{,])(derive|validate):\s+([^\s'|>].*)`)

// unquotedType finds a type whose comma or brackets end a value inside braces.
var unquotedType = regexp.MustCompile(`(?:^|[\s{,])type:\s+([a-z]+\s*\([^"']*)`)

// syntaxHints say what a message of the YAML library means, and find the column on its
// line: the first group, else the match.
var syntaxHints = []struct {
	message string
	place   *regexp.Regexp
	advice  string
}{
	{"tab character", regexp.MustCompile(`\t`), "a tab indents this line; YAML is indented by blanks"},
	{"cannot start any token", regexp.MustCompile(`^ *(\t)`), "a tab indents this line; YAML is indented by blanks"},
	{"cannot start any token", regexp.MustCompile("(?:^|[\\s:,\\[{])([@`%])"), "a text cannot begin with this character; put it in quotes"},
	{"mapping values are not allowed", regexp.MustCompile(`:(?:\s.*?[^\s:]*)?(:)(?:\s|$)`), "a second \": \" on this line; put the text in quotes, or check the indentation"},
	{"mapping values are not allowed", regexp.MustCompile(`\S`), "this line does not continue the one above; check the indentation"},
	{"unknown escape character", regexp.MustCompile(`"[^"]*(\\[^0abtnvfre "/\\N_LPxuU])`), "unknown escape in double quotes; in single quotes a backslash is plain text"},
	{"unexpected end of stream", regexp.MustCompile(`(["'])[^"']*$`), "this quote is not closed"},
	{"expected ',' or '}'", regexp.MustCompile(`(\{)[^{}]*$`), "this brace is not closed, or a text in it needs quotes"},
	{"expected ',' or '}'", regexp.MustCompile(`[^\s-]`), "a text inside { } needs quotes, or a comma is missing"},
	{"expected ',' or ']'", regexp.MustCompile(`(\[)[^\[\]]*$`), "this bracket is not closed"},
	{"expected node content", regexp.MustCompile(`[{\[]\s*$`), "this bracket is not closed"},
	{"expected key", regexp.MustCompile(`\S`), "this line does not fit the lines above; check the indentation"},
	{"'-' indicator", regexp.MustCompile(`\S`), "this line does not fit the list above; check the indentation"},
	{"could not find expected ':'", regexp.MustCompile(`\S`), "a key without a colon"},
}

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntax reports an error of the YAML library. It has no column, and its line is that
// of the scanner, or the one before that of the parser (which begins its messages
// with "did not find expected" and a thing in a construct).
func (r *reader) syntax(src []byte, err error) {
	m := yamlError.FindStringSubmatch(err.Error())
	if m == nil {
		m = []string{"", "", err.Error()}
	}
	message := m[2]
	if name, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		r.unknownAnchor(src, strings.TrimSuffix(name, "' referenced"))
		return
	}
	lines := strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
	line := 1
	if n, _ := strconv.Atoi(m[1]); n > 0 {
		line = n
		if strings.HasPrefix(message, "did not find expected") && !strings.Contains(message, "character") {
			line++
		}
	}
	for ; line > 1 && (line > len(lines) || strings.TrimSpace(lines[line-1]) == ""); line-- {
	}
	text := lines[line-1]
	at := func(i int) Pos { return Pos{r.file, line, utf8.RuneCountInString(text[:i]) + 1} }
	if m := unquoted.FindStringSubmatchIndex(text); m != nil && !strings.Contains(message, "tab character") {
		key := text[m[2]:m[3]]
		r.report(at(m[4]), "YAML_SYNTAX", "an expression must be quoted: %s: '...'", key)
		return
	}
	if m := unquotedType.FindStringSubmatchIndex(text); m != nil {
		r.report(at(m[2]), "YAML_SYNTAX", "a type with a comma must be quoted inside { }: type: \"decimal(10,2)\"")
		return
	}
	for _, h := range syntaxHints {
		if !strings.Contains(message, h.message) {
			continue
		}
		if m := h.place.FindStringSubmatchIndex(text); m != nil {
			i := m[0]
			if len(m) > 2 && m[2] >= 0 {
				i = m[2]
			}
			r.report(at(i), "YAML_SYNTAX", "%s", h.advice)
			return
		}
	}
	r.report(at(len(text)-len(strings.TrimLeft(text, " \t"))), "YAML_SYNTAX", "this is no YAML: %s", message)
}

func (r *reader) unknownAnchor(src []byte, name string) {
	pos := Pos{r.file, 1, 1}
	for i, line := range strings.Split(string(src), "\n") {
		if at := strings.Index(line, "*"+name); at >= 0 {
			pos.Line, pos.Col = i+1, utf8.RuneCountInString(line[:at])+1
			break
		}
	}
	r.report(pos, "YAML_SYNTAX", "no anchor &%s is declared above; put a text that begins with * in single quotes", name)
}
