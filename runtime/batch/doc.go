// Package batch loads a dump into the lake: CSV, JSON lines, or rows of an
// application, whole or not at all.
//
// # Identity
//
// A load is known by table, logical time (an hour or a day) and an optional name. Its
// objects are named by it, batch_2026081902.parquet, and its marker,
// _loads/batch_2026081902.json in the table's folder, holds its state, the checksum of
// the input, as_of, rows, generation and objects. The same identity with the same
// input writes the same objects. Another input needs Options.Replace: it becomes a new
// generation, batch_2026081902_r1.parquet, beside the old one.
//
// # Order of events
//
// All parts are staged (temporary files of the store: as much disk as the objects
// take), and nothing is visible until the last row was valid. Then: the marker as an
// intent with the planned objects; the objects; the marker as complete; and at last
// the objects of older generations and of loads that did not finish are removed. An
// object that is visible is never written again with other bytes, so a process that is
// killed anywhere leaves every key visible that was, and the next run finishes or
// replaces its work. Only objects whose names are exactly of the identity are touched.
//
// # Invalid rows
//
// Problems are collected over the whole input. Without Options.Rejects one is enough
// to stop the load; with it invalid rows go whole to a file and the load goes on.
//
// The file of rejects of a CSV load is CSV: the header of the first input, then a column
// _reason. Fields stand there byte for byte as they came. A record that does not fit
// the header (too few or too many fields, broken quotes, an input with another header)
// stands as it came, quoted, in the first column. Of JSON lines it is JSON lines: the
// object with a first member "_reason", or {"_reason": ..., "_raw": ...} where the line
// is no object, or {"_reason": ..., "_raw_base64": ...} where it is not even UTF-8. Of an
// application's rows it is CSV of all columns of the table.
package batch
