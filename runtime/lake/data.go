package lake

import (
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

var partitionKeys = [...]string{"year=", "month=", "day=", "hour="}

// IsData reports whether Trino reads the object of the key as rows of the table: a
// Parquet file at the depth of the table's partitions, no name on the way hidden by _
// or . (T109, T110).
func IsData(s *bridge.Schema, key string) bool {
	depth := 3
	if s.ByHour {
		depth = 4
	}
	below, ok := strings.CutPrefix(key, s.Prefix()+"/")
	parts := strings.Split(below, "/")
	if !ok || len(parts) != depth+1 {
		return false
	}
	for i, key := range partitionKeys[:depth] {
		if !strings.HasPrefix(parts[i], key) {
			return false
		}
	}
	file := parts[depth]
	return strings.HasSuffix(file, ".parquet") && file[0] != '_' && file[0] != '.'
}
