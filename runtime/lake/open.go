package lake

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// StoreOptions say how to reach a store. All but Existing matter to S3 only.
type StoreOptions struct {
	// Existing is for readers: a folder that is not there is an error of List, and not a
	// lake without objects.
	Existing bool
	// Region of the bucket; empty: as the environment and the profile say.
	Region string
	// Endpoint is the URL of a service other than AWS, and PathStyle puts the bucket into
	// the path instead of the host, as most of those need.
	Endpoint  string
	PathStyle bool
	// TempDir holds objects until they are sent; empty: a folder of the system's own.
	TempDir string
}

// OpenStore opens the store at a location: s3://bucket or s3://bucket/prefix, a folder's
// path, or its file:// URL. Credentials come from the environment, as for every AWS tool.
func OpenStore(ctx context.Context, location string, o StoreOptions) (Store, error) {
	scheme, rest, hasScheme := strings.Cut(location, "://")
	switch {
	case location == "":
		return nil, errors.New("the location of the lake is empty; give s3://bucket/prefix or a folder")
	case !hasScheme:
		return newLocal(location, o.Existing), nil
	case scheme == "file":
		return openFileURL(location, o.Existing)
	case scheme != "s3":
		return nil, fmt.Errorf("location %q: %s:// is not known; give s3://bucket/prefix or a folder", location, scheme)
	}
	bucket, prefix, _ := strings.Cut(rest, "/")
	if bucket == "" {
		return nil, fmt.Errorf("location %q names no bucket; give s3://bucket/prefix", location)
	}
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		if err := checkKey(prefix); err != nil {
			return nil, fmt.Errorf("location %q: %w", location, err)
		}
	}
	client, err := openClient(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("location %q: %w", location, err)
	}
	return NewS3(client, bucket, prefix, o.TempDir), nil
}

func openFileURL(location string, existing bool) (Store, error) {
	u, err := url.Parse(location)
	if err != nil || u.Path == "" || u.Host != "" && u.Host != "localhost" {
		return nil, fmt.Errorf("location %q names no folder of this machine; give file:///path or the path alone", location)
	}
	return newLocal(filepath.FromSlash(u.Path), existing), nil
}

func openClient(ctx context.Context, o StoreOptions) (*s3.Client, error) {
	var load []func(*config.LoadOptions) error
	if o.Region != "" {
		load = append(load, config.WithRegion(o.Region))
	}
	cfg, err := config.LoadDefaultConfig(ctx, load...)
	if err != nil {
		return nil, err
	}
	if cfg.Region == "" {
		if o.Endpoint == "" {
			return nil, errors.New("no region is set; set AWS_REGION, or name it in the spec")
		}
		cfg.Region = "us-east-1" // other services want any region in the signature
	}
	return s3.NewFromConfig(cfg, func(s *s3.Options) {
		s.UsePathStyle = o.PathStyle
		if o.Endpoint != "" {
			s.BaseEndpoint = aws.String(o.Endpoint)
			s.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
			s.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		}
	}), nil
}
