// Package spectest makes whole files of the examples of rules, for tests.
package spectest

import (
	"regexp"
	"strings"
)

// Spec is a spec that breaks no rule. Examples of rules replace keys of it.
const Spec = `bridgegen: v1
table: orders
columns:
  - {name: id, type: long}
  - {name: updated_at, type: timestamp}
key: [id]
lake: {bucket: data-lake-shop}
stream: {topic: order-events}
`

// Project is a project file that breaks no rule.
const Project = "bridgegen: v1\n"

// ProjectName is the name of the file that is a project file; all others are specs.
const ProjectName = "bridgegen.yaml"

// File is one file of an example.
type File struct{ Name, Text string }

var (
	fileHead = regexp.MustCompile(`(?m)^# (\S+\.yaml)\n`)
	topKey   = regexp.MustCompile(`^([a-z]+):`)
)

// Files are the files of a rule's example, each whole.
func Files(example string) []File {
	var files []File
	heads := fileHead.FindAllStringSubmatchIndex(example, -1)
	if len(heads) == 0 {
		example = "# orders.yaml\n" + example
		heads = fileHead.FindAllStringSubmatchIndex(example, -1)
	}
	for i, h := range heads {
		end := len(example)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		name, text := example[h[2]:h[3]], strings.TrimSuffix(example[h[1]:end], "\n")+"\n"
		switch {
		case name == ProjectName:
			text = Merge(Project, text)
		case !strings.HasPrefix(text, "#"):
			text = Merge(Spec, text)
		}
		files = append(files, File{name, text})
	}
	return files
}

// blocks splits a YAML text into its top-level keys with what belongs to them.
func blocks(text string) (keys []string, byKey map[string]string) {
	byKey = map[string]string{}
	key := ""
	for line := range strings.Lines(text) {
		if m := topKey.FindStringSubmatch(line); m != nil {
			key = m[1]
			keys = append(keys, key)
		}
		byKey[key] += line
	}
	return keys, byKey
}

// Merge puts an example into the place of the same keys of base.
func Merge(base, example string) string {
	if strings.HasPrefix(example, "- ") { // items of columns
		items := "  " + strings.ReplaceAll(strings.TrimSuffix(example, "\n"), "\n", "\n  ") + "\n"
		return strings.Replace(base, "key: ", items+"key: ", 1)
	}
	keys, own := blocks(base)
	_, replaced := blocks(example)
	var b strings.Builder
	for _, k := range keys {
		if _, ok := replaced[k]; !ok {
			b.WriteString(own[k])
		}
	}
	return b.String() + example
}
