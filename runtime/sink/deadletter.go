package sink

import (
	"context"

	"github.com/bridgegen/bridgegen/runtime/stream"
)

// makeDeadLetterTopic makes the topic before the first letter.
func (s *Sink) makeDeadLetterTopic(ctx context.Context) error {
	if s.deadTopicThere.Load() {
		return nil
	}
	if err := stream.CreateDeadLetterTopic(ctx, s.client, s.options.DeadLetter); err != nil {
		return err
	}
	s.deadTopicThere.Store(true)
	return nil
}
