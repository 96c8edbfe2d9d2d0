package speed

import (
	"context"
	"fmt"
	"strconv"

	"github.com/twmb/franz-go/pkg/kgo"
)

// deadLetter is a record that cannot be read, and why.
type deadLetter struct {
	record *kgo.Record
	cause  error
}

// deadLetters writes to the dead letter topic; its client is made with the first letter.
type deadLetters struct {
	options *Options
	client  *kgo.Client
}

// send returns when the brokers have acknowledged all letters. A batch that comes again
// sends its letters again.
func (d *deadLetters) send(ctx context.Context, letters []deadLetter) error {
	if len(letters) == 0 {
		return nil
	}
	if d.client == nil {
		client, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(d.options.Brokers...), kgo.AllowAutoTopicCreation()}, d.options.Kafka...)...)
		if err != nil {
			return err
		}
		d.client = client
	}
	out := make([]*kgo.Record, len(letters))
	for i, l := range letters {
		out[i] = l.wrap(d.options.DeadLetter)
	}
	if err := d.client.ProduceSync(ctx, out...).FirstErr(); err != nil {
		return fmt.Errorf("writing %d dead letters to topic %q: %w", len(out), d.options.DeadLetter, err)
	}
	return nil
}

// wrap keeps key, value and headers and adds where the record was, and the cause.
func (l *deadLetter) wrap(topic string) *kgo.Record {
	r := l.record
	headers := append([]kgo.RecordHeader(nil), r.Headers...)
	for _, h := range [...][2]string{
		{"bridge.road", "speed"}, {"bridge.cause", l.cause.Error()}, {"bridge.topic", r.Topic},
		{"bridge.partition", strconv.Itoa(int(r.Partition))}, {"bridge.offset", strconv.FormatInt(r.Offset, 10)},
	} {
		headers = append(headers, kgo.RecordHeader{Key: h[0], Value: []byte(h[1])})
	}
	return &kgo.Record{Topic: topic, Key: r.Key, Value: r.Value, Headers: headers}
}

func (d *deadLetters) close() {
	if d.client != nil {
		d.client.Close()
		d.client = nil
	}
}
