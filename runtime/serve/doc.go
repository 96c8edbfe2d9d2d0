// Package serve reads both sides of the bridge: the lake's files, where it keeps one
// row per key by the one order, and the state in Redis; the reader merges them field by
// field. History comes from the lake's files or from Trino.
package serve
