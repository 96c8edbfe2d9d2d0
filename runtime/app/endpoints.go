package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/redis/go-redis/v9"
	"github.com/spf13/pflag"
)

// endpoints say where the systems are. Flags come first, then the environment, then
// the places of the spec.
type endpoints struct {
	lake, s3Endpoint, region string
	s3PathStyle              bool
	brokers                  []string
	registry, redis, trino   string
	temp                     string
}

// variables are the environment variables, by flag.
var variables = []struct{ flag, variable string }{
	{"lake", "BRIDGE_LAKE"}, {"s3-endpoint", "BRIDGE_S3_ENDPOINT"}, {"s3-path-style", "BRIDGE_S3_PATH_STYLE"}, {"s3-region", "BRIDGE_S3_REGION"},
	{"brokers", "BRIDGE_BROKERS"}, {"registry", "BRIDGE_REGISTRY"}, {"redis", "BRIDGE_REDIS"}, {"trino", "BRIDGE_TRINO"},
	{"temp", "BRIDGE_TEMP"}, {"postgres", "BRIDGE_POSTGRES"},
}

func (e *endpoints) flags(f *pflag.FlagSet) {
	f.StringVar(&e.lake, "lake", "", "`place` of the lake: s3://bucket or a folder (BRIDGE_LAKE; default: the spec's bucket)")
	f.StringVar(&e.s3Endpoint, "s3-endpoint", "", "`URL` of an S3-compatible store (BRIDGE_S3_ENDPOINT; default: AWS)")
	f.BoolVar(&e.s3PathStyle, "s3-path-style", false, "address buckets by path, as MinIO wants (BRIDGE_S3_PATH_STYLE; default: yes with --s3-endpoint)")
	f.StringVar(&e.region, "s3-region", "", "S3 `region` (BRIDGE_S3_REGION; default: the spec's)")
	f.StringSliceVar(&e.brokers, "brokers", nil, "Kafka `brokers`, host:port with commas (BRIDGE_BROKERS)")
	f.StringVar(&e.registry, "registry", "", "`URL` of the schema registry (BRIDGE_REGISTRY; default: the spec's)")
	f.StringVar(&e.redis, "redis", "", "Redis, `host:port` or redis:// URL (BRIDGE_REDIS)")
	f.StringVar(&e.trino, "trino", "", "Trino, `URL` with user: http://user@host:8080 (BRIDGE_TRINO)")
	f.StringVar(&e.temp, "temp", "", "`folder` for objects in the making (BRIDGE_TEMP; default: the system's)")
}

// fromEnvironment sets the flags that the command line left alone.
func (e *endpoints) fromEnvironment(f *pflag.FlagSet, lookup func(string) (string, bool)) error {
	for _, v := range variables {
		value, ok := lookup(v.variable)
		if flag := f.Lookup(v.flag); ok && value != "" && flag != nil && !flag.Changed {
			if err := f.Set(v.flag, value); err != nil {
				return fmt.Errorf("%s: %w", v.variable, err)
			}
		}
	}
	return nil
}

// places are what the spec says of the default environment: <table>/places.json.
type places struct {
	Lake struct {
		Bucket string `json:"bucket"`
		Region string `json:"region"`
	} `json:"lake"`
	Stream struct {
		Registry string `json:"registry"`
	} `json:"stream"`
	Trino struct {
		Catalog string `json:"catalog"`
		Schema  string `json:"schema"`
		Views   string `json:"views"`
	} `json:"trino"`
}

func (a *program) places(table string) (places, error) {
	var p places
	if a.project.Files == nil {
		return p, nil
	}
	raw, err := fs.ReadFile(a.project.Files, table+"/places.json")
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	if err != nil {
		return p, fmt.Errorf("places of table %q: %w (run bridgegen generate)", table, err)
	}
	return p, nil
}

// location is where the lake is; empty if nothing says so.
func (a *program) location(p places) string {
	switch {
	case a.endpoints.lake != "":
		return a.endpoints.lake
	case p.Lake.Bucket != "":
		return "s3://" + p.Lake.Bucket
	}
	return ""
}

// purpose is what a lake is opened for: a local one has to be there for readers, and is
// made by writers.
type purpose bool

const (
	reading purpose = false
	writing purpose = true
)

func (a *program) storeOptions(p places, to purpose) lake.StoreOptions {
	region := a.endpoints.region
	if region == "" {
		region = p.Lake.Region
	}
	return lake.StoreOptions{Existing: to == reading, Region: region, Endpoint: a.endpoints.s3Endpoint,
		PathStyle: a.endpoints.s3PathStyle || a.endpoints.s3Endpoint != "", TempDir: a.endpoints.temp}
}

// store opens the lake of a table.
func (a *program) store(ctx context.Context, s *bridge.Schema, to purpose) (lake.Store, error) {
	p, err := a.places(s.Table)
	if err != nil {
		return nil, err
	}
	location := a.location(p)
	if location == "" {
		return nil, errors.New("no lake: give --lake s3://bucket or a folder, or set BRIDGE_LAKE")
	}
	return lake.OpenStore(ctx, location, a.storeOptions(p, to))
}

func (a *program) brokers() ([]string, error) {
	if len(a.endpoints.brokers) == 0 {
		return nil, errors.New("no brokers: give --brokers host:port, or set BRIDGE_BROKERS")
	}
	return a.endpoints.brokers, nil
}

func (a *program) registry(s *bridge.Schema) (string, error) {
	if a.endpoints.registry != "" {
		return a.endpoints.registry, nil
	}
	p, err := a.places(s.Table)
	if err != nil {
		return "", err
	}
	if p.Stream.Registry == "" {
		return "", errors.New("no schema registry: give --registry URL, or set BRIDGE_REGISTRY")
	}
	return p.Stream.Registry, nil
}

// silent keeps the client's log off the terminal: what fails comes back as an error.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

// openRedis is nil where none is configured and none is required.
func (a *program) openRedis(required bool) (redis.UniversalClient, error) {
	if a.endpoints.redis == "" {
		if required {
			return nil, errors.New("no Redis: give --redis host:port, or set BRIDGE_REDIS")
		}
		return nil, nil
	}
	redis.SetLogger(silent{})
	if !strings.Contains(a.endpoints.redis, "://") {
		return redis.NewUniversalClient(&redis.UniversalOptions{Addrs: strings.Split(a.endpoints.redis, ",")}), nil
	}
	o, err := redis.ParseURL(a.endpoints.redis)
	if err != nil {
		return nil, fmt.Errorf("--redis: %w", err) // ParseURL names no password
	}
	return redis.NewClient(o), nil
}

// redisAddress is where Redis is, for people: a URL may hold a password.
func (a *program) redisAddress() string {
	if o, err := redis.ParseURL(a.endpoints.redis); err == nil {
		return o.Addr
	}
	return a.endpoints.redis
}
