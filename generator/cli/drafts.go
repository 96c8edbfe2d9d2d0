package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bridgegen/bridgegen/generator/starter"
)

// drafts are the specs that a file starts, with what they cannot hold of it. Nothing is
// written if one of them is there already.
func (s *shell) drafts(p *project, from string) (specs []first, losses []string, err error) {
	src, cut, err := readHead(s.path(from))
	if err != nil {
		return nil, nil, err
	}
	shown := filepath.ToSlash(s.path(from))
	drafts, err := starter.From(shown, src, cut)
	if err != nil {
		return nil, nil, err
	}
	// A project file that is there already may lack the bucket that a new one gives.
	bucket := p.file != nil && !p.file.Defaults.Lake.Bucket.Set
	taken := map[string]bool{}
	for _, d := range drafts {
		name := d.Table + ".yaml"
		if _, err := os.Lstat(s.path(name)); err == nil {
			return nil, nil, fmt.Errorf("%s is there already, and init never overwrites; move it away, or name the table otherwise", s.path(name))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		if taken[name] {
			return nil, nil, fmt.Errorf("%s: two tables would be %q; start from one of them at a time", shown, d.Table)
		}
		taken[name] = true
		specs = append(specs, first{name, string(d.Render(bucket))})
		for _, loss := range d.Losses {
			losses = append(losses, fmt.Sprintf("%s: %s", shown, loss))
		}
	}
	return specs, losses, nil
}

// readHead reads a file as far as a draft looks.
func readHead(path string) (src []byte, cut bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	src, err = io.ReadAll(io.LimitReader(f, starter.MaxBytes+1))
	if len(src) > starter.MaxBytes {
		return src[:starter.MaxBytes], true, err
	}
	return src, false, err
}
