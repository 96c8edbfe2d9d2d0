package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec/didyoumean"
)

// done reports the keys that nobody took: those of a later version, and unknown ones.
func (o *object) done() {
	if o == nil {
		return
	}
	for _, p := range o.pairs {
		if p.taken {
			continue
		}
		name := deref(p.key).Value
		at := o.r.pos(p.key)
		if key, ok := lookupKey(o.r.keys, o.key(name)); ok && key.Later {
			o.r.report(at, "NOT_YET", "key %q comes with a later version of bridgegen; leave it out until then", o.key(name))
			continue
		}
		o.r.report(at, "UNKNOWN_KEY", "unknown key %q%s", name, o.suggest(name))
	}
}

// suggest ends the message on an unknown key: a key of this object that looks alike, or
// the place where a key of that name belongs.
func (o *object) suggest(name string) string {
	var here []string
	for _, k := range Children(o.r.keys, o.path) {
		if !k.Later {
			here = append(here, k.Name())
		}
	}
	if s := didyoumean.Nearest(name, here, keySynonyms); s != "" {
		return didyoumean.Hint(s)
	}
	if i := slices.IndexFunc(o.r.keys, func(k Key) bool { return k.Name() == name && !k.Later }); i >= 0 {
		return fmt.Sprintf("; it belongs to %s", place(o.r.keys[i].Path))
	}
	if len(here) == 0 {
		return ""
	}
	return "; known here are " + strings.Join(here, ", ")
}

// place names the object that holds the key at path.
func place(path string) string {
	parent, _ := splitPath(path)
	switch parent {
	case "":
		return "the top of the file"
	case "columns":
		return "a column"
	}
	return fmt.Sprintf("%q", parent)
}
