package lake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

const (
	tailRead     = 64 << 10 // of each object that is opened: a footer, or a whole marker
	smallObject  = 8 << 20  // fetched whole by the first read beyond the tail
	columnRead   = 2 << 20  // what a column of a greater object is read by
	blockRead    = 512 << 10
	blocksHeld   = 4
	readAttempts = 3
)

// s3Source reads one version of an object: once it is replaced, reads fail. It keeps the
// context of Open.
type s3Source struct {
	ctx   context.Context
	store *s3Store
	key   string
	etag  *string
	size  int64

	mu     sync.Mutex
	blocks []block // the tail, then what was read last
}

// block is a part of the object that is held in memory.
type block struct {
	at   int64
	data []byte
}

// Open reads the object's tail, which tells its size and version too.
func (s *s3Store) Open(ctx context.Context, key string) (Source, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	src := &s3Source{ctx: ctx, store: s, key: key}
	out, err := s.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &s.bucket, Key: aws.String(s.prefix + key), Range: aws.String(fmt.Sprintf("bytes=-%d", tailRead))})
	if isStatus(err, http.StatusRequestedRangeNotSatisfiable) { // an empty object has no last byte
		return src.head()
	}
	if err != nil {
		return nil, s.fail(key, err)
	}
	defer out.Body.Close()
	from, size, ok := contentRange(aws.ToString(out.ContentRange))
	if !ok { // the service took no notice of the range and sends all
		from, size = 0, aws.ToInt64(out.ContentLength)
	}
	src.etag, src.size = out.ETag, size
	if size-from > tailRead {
		return src, nil
	}
	tail := make([]byte, size-from)
	if _, err := io.ReadFull(out.Body, tail); err != nil {
		return src, nil // a later read tries again
	}
	src.blocks = []block{{from, tail}}
	return src, nil
}

func (s *s3Source) head() (Source, error) {
	out, err := s.store.client.HeadObject(s.ctx, &s3.HeadObjectInput{Bucket: &s.store.bucket, Key: aws.String(s.store.prefix + s.key)})
	if err != nil {
		return nil, s.store.fail(s.key, err)
	}
	s.etag, s.size = out.ETag, aws.ToInt64(out.ContentLength)
	return s, nil
}

// contentRange reads "bytes 10-19/20".
func contentRange(v string) (from, size int64, ok bool) {
	v, ok = strings.CutPrefix(v, "bytes ")
	span, total, ok2 := strings.Cut(v, "/")
	first, _, ok3 := strings.Cut(span, "-")
	from, err1 := strconv.ParseInt(first, 10, 64)
	size, err2 := strconv.ParseInt(total, 10, 64)
	return from, size, ok && ok2 && ok3 && err1 == nil && err2 == nil && from >= 0 && from <= size
}

func (s *s3Source) Size() int64 { return s.size }

func (s *s3Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocks = nil
	return nil
}

// readAhead is what a reader of columns should ask for at once.
func (s *s3Source) readAhead() int { return columnRead }

func (s *s3Source) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("%s: negative offset %d", s.store.URL(s.key), off)
	}
	n := int(min(int64(len(b)), max(s.size-off, 0)))
	if err := s.read(b[:n], off); err != nil {
		return 0, err
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (s *s3Source) read(b []byte, off int64) error {
	if len(b) == 0 || s.held(b, off) {
		return nil
	}
	from, size := off, int64(len(b))
	switch {
	case s.size <= smallObject:
		from, size = 0, s.size
	case size >= blockRead/2:
		return s.fetch(b, off)
	default:
		size = min(blockRead, s.size-from)
	}
	data := make([]byte, size)
	if err := s.fetch(data, from); err != nil {
		return err
	}
	copy(b, data[off-from:])
	s.hold(block{from, data})
	return nil
}

// held answers from memory.
func (s *s3Source) held(b []byte, off int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.blocks {
		if off >= k.at && off+int64(len(b)) <= k.at+int64(len(k.data)) {
			copy(b, k.data[off-k.at:])
			return true
		}
	}
	return false
}

// hold keeps a block, and the tail and a few others.
func (s *s3Source) hold(k block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.blocks) > blocksHeld {
		s.blocks = slices.Delete(s.blocks, 1, 2)
	}
	s.blocks = append(s.blocks, k)
}

// fetch reads len(b) bytes at off. The SDK repeats requests, but not the reading of a
// body that breaks off.
func (s *s3Source) fetch(b []byte, off int64) error {
	var err error
	for range readAttempts {
		var n int
		if n, err = s.get(b, off); err == nil || statusOf(err) != 0 || s.ctx.Err() != nil {
			break
		}
		b, off = b[n:], off+int64(n)
	}
	switch {
	case err == nil:
		return nil
	case isStatus(err, http.StatusPreconditionFailed):
		return fmt.Errorf("%s: was replaced while it was read; read it again", s.store.URL(s.key))
	}
	return s.store.fail(s.key, err)
}

func (s *s3Source) get(b []byte, off int64) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	out, err := s.store.client.GetObject(s.ctx, &s3.GetObjectInput{Bucket: &s.store.bucket, Key: aws.String(s.store.prefix + s.key), IfMatch: s.etag,
		Range: aws.String(fmt.Sprintf("bytes=%d-%d", off, off+int64(len(b))-1))})
	if err != nil {
		return 0, err
	}
	defer out.Body.Close()
	if s.etag != nil && aws.ToString(out.ETag) != *s.etag {
		return 0, errors.New("was replaced while it was read; read it again")
	}
	if from, _, ok := contentRange(aws.ToString(out.ContentRange)); !ok || from != off {
		return 0, errors.New("the service does not answer ranges")
	}
	return io.ReadFull(out.Body, b)
}
