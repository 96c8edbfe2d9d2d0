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
)

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
