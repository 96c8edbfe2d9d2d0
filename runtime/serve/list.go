package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// ErrReplaced says that a load was replaced while its rows were read and handed out.
// What was handed out is no consistent set; read again.
var ErrReplaced = errors.New("the lake changed while it was read")

// errMoved asks for another listing; it stays inside the package.
var errMoved = errors.New("an object of the listing is gone")

// attempts are the listings until a reader gives up. Each needs another --replace that
// ends in the middle of a read.
const attempts = 10

// list yields the objects that Trino reads too.
func list(ctx context.Context, s *bridge.Schema, store lake.Store) ([]lake.Object, error) {
	prefix := s.Prefix() + "/"
	var objects []lake.Object
	for o, err := range store.List(ctx, prefix) {
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", store.URL(prefix), err)
		}
		if lake.IsData(s, o.Key) {
			objects = append(objects, o)
		}
	}
	return objects, nil
}

// isLoad tells a batch load's object from a streamed one (design, "How the data flows").
func isLoad(key string) bool {
	return strings.HasPrefix(key[strings.LastIndexByte(key, '/')+1:], "batch_")
}

// steady reports whether what was read by the first listing is whole, seen from a later
// one: a listing takes many pages, and a load replaced meanwhile could be missed in both
// generations. So nothing is gone, and no load is new.
func steady(before, after []lake.Object) bool {
	at := 0
	for _, o := range after {
		if at < len(before) && before[at].Key == o.Key {
			if before[at].Size != o.Size {
				return false
			}
			at++
		} else if isLoad(o.Key) {
			return false
		}
	}
	return at == len(before)
}

// consistent runs read over listings until one was steady while it was read. Whatever
// error a read ends with, it counts only if nothing that it read was replaced meanwhile:
// stores have several words for an object that is gone.
func consistent(ctx context.Context, s *bridge.Schema, store lake.Store, read func([]lake.Object) error) error {
	before, err := list(ctx, s, store)
	if err != nil {
		return err
	}
	for range attempts {
		err := read(before)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		after, listErr := list(ctx, s, store)
		if listErr != nil {
			return listErr
		}
		if steady(before, after) && !errors.Is(err, errMoved) && !errors.Is(err, lake.ErrNotFound) {
			return err
		}
		before = after
	}
	return fmt.Errorf("%w in each of %d tries; loads of %s are being replaced all the time", ErrReplaced, attempts, store.URL(s.Prefix()))
}

// sizeOf are the bytes of objects.
func sizeOf(objects []lake.Object) (n int64) {
	for _, o := range objects {
		n += o.Size
	}
	return n
}
