package embedded

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/hamba/avro/v2"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"
)

// registry is srfake with what it lacks: it checks compatibility before it takes a
// schema, and it remembers.
type registry struct {
	fake *srfake.Registry
	file string // "" keeps nothing

	mu    sync.Mutex
	state registryState
}

// registryState is the remembered part, as JSON in a file.
type registryState struct {
	Schemas []rememberedSchema               `json:"schemas"`
	Levels  map[string]sr.CompatibilityLevel `json:"levels"` // by subject
}

type rememberedSchema struct {
	Subject string `json:"subject"`
	Version int    `json:"version"`
	ID      int    `json:"id"`
	Schema  string `json:"schema"`
}

func startRegistry(c *Cluster, o Options) error {
	r := &registry{fake: srfake.NewRegistry(), state: registryState{Levels: map[string]sr.CompatibilityLevel{}}}
	if o.DataDir != "" {
		r.file = filepath.Join(o.DataDir, "registry.json")
		if err := r.load(); err != nil {
			return fmt.Errorf("the embedded registry: %w", err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("the embedded registry: %w", err)
	}
	server := &http.Server{Handler: r.handler()}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	c.Registry = "http://" + listener.Addr().String()
	c.stops = append(c.stops, func() error {
		err := server.Close()
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	})
	return nil
}

func (r *registry) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", r.fake.Handler())
	mux.HandleFunc("POST /subjects/{subject}/versions", r.register)
	mux.HandleFunc("POST /compatibility/subjects/{subject}/versions/{version}", r.compatible)
	mux.HandleFunc("PUT /config/{subject}", r.configure)
	for _, pattern := range []string{"DELETE /subjects/", "DELETE /config/", "PUT /config"} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, http.StatusMethodNotAllowed, 405, "the embedded registry keeps what it was given; start it without its folder for a new one")
		})
	}
	return mux
}

// register takes a schema if it is compatible, with status 409 if it is not.
func (r *registry) register(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	subject := req.PathValue("subject")
	schema, ok := readSchema(w, req)
	if !ok {
		return
	}
	if err := r.check(subject, schema.Schema); err != nil {
		refuse(w, http.StatusConflict, 409, "Schema being registered is incompatible with an earlier schema for subject \""+subject+"\": "+err.Error())
		return
	}
	id, version, err := r.fake.RegisterSchema(subject, schema)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, 42201, err.Error())
		return
	}
	r.remember(rememberedSchema{subject, version, id, schema.Schema})
	if err := r.save(); err != nil {
		refuse(w, http.StatusInternalServerError, 50001, err.Error())
		return
	}
	answer(w, map[string]any{"id": id})
}

func (r *registry) remember(s rememberedSchema) {
	for _, old := range r.state.Schemas {
		if old.Subject == s.Subject && old.Version == s.Version {
			return
		}
	}
	r.state.Schemas = append(r.state.Schemas, s)
}

func (r *registry) compatible(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	schema, ok := readSchema(w, req)
	if !ok {
		return
	}
	err := r.check(req.PathValue("subject"), schema.Schema)
	result := map[string]any{"is_compatible": err == nil}
	if err != nil {
		result["messages"] = []string{err.Error()}
	}
	answer(w, result)
}

func (r *registry) configure(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var body struct {
		Compatibility sr.CompatibilityLevel `json:"compatibility"`
	}
	if err := json.NewDecoder(io.LimitReader(req.Body, 1<<16)).Decode(&body); err != nil || body.Compatibility == 0 {
		refuse(w, http.StatusUnprocessableEntity, 42203, "Invalid compatibility level")
		return
	}
	subject := req.PathValue("subject")
	if err := r.fake.SetCompat(subject, body.Compatibility); err != nil {
		refuse(w, http.StatusUnprocessableEntity, 42203, err.Error())
		return
	}
	r.state.Levels[subject] = body.Compatibility
	if err := r.save(); err != nil {
		refuse(w, http.StatusInternalServerError, 50001, err.Error())
		return
	}
	answer(w, map[string]any{"compatibility": body.Compatibility})
}

// check compares a new schema with the earlier ones that the subject's level names.
func (r *registry) check(subject, text string) error {
	level, ok := r.state.Levels[subject]
	if !ok {
		level = sr.CompatBackward
	}
	var earlier []string
	for _, s := range r.state.Schemas {
		if s.Subject == subject {
			earlier = append(earlier, s.Schema)
		}
	}
	transitive := level == sr.CompatBackwardTransitive || level == sr.CompatForwardTransitive || level == sr.CompatFullTransitive
	if !transitive && len(earlier) > 1 {
		earlier = earlier[len(earlier)-1:]
	}
	next, err := parse(text)
	if err != nil {
		return err
	}
	for _, old := range earlier {
		before, err := parse(old)
		if err != nil {
			return err
		}
		if err := checkPair(level, next, before); err != nil {
			return err
		}
	}
	return nil
}

func checkPair(level sr.CompatibilityLevel, next, before avro.Schema) error {
	rules := avro.NewSchemaCompatibility()
	var backward, forward error
	switch level {
	case sr.CompatBackward, sr.CompatBackwardTransitive:
		backward = rules.Compatible(next, before)
	case sr.CompatForward, sr.CompatForwardTransitive:
		forward = rules.Compatible(before, next)
	case sr.CompatFull, sr.CompatFullTransitive:
		backward, forward = rules.Compatible(next, before), rules.Compatible(before, next)
	}
	return errors.Join(backward, forward)
}

// parse reads a schema by itself: hamba's own cache would mix up equal names.
func parse(text string) (avro.Schema, error) {
	return avro.ParseBytesWithCache([]byte(text), "", &avro.SchemaCache{})
}

func readSchema(w http.ResponseWriter, req *http.Request) (sr.Schema, bool) {
	var schema sr.Schema
	raw, err := io.ReadAll(http.MaxBytesReader(w, req.Body, 1<<20))
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(raw)).Decode(&schema)
	}
	if err == nil && schema.Type == sr.TypeAvro {
		_, err = parse(schema.Schema)
	}
	if err == nil && schema.Type != sr.TypeAvro {
		err = errors.New("the embedded registry takes Avro only")
	}
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, 42201, "Invalid schema: "+strings.TrimSpace(err.Error()))
		return schema, false
	}
	return schema, true
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/vnd.schemaregistry.v1+json")
	_ = json.NewEncoder(w).Encode(body) // the client is gone: nobody to tell
}

func refuse(w http.ResponseWriter, status, code int, message string) {
	w.Header().Set("Content-Type", "application/vnd.schemaregistry.v1+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error_code": code, "message": message})
}

func (r *registry) load() error {
	raw, err := os.ReadFile(r.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &r.state)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.file, err)
	}
	if r.state.Levels == nil {
		r.state.Levels = map[string]sr.CompatibilityLevel{}
	}
	return r.seed()
}

// seed gives srfake what the file remembers; it panics at what it cannot take.
func (r *registry) seed() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v", r.file, p)
		}
	}()
	for _, s := range r.state.Schemas {
		r.fake.SeedSchema(s.Subject, s.Version, s.ID, sr.Schema{Schema: s.Schema})
	}
	for subject, level := range r.state.Levels {
		if err := r.fake.SetCompat(subject, level); err != nil {
			return err
		}
	}
	return nil
}

func (r *registry) save() error {
	if r.file == "" {
		return nil
	}
	return writeJSON(r.file, r.state)
}

// writeJSON replaces a file whole or not at all.
func writeJSON(file string, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".tmp", raw, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}
