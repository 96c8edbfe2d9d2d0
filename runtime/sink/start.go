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
	objects int  // that the epoch has
	found   int  // that are there
	foreign bool // no object of this sink: the plan is the first record, no more is known
}

// planned tells whether the epoch is the one to begin with: it is not whole, or an offset
// that lost its metadata names it. Redoing it makes the same objects.
func (f *footer) planned(committed int64) bool {
	return !f.foreign && (committed == f.start || committed < 0 && f.found < f.objects)
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
	case k.newest.foreign && k.committed < 0:
		return 0, nil, k.foreign()
	case !k.newest.foreign && k.newest.topicID != k.topicID:
		return 0, nil, k.madeAnew(fmt.Sprintf("object %q", k.newest.key))
	case k.newest.planned(k.committed):
		at, redo = k.newest.start, &k.newest.plan
	case k.committed < 0:
		at = k.newest.end
	case k.committed < k.newest.end:
		return 0, nil, k.setBack()
	default:
		at = k.committed
	}
	if at < k.logStart {
		return 0, nil, k.lost(at, redo)
	}
	return at, redo, nil
}

// setOffset is the command that lets the group go on at an offset.
func (k *known) setOffset(at string) string {
	return fmt.Sprintf("kafka-consumer-groups.sh --group %s --topic %s:%d --reset-offsets --to-offset %s --execute", k.group, k.topic, k.partition, at)
}

func (k *known) madeAnew(witness string) error {
	return &Stopped{
		Reason: fmt.Sprintf("topic %q was deleted and made anew: %s is of another topic id, and new objects would replace those of the old topic", k.topic, witness),
		Remedy: fmt.Sprintf("give the table a new topic name, or rename the old objects, each in its folder, from %s+* to old-%s+* (readers read them as before) and run kafka-consumer-groups.sh --group %s --delete",
			k.topic, k.topic, k.group),
	}
}

func (k *known) lost(at int64, redo *plan) error {
	what := fmt.Sprintf("partition %d of topic %q starts at offset %d, but the sink has not landed what comes from %d on: retention took it", k.partition, k.topic, k.logStart, at)
	if redo != nil {
		what += fmt.Sprintf(" (an epoch from %d to %d was begun)", redo.start, redo.end)
	}
	return &Stopped{what, "load the missing rows by a batch load, then go on with: " + k.setOffset(strconv.FormatInt(k.logStart, 10))}
}

// truncated stops where the brokers lost records that have landed: others take their
// offsets, and would not land.
func (k *known) truncated(landed, end int64) error {
	return &Stopped{
		Reason: fmt.Sprintf("partition %d of topic %q ends at offset %d, but what comes before %d has landed: the brokers lost records", k.partition, k.topic, end, landed),
		Remedy: fmt.Sprintf("load what is written to the offsets from %d to %d by a batch load, and start the sink again when the partition has grown beyond; it goes on at offset %d", end, landed-1, landed),
	}
}

// foreign stops where only the sink of before knows up to where the lake is complete.
func (k *known) foreign() error {
	return &Stopped{
		Reason: fmt.Sprintf("the group has no committed offset for partition %d, and the newest object %q was not written by this sink, so it does not say up to which offset the lake is complete", k.partition, k.newest.key),
		Remedy: "stop the sink that wrote it, and commit the offset at which that one stands (the S3 sink: see group connect-<name of the connector>): " + k.setOffset("N"),
	}
}

// setBack stops before rows land a second time, in objects cut in another way.
func (k *known) setBack() error {
	next := k.newest.end
	what := fmt.Sprintf("the committed offset %d of partition %d is behind the lake, which has rows up to offset %d (object %q): they would land twice", k.committed, k.partition, next-1, k.newest.key)
	if k.newest.foreign {
		return &Stopped{what, "commit the offset behind that object's last record: " + k.setOffset("N")}
	}
	if k.newest.found < k.newest.objects {
		next = k.newest.start // of which the rest is missing
	}
	return &Stopped{what, "go on behind them with: " + k.setOffset(strconv.FormatInt(next, 10)) + "; to land them again, remove the objects from the wanted offset on first"}
}

// newestEpochs finds, per Kafka partition, the last epoch that the lake has.
func newestEpochs(ctx context.Context, store lake.Store, s *bridge.Schema, partitions map[int32]bool) (map[int32]*footer, error) {
	all := map[int32][]streamed{}
	for o, err := range store.List(ctx, s.Prefix()+"/") {
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", store.URL(s.Prefix()), err)
		}
		if p, first, ok := parseObjectName(s, o.Key); ok && partitions[p] && lake.IsData(s, o.Key) {
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
		f, err := readFooter(ctx, store, s, o)
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

func readFooter(ctx context.Context, store lake.Store, s *bridge.Schema, o streamed) (f *footer, err error) {
	src, err := store.Open(ctx, o.key)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", store.URL(o.key), err)
	}
	defer src.Close()
	meta, _, err := lake.ReadMeta(src, src.Size(), store.URL(o.key))
	if err != nil {
		return nil, err
	}
	f = &footer{key: o.key, topicID: meta[metaTopicID]}
	first, err1 := strconv.ParseInt(meta[metaFirst], 10, 64)
	end, err2 := strconv.ParseInt(meta[metaEnd], 10, 64)
	objects, err3 := strconv.Atoi(meta[metaObjects])
	records, err4 := strconv.ParseInt(meta[metaRecords], 10, 64)
	if err1 != nil || err2 != nil || err3 != nil || err4 != nil || meta[metaTable] != s.Table {
		f.plan, f.foreign = plan{span: span{o.first, o.first + 1}}, true
		return f, nil
	}
	f.plan, f.objects = plan{span{first, end}, records, endingOf(o.key)}, objects
	return f, nil
}
