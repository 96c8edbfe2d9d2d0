// Command docs writes the pages beside it that come from the tables of the language.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/bridgegen/bridgegen/generator/reference"
)

func main() {
	for _, f := range reference.Files() {
		path := filepath.Join("docs", filepath.FromSlash(f.Path))
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(path, f.Content, 0o666)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
