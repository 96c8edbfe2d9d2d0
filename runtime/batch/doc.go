// Package batch loads a dump into the lake: CSV, JSON lines, Parquet, a query's result,
// or rows of an application, whole or not at all.
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
// A removal goes the other way: the marker says first that the load is being removed,
// then its objects go, the oldest generation first, then the marker. Killed anywhere, it
// is ended by the next one; until then nothing can be loaded under that identity.
//
// # Parquet
//
// Columns go by the names in the source. A value becomes the text that CSV would have,
// so one set of rules and messages holds for all inputs, and lists, maps and structs
// become JSON. Types widen where no value can be lost; a decimal has to fit exactly; of
// finer timestamps the milliseconds count; a local timestamp takes the spec's zone. A
// file is read where it lies; standard input, an object of a store or a packed file goes
// into a temporary file, so the disk needs room for one input, unpacked.
//
// # Sorted loads
//
// With Options.SortByKey rows lie by partition and key. Up to 131,072 rows are sorted in
// memory; more are sorted run by run into a temporary file of their Avro size, and
// merged. _seq stays the place in the input.
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
// is no object, or {"_reason": ..., "_raw_base64": ...} where it is not even UTF-8. Of
// Parquet and of a query it is CSV of the columns that the input has, each value as CSV
// writes it, so it loads again with --format csv. Of an application's rows it is CSV of
// all columns of the table.
package batch
