package sink_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// While the registry or the lake is away the sink is not ready, loses nothing, and goes
// on by itself.
func TestOutagesPass(t *testing.T) {
	b := newBed(t, 1)
	var down atomic.Bool
	down.Store(true)
	target, err := url.Parse(b.cluster.Registry)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if down.Load() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, req)
	}))
	defer registry.Close()
	rows := b.send(0, 1)
	o := b.options()
	o.Registry = registry.URL
	blocked := filepath.Join(b.dir, "lake") // a file where the lake's folder should be
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Store = lake.NewLocal(b.dir)
	b.commit(0, 0, fmt.Sprintf(`{"bridge":1,"topic_id":%q}`, b.topicID())) // so that the lake is not asked first
	r := b.start(o)
	until(t, "the registry is missed", func() bool { return r.Ready() != nil && strings.Contains(r.Ready().Error(), "reading a record") })
	down.Store(false)
	until(t, "the lake is missed", func() bool { return r.Ready() != nil && strings.Contains(r.Ready().Error(), "landing") })
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	until(t, "landed", func() bool { return r.Stats().Records == 1 && r.Ready() == nil })
	r.close()
	b.wantObjects(map[string][]customers.Customer{hour9 + "customer-events+0+0000000000.snappy.parquet": rows})
}

// network is a dialer whose connections can be cut, and refused as long as it is down.
type network struct {
	mu    sync.Mutex
	down  bool
	conns []net.Conn
}

func (n *network) dial(ctx context.Context, proto, host string) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.down {
		return nil, errors.New("connection refused")
	}
	c, err := new(net.Dialer).DialContext(ctx, proto, host)
	if err == nil {
		n.conns = append(n.conns, c)
	}
	return c, err
}

func (n *network) set(down bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.down = down
	for _, c := range n.conns {
		_ = c.Close()
	}
	n.conns = nil
}

// An outage of the brokers is over when the group is joined again, whether or not
// anything new is there to read.
func TestAnOutageOnAQuietTopicPasses(t *testing.T) {
	t.Parallel() // the client takes its time to give up
	b := newBed(t, 1)
	b.send(0, 1)
	var n network
	o := b.options()
	o.Kafka = append(o.Kafka, kgo.Dialer(n.dial))
	r := b.start(o)
	until(t, "landed", func() bool { return r.Stats().Records == 1 && r.Ready() == nil })
	n.set(true)
	until(t, "not ready, and why", func() bool { return r.Ready() != nil && strings.Contains(r.Ready().Error(), "fetching") })
	n.set(false)
	until(t, "ready again", func() bool { return r.Ready() == nil })
	if got := r.Stats().Records; got != 1 {
		t.Errorf("%d records", got)
	}
}
