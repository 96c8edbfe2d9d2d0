package stream_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Letters that are too large for the client or the broker (1 MB both, unless told
// otherwise) go without what is too large, and say so; the others stay whole.
func TestDeadLettersThatAreTooLarge(t *testing.T) {
	topic := customers.Table.Schema.Topic
	for name, limit := range map[string]int32{"for the client": 1_000_012, "for the broker": stream.DeadLetterBytes} {
		t.Run(name, func(t *testing.T) {
			c := cluster(t)
			client, err := kgo.NewClient(kgo.SeedBrokers(c.Brokers...), kgo.ProducerBatchMaxBytes(limit), kgo.ProducerBatchCompression(kgo.NoCompression()))
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			large := bytes.Repeat([]byte("x"), 1_100_000)
			own := []kgo.RecordHeader{{Key: "own", Value: []byte("h")}}
			var letters []*kgo.Record
			for _, r := range []*kgo.Record{
				{Key: []byte("whole"), Value: []byte("v"), Headers: own},
				{Key: []byte("value"), Value: large, Headers: own},
				{Key: []byte("also whole"), Value: large[:600_000]},
				{Key: large, Value: []byte("v"), Headers: own, Offset: 7},
			} {
				letters = append(letters, stream.DeadLetter(topic, "sink", r, "of no form"))
			}
			if err := stream.SendDeadLetters(t.Context(), client, letters); err != nil {
				t.Fatal(err)
			}
			got := map[string]*kgo.Record{}
			for _, r := range consume(t, c, 4) {
				got[string(r.Key)] = r
				if header(r, stream.HeaderCause) != "of no form" || header(r, stream.HeaderRoad) != "sink" {
					t.Errorf("%s: %v", r.Key, r.Headers)
				}
			}
			for key, want := range map[string]struct {
				value   int
				own     string
				dropped string
				offset  string
			}{
				"whole":      {1, "h", "", "0"},
				"value":      {0, "h", "value (value of 1100000 bytes): too large", "0"},
				"also whole": {600_000, "", "", "0"},
				"":           {0, "", "value, key and headers", "7"},
			} {
				r := got[key]
				if r == nil || len(r.Value) != want.value || header(r, "own") != want.own || header(r, stream.HeaderOffset) != want.offset ||
					!strings.HasPrefix(header(r, stream.HeaderDropped), want.dropped) || (want.dropped == "") != (header(r, stream.HeaderDropped) == "") {
					t.Errorf("%q: %+v", key, want)
				}
			}
		})
	}
}

func header(r *kgo.Record, key string) string {
	for _, h := range r.Headers {
		if h.Key == key {
			return string(h.Value)
		}
	}
	return ""
}
