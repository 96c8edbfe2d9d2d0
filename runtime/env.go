package bridge

// Env is what Apply needs besides the row, and where it says what it found. A road
// keeps one and reuses it.
type Env struct {
	// Horizon is the greatest timestamp that a version may have; 0 sets no limit. A row
	// beyond it is rejected, for one row from 2099 would win for ever.
	Horizon Timestamp
	// VersionCap, if not 0, bounds the version of live rows from above: the as_of of a
	// dump in a table with CDC, where an application clock that is ahead would outlive a
	// later delete.
	VersionCap Timestamp
	// Given are the derived columns that the input carried. They are computed again, and
	// Differed counts the rows in which one was not the same.
	Given    Columns
	Differed int
	// Fault is set by an expression that has no value: "overflow", "division by zero".
	Fault string
	// Rejects says why Apply returned false; Apply empties it first.
	Rejects []Reject
}

// Reject is one reason why a row is invalid.
type Reject struct {
	Col    int    // the column's position in Schema.Fields
	Rule   string // key of the reason: null, enum, validate, derive, max_future, key
	Reason string // ends the sentence that begins with the column's name
}

// Reject adds a reason.
func (e *Env) Reject(col int, rule, reason string) {
	e.Rejects = append(e.Rejects, Reject{col, rule, reason})
}

// Reset forgets the reasons of the row before.
func (e *Env) Reset() { e.Rejects, e.Fault = e.Rejects[:0], "" }

// TagVersion sets the version of a live row from a timestamp column at position col.
func (e *Env) TagVersion(s *System, col int, v Timestamp) {
	if e.Horizon != 0 && v > e.Horizon {
		e.Reject(col, "max_future", "is further in the future than dedup.max_future allows")
		return
	}
	if e.VersionCap != 0 && v > e.VersionCap {
		v = e.VersionCap
	}
	s.Version = Some(int64(v))
}
