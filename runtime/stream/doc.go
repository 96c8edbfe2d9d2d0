// Package stream is the streaming road of applications and of consumers: a writer that
// puts rows on a table's canonical topic, and a decoder that reads them back whatever
// schema they were written with.
//
// A record's key is a compact JSON object of the key columns, its value Avro in the
// Confluent wire format (a zero byte, the schema's id in four bytes, the record), its
// subject in the registry is <topic>-value. A schema is registered before the first
// row: by bridge register, by Register, or by a writer with AutoRegister.
package stream
