package model_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generator/model"
	"github.com/bridgegen/bridgegen/spec"
)

func parse(t *testing.T, src string) *spec.Spec {
	t.Helper()
	s, diags := spec.Parse("t.yaml", []byte(src))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return s
}

const least = `bridgegen: v1
table: order_lines
columns:
  - {name: order_id, type: uuid}
  - {name: line,     type: int}
  - {name: ship_url, type: string, optional: true}
  - {name: channel,  type: enum, values: [web, {in_store: "in store"}], from: Channel}
key: [order_id, line]
lake: {bucket: data-lake-shop}
stream: {topic: order-events}
`

// Every default of the key table arrives in the model, computed ones too.
func TestDefaults(t *testing.T) {
	p, diags := model.Resolve([]*spec.Spec{parse(t, least)}, nil, "example.com/shop/generated", "shop")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	table := p.Tables[0]
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"project", p.Name, "shop"}, {"out", p.Out, "generated"}, {"package", p.GoPackage, "example.com/shop/generated"},
		{"record", table.Record, "OrderLines"}, {"prefix", table.Prefix(), "topics/order-events"}, {"location", table.Location(), "s3://data-lake-shop/topics/order-events/"},
		{"region", table.Lake.Region, "us-east-1"}, {"codec", table.Lake.Codec, "snappy"}, {"flush size", table.Lake.FlushSize, 100000},
		{"rotation", table.Lake.RotateInterval, 10 * time.Minute}, {"prefer", table.Dedup.Prefer, "streaming"}, {"max_future", table.Dedup.MaxFuture, time.Hour},
		{"version", table.Dedup.Version == nil, true}, {"partition", table.Partition.Time, "_ingested_at"}, {"by hour", table.Partition.ByHour, true},
		{"source", table.Batch.Source, "csv"}, {"extra", table.Batch.Extra, "refuse"}, {"zone", table.Batch.Zone, ""},
		{"registry", table.Stream.Registry, "http://localhost:8081"}, {"compatibility", table.Stream.Compatibility, "BACKWARD"},
		{"state key", table.Speed.Key, "order_lines:{order_id}:{line}"}, {"ttl", table.Speed.TTL, 72 * time.Hour},
		{"views", table.Trino.Views, "lake"}, {"lag", table.Lag.Batch, time.Duration(0)},
		{"field", table.Columns[2].GoName, "ShipURL"}, {"enum type", table.Columns[3].GoType, "Channel"},
		{"constant", table.Columns[3].Values[1].GoName, "ChannelInStore"}, {"spelling", table.Columns[3].Values[1].Source, "in store"},
		{"source name", table.Columns[3].From, "Channel"}, {"key", table.Key[1].Name, "line"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
}

// Settings of the project stand under each spec, and places do not change structure.
func TestProjectDefaults(t *testing.T) {
	project, diags := spec.ParseProject("bridgegen.yaml", []byte("bridgegen: v1\nproject: other\nout: gen\ndefaults:\n  lake: {bucket: theirs, dir: below, codec: zstd}\n  trino: {views: warehouse}\n"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	p, diags := model.Resolve([]*spec.Spec{parse(t, least)}, project, "example.com/shop/gen", "shop")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	table := p.Tables[0]
	if table.Lake.Bucket != "data-lake-shop" || table.Lake.Codec != "zstd" || table.Prefix() != "below/order-events" || table.Trino.Views != "warehouse" || p.Out != "gen" || p.Name != "other" {
		t.Errorf("%+v, %+v", p, table)
	}
}

// System columns are appended in their order; with deletes every column outside the key
// can be null.
func TestPhysicalColumns(t *testing.T) {
	src, err := os.ReadFile("../../examples/customers/customers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, diags := model.Resolve([]*spec.Spec{parse(t, string(src))}, nil, "example.com/x", "x")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var got []string
	for _, c := range p.Tables[0].Physical() {
		name := c.Name
		if c.Nullable {
			name += "?"
		}
		got = append(got, name)
	}
	want := "id email? status? is_active? created_at? updated_at? _source _ingested_at _version? _seq _deleted"
	if strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
