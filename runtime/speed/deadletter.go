package speed

import (
	"context"

	"github.com/bridgegen/bridgegen/runtime/stream"
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
		client, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(d.options.Brokers...), kgo.AllowAutoTopicCreation(), kgo.ProducerBatchMaxBytes(stream.DeadLetterBytes)}, d.options.Kafka...)...)
		if err != nil {
			return err
		}
		if err := stream.CreateDeadLetterTopic(ctx, client, d.options.DeadLetter); err != nil {
			client.Close()
			return err
		}
		d.client = client
	}
	out := make([]*kgo.Record, len(letters))
	for i, l := range letters {
		out[i] = stream.DeadLetter(d.options.DeadLetter, "speed", l.record, l.cause.Error())
	}
	return stream.SendDeadLetters(ctx, d.client, out)
}

func (d *deadLetters) close() {
	if d.client != nil {
		d.client.Close()
		d.client = nil
	}
}
