package bridge

// Lists and maps lie in blocks: a count of items, the items, and a count of 0 behind the
// last block. A negative count is followed by the block's length in bytes (Avro
// specification, "Arrays", "Maps"). Writers here write one block without a length.

// ReadBlock reads the begin of a block at b[i:] whose items have at least least bytes
// each: its number of items, 0 behind the last block, and where it ends, -1 if it does not
// say. A count that the rest of b cannot hold is malformed, so no count makes a reader
// allocate more than its message is worth.
func ReadBlock(b []byte, i, least int) (n, end, next int) {
	count, i := Long(b, i)
	end = -1
	if count < 0 {
		var size int64
		if size, i = Long(b, i); i < 0 || size < 0 || size > int64(len(b)-i) {
			return 0, -1, -1
		}
		count, end = -count, i+int(size)
	}
	if i < 0 || count < 0 || count > int64((len(b)-i)/least) {
		return 0, -1, -1
	}
	return int(count), end, i
}

// EndBlock checks that a block ends at i, as ReadBlock said.
func EndBlock(i, end int) int {
	if end >= 0 && i != end {
		return -1
	}
	return i
}

// ReadItem reads the branch of a list's item, which may not be null.
func ReadItem(b []byte, i int) int {
	there, i := ReadBranch(b, i)
	if !there {
		return -1
	}
	return i
}
