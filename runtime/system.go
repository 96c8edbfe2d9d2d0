package bridge

import "cmp"

// Source is the road by which a row came. The zero value is invalid.
type Source uint8

// The roads. In a page and in Avro they are their position here, from 0.
const (
	Batch     Source = 1
	Streaming Source = 2
)

var sourceNames = [...]string{"", "batch", "streaming"}

// String is the symbol in Avro and Parquet.
func (s Source) String() string {
	if int(s) < len(sourceNames) {
		return sourceNames[s]
	}
	return "invalid"
}

// Code is the position of the symbol; 255 for an invalid source.
func (s Source) Code() uint8 {
	if s == Batch || s == Streaming {
		return uint8(s) - 1
	}
	return 255
}

// System are the system columns of a row.
type System struct {
	Version    Opt[int64] // what the order compares first; null in every row if the spec names no version
	Seq        int64      // order among rows of one source with equal version
	IngestedAt Timestamp  // batch: the load's logical time; streaming: the writer's clock
	Source     Source
	Deleted    bool // a delete row: key and order, every other column null
}

// Compare is the one order: +1 if a is newer than b, -1 if older, 0 if they are
// repetitions of one event. Newest is the greater Version (null is least), then the
// preferred source, then the greater Seq, then the later IngestedAt.
func Compare(a, b *System, preferred Source) int {
	if a.Version != b.Version {
		if a.Version.OK != b.Version.OK {
			if a.Version.OK {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.Version.V, b.Version.V)
	}
	if a.Source != b.Source {
		if a.Source == preferred {
			return 1
		}
		if b.Source == preferred {
			return -1
		}
	}
	if c := cmp.Compare(a.Seq, b.Seq); c != 0 {
		return c
	}
	return cmp.Compare(a.IngestedAt, b.IngestedAt)
}

// OrderWidth is the length of what AppendOrder appends.
const OrderWidth = 50

// AppendOrder appends the order of s as a text of OrderWidth characters that sorts, byte
// by byte, as Compare does: a digit and 16 hex digits of the version (all zero for
// null), one for the preferred source, 16 of the sequence, 16 of the ingest time;
// signed numbers with their sign bit flipped.
func AppendOrder(b []byte, s *System, preferred Source) []byte {
	if s.Version.OK {
		b = appendHex(append(b, '1'), uint64(s.Version.V)^1<<63)
	} else {
		b = appendHex(append(b, '0'), 0)
	}
	if s.Source == preferred {
		b = append(b, '1')
	} else {
		b = append(b, '0')
	}
	b = appendHex(b, uint64(s.Seq)^1<<63)
	return appendHex(b, uint64(s.IngestedAt)^1<<63)
}

func appendHex(b []byte, v uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[v>>shift&15])
	}
	return b
}

// The sequence numbers of design §2.

// BatchSeq is the _seq of a batch row: hour is the load's logical time in hours since
// 1970, generation counts replacements from 0 to 63, row is the position in the input
// from 0, rejected rows counted. Not ok if one of them does not fit.
func BatchSeq(hour int64, generation int, row int64) (seq int64, ok bool) {
	if hour < 0 || hour >= 1<<23 || generation < 0 || generation >= 1<<6 || row < 0 || row >= 1<<34 {
		return 0, false
	}
	return hour<<40 | int64(generation)<<34 | row, true
}
