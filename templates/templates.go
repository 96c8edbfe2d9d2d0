// Package templates holds the texts of SQL and config. Templates render what a target
// has decided; they convert no names, choose no types and fill in no defaults.
package templates

import (
	"bytes"
	"embed"
	"fmt"
	"text/template"
)

//go:embed trino/*.tmpl
var files embed.FS

var all = template.Must(template.ParseFS(files, "trino/*.tmpl"))

// Render executes the template of the name, its file's name.
func Render(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := all.ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return b.Bytes(), nil
}
