package serve

import bridge "github.com/bridgegen/bridgegen/runtime"

// Record is what one side says of a key.
type Record struct {
	Rows  bridge.Rows // one record, if Found
	Found bool        // a delete is found too: see Sys
	Err   error       // why the side could not be asked
}

// Sys are the system columns of a record that was found.
func (r *Record) Sys() *bridge.System { return r.Rows.Sys(0) }

// Live reports whether there is a record and it is no delete.
func (r *Record) Live() bool { return r.Found && !r.Sys().Deleted }

// merge makes the newest state of a key of what both sides say, by the one order, field
// by field: a fresh state that is newer overrides the columns that it carries, an older
// one none. Of what a delete hides, nothing comes back (design, "Reading").
func merge(t bridge.Any, inLake, fresh *Record, carried bridge.Columns) (Record, error) {
	switch {
	case !inLake.Found && !fresh.Found:
		return Record{}, nil
	case !fresh.Found:
		return copyOf(t, inLake), nil
	case !inLake.Found:
		return copyOf(t, fresh), nil
	case bridge.Compare(fresh.Sys(), inLake.Sys(), t.Info().Preferred) <= 0:
		return copyOf(t, inLake), nil
	case fresh.Sys().Deleted || inLake.Sys().Deleted:
		return copyOf(t, fresh), nil
	}
	out := copyOf(t, inLake)
	out.Rows.Merge(0, fresh.Rows, 0, carried)
	*out.Sys() = *fresh.Sys()
	if t.Info().LacksDerived(carried) {
		return out, bridge.Derive(t.Info(), out.Rows, 0)
	}
	return out, nil
}

func copyOf(t bridge.Any, r *Record) Record {
	rows := t.NewRows(1)
	rows.Copy(0, r.Rows, 0)
	return Record{Rows: rows, Found: true}
}
