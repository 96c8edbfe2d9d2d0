package state

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/redis/go-redis/v9"
)

// Read reads the state of the key that record i of keys carries into record j of into:
// one GET. carried are the columns, as positions in Schema.Fields, that the writer of
// the document knew. A delete is found, with Sys.Deleted. The state of another key,
// under a key template that makes one text of both, is not found.
func Read(ctx context.Context, client redis.UniversalClient, t bridge.Any, keys bridge.Rows, i int, into bridge.Rows, j int) (found bool, carried bridge.Columns, err error) {
	key := string(keys.AppendStateKey(nil, i))
	doc, err := client.Get(ctx, key).Bytes()
	if errors.Is(err, redis.Nil) {
		return false, nil, nil
	}
	if err != nil {
		return false, nil, fmt.Errorf("reading %q from Redis: %w", key, err)
	}
	want := keys.AppendKey(nil, i)
	if carried, err = bridge.ReadState(t.Info(), into, j, doc); err != nil {
		return false, nil, fmt.Errorf("reading %q from Redis: %w", key, err)
	}
	if !bytes.Equal(want, into.AppendKey(nil, j)) {
		into.Clear(j)
		return false, nil, nil
	}
	return true, carried, nil
}
