package lake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"golang.org/x/sync/errgroup"
)

const (
	multipartAbove = 64 << 20
	partSize       = 16 << 20 // some servers refuse greater chunks (T133)
	maxParts       = 10_000
	partsAtOnce    = 3
)

// s3Store holds objects below a prefix of a bucket.
type s3Store struct {
	client         *s3.Client
	bucket, prefix string // the prefix is empty or ends in a slash
	temp           string
	sweep          sync.Once
}

// NewS3 is a store of the objects below prefix in a bucket. An object is gathered in a
// temporary file in tempDir (empty: a folder of the system's own) and sent when it is
// committed: in one request up to 64 MiB, in parts above. A bucket needs a lifecycle rule
// AbortIncompleteMultipartUpload, for the parts of a process that was killed stay (T135).
//
// For a service other than AWS the client should compute checksums when required only
// (T131); OpenStore makes such a client.
func NewS3(client *s3.Client, bucket, prefix, tempDir string) Store {
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	if tempDir == "" {
		tempDir = filepath.Join(os.TempDir(), fmt.Sprintf("bridgegen-%d", os.Getuid()))
	}
	return &s3Store{client: client, bucket: bucket, prefix: prefix, temp: tempDir}
}

func (s *s3Store) URL(key string) string { return "s3://" + s.bucket + "/" + s.prefix + key }

// fail names the object in an error, and makes "not found" one of ours.
func (s *s3Store) fail(key string, err error) error {
	var api smithy.APIError
	if errors.As(err, &api) && (api.ErrorCode() == "NoSuchKey" || api.ErrorCode() == "NotFound") {
		return fmt.Errorf("%s: %w", s.URL(key), ErrNotFound)
	}
	return fmt.Errorf("%s: %w", s.URL(key), err)
}

func statusOf(err error) int {
	var response *awshttp.ResponseError
	if errors.As(err, &response) {
		return response.HTTPStatusCode()
	}
	return 0
}

// List follows the pages of 1,000 keys to the last (T130). The service lists in byte
// order. Markers of folders, which some tools leave, are no objects.
func (s *s3Store) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		pages := s3.NewListObjectsV2Paginator(s.client, &s3.ListObjectsV2Input{Bucket: &s.bucket, Prefix: aws.String(s.prefix + prefix)})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(Object{}, s.fail(prefix, err))
				return
			}
			for _, o := range page.Contents {
				key, ok := strings.CutPrefix(aws.ToString(o.Key), s.prefix)
				if !ok || key == "" || strings.HasSuffix(key, "/") {
					continue
				}
				if !yield(Object{Key: key, Size: aws.ToInt64(o.Size), Modified: aws.ToTime(o.LastModified)}, nil) {
					return
				}
			}
		}
	}
}

func (s *s3Store) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	_, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.bucket, Key: aws.String(s.prefix + key)})
	if err == nil {
		return nil
	}
	if err = s.fail(key, err); errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

func (s *s3Store) Stage(ctx context.Context, key string) (Staged, error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.temp, 0o700); err != nil {
		return nil, err
	}
	s.sweep.Do(func() { sweepTemp(s.temp) })
	f, err := createTemp(s.temp)
	if err != nil {
		return nil, err
	}
	return &s3Staged{stagedFile: f, store: s, key: key}, nil
}

type s3Staged struct {
	*stagedFile
	store *s3Store
	key   string
}

// Commit sends the object. After an error it can be tried again.
func (o *s3Staged) Commit(ctx context.Context) error {
	if o.done {
		return errStagedDone
	}
	if err := o.Close(); err != nil {
		return err
	}
	if err := o.send(ctx); err != nil {
		return o.store.fail(o.key, err)
	}
	return o.Discard()
}

func (o *s3Staged) send(ctx context.Context) error {
	f, err := os.Open(o.name)
	if err != nil {
		return err
	}
	defer f.Close()
	if o.size <= multipartAbove {
		return o.put(ctx, f)
	}
	return o.putParts(ctx, f)
}

// put sends the object in one request. Its body can be read again, which a retry and a
// checksum over plain HTTP need (T134).
func (o *s3Staged) put(ctx context.Context, f *os.File) error {
	_, err := o.store.client.PutObject(ctx, &s3.PutObjectInput{Bucket: &o.store.bucket, Key: aws.String(o.store.prefix + o.key),
		Body: io.NewSectionReader(f, 0, o.size), ContentLength: &o.size})
	return err
}

func (o *s3Staged) putParts(ctx context.Context, f *os.File) error {
	bucket, key, client := &o.store.bucket, aws.String(o.store.prefix+o.key), o.store.client
	upload, err := client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: bucket, Key: key})
	if err != nil {
		return err
	}
	parts, err := o.sendParts(ctx, f, upload.UploadId)
	if err == nil {
		_, err = client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{Bucket: bucket, Key: key, UploadId: upload.UploadId,
			MultipartUpload: &types.CompletedMultipartUpload{Parts: parts}})
	}
	if err != nil {
		// Parts are billed until they are dropped, also when the caller has given up.
		drop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		_, dropErr := client.AbortMultipartUpload(drop, &s3.AbortMultipartUploadInput{Bucket: bucket, Key: key, UploadId: upload.UploadId})
		return errors.Join(err, dropErr)
	}
	return nil
}

func (o *s3Staged) sendParts(ctx context.Context, f *os.File, id *string) ([]types.CompletedPart, error) {
	size := max(partSize, (o.size+maxParts-1)/maxParts)
	parts := make([]types.CompletedPart, (o.size+size-1)/size)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(partsAtOnce)
	for i := range parts {
		group.Go(func() error {
			from := int64(i) * size
			number, length := aws.Int32(int32(i+1)), min(size, o.size-from)
			out, err := o.store.client.UploadPart(ctx, &s3.UploadPartInput{Bucket: &o.store.bucket, Key: aws.String(o.store.prefix + o.key), UploadId: id,
				PartNumber: number, Body: io.NewSectionReader(f, from, length), ContentLength: &length})
			if err != nil {
				return err
			}
			parts[i] = types.CompletedPart{PartNumber: number, ETag: out.ETag, ChecksumCRC32: out.ChecksumCRC32}
			return nil
		})
	}
	return parts, group.Wait()
}

func isStatus(err error, status int) bool { return statusOf(err) == status }
