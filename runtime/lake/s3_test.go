package lake_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// s3Server is an S3 service in the process that records its requests.
type s3Server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	cut      int    // bytes after which the body of the next answer breaks off; 0: none does
	refuse   string // number of the part of an upload that is forbidden
}

func newS3Server(t testing.TB) *s3Server {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("lake"); err != nil {
		t.Fatal(err)
	}
	handler := gofakes3.New(backend).Server()
	s := new(s3Server)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r)
		cut := s.cut
		if r.Method == http.MethodGet && cut > 0 {
			s.cut = 0
			w = &cutResponse{w, cut}
		}
		refused := s.refuse != "" && r.URL.Query().Get("partNumber") == s.refuse
		s.mu.Unlock()
		if refused {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_CONFIG_FILE", os.DevNull)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)
	return s
}

// cutResponse drops the connection after some bytes of the body.
type cutResponse struct {
	http.ResponseWriter
	left int
}

func (c *cutResponse) Write(b []byte) (int, error) {
	if len(b) > c.left {
		if _, err := c.ResponseWriter.Write(b[:c.left]); err != nil {
			return 0, err
		}
		c.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(b)
	return c.ResponseWriter.Write(b)
}

// seen takes the requests so far.
func (s *s3Server) seen() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.requests
	s.requests = nil
	return r
}

func (s *s3Server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *s3Server) store(t testing.TB, location string) lake.Store {
	t.Helper()
	store, err := lake.OpenStore(ctx, location, lake.StoreOptions{Endpoint: s.URL, PathStyle: true, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestS3Store(t *testing.T) {
	server := newS3Server(t)
	testStore(t, server.store(t, "s3://lake/some/prefix"))
	whole := server.store(t, "s3://lake")
	if got := get(t, whole, "some/prefix/a/b/c"); got != "content of a/b/c" {
		t.Errorf("without the prefix: %q", got)
	}
	for _, r := range server.seen() { // T131: services other than AWS refuse these
		for name, v := range r.Header {
			if lower := strings.ToLower(name); r.Method == http.MethodPut && (strings.Contains(lower, "checksum") || strings.Contains(strings.Join(v, ""), "aws-chunked")) {
				t.Fatalf("%s %s sends %s: %s", r.Method, r.URL, name, v)
			}
		}
	}
	_, err := server.store(t, "s3://absent").Open(ctx, "x")
	if err == nil || errors.Is(err, lake.ErrNotFound) || !strings.Contains(err.Error(), "s3://absent/x") {
		t.Errorf("no bucket: %v", err)
	}
}

// T130: 1,000 keys a page.
func TestS3ListsAllPages(t *testing.T) {
	server := newS3Server(t)
	s := server.store(t, "s3://lake/p")
	var want []string
	for i := range 2500 {
		key := fmt.Sprintf("t/%04d", i)
		put(t, s, key, "x")
		want = append(want, key)
	}
	put(t, s, "u", "x")
	server.seen()
	if got := list(t, s, "t/"); !slices.Equal(got, want) {
		t.Errorf("%d keys of %d", len(got), len(want))
	}
	if n := len(server.seen()); n != 3 {
		t.Errorf("%d requests for 2,500 keys", n)
	}
	n := 0
	for range s.List(ctx, "t/") {
		if n++; n == 5 {
			break
		}
	}
	if got := len(server.seen()); got != 1 {
		t.Errorf("%d requests for the first 5 keys", got)
	}
}

func TestS3SendsGreatObjectsInParts(t *testing.T) {
	server := newS3Server(t)
	s := server.store(t, "s3://lake")
	content := make([]byte, 65<<20)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(content)
	put(t, s, "great", string(content))
	parts := 0
	for _, r := range server.seen() {
		if r.URL.Query().Has("partNumber") {
			parts++
		}
	}
	if parts != 5 {
		t.Errorf("%d parts for 65 MiB", parts)
	}
	src, err := s.Open(ctx, "great")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	sum := sha256.New()
	if _, err := io.CopyBuffer(sum, io.NewSectionReader(src, 0, src.Size()), make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if [32]byte(sum.Sum(nil)) != sha256.Sum256(content) {
		t.Error("the object came back otherwise")
	}
}

// An upload in parts that fails leaves nothing behind that is billed.
func TestS3DropsPartsOfAFailedUpload(t *testing.T) {
	server := newS3Server(t)
	s := server.store(t, "s3://lake")
	staged, err := s.Stage(ctx, "great")
	if err != nil {
		t.Fatal(err)
	}
	defer staged.Discard()
	if _, err := staged.Write(make([]byte, 65<<20)); err != nil {
		t.Fatal(err)
	}
	server.set(func() { server.refuse = "3" })
	if err := staged.Commit(ctx); err == nil || !strings.Contains(err.Error(), "s3://lake/great") {
		t.Errorf("committed: %v", err)
	}
	aborted := slices.ContainsFunc(server.seen(), func(r *http.Request) bool {
		return r.Method == http.MethodDelete && r.URL.Query().Has("uploadId")
	})
	if !aborted {
		t.Error("the parts were not dropped")
	}
	server.set(func() { server.refuse = "" })
	if _, err := s.Open(ctx, "great"); !errors.Is(err, lake.ErrNotFound) {
		t.Errorf("a part of the object is there: %v", err)
	}
	if err := staged.Commit(ctx); err != nil {
		t.Errorf("a second try: %v", err)
	}
}

func TestS3NeverMixesVersions(t *testing.T) {
	server := newS3Server(t)
	s := server.store(t, "s3://lake")
	put(t, s, "k", strings.Repeat("a", 200_000))
	src, err := s.Open(ctx, "k")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	put(t, s, "k", strings.Repeat("b", 200_000))
	b := make([]byte, 10)
	_, err = src.ReadAt(b, 0)
	wantError(t, err, "s3://lake/k", "replaced")
}

func customersFile(t testing.TB, rows []customers.Customer, codec string) []byte {
	s := *customers.Table.Schema
	s.Codec = codec
	var out bytes.Buffer
	writeRows(t, lake.NewWriter(&s, lake.WriterOptions{RowGroupRows: 40_000}), bridge.NewPage(&s), &out, rows)
	return out.Bytes()
}

// How many requests it takes to read a file: one for the footer, one for a small file,
// and not many for a great one.
func TestS3ReadsFilesInFewRequests(t *testing.T) {
	server := newS3Server(t)
	s := server.store(t, "s3://lake")
	long := sample(60_000)
	for i := range long {
		if !long[i].Sys.Deleted {
			long[i].Email += strings.Repeat("x", 160)
		}
	}
	small, great := customersFile(t, sample(20_000), "snappy"), customersFile(t, long, "none")
	if len(small) < 64<<10 || len(great) < 8<<20 {
		t.Fatalf("files of %d and %d bytes test nothing", len(small), len(great))
	}
	put(t, s, "small", string(small))
	put(t, s, "great", string(great))
	for _, c := range []struct {
		key      string
		file     []byte
		requests int
	}{{"small", small, 2}, {"great", great, 50}} {
		server.seen()
		src, err := s.Open(ctx, c.key)
		if err != nil {
			t.Fatal(err)
		}
		if _, rows, err := lake.ReadMeta(src, src.Size(), s.URL(c.key)); err != nil || rows == 0 || len(server.seen()) != 1 {
			t.Errorf("%s: the footer of %d rows in other than one request, %v", c.key, rows, err)
		}
		server.set(func() { server.cut = 100_000 }) // and the first body breaks off
		f, err := lake.OpenFile(customers.Table.Schema, src, src.Size(), s.URL(c.key))
		if err != nil {
			t.Fatal(err)
		}
		got, err := dump(f, customers.Table.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(server.seen()); n > c.requests+1 {
			t.Errorf("%s: %d requests for %d bytes", c.key, n, len(c.file))
		}
		if want := mustDump(t, customers.Table.Schema, c.file); !equalCells(got, want) {
			t.Errorf("%s: read otherwise than from memory", c.key)
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}
