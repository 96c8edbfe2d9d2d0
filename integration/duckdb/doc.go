// Package duckdb compares what DuckDB reads from the lake with what our own reader reads.
package duckdb
