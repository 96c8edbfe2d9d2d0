package stream

import (
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Dials is a hook of a Kafka client (kgo.WithHooks) that remembers why no broker is
// reached: the client itself tries again for long before it says so.
type Dials struct {
	mu  sync.Mutex
	err error
}

// OnBrokerConnect takes the outcome of a dial.
func (d *Dials) OnBrokerConnect(meta kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err = err; err != nil {
		d.err = fmt.Errorf("connecting to %s: %w", net.JoinHostPort(meta.Host, strconv.Itoa(int(meta.Port))), err)
	}
}

// Explain adds to err why the last dial failed, if it did.
func (d *Dials) Explain(err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err == nil {
		return err
	}
	return fmt.Errorf("%w: %w", err, d.err)
}
