package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/batch"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// objects are the inputs of s3://bucket/key, where key may be a pattern: * and ? stand for
// no slash.
func (a *program) objects(ctx context.Context, t *bridge.Schema, name string) ([]batch.Input, error) {
	bucket, key, _ := strings.Cut(strings.TrimPrefix(name, "s3://"), "/")
	switch {
	case bucket == "" || key == "":
		return nil, fmt.Errorf("%s: name an object or a pattern, as in s3://bucket/dumps/*.csv", name)
	case strings.ContainsAny(bucket, patternChars):
		return nil, fmt.Errorf("%s: the bucket must be a name, only the key can be a pattern", name)
	}
	p, err := a.places(t.Table)
	if err != nil {
		return nil, err
	}
	store, err := lake.OpenStore(ctx, "s3://"+bucket, a.storeOptions(p, reading))
	if err != nil {
		return nil, err
	}
	if at := strings.IndexAny(key, patternChars); at >= 0 {
		return matchingObjects(ctx, store, key, key[:at])
	}
	src, err := store.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	return []batch.Input{object(store, key, src.Size())}, src.Close()
}

func matchingObjects(ctx context.Context, store lake.Store, pattern, prefix string) (inputs []batch.Input, err error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("%s: it is no pattern: %w", store.URL(pattern), err)
	}
	for o, err := range store.List(ctx, prefix) {
		if err != nil {
			return nil, err
		}
		if ok, _ := path.Match(pattern, o.Key); ok {
			inputs = append(inputs, object(store, o.Key, o.Size))
		}
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("%s: no object matches the pattern", store.URL(pattern))
	}
	return inputs, nil
}

// objectRead is what one request reads of an input in S3.
const objectRead = 8 << 20

func object(store lake.Store, key string, size int64) batch.Input {
	return batch.Input{Name: store.URL(key), Size: size, Open: func(ctx context.Context) (io.ReadCloser, error) {
		src, err := store.Open(ctx, key)
		if errors.Is(err, lake.ErrNotFound) {
			return nil, errors.New("the object has gone since it was listed")
		}
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{bufio.NewReaderSize(io.NewSectionReader(src, 0, src.Size()), objectRead), src}, nil
	}}
}
