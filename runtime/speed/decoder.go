package speed

import (
	"context"
	"errors"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/stream"
)

// decoder reads the value of a record of the canonical topic.
type decoder interface {
	Decode(ctx context.Context, value []byte, into bridge.Rows, i int) error
}

func newDecoder(t bridge.Any, o Options) (decoder, error) {
	client, err := stream.RegistryClient(o.Registry, o.RegistryOpts...)
	if err != nil {
		return nil, err
	}
	return stream.NewDecoder(t, client), nil
}

// unreadable errors are of the record: it goes to the dead letter topic.
func unreadable(err error) bool {
	var u *stream.Undecodable
	return errors.As(err, &u)
}

// final errors do not pass with time.
func final(err error) bool { return stream.Permanent(err) }
