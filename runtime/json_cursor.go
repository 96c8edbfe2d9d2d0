package bridge

import "fmt"

// Members are the fields of a struct as JSON names them.
type Members struct {
	Names    []string
	Sources  []string // the input's spellings, position by position; nil: the names
	Optional []bool
}

// JSONCursor reads the JSON of a nested column in one pass, driven by generated code: a
// loop over Next between Struct, List or Map and its end, and a function per scalar. The
// first thing that is wrong ends all loops, and Done makes it the reason of the cell.
type JSONCursor struct {
	scan   JSONScanner
	text   *Text
	doc    []byte
	name   string // of the column
	frames []jsonFrame
	open   int // frames in use
	reason string
}

// jsonFrame is a struct, list or map that is open.
type jsonFrame struct {
	members *Members // of a struct
	seen    Columns  // of a struct: its fields that were there
	at      int      // field of the struct, or element of the list
	key     string   // of the map
	close   byte
	begun   bool
}

// JSON begins the text of the nested column that is called name; nil if the cell is null.
func (t *Text) JSON(name string) *JSONCursor {
	if t.null() {
		return nil
	}
	if t.json == nil {
		t.json = new(JSONCursor)
	}
	c := t.json
	c.scan.NUL = t.Symbols
	c.scan.Reset(t.B)
	c.scan.space()
	c.text, c.doc, c.name, c.open, c.reason = t, t.B, name, 0, ""
	return c
}

// Done ends the text, and says in the cell's Reason what was wrong.
func (c *JSONCursor) Done() {
	c.scan.space()
	if c.fine() && c.scan.I < len(c.scan.D) {
		c.scan.Unexpected("the end of the text")
	}
	c.text.B, c.text.Reason = c.doc, c.reason
	if c.reason == "" && c.scan.Reason != "" {
		c.text.Reason = fmt.Sprintf("is no valid JSON: byte %d: %s", c.scan.I+1, c.scan.Reason)
	}
	c.text = nil
}

func (c *JSONCursor) fine() bool { return c.reason == "" && c.scan.Reason == "" }

// wrong says what is wrong at the value that is read, and is false.
func (c *JSONCursor) wrong(why string) bool {
	if c.fine() {
		c.reason = wrongAt(c.path(), why)
	}
	return false
}

// path names the value that is read.
func (c *JSONCursor) path() string {
	path := c.name
	for i := range c.frames[:c.open] {
		switch f := &c.frames[i]; {
		case !f.begun:
		case f.members != nil && f.at >= 0:
			path += "." + f.members.Names[f.at]
		case f.members != nil:
			path += "." + f.key
		case f.close == '}':
			path += AtKey(f.key)
		default:
			path += AtIndex(f.at)
		}
	}
	return path
}

// Struct begins a struct.
func (c *JSONCursor) Struct(m *Members) { c.begin(formStruct, '{', '}', m) }

// List begins a list.
func (c *JSONCursor) List() { c.begin(formList, '[', ']', nil) }

// Map begins a map.
func (c *JSONCursor) Map() { c.begin(formMap, '{', '}', nil) }

func (c *JSONCursor) begin(form int, open, close byte, m *Members) {
	if !c.fine() {
		return
	}
	if !c.scan.take(open) {
		c.scalar(form)
		return
	}
	if c.open == maxDepth {
		c.wrong(fmt.Sprintf("is nested deeper than %d", maxDepth))
		return
	}
	if c.open == len(c.frames) {
		c.frames = append(c.frames, jsonFrame{})
	}
	f := &c.frames[c.open]
	f.members, f.close, f.at, f.begun, f.key = m, close, -1, false, ""
	f.seen.Clear()
	c.open++
}

// Next goes to the next value of what was begun last, which is not null; false at its end,
// and as soon as something was wrong. Null and absent fields that are optional are passed
// over.
func (c *JSONCursor) Next() bool {
	for c.fine() {
		f := &c.frames[c.open-1]
		if c.scan.take(f.close) {
			return c.end(f)
		}
		if f.begun && !c.scan.take(',') {
			return c.scan.Unexpected("a comma or " + string(rune(f.close)))
		}
		f.begun = true
		if f.close == ']' {
			f.at++
			return c.there()
		}
		if !c.key(f) {
			return false
		}
		if f.members == nil {
			return c.there()
		}
		if c.field(f) {
			return true
		}
	}
	return false
}

// end leaves a frame; a struct must have had its required fields.
func (c *JSONCursor) end(f *jsonFrame) bool {
	if f.members != nil {
		for i, optional := range f.members.Optional {
			if !optional && !f.seen.Has(i) {
				f.at, f.begun = i, true
				return c.wrong("is absent, but the field is not optional")
			}
		}
	}
	c.open--
	return false
}

// key reads a key and its colon.
func (c *JSONCursor) key(f *jsonFrame) bool {
	if c.scan.I >= len(c.scan.D) || c.scan.D[c.scan.I] != '"' {
		return c.scan.Unexpected("a key in quotes")
	}
	c.scan.scratch = c.scan.scratch[:0]
	key, ok := c.scan.str()
	if !ok {
		return false
	}
	if f.members != nil {
		f.at = f.members.find(key, f.at+1, c.text.Symbols)
		if f.at < 0 {
			f.key = string(key)
		}
	} else {
		c.text.B = key
		f.key = c.text.text()
	}
	return c.scan.take(':') || c.scan.Unexpected("a colon")
}

// find is the field of a key; -1 if there is none. It is mostly next.
func (m *Members) find(key []byte, next int, symbols bool) int {
	names := m.Names
	if m.Sources != nil && !symbols {
		names = m.Sources
	}
	if next < len(names) && string(key) == names[next] {
		return next
	}
	for i, n := range names {
		if string(key) == n {
			return i
		}
	}
	return -1
}

// field tells whether the value of a struct's key is to be read.
func (c *JSONCursor) field(f *jsonFrame) bool {
	if f.at < 0 {
		if !c.text.Symbols {
			return c.wrong("is no field; remove it, or add it to the spec")
		}
		c.scan.depth = c.open // a newer writer's
		c.scan.Value()
		return false
	}
	if f.seen.Has(f.at) {
		return c.wrong("stands twice in the object")
	}
	f.seen.Add(f.at)
	if f.members.Optional[f.at] && c.null() {
		c.scan.Value()
		return false
	}
	return c.there()
}

func (c *JSONCursor) null() bool { return c.scan.I < len(c.scan.D) && c.scan.D[c.scan.I] == 'n' }

// there refuses a null where none may be.
func (c *JSONCursor) there() bool {
	if !c.null() {
		return true
	}
	_, _, ok := c.scan.Value()
	return ok && c.wrong("is null")
}

// Field is the position of the struct's field whose value is next.
func (c *JSONCursor) Field() int { return c.frames[c.open-1].at }

// Key is the key of the map's value that is next.
func (c *JSONCursor) Key() string { return c.frames[c.open-1].key }

// Twice says that a map has the key of the value already, and is false.
func (c *JSONCursor) Twice() bool { return c.wrong("stands twice in the object") }

// scalar reads a value that has to be of the form.
func (c *JSONCursor) scalar(form int) bool {
	if !c.fine() {
		return false
	}
	c.scan.scratch = c.scan.scratch[:0]
	c.scan.depth = c.open
	kind, text, ok := c.scan.Value()
	if !ok {
		return false
	}
	f := &jsonForms[form]
	if !f.Allows(kind, text) {
		return c.wrong(fmt.Sprintf("is %s, not %s", kind, f.Want))
	}
	c.text.B = text
	return true
}

// judge takes over what the reader of a scalar found.
func (c *JSONCursor) judge() {
	if why := c.text.Reason; why != "" {
		c.text.Reason = ""
		c.wrong(clipText(c.text.B) + " " + why)
	}
}
