package sink

import (
	"errors"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

// Options say where records come from and how objects are cut.
type Options struct {
	Brokers       []string       // host:port
	Kafka         []kgo.Opt      // further options of the client: TLS, SASL, session timeout
	Registry      string         // URL of the schema registry
	RegistryOpts  []sr.ClientOpt // likewise of the registry
	Store         lake.Store
	Group         string        // consumer group; "": bridge-sink-<topic>
	DeadLetter    string        // topic of what cannot be read, made if need be; "": <topic>-dead
	FlushRows     int           // records of a Kafka partition that end an epoch; 0: the spec's
	FlushInterval time.Duration // from an epoch's first record to its end; 0: the spec's
	InstanceID    string        // static membership: a restart keeps its partitions
}

const (
	epochBytes    = 64 << 20 // of values; bounds the memory of an epoch of large records
	fallbackRows  = 100_000
	fallbackFlush = 10 * time.Minute
)

func (o Options) withDefaults(s *bridge.Schema) (Options, error) {
	switch {
	case len(o.Brokers) == 0 && len(o.Kafka) == 0:
		return o, errors.New("no brokers: name them as host:port")
	case o.Store == nil:
		return o, errors.New("no lake: give the sink a store")
	case o.FlushRows < 0 || o.FlushInterval < 0:
		return o, errors.New("rows and interval of an epoch are positive, or 0 for the spec's")
	}
	pick(&o.Group, "bridge-sink-"+s.Topic)
	pick(&o.DeadLetter, s.Topic+"-dead")
	pick(&o.FlushRows, s.FlushSize)
	pick(&o.FlushRows, fallbackRows)
	pick(&o.FlushInterval, s.RotateInterval)
	pick(&o.FlushInterval, fallbackFlush)
	if o.DeadLetter == s.Topic {
		return o, errors.New("the dead letter topic is the table's own topic; name another")
	}
	return o, nil
}

// pick sets what is not set.
func pick[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}
