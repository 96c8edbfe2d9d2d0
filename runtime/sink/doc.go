// Package sink is the lake sink: it lands a table's canonical topic in the lake as
// Parquet objects, each record in exactly one of them.
//
// Objects are named as the Kafka Connect S3 sink names them (T1):
// <dir>/<topic>/<partition of the lake>/<topic>+<Kafka partition>+<first offset>.snappy.parquet.
//
// The sink works in epochs per Kafka partition, all hours of it together. It commits the
// epoch's start with its planned end as the offset's metadata, then writes the objects,
// then produces the epoch's dead letters, then commits the end. Who takes over after a
// kill or a rebalance finds the plan and redoes exactly those offsets: the same names
// with the same rows. Commits carry the generation in which the partition was assigned,
// so a member that lost it cannot commit. Dead letters may come twice after a kill.
//
// The sink stops, with the remedy in its error, where going on would lose or hide rows:
// at a writer schema with columns or symbols that it does not know, a topic that was
// made anew, a log that lost what was to be read, a compacted topic.
package sink
