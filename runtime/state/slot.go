package state

import (
	"strings"

	"github.com/redis/go-redis/v9"
)

// slots is the number of hash slots of a cluster.
const slots = 16384

// slot is the hash slot of a key: CRC16 (XMODEM) of the key, or of what stands between
// its first { and the next }, if that is not empty (Redis Cluster specification, "Key
// distribution model").
func slot(key string) uint16 {
	if _, rest, ok := strings.Cut(key, "{"); ok {
		if tag, _, ok := strings.Cut(rest, "}"); ok && tag != "" {
			key = tag
		}
	}
	return crc16(key) % slots
}

func crc16(s string) uint16 {
	var crc uint16
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			carry := crc & 0x8000
			crc <<= 1
			if carry != 0 {
				crc ^= 0x1021
			}
		}
	}
	return crc
}

// oneNode reports whether all keys lie on one node, so that a script may take any of
// them together. Any other client is treated as a cluster's (T151).
func oneNode(client redis.UniversalClient) bool {
	_, ok := client.(*redis.Client)
	return ok
}
