package sink

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// session is one assignment: what it holds is ours under this member and generation
// and under no other. Rebalances are eager, so each begins a new session.
type session struct {
	sink       *Sink
	member     string
	generation int32
	partitions []int32
	topicID    [16]byte
	workers    map[int32]*worker // of the sink's lock; nil until adjust has answered
}

// commit commits an offset for a partition of the session. It names the session's own
// generation, never the client's present one: the client of a member that was away
// joins again by itself, and the broker asks for no more than a valid generation.
func (ses *session) commit(ctx context.Context, partition int32, at int64, metadata string) error {
	o := &ses.sink.options
	req := kmsg.NewPtrOffsetCommitRequest()
	req.Group, req.MemberID, req.Generation = o.Group, ses.member, ses.generation
	if o.InstanceID != "" {
		req.InstanceID = &o.InstanceID
	}
	p := kmsg.NewOffsetCommitRequestTopicPartition()
	p.Partition, p.Offset, p.Metadata = partition, at, &metadata
	t := kmsg.NewOffsetCommitRequestTopic()
	t.Topic, t.TopicID, t.Partitions = ses.sink.schema.Topic, ses.topicID, append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	resp, err := req.RequestWith(ctx, ses.sink.client)
	if err != nil {
		return err
	}
	for _, t := range resp.Topics {
		for _, p := range t.Partitions {
			return ses.judge(kerr.ErrorForCode(p.ErrorCode))
		}
	}
	return errors.New("the broker's answer to a commit names no partition")
}

func (ses *session) judge(err error) error {
	fenced := []error{kerr.IllegalGeneration, kerr.UnknownMemberID, kerr.FencedInstanceID, kerr.RebalanceInProgress, kerr.StaleMemberEpoch, kerr.FencedMemberEpoch}
	for _, f := range fenced {
		if errors.Is(err, f) {
			return errLeave
		}
	}
	switch {
	case errors.Is(err, kerr.UnknownTopicID):
		k := known{topic: ses.sink.schema.Topic, group: ses.sink.options.Group}
		return k.madeAnew("the partition that was read")
	case errors.Is(err, kerr.OffsetMetadataTooLarge):
		return &Stopped{"the broker does not take the sink's plan as metadata of an offset", "raise offset.metadata.max.bytes to its default of 4096"}
	case errors.Is(err, kerr.GroupAuthorizationFailed):
		return &Stopped{fmt.Sprintf("no right to commit for group %q", ses.sink.options.Group), "grant READ on the group"}
	}
	return err
}

// prepare finds out where each partition begins, and makes the workers.
func (ses *session) prepare(ctx context.Context) (workers map[int32]*worker, starts map[int32]int64, err error) {
	s := ses.sink
	all, err := ses.survey(ctx, kadm.NewClient(s.client))
	if err != nil {
		return nil, nil, err
	}
	workers, starts = map[int32]*worker{}, map[int32]int64{}
	for _, k := range all {
		at, redo, err := start(k)
		if err != nil {
			return nil, nil, err
		}
		workers[k.partition], starts[k.partition] = s.newWorker(ses, k.partition, at, redo), at
	}
	return workers, starts, nil
}

// survey asks broker and, where no offset is committed by a sink, the lake.
func (ses *session) survey(ctx context.Context, admin *kadm.Client) ([]*known, error) {
	s := ses.sink
	topic := s.schema.Topic
	details, err := admin.ListTopics(ctx, topic)
	if err == nil {
		err = details[topic].Err
	}
	if err != nil {
		return nil, fmt.Errorf("topic %q: %w", topic, err)
	}
	ses.topicID = details[topic].ID
	if err := s.checkCleanup(ctx, admin); err != nil {
		return nil, err
	}
	all, err := ses.offsets(ctx, admin)
	if err != nil {
		return nil, err
	}
	return all, ses.askLake(ctx, all)
}

// offsets asks the broker what is committed, and where the log starts.
func (ses *session) offsets(ctx context.Context, admin *kadm.Client) ([]*known, error) {
	s, topic := ses.sink, ses.sink.schema.Topic
	offsets, err := admin.FetchOffsetsForTopics(ctx, s.options.Group, topic)
	if err == nil {
		err = offsets.Error()
	}
	if err != nil {
		return nil, fmt.Errorf("committed offsets of group %q: %w", s.options.Group, err)
	}
	starts, err := admin.ListStartOffsets(ctx, topic)
	if err == nil {
		err = starts.Error()
	}
	if err != nil {
		return nil, fmt.Errorf("start of topic %q: %w", topic, err)
	}
	var all []*known
	for _, p := range ses.partitions {
		k := &known{topic: topic, group: s.options.Group, partition: p, topicID: topicID(ses.topicID), committed: -1}
		if o, ok := offsets.Lookup(topic, p); ok {
			k.committed, k.metadata = o.At, o.Metadata
		}
		if o, ok := starts.Lookup(topic, p); ok {
			k.logStart = o.Offset
		}
		all = append(all, k)
	}
	return all, nil
}

// askLake looks into the lake for partitions without an offset of a sink.
func (ses *session) askLake(ctx context.Context, all []*known) error {
	blank := map[int32]bool{}
	for _, k := range all {
		if _, ours := readNote(k.metadata); k.committed < 0 || !ours {
			blank[k.partition] = true
		}
	}
	if len(blank) == 0 {
		return nil
	}
	newest, err := newestEpochs(ctx, ses.sink.options.Store, ses.sink.schema, blank)
	if err != nil {
		return err
	}
	for _, k := range all {
		k.newest = newest[k.partition]
	}
	return nil
}

// checkCleanup refuses a compacted topic. A broker that does not let us see the
// configuration is believed; then the count of records in a plan tells a shrunk one.
func (s *Sink) checkCleanup(ctx context.Context, admin *kadm.Client) error {
	configs, err := admin.DescribeTopicConfigs(ctx, s.schema.Topic)
	if err != nil {
		return fmt.Errorf("configuration of topic %q: %w", s.schema.Topic, err)
	}
	for _, c := range configs {
		for _, entry := range c.Configs {
			if entry.Key == "cleanup.policy" && compacts(entry.MaybeValue()) {
				return &Stopped{
					Reason: fmt.Sprintf("topic %q has cleanup.policy=%s: compaction removes records before they are in the lake, and between two tries of an epoch", s.schema.Topic, entry.MaybeValue()),
					Remedy: fmt.Sprintf("set it to delete: kafka-configs.sh --alter --entity-type topics --entity-name %s --add-config cleanup.policy=delete", s.schema.Topic),
				}
			}
		}
	}
	return nil
}

// end waits until the workers have ended, at most for the patience; then it cancels them.
func (ses *session) end(patience time.Duration, tell func(*worker)) (inTime bool) {
	var wg sync.WaitGroup
	for _, w := range ses.workers {
		tell(w)
		wg.Go(func() { <-w.done })
	}
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ended:
		return true
	case <-timer.C:
	}
	for _, w := range ses.workers {
		w.cancel()
	}
	<-ended
	return false
}

func (s *Sink) groupOptions() []kgo.Opt {
	return []kgo.Opt{
		kgo.OnPartitionsAssigned(s.assigned),
		kgo.OnPartitionsRevoked(s.revoked),
		kgo.OnPartitionsLost(s.lost),
		kgo.AdjustFetchOffsetsFn(s.adjust),
	}
}
