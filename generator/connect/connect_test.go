package connect_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generator/connect"
	"github.com/bridgegen/bridgegen/generator/model"
)

// The files of testdata were recorded from Confluent's S3 sink 12.1.9: its definitions,
// and what its own validation and start said to 94 configs.

type definition struct {
	Name      string  `json:"name"`
	Type      string  `json:"type"`
	Required  bool    `json:"required"`
	Validator *string `json:"validator"`
}

type verdict struct {
	Errors      map[string]string `json:"validate_errors"`
	Constructor string            `json:"constructor"`
	Start       string            `json:"connector_start"`
}

func (v verdict) ok() bool { return len(v.Errors) == 0 && v.Constructor == "ok" && v.Start == "ok" }

func recorded[T any](t *testing.T, name string) (v T) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func tables() map[string]*model.Table {
	base := model.Table{
		Name: "customers", Deletes: true,
		Partition: model.Partition{Time: "_ingested_at", ByHour: true},
		Lake:      model.Lake{Bucket: "data-lake-shop", Region: "us-east-1", Dir: "lake", Codec: "snappy", FlushSize: 100000, RotateInterval: 10 * time.Minute},
		Stream:    model.Stream{Topic: "customer-events", Registry: "http://schema-registry:8081", Compatibility: "BACKWARD"},
	}
	out := map[string]*model.Table{"customers": &base}
	for _, codec := range []string{"none", "gzip", "zstd"} {
		t := base
		t.Lake.Codec = codec
		out[codec] = &t
	}
	for _, level := range []string{"NONE", "FORWARD_TRANSITIVE", "FULL", "BACKWARD_TRANSITIVE"} {
		t := base
		t.Stream.Compatibility = level
		out[level] = &t
	}
	daily := base
	daily.Partition.ByHour, daily.Lake.Dir = false, ""
	out["daily"] = &daily
	return out
}

func config(t *testing.T, table *model.Table) map[string]string {
	t.Helper()
	files, err := connect.Files(nil, table)
	if err != nil || len(files) != 1 || files[0].Path != "customers/connect-s3-sink.json" {
		t.Fatalf("%v, %v", files, err)
	}
	var c map[string]string
	if err := json.Unmarshal(files[0].Content, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// framework are keys of Connect itself, which the connector's definitions do not list.
func framework(key string) bool {
	return slices.Contains([]string{"name", "connector.class", "tasks.max", "topics", "key.converter", "value.converter"}, key) ||
		strings.HasPrefix(key, "errors.") || strings.HasPrefix(key, "value.converter.") || strings.HasPrefix(key, "consumer.override.")
}

// Validation over REST ignores unknown keys, so each is looked up here.
func TestEveryKeyIsKnownAndEveryValueLegal(t *testing.T) {
	defs := map[string]definition{}
	for _, d := range recorded[[]definition](t, "defaults-12.1.9.json") {
		defs[d.Name] = d
	}
	for name, table := range tables() {
		c := config(t, table)
		for key, value := range c {
			d, ok := defs[key]
			switch {
			case !ok && !framework(key):
				t.Errorf("%s: the connector has no setting %q", name, key)
			case ok:
				legal(t, name, d, value)
			}
		}
		for _, d := range defs {
			if _, there := c[d.Name]; d.Required && !there {
				t.Errorf("%s: required setting %q is missing", name, d.Name)
			}
		}
	}
}

func legal(t *testing.T, name string, d definition, value string) {
	t.Helper()
	switch d.Type {
	case "INT", "LONG":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n <= 0 {
			t.Errorf("%s: %s = %q is no positive number", name, d.Name, value)
		}
	case "BOOLEAN":
		if value != "true" && value != "false" {
			t.Errorf("%s: %s = %q is no boolean", name, d.Name, value)
		}
	}
	if d.Validator == nil || !strings.HasPrefix(*d.Validator, "[") || strings.Contains(*d.Validator, "...") {
		return
	}
	words := strings.Split(strings.Trim(*d.Validator, "[]"), ", ")
	if !slices.Contains(words, value) {
		t.Errorf("%s: %s = %q is not one of %v", name, d.Name, value, words)
	}
}

// No generated config holds what made a recorded one fail.
func TestNoRecordedFailure(t *testing.T) {
	cases := recorded[map[string]map[string]string](t, "validate-cases.json")
	verdicts := recorded[map[string]verdict](t, "validate-results.json")
	base := cases["seed_plus_storage_class_quoted_path"]
	if !verdicts["seed_plus_storage_class_quoted_path"].ok() || len(cases) < 90 {
		t.Fatal("testdata is not what was recorded")
	}
	failures := 0
	for name, c := range cases {
		if verdicts[name].ok() {
			continue
		}
		failures++
		for table, ours := range tables() {
			if repeats(config(t, ours), base, c) {
				t.Errorf("%s fails as the recorded case %q did: %+v", table, name, verdicts[name])
			}
		}
	}
	if failures < 20 {
		t.Errorf("only %d recorded failures", failures)
	}
}

// repeats reports whether ours has every difference of the case from the good config.
func repeats(ours, base, failed map[string]string) bool {
	differences := 0
	for key, value := range failed {
		if base[key] == value {
			continue
		}
		differences++
		if got, there := ours[key]; !there || got != value {
			return false
		}
	}
	for key := range base {
		if _, there := failed[key]; there {
			continue
		}
		differences++
		if _, there := ours[key]; there {
			return false
		}
	}
	return differences > 0
}

// What validation lets pass though it is wrong (traps §0, T9-T29, T35, T44).
func TestWhatValidationDoesNotSee(t *testing.T) {
	c := config(t, tables()["customers"])
	for key, want := range map[string]string{
		"path.format":                     "'year'=yyyy/'month'=MM/'day'=dd/'hour'=HH",
		"partition.duration.ms":           "3600000",
		"locale":                          "en-US",
		"timezone":                        "UTC",
		"timestamp.extractor":             "RecordField",
		"timestamp.field":                 "_ingested_at",
		"schema.compatibility":            "BACKWARD",
		"parquet.codec":                   "snappy",
		"enhanced.avro.schema.support":    "false",
		"behavior.on.null.values":         "ignore",
		"report.null.values.to.dlq":       "false",
		"topics.dir":                      "lake",
		"rotate.file.on.partition.change": "false",
	} {
		if c[key] != want {
			t.Errorf("%s = %q, want %q", key, c[key], want)
		}
	}
	for _, key := range []string{"rotate.schedule.interval.ms", "s3.compression.type", "transforms", "s3.credentials.provider.class", "topics.regex"} {
		if v, there := c[key]; there {
			t.Errorf("%s = %q must not be set", key, v)
		}
	}
	daily := config(t, tables()["daily"])
	if daily["path.format"] != "'year'=yyyy/'month'=MM/'day'=dd" || daily["partition.duration.ms"] != "86400000" {
		t.Errorf("by day: %q, %s ms", daily["path.format"], daily["partition.duration.ms"])
	}
	if dir, there := daily["topics.dir"]; !there || dir != "" {
		t.Errorf("an empty dir must be said, for the default is topics: %q, %t", dir, there)
	}
	for level, want := range map[string]string{"BACKWARD_TRANSITIVE": "BACKWARD", "FORWARD_TRANSITIVE": "BACKWARD", "FULL": "BACKWARD", "NONE": "NONE"} {
		if got := config(t, tables()[level])["schema.compatibility"]; got != want {
			t.Errorf("%s: the sink's level is %q, want %q", level, got, want)
		}
	}
}
