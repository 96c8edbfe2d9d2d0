// Command bridgegen generates both roads into one data lake from one YAML spec per
// table. See README.md.
package main

import (
	"os"

	"github.com/bridgegen/bridgegen/generator/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
