package spec

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/bridgegen/bridgegen/spec/didyoumean"
)

// nameRules are about names of tables, records and columns.
var nameRules = []Rule{
	{ID: "TABLE_NAME", Purpose: "a table's name is lower case letters, digits and _, and no name that the output needs",
		Why:  "Every engine folds upper case, and the name is also a folder and a Go package. Refused are names that mean something there: bridge, tables, main, init, internal, vendor, testdata, documentation, names that end in _test, Go keywords, device names of Windows, and a leading _.",
		Bad:  "table: Orders",
		Good: "table: orders", check: checkTableName},
	{ID: "TABLE_UNIQUE", Purpose: "tables of a project share no name, topic and Redis key",
		Why:    "Two tables of one name would overwrite each other's output; of one topic, they would lie in one folder of the lake and read each other's records; of one Redis key, they would replace each other's state.",
		Bad:    "# orders.yaml\nstream: {topic: order-events}\n# returns.yaml\ntable: returns\nstream: {topic: order-events}",
		Good:   "# orders.yaml\nstream: {topic: order-events}\n# returns.yaml\ntable: returns\nstream: {topic: return-events}",
		across: checkUnique},
	{ID: "RECORD_NAME", Purpose: "the record's name is an exported Go name that the package does not declare itself",
		Why:  "It names the Go type and the Avro record: letters and digits, upper case first. Key, Table, Any, Apply and some others are taken (`bridgegen types` lists them). It is part of what the registry compares, so choose it once.",
		Bad:  "record: order_line",
		Good: "record: OrderLine", check: checkRecordName},
	{ID: "NAMESPACE", Purpose: "an Avro namespace is dot-separated names",
		Why:  "Avro allows letters, digits and _ between the dots, so com.my-company does not parse (T68). The namespace is part of the record's full name, which the registry compares.",
		Bad:  "namespace: com.my-shop",
		Good: "namespace: com.myshop",
		check: func(t *Table, r reporter) {
			if n := t.Namespace; n.Set && !avroNamespace.MatchString(n.V) {
				r.at(n.Pos, "namespace %q: write names of letters, digits and _ with dots between them", n.V)
			}
		}},
	{ID: "COLUMN_NAME", Purpose: "a column's name is lower case letters, digits and _, and begins with a letter",
		Why:  "Every engine folds upper case, so Trino would never find createdAt. Name the column created_at, and say with from: how the source spells it. At most 127 characters.",
		Bad:  "- {name: createdAt, type: timestamp}",
		Good: "- {name: created_at, type: timestamp, from: createdAt}", check: checkColumnNames},
	{ID: "COLUMN_RESERVED", Purpose: "a column takes no name of bridgegen's own",
		Why:  "A leading _ is reserved for the system columns (_source, _ingested_at, _version, _seq, _deleted), and year, month, day and hour are the partition columns of the table in Trino, at either granularity. from: keeps the source's name.",
		Bad:  "- {name: year, type: int}",
		Good: "- {name: model_year, type: int, from: year}", check: checkReserved},
	{ID: "COLUMN_UNIQUE", Purpose: "columns differ in name, and in what they read",
		Why:  "Two columns of one name cannot lie in one record, and two that read the same field of the source cannot both be right. Derive a second form of a value from the first: derive: '...' does that.",
		Bad:  "- {name: note, type: string}\n- {name: note, type: string}",
		Good: "- {name: note, type: string}\n- {name: remark, type: string}", check: checkColumnsUnique},
	{ID: "GO_NAME", Purpose: "names in generated Go code do not meet",
		Why:  "Fields are named by column in upper camel case, enum types by column, structs and what lies in them by record and path (OrderShipTo), constants by type and symbol. Two that meet do not compile, and the package declares some names itself (`bridgegen types` lists them). go_name: gives a column another one: upper case first, letters and digits.",
		Bad:  "- {name: ship_to, type: string}\n- {name: ship__to, type: string}",
		Good: "- {name: ship_to, type: string}\n- {name: ship__to, type: string, go_name: ShipTarget}", check: checkGoNames},
}

var (
	lowerName     = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	avroName      = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	avroNamespace = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)
	windowsDevice = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`)
)

const maxName = 127 // what Glue and Hive hold of an identifier

var (
	takenFolders     = []string{"bridge", "tables", "main", "init", "internal", "vendor", "testdata", "documentation"}
	partitionColumns = []string{"year", "month", "day", "hour"}
)

// misnamed says what is wrong with a name, and what to write; empty if it is right.
func misnamed(name string) string {
	switch {
	case len(name) > maxName:
		return fmt.Sprintf("has %d characters; at most %d are legal", len(name), maxName)
	case lowerName.MatchString(name):
		return ""
	}
	return "must be lower case letters, digits and _, with a letter first" + didyoumean.Hint(snake(name))
}

// snake is the legal name that looks most like name; empty if there is none.
func snake(name string) string {
	var b strings.Builder
	lower := false
	for _, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			if lower {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
			lower = false
		case c == '-' || c == '.' || c == ' ':
			c, lower = '_', false
		default:
			lower = c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		}
		b.WriteRune(c)
	}
	if s := b.String(); lowerName.MatchString(s) && s != name {
		return s
	}
	return ""
}

func checkTableName(t *Table, r reporter) {
	name := t.Table.V
	if !t.Table.Set {
		return
	}
	switch wrong := misnamed(name); {
	case wrong != "":
		r.at(t.Table.Pos, "table %q %s", name, wrong)
	case slices.Contains(takenFolders, name):
		r.at(t.Table.Pos, "table %q: the generated tree has a folder or a package of that name; write another one, such as %s_table", name, name)
	case strings.HasSuffix(name, "_test"):
		r.at(t.Table.Pos, "table %q: Go takes packages that end in _test for tests; write another name", name)
	case token.IsKeyword(name):
		r.at(t.Table.Pos, "table %q is a keyword of Go and cannot name a package; write another one, such as %s_table", name, name)
	case windowsDevice.MatchString(name):
		r.at(t.Table.Pos, "table %q: Windows has a device of that name and cannot create the folder; write another one", name)
	}
}

func checkUnique(ts []*Table, r reporter) {
	type use struct{ what, value string }
	first := map[use]Text{}
	see := func(what string, v Text, value string) {
		u := use{what, value}
		if before, ok := first[u]; ok {
			r.at(v.Pos, "%s %q is taken by the table in %s", what, v.V, before.Pos)
			return
		}
		first[u] = v
	}
	for _, t := range ts {
		if t.Table.Set {
			see("table", t.Table, t.Table.V)
		}
		if t.Stream.Topic.Set {
			see("topic", t.Stream.Topic, t.Stream.Topic.V)
			see("topic", t.Stream.Topic, t.Stream.Topic.V+deadLetters)
		}
		template := t.Speed.Key
		if !template.Set {
			template = Text{V: t.KeyTemplate(), Pos: t.Table.Pos, Set: t.Table.Set && t.Key.Set}
		}
		if parts, err := ParseKeyTemplate(template.V); template.Set && err == nil {
			see("Redis key", template, shape(parts))
		}
	}
}

// shape is a key template with its columns blanked: templates of one shape can give one
// key.
func shape(parts []KeyPart) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
		if p.Column != "" {
			b.WriteByte(0)
		}
	}
	return b.String()
}

func checkRecordName(t *Table, r reporter) {
	name, pos := t.RecordName(), t.Record.Pos
	if !t.Record.Set {
		pos = t.Table.Pos
		if !lowerName.MatchString(t.Table.V) {
			return
		}
	}
	switch {
	case !exportedGo(name):
		r.at(pos, "record %q must be letters and digits, upper case first%s", name, didyoumean.Hint(goHint(name)))
	case declared(name), name == sourceEnum:
		r.at(pos, "record %q: the generated package declares that name itself; write another one as record:", name)
	}
}

// goHint is the exported Go name that looks most like name; empty if there is none.
func goHint(name string) string {
	if lowerName.MatchString(name) {
		return GoName(name)
	}
	return GoName(snake(name))
}

func declared(name string) bool {
	return slices.ContainsFunc(DeclaredNames, func(d Declared) bool { return d.Name == name })
}

// everyColumn goes over columns as written, and behind each over its fields. Fields have
// the path of what holds them before their names.
func everyColumn(cs []*Column, above string, visit func(c *Column, path string, field bool)) {
	for _, c := range cs {
		path := above + c.Name.V
		visit(c, path, above != "")
		everyColumn(c.Fields.V, path+".", visit)
	}
}

func checkColumnNames(t *Table, r reporter) {
	everyColumn(t.Spec.Columns.V, "", func(c *Column, path string, _ bool) {
		if !c.Name.Set || strings.HasPrefix(c.Name.V, "_") {
			return
		}
		if wrong := misnamed(c.Name.V); wrong != "" {
			advice := ""
			if s := snake(c.Name.V); s != "" && !c.From.Set {
				advice = fmt.Sprintf(" (from: %q keeps the source's name)", c.Name.V)
			}
			r.at(c.Name.Pos, "column %q %s%s", path, wrong, advice)
		}
	})
}

func checkReserved(t *Table, r reporter) {
	everyColumn(t.Spec.Columns.V, "", func(c *Column, path string, field bool) {
		switch name := c.Name.V; {
		case strings.HasPrefix(name, "_"):
			r.at(c.Name.Pos, "column %q: a leading _ is reserved for system columns; write %q and from: %q", path, strings.TrimLeft(name, "_"), name)
		case !field && slices.Contains(partitionColumns, name):
			r.at(c.Name.Pos, "column %q is a partition column of the table; write another name and from: %q", path, name)
		}
	})
}

func checkColumnsUnique(t *Table, r reporter) {
	uniqueAmong(t.Spec.Columns.V, "", r)
}

// uniqueAmong looks at columns, or at the fields of the struct whose path is above.
func uniqueAmong(cs []*Column, above string, r reporter) {
	names, sources := map[string]*Column{}, map[string]*Column{}
	for _, c := range cs {
		if c.Name.Set && names[c.Name.V] == nil {
			names[c.Name.V] = c
		}
	}
	for _, c := range cs {
		path := above + c.Name.V
		uniqueAmong(c.Fields.V, path+".", r)
		if !c.Name.Set {
			continue
		}
		if before := names[c.Name.V]; before != c {
			r.at(c.Name.Pos, "column %q stands here a second time; the first is in line %d", path, before.Name.Pos.Line)
			continue
		}
		if c.From.Set && c.From.V == "" {
			r.at(c.From.Pos, "column %q: from is empty; write the source's name or leave from out", path)
			continue
		}
		if before, ok := sources[c.SourceName()]; ok {
			r.at(c.Pos, "columns %q and %q both read %q of the source", above+before.Name.V, path, c.SourceName())
			continue
		}
		sources[c.SourceName()] = c
		if other := names[c.From.V]; c.From.Set && other != nil && other != c && other.SourceName() != c.From.V {
			r.at(c.From.Pos, "column %q: from %q is the name of another column, which reads %q; give one of them another name", path, c.From.V, other.SourceName())
		}
	}
}

// goNames are the names of one scope, with what they name and its column.
type goNames map[string]goName

type goName struct {
	what   string
	column string // path; empty: declared whatever the columns are
}

func (in goNames) add(name, what, where string, c *TableColumn, r reporter) {
	before, ok := in[name]
	if !ok {
		in[name] = goName{what, c.Path}
		return
	}
	pos := c.Name.Pos
	if c.GoName.Set {
		pos = c.GoName.Pos
	}
	advice := fmt.Sprintf("give column %q another go_name", c.Path)
	if before.column == c.Path {
		advice = "write the symbol otherwise, and map it to the source's spelling"
	}
	r.at(pos, "%s and %s would both be %s in %s; %s", before.what, what, name, where, advice)
}

// goScopes are what generated code and the Avro schema declare beside fields.
type goScopes struct {
	types goNames // of the package
	avro  goNames
	r     reporter
}

// checkGoNames looks at what generated code declares: fields of the record and its
// structs, types and constants of the package; and at the types of the Avro schema.
func checkGoNames(t *Table, r reporter) {
	s := goScopes{types: goNames{t.RecordName(): {what: "the record"}}, r: r,
		avro: goNames{t.RecordName(): {what: "the record"}, sourceEnum: {what: "the enum of _source"}}}
	for _, d := range DeclaredNames {
		s.types[d.Name] = goName{what: d.Doc}
	}
	s.check(t.Columns, goNames{SystemField: {what: "the system columns"}})
}

// check looks at the fields of the record or of a struct.
func (s goScopes) check(cs []*TableColumn, fields goNames) {
	for _, c := range cs {
		s.check(c.Fields, goNames{})
		if !lowerName.MatchString(c.Name.V) && !c.GoName.Set {
			continue
		}
		name := c.GoFieldName()
		if c.GoName.Set && !exportedGo(name) {
			s.r.at(c.GoName.Pos, "go_name %q must be letters and digits, upper case first%s", name, didyoumean.Hint(goHint(name)))
			continue
		}
		what := fmt.Sprintf("column %q", c.Path)
		fields.add(name, what, "Go", c, s.r)
		if c.GoType == "" || len(c.Values.V)+len(c.Fields) == 0 {
			continue
		}
		before := len(*s.r.ds)
		s.types.add(c.GoType, "the type of "+what, "Go", c, s.r)
		if len(*s.r.ds) == before {
			s.avro.add(c.AvroName, "the type of "+what, "Avro", c, s.r)
		}
		for _, v := range c.Values.V {
			if avroName.MatchString(v.Symbol.V) && !repeated(c.Column, v) {
				s.types.add(c.GoConst(v.Symbol.V), fmt.Sprintf("symbol %q of %s", v.Symbol.V, what), "Go", c, s.r)
			}
		}
	}
}

// repeated reports whether the symbol stands before v already.
func repeated(c *Column, v EnumValue) bool {
	for _, before := range c.Values.V {
		if before.Symbol.V == v.Symbol.V {
			return before.Symbol.Pos != v.Symbol.Pos
		}
	}
	return false
}
