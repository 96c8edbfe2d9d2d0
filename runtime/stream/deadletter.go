package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Headers of a dead letter, behind those of the record itself.
const (
	HeaderRoad      = "bridge.road" // sink or speed: both read the topic, and share that of dead letters
	HeaderCause     = "bridge.cause"
	HeaderTopic     = "bridge.topic"
	HeaderPartition = "bridge.partition"
	HeaderOffset    = "bridge.offset"
	HeaderDropped   = "bridge.dropped" // what is not in the letter, for it would have been too large
)

// DeadLetterBytes is what a client of dead letters must let through: a letter is larger
// than its record, which may be as large as the topic allows.
const DeadLetterBytes = 16 << 20

// SendDeadLetters returns when the brokers have acknowledged all letters. One that is too
// large for them goes without its value, then without key and headers of its own:
// whatever the record, its partition must go on, and its place is in the letter.
func SendDeadLetters(ctx context.Context, client *kgo.Client, letters []*kgo.Record) error {
	for _, sent := range client.ProduceSync(ctx, letters...) {
		err := sent.Err
		if errors.Is(err, kerr.MessageTooLarge) {
			err = sendSmaller(ctx, client, sent.Record)
		}
		if err != nil {
			return fmt.Errorf("writing %d dead letters to topic %q: %w", len(letters), letters[0].Topic, err)
		}
	}
	return nil
}

// sendSmaller begins with the whole letter: it may have been its batch that was too large.
func sendSmaller(ctx context.Context, client *kgo.Client, letter *kgo.Record) error {
	own := len(letter.Headers) - ownHeaders
	dropped := func(what string) kgo.RecordHeader {
		return kgo.RecordHeader{Key: HeaderDropped, Value: fmt.Appendf(nil, "%s (value of %d bytes): too large for the topic of dead letters", what, len(letter.Value))}
	}
	var err error
	for _, r := range []*kgo.Record{
		{Topic: letter.Topic, Key: letter.Key, Value: letter.Value, Headers: letter.Headers},
		{Topic: letter.Topic, Key: letter.Key, Headers: append(slices.Clone(letter.Headers), dropped("value"))},
		{Topic: letter.Topic, Headers: append(slices.Clone(letter.Headers[own:]), dropped("value, key and headers"))},
	} {
		if err = client.ProduceSync(ctx, r).FirstErr(); !errors.Is(err, kerr.MessageTooLarge) {
			return err
		}
	}
	return err
}

// ownHeaders are the headers that DeadLetter adds.
const ownHeaders = 5

// DeadLetter is a record that cannot be read, as it came, with the cause and its place in
// headers.
func DeadLetter(topic, road string, r *kgo.Record, cause string) *kgo.Record {
	headers := append(slices.Clone(r.Headers),
		kgo.RecordHeader{Key: HeaderRoad, Value: []byte(road)},
		kgo.RecordHeader{Key: HeaderCause, Value: []byte(cause)},
		kgo.RecordHeader{Key: HeaderTopic, Value: []byte(r.Topic)},
		kgo.RecordHeader{Key: HeaderPartition, Value: strconv.AppendInt(nil, int64(r.Partition), 10)},
		kgo.RecordHeader{Key: HeaderOffset, Value: strconv.AppendInt(nil, r.Offset, 10)},
	)
	return &kgo.Record{Topic: topic, Key: r.Key, Value: r.Value, Headers: headers}
}

// CreateDeadLetterTopic makes the topic, with the broker's partitions and replication,
// if it is not there. Where that is not allowed, the letter itself fails or does not.
func CreateDeadLetterTopic(ctx context.Context, client *kgo.Client, topic string) error {
	_, err := kadm.NewClient(client).CreateTopic(ctx, -1, -1, nil, topic)
	switch {
	case err == nil, errors.Is(err, kerr.TopicAlreadyExists), errors.Is(err, kerr.TopicAuthorizationFailed), errors.Is(err, kerr.ClusterAuthorizationFailed):
		return nil
	}
	return fmt.Errorf("making topic %q: %w", topic, err)
}
