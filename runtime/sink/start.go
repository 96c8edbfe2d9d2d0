package sink

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// known is what is known of a Kafka partition when it is assigned.
type known struct {
	topic, group string
	partition    int32
	topicID      string
	logStart     int64 // the first offset that is still there
	committed    int64 // -1: none
	metadata     string
	newest       *footer // of the lake; nil: it has nothing of the partition. Not asked for if a note is committed
}

// footer is what the objects of an epoch say.
type footer struct {
	plan
	key     string // of the object with the greatest offset
	topicID string
	objects int // that the epoch has
	found   int // that are there
}

// Stopped says that going on would lose or hide rows. It ends the sink; a restart
// without the remedy ends it again.
type Stopped struct{ Reason, Remedy string }

func (e *Stopped) Error() string { return e.Reason + "; " + e.Remedy }

// start decides where to begin, and whether an epoch is to be redone first.
func start(k *known) (at int64, redo *plan, err error) {
	n, ours := readNote(k.metadata)
	switch {
	case k.committed >= 0 && ours:
		if n.TopicID != k.topicID {
			return 0, nil, k.madeAnew("the committed offset")
		}
		at = k.committed
		if n.End > at {
			redo = &plan{span{at, n.End}, n.Records, n.Ending}
		}
	case k.newest == nil && k.committed < 0:
		return k.logStart, nil, nil
	case k.newest == nil:
		at = k.committed
	case k.newest.topicID != k.topicID:
		return 0, nil, k.madeAnew(fmt.Sprintf("object %q", k.newest.key))
	case k.committed >= 0:
		at = k.committed
	case k.newest.found < k.newest.objects:
		at, redo = k.newest.start, &k.newest.plan
	default:
		at = k.newest.end
	}
	if at < k.logStart {
		return 0, nil, k.lost(at, redo)
	}
	return at, redo, nil
}

func (k *known) madeAnew(witness string) error {
	return &Stopped{
		Reason: fmt.Sprintf("topic %q was deleted and made anew: %s is of another topic id, and new objects would replace those of the old topic", k.topic, witness),
		Remedy: fmt.Sprintf("give the table a new topic name, or move the old objects (%s+*) to another folder of the table and delete group %q", k.topic, k.group),
	}
}

func (k *known) lost(at int64, redo *plan) error {
	what := fmt.Sprintf("partition %d of topic %q starts at offset %d, but the sink has not landed what comes from %d on: retention took it", k.partition, k.topic, k.logStart, at)
	if redo != nil {
		what += fmt.Sprintf(" (an epoch from %d to %d was begun)", redo.start, redo.end)
	}
	return &Stopped{
		Reason: what,
		Remedy: fmt.Sprintf("load the missing rows by a batch load, then go on with: kafka-consumer-groups.sh --group %s --topic %s:%d --reset-offsets --to-offset %d --execute",
			k.group, k.topic, k.partition, k.logStart),
	}
}

// newestEpochs finds, per Kafka partition, the last epoch that the lake has.
func newestEpochs(ctx context.Context, store lake.Store, s *bridge.Schema, partitions map[int32]bool) (map[int32]*footer, error) {
	all := map[int32][]streamed{}
	for o, err := range store.List(ctx, s.Prefix()+"/") {
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", store.URL(s.Prefix()), err)
		}
		if p, first, ok := parseObjectName(s, o.Key); ok && partitions[p] {
			all[p] = append(all[p], streamed{o.Key, first})
		}
	}
	newest := map[int32]*footer{}
	for p, objects := range all {
		f, err := newestEpoch(ctx, store, s, objects)
		if err != nil {
			return nil, err
		}
		newest[p] = f
	}
	return newest, nil
}

// streamed is an object of the stream.
type streamed struct {
	key   string
	first int64
}

// newestEpoch reads footers from the greatest first offset downward, as far as an
// object may belong to the epoch that ends last.
func newestEpoch(ctx context.Context, store lake.Store, s *bridge.Schema, objects []streamed) (*footer, error) {
	slices.SortFunc(objects, func(a, b streamed) int { return cmp.Compare(b.first, a.first) })
	var newest *footer
	for _, o := range objects {
		if newest != nil && o.first < newest.start {
			break
		}
		f, err := readFooter(ctx, store, s, o.key)
		if err != nil {
			return nil, err
		}
		switch {
		case newest == nil || f.end > newest.end:
			newest, f.found = f, 1
		case f.span == newest.span:
			newest.found++
		}
	}
	return newest, nil
}

func readFooter(ctx context.Context, store lake.Store, s *bridge.Schema, key string) (f *footer, err error) {
	src, err := store.Open(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", store.URL(key), err)
	}
	defer src.Close()
	meta, _, err := lake.ReadMeta(src, src.Size(), store.URL(key))
	if err != nil {
		return nil, err
	}
	f = &footer{key: key, topicID: meta[metaTopicID]}
	first, err1 := strconv.ParseInt(meta[metaFirst], 10, 64)
	end, err2 := strconv.ParseInt(meta[metaEnd], 10, 64)
	objects, err3 := strconv.Atoi(meta[metaObjects])
	records, err4 := strconv.ParseInt(meta[metaRecords], 10, 64)
	if err1 != nil || err2 != nil || err3 != nil || err4 != nil || meta[metaTable] != s.Table {
		return nil, &Stopped{
			Reason: fmt.Sprintf("the group has no committed offset, and the newest object %s was not written by this sink, so it does not say up to which offset the lake is complete", store.URL(key)),
			Remedy: "commit the offset behind its last record: kafka-consumer-groups.sh --reset-offsets --to-offset N --execute, per partition",
		}
	}
	f.plan, f.objects = plan{span{first, end}, records, endingOf(key)}, objects
	return f, nil
}
