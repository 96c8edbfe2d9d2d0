package postgres

import (
	"context"
	"errors"
	"net"
)

// flat is the part of an error that is not the client's own story of it.
func flat(err error) error {
	var dial *net.OpError
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.As(err, &dial):
		return dial
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
