package sink

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/twmb/franz-go/pkg/kerr"
)

// Where a partition begins: the rule of design §2, case by case.
func TestStart(t *testing.T) {
	const id, other = "aa", "bb"
	planned := note{TopicID: id, End: 30, Records: 8}.String()
	ended := note{TopicID: id}.String()
	epoch := func(topicID string, objects, found int) *footer {
		return &footer{plan: plan{span{20, 30}, 9, ""}, topicID: topicID, objects: objects, found: found}
	}
	foreign := &footer{plan: plan{span: span{20, 21}}, foreign: true, found: 1}
	for name, c := range map[string]struct {
		committed, logStart int64
		metadata            string
		newest              *footer
		at                  int64
		redo                *plan
		stops               bool
		remedy              string
	}{
		"nothing anywhere":              {committed: -1, logStart: 7, at: 7},
		"committed end":                 {committed: 20, metadata: ended, at: 20},
		"committed plan":                {committed: 20, metadata: planned, at: 20, redo: &plan{span{20, 30}, 8, ""}},
		"plan and log start together":   {committed: 20, metadata: planned, logStart: 20, at: 20, redo: &plan{span{20, 30}, 8, ""}},
		"plan under another codec":      {committed: 20, metadata: note{TopicID: id, End: 30, Records: 8, Ending: ".parquet"}.String(), at: 20, redo: &plan{span{20, 30}, 8, ".parquet"}},
		"log starts behind the plan":    {committed: 20, metadata: planned, logStart: 21, stops: true},
		"log starts behind the end":     {committed: 20, metadata: ended, logStart: 21, stops: true},
		"plan of another topic":         {committed: 20, metadata: note{TopicID: other, End: 30}.String(), stops: true},
		"end of another topic":          {committed: 20, metadata: note{TopicID: other}.String(), stops: true},
		"lake only":                     {committed: -1, newest: epoch(id, 2, 2), at: 30},
		"lake only, epoch not complete": {committed: -1, newest: epoch(id, 2, 1), at: 20, redo: &plan{span{20, 30}, 9, ""}},
		"lake of another topic":         {committed: -1, newest: epoch(other, 2, 2), stops: true},
		"lake, log starts behind it":    {committed: -1, newest: epoch(id, 1, 1), logStart: 31, stops: true},
		"offset that a person set":      {committed: 30, newest: epoch(id, 2, 2), at: 30},
		"the same, further on":          {committed: 44, newest: epoch(id, 2, 1), at: 44},
		"the same, of another topic":    {committed: 12, newest: epoch(other, 2, 2), stops: true},
		"set back":                      {committed: 12, newest: epoch(id, 2, 2), stops: true, remedy: "--to-offset 30 "},
		"set back into the epoch":       {committed: 21, newest: epoch(id, 2, 2), stops: true, remedy: "--to-offset 30 "},
		"set back, epoch not complete":  {committed: 12, newest: epoch(id, 2, 1), stops: true, remedy: "--to-offset 20 "},
		"set back to the epoch's start": {committed: 20, newest: epoch(id, 2, 2), at: 20, redo: &plan{span{20, 30}, 9, ""}},
		"another sink's objects":        {committed: -1, newest: foreign, stops: true, remedy: "t:0 --reset-offsets --to-offset N"},
		"the same, with its offset":     {committed: 25, newest: foreign, at: 25},
		"the same, set back":            {committed: 20, newest: foreign, stops: true},
		"metadata of another program":   {committed: 12, metadata: "kgo-member-1", at: 12},
		"JSON of another program":       {committed: 12, metadata: `{"end":30}`, at: 12},
	} {
		at, redo, err := start(&known{topic: "t", group: "g", topicID: id, committed: c.committed, logStart: c.logStart, metadata: c.metadata, newest: c.newest})
		var stopped *Stopped
		if c.stops {
			if !errors.As(err, &stopped) || stopped.Remedy == "" || !strings.Contains(stopped.Remedy, c.remedy) {
				t.Errorf("%s: %d, %v, %v; want it to stop", name, at, redo, err)
			}
			continue
		}
		if err != nil || at != c.at || !reflect.DeepEqual(redo, c.redo) {
			t.Errorf("%s: %d, %v, %v; want %d, %v", name, at, redo, err, c.at, c.redo)
		}
	}
}

// Names of the S3 sink 12.1.9, as its fixtures have them, and what is none.
func TestObjectNames(t *testing.T) {
	s := customers.Table.Schema
	if got := objectName(s, 3, 42, ""); got != "customer-events+3+0000000042.snappy.parquet" {
		t.Errorf("name %s", got)
	}
	for key, want := range map[string]struct {
		partition int32
		offset    int64
		ok        bool
	}{
		"lake/customer-events/year=2026/month=08/day=19/hour=02/customer-events+0+0000000003.snappy.parquet": {0, 3, true},
		"x/customer-events+12+0000000000.parquet":                                                            {12, 0, true},
		"x/customer-events+0+12345678901.parquet":                                                            {0, 12345678901, true},
		"x/batch_2026081902.parquet":                                                                         {},
		"x/other+0+0000000003.parquet":                                                                       {},
		"x/customer-events+0+0000000003.keys.avro":                                                           {},
		"x/customer-events+0+000000000x.parquet":                                                             {},
		"x/customer-events+0+0000000003.parquet.tmp":                                                         {},
		"x/customer-events+-1+0000000003.parquet":                                                            {},
		"x/customer-events+0":                                                                                {},
		"x/customer-events-2+0+0000000003.parquet":                                                           {},
		"customer-events+0+1+0000000003.parquet/other":                                                       {},
	} {
		if p, o, ok := parseObjectName(s, key); ok != want.ok || ok && (p != want.partition || o != want.offset) {
			t.Errorf("%s: %d, %d, %v", key, p, o, ok)
		}
	}
}

// What a broker answers to a stale member means: leave, do not try again.
func TestStaleCommitsLeave(t *testing.T) {
	s := &session{sink: &Sink{schema: customers.Table.Schema}}
	for _, err := range []error{kerr.IllegalGeneration, kerr.UnknownMemberID, kerr.FencedInstanceID, kerr.RebalanceInProgress} {
		if got := s.judge(err); !errors.Is(got, errLeave) {
			t.Errorf("%v: %v", err, got)
		}
	}
	var stopped *Stopped
	if err := s.judge(kerr.UnknownTopicID); !errors.As(err, &stopped) {
		t.Errorf("%v", err)
	}
	if err := s.judge(kerr.CoordinatorLoadInProgress); errors.Is(err, errLeave) || err == nil {
		t.Errorf("a loading coordinator is asked again: %v", err)
	}
	if s.judge(nil) != nil {
		t.Error("no error is none")
	}
}
