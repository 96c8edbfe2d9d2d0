package sink

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
)

// span is a range of offsets of a Kafka partition: from start up to end, without end.
type span struct{ start, end int64 }

// plan is a promise: these offsets are one epoch, whoever writes it.
type plan struct {
	span
	records int64  // that a reader finds in the span; -1: not known
	ending  string // of the objects' names; empty: that of the table's codec
}

const noteVersion = 1

// note is the metadata of a committed offset, as JSON.
type note struct {
	Bridge  int    `json:"bridge"` // noteVersion; tells our metadata from that of others
	TopicID string `json:"topic_id,omitempty"`
	End     int64  `json:"end,omitempty"`     // of the epoch that begins at the offset; 0: none is planned
	Records int64  `json:"records,omitempty"` // in it
	Ending  string `json:"ending,omitempty"`  // of its objects' names: another codec between two tries must not change them
}

func (n note) String() string {
	n.Bridge = noteVersion
	b, err := json.Marshal(n)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	return string(b)
}

// readNote reads the metadata of an offset; not ok if another program wrote it.
func readNote(metadata string) (n note, ok bool) {
	if !strings.HasPrefix(metadata, "{") || json.Unmarshal([]byte(metadata), &n) != nil {
		return note{}, false
	}
	return n, n.Bridge == noteVersion
}

// topicID is the id of a topic as text; "" where the broker has none (before Kafka 2.8).
func topicID(id [16]byte) string {
	if id == [16]byte{} {
		return ""
	}
	return hex.EncodeToString(id[:])
}

// Footer keys. An epoch's objects all carry the epoch's range, so that the lake alone
// says up to where it is complete.
const (
	metaTable   = "bridge.table"
	metaTopicID = "bridge.topic_id"
	metaFirst   = "bridge.first_offset" // of the epoch
	metaEnd     = "bridge.end_offset"   // of the epoch; not in it
	metaObjects = "bridge.objects"      // that the epoch has
	metaRecords = "bridge.records"      // that the epoch has, dead letters included
)

// endings are those of the S3 sink's objects, by codec (T6).
var endings = map[string]string{"none": ".parquet", "snappy": ".snappy.parquet", "gzip": ".gz.parquet", "zstd": ".zstd.parquet"}

// objectName is the name of the object whose first record has the offset (T1, T6).
func objectName(s *bridge.Schema, partition int32, offset int64, ending string) string {
	if ending == "" {
		ending = endings[s.Codec]
	}
	return fmt.Sprintf("%s+%d+%010d%s", s.Topic, partition, offset, ending)
}

// endingOf is the ending of an object's name.
func endingOf(key string) string {
	name := key[strings.LastIndexByte(key, '+')+1:]
	return name[strings.IndexByte(name, '.'):]
}

// parseObjectName reads partition and first offset; not ok for other objects of the
// table, such as those of batch loads. The extensions of the S3 sink are taken too.
func parseObjectName(s *bridge.Schema, key string) (partition int32, offset int64, ok bool) {
	base := key[strings.LastIndexByte(key, '/')+1:]
	rest, ok := strings.CutPrefix(base, s.Topic+"+")
	if !ok {
		return 0, 0, false
	}
	number, rest, ok := strings.Cut(rest, "+")
	if !ok {
		return 0, 0, false
	}
	first, extension, ok := strings.Cut(rest, ".")
	if !ok || !strings.HasSuffix("."+extension, ".parquet") {
		return 0, 0, false
	}
	p, err := strconv.ParseInt(number, 10, 32)
	if err != nil || p < 0 {
		return 0, 0, false
	}
	offset, err = strconv.ParseInt(first, 10, 64)
	return int32(p), offset, err == nil && offset >= 0
}
