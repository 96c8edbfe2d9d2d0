package bridge

import "fmt"

// Derive computes the derived columns of row i, if it is live: whoever wrote the row did
// not have them. The system columns stay as they were. The error is of a derived column
// that has no value; rules that an old row breaks are no matter of reading it.
func Derive(s *Schema, rows Rows, i int) error {
	if rows.Sys(i).Deleted {
		return nil
	}
	sys, env := *rows.Sys(i), Env{}
	rows.Apply(&env, i)
	*rows.Sys(i) = sys
	for _, r := range env.Rejects {
		if f := &s.Fields[r.Col]; f.Derived {
			return fmt.Errorf("column %q, which is derived for a row that was written without it, %s", f.Name, r.Reason)
		}
	}
	return nil
}

// LacksDerived tells whether a derived column is none of those that were carried.
func (s *Schema) LacksDerived(carried Columns) bool {
	for col := range s.Fields {
		if s.Fields[col].Derived && !carried.Has(col) {
			return true
		}
	}
	return false
}
