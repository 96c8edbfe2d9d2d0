package sink

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
	HeaderCause     = "bridge.cause"
	HeaderTopic     = "bridge.topic"
	HeaderPartition = "bridge.partition"
	HeaderOffset    = "bridge.offset"
)

// letter is the record as it came, with the cause and its place in headers.
func (d deadLetter) letter(topic string) *kgo.Record {
	r := d.record
	headers := append(slices.Clone(r.Headers),
		kgo.RecordHeader{Key: HeaderCause, Value: []byte(d.cause)},
		kgo.RecordHeader{Key: HeaderTopic, Value: []byte(r.Topic)},
		kgo.RecordHeader{Key: HeaderPartition, Value: strconv.AppendInt(nil, int64(r.Partition), 10)},
		kgo.RecordHeader{Key: HeaderOffset, Value: strconv.AppendInt(nil, r.Offset, 10)},
	)
	return &kgo.Record{Topic: topic, Key: r.Key, Value: r.Value, Headers: headers}
}

// makeDeadLetterTopic makes the topic, with the broker's partitions and replication,
// before the first letter. Where it may not, the letter itself fails or does not.
func (s *Sink) makeDeadLetterTopic(ctx context.Context) error {
	if s.deadTopicThere.Load() {
		return nil
	}
	_, err := kadm.NewClient(s.client).CreateTopic(ctx, -1, -1, nil, s.options.DeadLetter)
	switch {
	case err == nil, errors.Is(err, kerr.TopicAlreadyExists), errors.Is(err, kerr.TopicAuthorizationFailed), errors.Is(err, kerr.ClusterAuthorizationFailed):
		s.deadTopicThere.Store(true)
		return nil
	}
	return fmt.Errorf("making topic %q: %w", s.options.DeadLetter, err)
}
