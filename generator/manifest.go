package generator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/bridgegen/bridgegen/generator/model"
)

// Stamp says from what a unit was rendered. Where it and all hashes of a manifest agree
// with what is there, the unit is current without being rendered.
type Stamp struct {
	Model     string // hash of the resolved model
	Generator string // version of bridgegen; empty: unknown, so nothing agrees with it
}

// TableStamp is the stamp of a table.
func TableStamp(p *model.Project, t *model.Table, version string) Stamp {
	return Stamp{digest(p.GoPackage, t), version}
}

// ProjectStamp is the stamp of what a project has once.
func ProjectStamp(p *model.Project, version string) Stamp {
	var names []string
	for _, t := range p.Tables {
		names = append(names, t.Name)
	}
	return Stamp{digest(p.GoPackage, names), version}
}

// digest cannot fail: a model is texts, numbers and lists of them.
func digest(parts ...any) string {
	b, err := json.Marshal(parts)
	if err != nil {
		panic(err)
	}
	return Hash(b)
}

// Hash is the hash of a file as manifests hold it: over text with LF line ends, so that a
// checkout which converts them is still current.
func Hash(content []byte) string {
	sum := sha256.Sum256(LF(content))
	return hex.EncodeToString(sum[:])
}

// LF is content with LF line ends.
func LF(content []byte) []byte {
	if bytes.IndexByte(content, '\r') < 0 {
		return content
	}
	return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
}

// ManifestPath is the path of a unit's manifest below Project.Out.
func ManifestPath(unit string) string { return path.Join(unit, "manifest.json") }

// Manifest is what a manifest on disk says. After a merge it may hold lines of both
// sides, so each file has all the hashes that stand there.
type Manifest struct {
	Stamp  Stamp
	Hashes map[string][]string // by path relative to Project.Out
	Merged bool                // it was put together by a merge and is no manifest as written
}

func manifestOf(u *Unit) model.File {
	var b strings.Builder
	fmt.Fprintf(&b, "{\n  \"unit\": %q,\n  \"generator\": %q,\n  \"model\": %q,\n  \"files\": {", u.Name, u.Stamp.Generator, u.Stamp.Model)
	for i, f := range u.Files {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %q: %q", f.Path, Hash(f.Content))
	}
	b.WriteString("\n  }\n}\n")
	return model.File{Path: u.Manifest(), Content: []byte(b.String())}
}

var manifestLine = regexp.MustCompile(`^\s*"([^"]+)": "([^"]*)",?$`)

// ParseManifest reads a manifest line by line, so that one with both sides of a merge,
// or with conflict markers, still says what was generated.
func ParseManifest(content []byte) Manifest {
	content = LF(content)
	m := Manifest{Hashes: map[string][]string{}, Merged: !json.Valid(content)}
	for line := range strings.Lines(string(content)) {
		parts := manifestLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if parts == nil {
			continue
		}
		switch key, value := parts[1], parts[2]; key {
		case "unit":
		case "generator":
			m.Stamp.Generator = value
		case "model":
			m.Merged = m.Merged || m.Stamp.Model != ""
			m.Stamp.Model = value
		default:
			m.Merged = m.Merged || len(m.Hashes[key]) > 0
			m.Hashes[key] = append(m.Hashes[key], value)
		}
	}
	return m
}
