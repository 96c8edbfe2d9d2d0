package bridge

// Table is the descriptor of a table: data, and functions over its record. Generated
// code declares one. A nil function means that the table cannot do that, so a newer
// runtime reads older generated code.
type Table[R any] struct {
	Schema *Schema
	// Sys is where the system columns of a record lie.
	Sys func(*R) *System
	// Apply normalises, derives, validates and tags the row with its version. It is
	// the one function that both roads call before they encode. Of a delete row it
	// keeps key and system columns and empties the rest. False: see Env.Rejects.
	Apply func(*Env, *R) bool
	// Set reads one text cell into column col of Schema.Fields; of a nested column it is
	// JSON.
	Set func(r *R, col int, t *Text)
	// PartitionTime is the instant whose partition the row belongs to.
	PartitionTime func(*R) Timestamp
	// Fill turns rows into the columns of a page; Scan turns a page's N rows back.
	// Strings that Scan sets alias the page.
	Fill func(*Page, []R)
	Scan func(*Page, []R)
	// AppendAvro appends the Avro binary form by the table's own schema, without the
	// Confluent header. ReadAvro reads it; strings alias the message.
	AppendAvro func([]byte, *R) []byte
	ReadAvro   func(*R, []byte) error
	// ReadAvroField reads one field of the record at b[i:] as its own type without the
	// union branch, and returns the position behind it, negative if b is malformed. field
	// is a position in Schema.Fields, or len(Fields) and on for the system columns. A
	// reader of other writer schemas is driven by a plan over it.
	ReadAvroField func(r *R, field int, b []byte, i int) int
	// AppendKey appends the Kafka record key: a compact JSON object of the normalised
	// key columns in key order. AppendStateKey appends the key in Redis, AppendJSON
	// the state document there.
	AppendKey      func([]byte, *R) []byte
	AppendStateKey func([]byte, *R) []byte
	AppendJSON     func([]byte, *R) []byte
	// AppendText appends column col (position in Schema.Fields) as CSV would write it,
	// null as nothing, a nested column as JSON.
	AppendText func(b []byte, r *R, col int) []byte
	// Merge sets in dst the columns of src that carried holds (positions in Schema.Fields).
	Merge func(dst, src *R, carried Columns)
}

// Info is the schema.
func (t *Table[R]) Info() *Schema { return t.Schema }

// NewRows makes n empty records.
func (t *Table[R]) NewRows(n int) Rows { return &RowsOf[R]{T: t, R: make([]R, n)} }

// Any is a Table with its record type hidden.
type Any interface {
	Info() *Schema
	NewRows(n int) Rows
}

// Rows is a batch of records with their type hidden. Roads are written against it, so
// they compile once for all tables.
type Rows interface {
	Len() int
	Resize(n int)                // keeps what is there; new records are empty
	Clear(i int)                 // empties record i
	Move(to, from int)           // record to becomes record from
	Copy(i int, src Rows, j int) // record i becomes record j of src, which is of the same table
	Sys(i int) *System
	Set(i, col int, t *Text)
	Apply(e *Env, i int) bool
	PartitionTime(i int) Timestamp
	Fill(p *Page, from, to int) // records from..to-1 become the page
	Scan(p *Page, at int)       // the page's rows become records at..at+N-1; grows
	AppendAvro(dst []byte, i int) []byte
	ReadAvro(i int, src []byte) error
	ReadAvroField(i, field int, src []byte, at int) int
	AppendKey(dst []byte, i int) []byte
	AppendStateKey(dst []byte, i int) []byte
	AppendJSON(dst []byte, i int) []byte
	AppendText(dst []byte, i, col int) []byte
	Merge(i int, src Rows, j int, carried Columns)
}

// RowsOf are the Rows of a Table.
type RowsOf[R any] struct {
	T *Table[R]
	R []R
}

func (r *RowsOf[R]) Len() int { return len(r.R) }

func (r *RowsOf[R]) Resize(n int) {
	old := len(r.R)
	if n <= cap(r.R) {
		r.R = r.R[:n]
	} else {
		r.R = append(r.R[:cap(r.R)], make([]R, n-cap(r.R))...)
	}
	if n > old {
		clear(r.R[old:])
	}
}

func (r *RowsOf[R]) Clear(i int) {
	var zero R
	r.R[i] = zero
}

func (r *RowsOf[R]) Move(to, from int)                 { r.R[to] = r.R[from] }
func (r *RowsOf[R]) Copy(i int, src Rows, j int)       { r.R[i] = src.(*RowsOf[R]).R[j] }
func (r *RowsOf[R]) Sys(i int) *System                 { return r.T.Sys(&r.R[i]) }
func (r *RowsOf[R]) Set(i, col int, t *Text)           { r.T.Set(&r.R[i], col, t) }
func (r *RowsOf[R]) Apply(e *Env, i int) bool          { return r.T.Apply(e, &r.R[i]) }
func (r *RowsOf[R]) PartitionTime(i int) Timestamp     { return r.T.PartitionTime(&r.R[i]) }
func (r *RowsOf[R]) Fill(p *Page, from, to int)        { r.T.Fill(p, r.R[from:to]) }
func (r *RowsOf[R]) AppendAvro(b []byte, i int) []byte { return r.T.AppendAvro(b, &r.R[i]) }
func (r *RowsOf[R]) ReadAvro(i int, b []byte) error    { return r.T.ReadAvro(&r.R[i], b) }
func (r *RowsOf[R]) ReadAvroField(i, field int, b []byte, at int) int {
	return r.T.ReadAvroField(&r.R[i], field, b, at)
}
func (r *RowsOf[R]) AppendKey(b []byte, i int) []byte      { return r.T.AppendKey(b, &r.R[i]) }
func (r *RowsOf[R]) AppendStateKey(b []byte, i int) []byte { return r.T.AppendStateKey(b, &r.R[i]) }
func (r *RowsOf[R]) AppendJSON(b []byte, i int) []byte     { return r.T.AppendJSON(b, &r.R[i]) }
func (r *RowsOf[R]) AppendText(b []byte, i, col int) []byte {
	return r.T.AppendText(b, &r.R[i], col)
}

func (r *RowsOf[R]) Scan(p *Page, at int) {
	if len(r.R) < at+p.N {
		r.Resize(at + p.N)
	}
	r.T.Scan(p, r.R[at:at+p.N])
}

func (r *RowsOf[R]) Merge(i int, src Rows, j int, carried Columns) {
	r.T.Merge(&r.R[i], &src.(*RowsOf[R]).R[j], carried)
}
