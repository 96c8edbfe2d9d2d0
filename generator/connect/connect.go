// Package connect renders a model as the config of Confluent's S3 sink connector, which
// lands the topic under the names, types and partitions that the batch road uses.
package connect

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/bridgegen/bridgegen/generator/model"
)

// setting is one line of the config. The order is that of the file.
type setting struct {
	key   string
	value func(t *model.Table) string // "" leaves the line out, unless empty is set
	empty bool                        // an empty value means something
}

func is(s string) func(*model.Table) string { return func(*model.Table) string { return s } }

// settings is the whole config. Every line that the connector has a default for and
// that stands here answers a trap; the numbers are those of the fact it rests on.
var settings = []setting{
	{key: "name", value: func(t *model.Table) string { return Name(t) }},
	{key: "connector.class", value: is("io.confluent.connect.s3.S3SinkConnector")},
	{key: "tasks.max", value: is("1")},
	{key: "topics", value: func(t *model.Table) string { return t.Stream.Topic }},

	{key: "storage.class", value: is("io.confluent.connect.s3.storage.S3Storage")}, // T0: no default
	{key: "s3.bucket.name", value: func(t *model.Table) string { return t.Lake.Bucket }},
	{key: "s3.region", value: func(t *model.Table) string { return t.Lake.Region }},                                               // T32: default us-west-2
	{key: "s3.part.size", value: is("5242880")},                                                                                   // T25
	{key: "s3.elastic.buffer.enable", value: is("true")},                                                                          // T25
	{key: "topics.dir", value: func(t *model.Table) string { return t.Lake.Dir }, empty: true},                                    // T2, T3
	{key: "directory.delim", value: is("/")},                                                                                      // T1
	{key: "file.delim", value: is("+")},                                                                                           // T1
	{key: "filename.offset.zero.pad.width", value: is("10")},                                                                      // T1
	{key: "format.class", value: is("io.confluent.connect.s3.format.parquet.ParquetFormat")},                                      //
	{key: "parquet.codec", value: func(t *model.Table) string { return t.Lake.Codec }},                                            // T30, T31
	{key: "enhanced.avro.schema.support", value: is("false")},                                                                     // T44: enums become STRING
	{key: "store.kafka.keys", value: is("false")},                                                                                 // T7
	{key: "store.kafka.headers", value: is("false")},                                                                              // T7
	{key: "schema.compatibility", value: compatibility},                                                                           // T35-T37
	{key: "partitioner.class", value: is("io.confluent.connect.storage.partitioner.TimeBasedPartitioner")},                        //
	{key: "partition.duration.ms", value: duration},                                                                               // T9, T10
	{key: "path.format", value: pathFormat},                                                                                       // T11, T12
	{key: "locale", value: is("en-US")},                                                                                           // T9
	{key: "timezone", value: is("UTC")},                                                                                           // T9, T13
	{key: "timestamp.extractor", value: is("RecordField")},                                                                        // T16, T23
	{key: "timestamp.field", value: func(t *model.Table) string { return t.Partition.Time }},                                      // T16-T18
	{key: "flush.size", value: func(t *model.Table) string { return strconv.Itoa(t.Lake.FlushSize) }},                             // T24
	{key: "rotate.interval.ms", value: func(t *model.Table) string { return milliseconds(t.Lake.RotateInterval.Milliseconds()) }}, // T20, T23
	{key: "rotate.file.on.partition.change", value: is("false")},                                                                  // T21

	{key: "behavior.on.null.values", value: is("ignore")},                                                              // T27
	{key: "report.null.values.to.dlq", value: is("false")},                                                             // T28
	{key: "errors.tolerance", value: is("all")},                                                                        // T29
	{key: "errors.deadletterqueue.topic.name", value: func(t *model.Table) string { return t.Stream.Topic + "-dead" }}, // T29
	{key: "errors.deadletterqueue.context.headers.enable", value: is("true")},
	{key: "errors.log.enable", value: is("true")},

	{key: "key.converter", value: is("org.apache.kafka.connect.storage.StringConverter")},
	{key: "value.converter", value: is("io.confluent.connect.avro.AvroConverter")}, // T34
	{key: "value.converter.schema.registry.url", value: func(t *model.Table) string { return t.Stream.Registry }},
	{key: "consumer.override.isolation.level", value: is("read_committed")},
	{key: "consumer.override.auto.offset.reset", value: is("earliest")},
}

// Name is the connector's name, and the end of its consumer group's.
func Name(t *model.Table) string { return "bridge-" + t.Stream.Topic + "-s3" }

// compatibility is how the sink projects records of several schemas into one file, which
// is not the registry's level: FORWARD would drop the columns that a newer one has (T36).
func compatibility(t *model.Table) string {
	if t.Stream.Compatibility == "NONE" {
		return "NONE"
	}
	return "BACKWARD"
}

func duration(t *model.Table) string {
	if t.Partition.ByHour {
		return milliseconds(3_600_000)
	}
	return milliseconds(86_400_000)
}

func milliseconds(n int64) string { return strconv.FormatInt(n, 10) }

// joda are the letters of the partition keys in a Joda pattern, where literals need
// their quotes.
var joda = map[string]string{"year": "yyyy", "month": "MM", "day": "dd", "hour": "HH"}

func pathFormat(t *model.Table) string {
	var b []byte
	for i, key := range t.Partition.Keys() {
		if i > 0 {
			b = append(b, '/')
		}
		b = append(append(append(b, '\''), key...), "'="...)
		b = append(b, joda[key]...)
	}
	return string(b)
}

// Files is the config as Connect's REST interface takes it: PUT /connectors/NAME/config.
func Files(_ *model.Project, t *model.Table) ([]model.File, error) {
	var b bytes.Buffer
	b.WriteString("{")
	sep := "\n"
	for _, s := range settings {
		v := s.value(t)
		if v == "" && !s.empty {
			continue
		}
		b.WriteString(sep + "  " + quote(s.key) + ": " + quote(v))
		sep = ",\n"
	}
	b.WriteString("\n}\n")
	return []model.File{{Path: t.Name + "/connect-s3-sink.json", Content: b.Bytes()}}, nil
}

// quote is a JSON string. A text always has one.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return string(bytes.TrimSpace(b.Bytes()))
}
