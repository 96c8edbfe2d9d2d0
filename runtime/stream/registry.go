package stream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/hamba/avro/v2"
	"github.com/twmb/franz-go/pkg/sr"
)

// RegistryClient is a client of the schema registry at url; several URLs of one
// registry are separated by commas. opts add authentication or TLS.
func RegistryClient(url string, opts ...sr.ClientOpt) (*sr.Client, error) {
	if url == "" {
		return nil, errors.New("no schema registry: name its URL, such as http://schema-registry:8081")
	}
	all := append([]sr.ClientOpt{sr.URLs(strings.Split(url, ",")...)}, opts...)
	client, err := sr.NewClient(all...)
	if err != nil {
		return nil, fmt.Errorf("schema registry %q: %w", url, err)
	}
	return client, nil
}

// Register sets the compatibility level of the table's subject, registers its value
// schema and returns the schema's id. There is no subject for keys. A schema that is
// registered already keeps its id.
func Register(ctx context.Context, client *sr.Client, s *bridge.Schema) (id int, err error) {
	subject := s.Subject()
	if s.Compatibility != "" {
		var level sr.CompatibilityLevel
		if err := level.UnmarshalText([]byte(s.Compatibility)); err != nil {
			return 0, fmt.Errorf("compatibility %q of subject %q is no level of the registry: %w", s.Compatibility, subject, err)
		}
		for _, r := range client.SetCompatibility(ctx, sr.SetCompatibility{Level: level}, subject) {
			if r.Err != nil {
				return 0, fmt.Errorf("setting compatibility %s of subject %q: %w", s.Compatibility, subject, r.Err)
			}
		}
	}
	id, err = client.RegisterSchema(ctx, subject, sr.Schema{Schema: s.Avro}, -1, -1)
	if status(err) == http.StatusConflict {
		return 0, incompatible(ctx, client, s)
	}
	if err != nil {
		return 0, fmt.Errorf("registering the schema of table %q under %q: %w", s.Table, subject, err)
	}
	return id, readBack(ctx, client, s, id)
}

// readBack makes sure that the id stands for our layout: a registry may answer with an
// earlier schema that it takes for the same.
func readBack(ctx context.Context, client *sr.Client, s *bridge.Schema, id int) error {
	schema, err := client.SchemaByID(ctx, id)
	if err != nil {
		return fmt.Errorf("reading back schema %d of %q: %w", id, s.Subject(), err)
	}
	own, err := newReader(s)
	if err != nil {
		return err
	}
	p, err := own.plan(id, schema.Schema)
	if err != nil {
		return err
	}
	if !p.own {
		return fmt.Errorf("the registry gave id %d for the schema of %q, but under that id it holds another layout", id, s.Subject())
	}
	return nil
}

// incompatible explains a refusal; registries may say nothing but 409.
func incompatible(ctx context.Context, client *sr.Client, s *bridge.Schema) error {
	reason := "the registry gave no reason"
	if latest, err := client.SchemaByVersion(ctx, s.Subject(), -1); err == nil {
		if why := difference(s.Avro, latest.Schema.Schema, s.Compatibility); why != nil {
			reason = fmt.Sprintf("compared with version %d: %v", latest.Version, why)
		}
	}
	return fmt.Errorf("the schema of table %q is not %s compatible with what is registered under %q: %s; "+
		"make the change compatible (new columns optional or with a default), or move to a new topic", s.Table, s.Compatibility, s.Subject(), reason)
}

func difference(next, before, level string) error {
	n, err := parse(next)
	if err != nil {
		return err
	}
	b, err := parse(before)
	if err != nil {
		return err
	}
	rules := avro.NewSchemaCompatibility()
	if strings.HasPrefix(level, "FORWARD") {
		return rules.Compatible(b, n)
	}
	if err := rules.Compatible(n, b); err != nil || strings.HasPrefix(level, "BACKWARD") {
		return err
	}
	return rules.Compatible(b, n)
}

// lookup finds the id of the table's schema under its subject.
func lookup(ctx context.Context, client *sr.Client, s *bridge.Schema) (int, error) {
	found, err := client.LookupSchema(ctx, s.Subject(), sr.Schema{Schema: s.Avro})
	if said(err, sr.ErrSubjectNotFound, sr.ErrVersionNotFound, sr.ErrSchemaNotFound) {
		return 0, &NotRegistered{Table: s.Table, Subject: s.Subject()}
	}
	if err != nil {
		return 0, fmt.Errorf("looking up the schema of table %q under %q: %w", s.Table, s.Subject(), err)
	}
	return found.ID, nil
}

// said tells whether a refusal carries one of the registry's own codes. Its HTTP status
// says less: a proxy, or a wrong path, answers 404 as well.
func said(err error, codes ...*sr.Error) bool {
	var refused *sr.ResponseError
	return errors.As(err, &refused) && slices.ContainsFunc(codes, func(c *sr.Error) bool { return c.Code == refused.ErrorCode })
}

// status is the HTTP status of a registry's refusal; 0 if it did not answer.
func status(err error) int {
	var refused *sr.ResponseError
	if errors.As(err, &refused) {
		return refused.StatusCode
	}
	return 0
}

// parse reads a schema by itself, for the library's own cache would mix up equal names.
// It panics on some malformed schemas, which is an error here.
func parse(text string) (schema avro.Schema, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("malformed Avro schema: %v", p)
		}
	}()
	return avro.ParseBytesWithCache([]byte(text), "", &avro.SchemaCache{})
}
