package stream_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

func TestOpenWantsARegisteredSchema(t *testing.T) {
	c := cluster(t)
	o := stream.Options{Brokers: c.Brokers, Registry: c.Registry}
	_, err := stream.Open(t.Context(), customers.Any, o)
	var absent *stream.NotRegistered
	if !errors.As(err, &absent) || !strings.Contains(err.Error(), "bridge register customers") {
		t.Errorf("%v", err)
	}
	id, err := stream.Register(t.Context(), client(t, c), customers.Table.Schema)
	if err != nil || id == 0 {
		t.Fatal(id, err)
	}
	if again, err := stream.Register(t.Context(), client(t, c), customers.Table.Schema); err != nil || again != id {
		t.Errorf("again: %d, %v", again, err)
	}
	if level := client(t, c).Compatibility(t.Context(), "customer-events-value"); level[0].Level != sr.CompatBackward {
		t.Errorf("level: %+v", level)
	}
	p, err := stream.Open(t.Context(), customers.Any, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = stream.Register(t.Context(), client(t, c), variant(func(s *bridge.Schema) {
		s.Avro = strings.Replace(s.Avro, `{"name":"_seq"`, `{"name":"tier","type":"string"},{"name":"_seq"`, 1)
	}).Schema)
	if err == nil || !strings.Contains(err.Error(), "BACKWARD") || !strings.Contains(err.Error(), "tier") {
		t.Errorf("an incompatible schema: %v", err)
	}
}

// What the broker never acknowledged comes back from the next call, once.
func TestDeliveryErrorsReachTheCaller(t *testing.T) {
	for name, next := range map[string]func(context.Context, *stream.Writer[customers.Customer]) error{
		"flush": func(ctx context.Context, w *stream.Writer[customers.Customer]) error { return w.Flush(ctx) },
		"close": func(ctx context.Context, w *stream.Writer[customers.Customer]) error { return w.Close(ctx) },
		"write": func(ctx context.Context, w *stream.Writer[customers.Customer]) error {
			for {
				if err := w.Write(ctx, customer(8)); err != nil {
					return err
				}
				time.Sleep(10 * time.Millisecond)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := cluster(t)
			w := writer(t, c, func(o *stream.Options) { o.DeliveryTimeout, o.Kafka = time.Second, impatient })
			if err := errors.Join(w.Write(t.Context(), customer(1)), w.Flush(t.Context())); err != nil {
				t.Fatal(err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			if err := w.Write(t.Context(), customer(7)); err != nil {
				t.Fatal(err)
			}
			err := next(t.Context(), w)
			var lost *stream.Undelivered
			if !errors.As(err, &lost) || lost.Rows < 1 || lost.Key != `{"id":7}` {
				t.Errorf("%v", err)
			}
		})
	}
}

var impatient = []kgo.Opt{kgo.RetryBackoffFn(func(int) time.Duration { return 10 * time.Millisecond }), kgo.MetadataMinAge(10 * time.Millisecond)}

func TestCloseGivesUpWithItsContext(t *testing.T) {
	c := cluster(t)
	w := writer(t, c, func(o *stream.Options) { o.DeliveryTimeout, o.Kafka = time.Hour, impatient })
	if err := errors.Join(w.Write(t.Context(), customer(1)), w.Flush(t.Context()), c.Close()); err != nil {
		t.Fatal(err)
	}
	for id := range int64(3) {
		if err := w.Write(t.Context(), customer(id)); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := w.Close(ctx)
	var lost *stream.Undelivered
	if !errors.As(err, &lost) || lost.Rows != 3 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestAMissingTopicIsNamed(t *testing.T) {
	broker, err := kfake.NewCluster(kfake.NumBrokers(1)) // makes no topic by itself
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	w := writer(t, cluster(t), func(o *stream.Options) {
		o.Brokers, o.Kafka = broker.ListenAddrs(), append(impatient[:len(impatient):len(impatient)], kgo.UnknownTopicRetries(1))
	})
	err = errors.Join(w.Write(t.Context(), customer(1)), w.Flush(t.Context()))
	if err == nil || !strings.Contains(err.Error(), `topic "customer-events" does not exist`) {
		t.Errorf("%v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for name, o := range map[string]stream.Options{
		"brokers":  {Registry: "http://127.0.0.1:1"},
		"registry": {Brokers: []string{"127.0.0.1:1"}},
	} {
		if _, err := stream.Open(t.Context(), customers.Any, o); err == nil || !strings.Contains(fmt.Sprint(err), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}
