package spec

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// Parse reads one spec. file is its name in diagnostics and in Spec.File. The spec is
// nil only if the file is no YAML document of keys and values; with diagnostics beside
// it, it lacks what they are about.
func Parse(file string, src []byte) (*Spec, Diagnostics) {
	r := &reader{file: file, keys: Keys}
	o := r.root(src)
	if o == nil {
		return nil, r.diags.Sorted()
	}
	s := &Spec{File: file, Pos: o.pos}
	s.Version = o.version()
	s.Table = o.required("table")
	s.Record = o.text("record")
	s.Namespace = o.text("namespace")
	s.Doc = o.text("doc")
	s.Columns = o.columns()
	if !o.missing("key") {
		s.Key = o.texts("key")
	}
	s.Deletes = o.bool("deletes")
	s.Settings = o.settings()
	o.done()
	s.wrong = r.wrong
	return s, r.diags.Sorted()
}

// ParseProject reads a project file. It is nil only if the file is no YAML document of
// keys and values.
func ParseProject(file string, src []byte) (*ProjectFile, Diagnostics) {
	r := &reader{file: file, keys: projectKeys()}
	o := r.root(src)
	if o == nil {
		return nil, r.diags.Sorted()
	}
	p := &ProjectFile{File: file, Pos: o.pos}
	p.Version = o.version()
	p.Project = o.text("project")
	p.Specs = o.texts("specs")
	p.Out = o.text("out")
	g := o.section("go")
	p.GoPackage = g.text("package")
	g.done()
	d := o.section("defaults")
	p.Defaults = d.settings()
	d.done()
	o.done()
	return p, r.diags.Sorted()
}

// IsSpec reports whether src looks like a spec: a YAML mapping with the key table. It
// tells specs from other YAML files where a project names no globs; a file with an
// error in its syntax is a spec if a line begins with the key.
func IsSpec(src []byte) bool {
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\ufeff")) {
		if rest, ok := strings.CutPrefix(line, "table:"); ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n")) {
			return true
		}
	}
	return false
}

// projectKeys are ProjectKeys with the shared settings below defaults.
func projectKeys() []Key {
	keys := append([]Key(nil), ProjectKeys...)
	for _, k := range sharedKeys() {
		k.Path = "defaults." + k.Path
		keys = append(keys, k)
	}
	return keys
}

func (r *reader) root(src []byte) *object {
	n := r.document(src)
	if n == nil {
		return nil
	}
	return r.object(n, "")
}

func (o *object) version() Text {
	v := o.required("bridgegen")
	if key, _ := lookupKey(o.r.keys, "bridgegen"); v.Set && v.V != key.Words[0] {
		o.r.report(v.Pos, "VERSION", "bridgegen %q: this bridgegen reads %s", v.V, key.Words[0])
	}
	return v
}

// missing reports a key that must be there.
func (o *object) missing(name string) bool {
	if o == nil {
		return true
	}
	if o.find(name) != nil {
		return false
	}
	key, _ := lookupKey(o.r.keys, o.key(name))
	o.r.report(o.pos, "MISSING_KEY", "key %q is missing (%s)", name, key.Doc)
	return true
}

func (o *object) required(name string) Text {
	if o.missing(name) {
		return Text{}
	}
	return o.text(name)
}

func (o *object) settings() (s Settings) {
	if o == nil {
		return s
	}
	dedup := o.section("dedup")
	s.Dedup = Dedup{Version: dedup.shared("version"), Prefer: dedup.word("prefer"), MaxFuture: dedup.duration("max_future")}
	dedup.done()
	partition := o.section("partition")
	s.Partition = Partition{Time: partition.text("time"), By: partition.word("by")}
	partition.done()
	lake := o.section("lake")
	s.Lake = Lake{
		Bucket: lake.text("bucket"), Dir: lake.text("dir"), Region: lake.text("region"), Codec: lake.word("codec"),
		FlushSize: lake.size("flush_size"), RotateInterval: lake.duration("rotate_interval"),
	}
	lake.done()
	batch := o.section("batch")
	s.Batch = Batch{
		Source: batch.word("source"), Zone: batch.text("zone"), Extra: batch.word("extra"), Missing: batch.word("missing"),
		Nulls: batch.texts("nulls"),
	}
	batch.done()
	stream := o.section("stream")
	s.Stream = Stream{Topic: stream.shared("topic"), Registry: stream.text("registry"), Compatibility: stream.word("compatibility")}
	stream.done()
	speed := o.section("speed")
	s.Speed = Speed{Key: speed.shared("key"), TTL: speed.duration("ttl")}
	speed.done()
	trino := o.section("trino")
	s.Trino = Trino{Catalog: trino.text("catalog"), Schema: trino.text("schema"), Views: trino.text("views")}
	trino.done()
	lag := o.section("lag")
	s.Lag = Lag{Streaming: lag.duration("streaming"), Batch: lag.duration("batch")}
	lag.done()
	return s
}

// shared is the text at a key that the file's table may not know: below defaults, what
// each table has of its own is left for done to report.
func (o *object) shared(name string) Text {
	if o == nil {
		return Text{}
	}
	if _, ok := lookupKey(o.r.keys, o.key(name)); !ok {
		return Text{}
	}
	return o.text(name)
}

func (o *object) columns() Val[[]*Column] {
	if o.missing("columns") {
		return Val[[]*Column]{}
	}
	return o.columnsAt("columns")
}

// columnsAt are the columns of the table, or the fields of a struct.
func (o *object) columnsAt(name string) (v Val[[]*Column]) {
	n := o.take(name)
	if n == nil {
		return v
	}
	v.Pos = o.r.pos(n)
	items, ok := o.r.items(n, name)
	if !ok {
		return v
	}
	before := o.r.columns
	if o.r.columns += len(items); o.r.columns > maxColumns {
		if before <= maxColumns {
			o.r.report(v.Pos, "TOO_LARGE", "%d columns; at most %d are read, fields of structs included", o.r.columns, maxColumns)
		}
		return v
	}
	v.Set = true
	for _, item := range items {
		if c := o.r.column(item); c != nil {
			v.V = append(v.V, c)
		}
	}
	return v
}

func (r *reader) column(n *yaml.Node) *Column {
	o := r.object(n, "columns")
	if o == nil {
		return nil
	}
	c := &Column{
		Pos: o.pos, Name: o.required("name"), Type: o.columnType(),
		Optional: o.bool("optional"), Default: o.scalar("default"), Values: o.enumValues(), Fallback: o.text("fallback"),
		Normalize: o.words("normalize"), Derive: o.expression("derive"), Validate: o.expression("validate"),
		Fields: o.columnsAt("fields"), From: o.text("from"), GoName: o.text("go_name"), Doc: o.text("doc"),
	}
	o.done()
	return c
}

// emptyCollections are the defaults of a list and a map, as texts.
var emptyCollections = map[yaml.Kind]string{yaml.SequenceNode: "[]", yaml.MappingNode: "{}"}

// scalar is the value at a key as its text.
func (o *object) scalar(name string) (v Val[Scalar]) {
	n := o.take(name)
	if n == nil {
		return v
	}
	d := deref(n)
	if text := emptyCollections[d.Kind]; text != "" && len(d.Content) == 0 {
		return Val[Scalar]{V: Scalar{text, true}, Pos: o.r.pos(n), Set: true}
	}
	if d.Kind != yaml.ScalarNode {
		o.r.report(o.r.pos(n), "VALUE_TYPE", "%q must be a single value, not %s", name, describe(n))
		return v
	}
	quoted := d.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0
	if d.ShortTag() == "!!null" {
		o.r.report(o.r.pos(n), "DEFAULT_VALUE", "default null: an optional column has it already; for the text quote it")
		return v
	}
	return Val[Scalar]{V: Scalar{d.Value, quoted}, Pos: o.r.pos(n), Set: true}
}

// enumValues are symbols and mappings of a symbol to the source's spelling.
func (o *object) enumValues() (v Val[[]EnumValue]) {
	n := o.take("values")
	if n == nil {
		return v
	}
	v.Pos = o.r.pos(n)
	items, ok := o.r.items(n, "values")
	if !ok {
		return v
	}
	v = Val[[]EnumValue]{Pos: o.r.pos(n), Set: true}
	for _, item := range items {
		d := deref(item)
		if d.Kind != yaml.MappingNode {
			if t := o.r.scalar(item, "values"); t.Set {
				v.V = append(v.V, EnumValue{Symbol: t})
			}
			continue
		}
		for i := 0; i+1 < len(d.Content); i += 2 {
			symbol, source := o.r.scalar(d.Content[i], "values"), o.r.scalar(d.Content[i+1], "values")
			if symbol.Set && source.Set {
				v.V = append(v.V, EnumValue{symbol, source})
			}
		}
	}
	return v
}
