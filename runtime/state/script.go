package state

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// The script compares and sets a batch of keys of one slot. Per key it gets a document
// and the instant at which that expires (ms), or 0 for a document that already has. A
// document is newer by its order, OrderWidth hex characters behind a prefix of 7: same
// width and digits below letters, so Lua's comparison of texts is that of the order,
// and no number is made a double (T146, T147).
//
// A document that has expired is not written, but what it outdates goes. A value that
// is no document of the bridge stays: NX refuses to replace one of another type, which
// MGET does not show. It returns the number written, removed, and the positions of
// foreign values.
const source = `
local olds = redis.call('MGET', unpack(KEYS))
local out = {0, 0}
for i, key in ipairs(KEYS) do
  local old, doc, expires = olds[i], ARGV[2*i-1], ARGV[2*i]
  if old and string.sub(old, 1, 7) ~= '{"_o":"' then
    out[#out+1] = i
  elseif not old then
    if expires ~= '0' then
      if redis.call('SET', key, doc, 'PXAT', expires, 'NX') then out[1] = out[1] + 1 else out[#out+1] = i end
    end
  elseif string.sub(doc, 8, 57) > string.sub(old, 8, 57) then
    if expires == '0' then
      redis.call('DEL', key)
      out[2] = out[2] + 1
    else
      redis.call('SET', key, doc, 'PXAT', expires)
      out[1] = out[1] + 1
    end
  end
end
return out`

var sourceSHA = func() string {
	sum := sha1.Sum([]byte(source))
	return hex.EncodeToString(sum[:])
}()

// group is one call of the script: keys of one slot.
type group struct {
	keys []string
	args []any // document, expiry, and so on
}

// run calls the script for every group, in one round trip per node. A node that does
// not have the script, after a restart or a failover, is sent it (T152: in a pipeline
// the client does not).
func run(ctx context.Context, client redis.UniversalClient, groups []group) (Applied, error) {
	var done Applied
	var foreign []string
	left, call := groups, func(p redis.Pipeliner, g *group) *redis.Cmd { return p.EvalSha(ctx, sourceSHA, g.keys, g.args...) }
	for len(left) > 0 {
		pipe := client.Pipeline()
		calls := make([]*redis.Cmd, len(left))
		for i := range left {
			calls[i] = call(pipe, &left[i])
		}
		_, _ = pipe.Exec(ctx) // each call has its own error
		var missing []group
		for i, c := range calls {
			err := done.add(c, left[i].keys, &foreign)
			if redis.HasErrorPrefix(err, "NOSCRIPT") {
				missing = append(missing, left[i])
			} else if err != nil {
				return done, fmt.Errorf("writing the state of %q to Redis: %w", left[i].keys[0], err)
			}
		}
		left, call = missing, func(p redis.Pipeliner, g *group) *redis.Cmd { return p.Eval(ctx, source, g.keys, g.args...) }
	}
	if len(foreign) > 0 {
		return done, &Foreign{Keys: foreign}
	}
	return done, nil
}

func (a *Applied) add(c *redis.Cmd, keys []string, foreign *[]string) error {
	out, err := c.Int64Slice()
	if err != nil {
		return err
	}
	if len(out) < 2 {
		return fmt.Errorf("the script answered %v", out)
	}
	a.Written += out[0]
	a.Removed += out[1]
	for _, i := range out[2:] {
		*foreign = append(*foreign, keys[i-1])
	}
	return nil
}

// Foreign says that keys hold values which bridgegen did not write. They stay as they
// are; the other keys of the batch were taken.
type Foreign struct{ Keys []string }

func (e *Foreign) Error() string {
	return fmt.Sprintf("%d keys in Redis hold values that bridgegen did not write (%s); delete them, or give the table another speed.key",
		len(e.Keys), strings.Join(quoted(e.Keys, 3), ", "))
}

func quoted(keys []string, most int) []string {
	var out []string
	for i, k := range keys {
		if i == most {
			return append(out, "...")
		}
		out = append(out, fmt.Sprintf("%q", k))
	}
	return out
}
