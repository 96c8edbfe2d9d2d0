package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/bridgegen/bridgegen/generator/cli"
)

// manyTables is a project of n tables, each of the size of the example, generated and
// current.
func manyTables(b *testing.B, n int) string {
	b.Helper()
	example, err := os.ReadFile("../../examples/customers/customers.yaml")
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			b.Fatal(err)
		}
	}
	write("go.mod", []byte("module example.com/many\n\ngo 1.26.0\n"))
	write("bridgegen.yaml", []byte("bridgegen: v1\nproject: many\n"))
	for i := range n {
		number := fmt.Sprintf("%04d", i)
		content := bytes.Replace(example, []byte("table: customers"), []byte("table: customers_"+number), 1)
		content = bytes.Replace(content, []byte("topic: customer-events"), []byte("topic: customer-events-"+number), 1)
		content = bytes.Replace(content, []byte("customer:{id}"), []byte("customer"+number+":{id}"), 1)
		write("customers_"+number+".yaml", content)
	}
	run(b, dir, "generate")
	return dir
}

func run(b *testing.B, dir string, command ...string) {
	b.Helper()
	var complaints bytes.Buffer
	if code := cli.Main(append([]string{"-C", dir}, command...), nil, io.Discard, &complaints); code != cli.Clean {
		b.Fatalf("%v: exit code %d\n%s", command, code, complaints.String())
	}
}

// BenchmarkThousandTables has nothing to do: no spec changed. tools/benchratio holds the
// longest time that each command may take.
func BenchmarkThousandTables(b *testing.B) {
	cli.AsRelease(b, "v1.0.0")
	dir := manyTables(b, 1000)
	for _, c := range []struct {
		name    string
		command []string
	}{{"check", []string{"check"}}, {"generate", []string{"generate"}}, {"check_full", []string{"check", "--full"}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				run(b, dir, c.command...)
			}
		})
	}
}
