package reference

import (
	"fmt"
	"strings"
)

// page is Markdown that is being written.
type page struct{ b strings.Builder }

func newPage(title string) *page {
	p := &page{}
	fmt.Fprintf(&p.b, "<!-- Written by make generate from the tables in spec/. DO NOT EDIT. -->\n\n# %s\n", title)
	return p
}

func (p *page) bytes() []byte { return []byte(p.b.String()) }

func (p *page) section(name string) { fmt.Fprintf(&p.b, "\n## %s\n", name) }

// text is a paragraph of Markdown, as it stands.
func (p *page) text(s string) { fmt.Fprintf(&p.b, "\n%s\n", s) }

// example is a block of YAML.
func (p *page) example(yaml string) {
	fmt.Fprintf(&p.b, "\n```yaml\n%s\n```\n", strings.Trim(yaml, "\n"))
}

// table is a table whose cells are Markdown; rows of cells follow the head.
func (p *page) table(head []string, rows [][]string) {
	p.b.WriteString("\n")
	p.row(head)
	p.row(strings.Split(strings.Repeat("---,", len(head)-1)+"---", ","))
	for _, r := range rows {
		p.row(r)
	}
}

func (p *page) row(cells []string) {
	for _, c := range cells {
		p.b.WriteString("| " + strings.ReplaceAll(c, "|", `\|`) + " ")
	}
	p.b.WriteString("|\n")
}

// code is s as it stands; nothing for nothing.
func code(s string) string {
	switch {
	case s == "":
		return ""
	case strings.Contains(s, "`"):
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

func codes(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, code(w))
	}
	return strings.Join(out, ", ")
}

var special = strings.NewReplacer(`\`, `\\`, "<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`)

// prose is plain text as Markdown; what stands between backticks stays code.
func prose(s string) string {
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 { // a backtick that is meant
		return special.Replace(strings.ReplaceAll(s, "`", "&#96;"))
	}
	for i := 0; i < len(parts); i += 2 {
		parts[i] = special.Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

func yes(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}
