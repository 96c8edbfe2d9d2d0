package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/lake"
	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

// dependency is something that a road needs, and how to ask whether it answers.
type dependency struct {
	name string // what and where; empty if the error says so
	ask  func(context.Context) error
}

// patience is how long a system may take to answer.
const patience = 5 * time.Second

// answers is nil if the system answers, else the error says which and why not.
func (s *dependency) answers(ctx context.Context) error {
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.ask(asking)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("no answer within %s (%w)", patience, err)
	}
	if s.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

func brokersAnswer(brokers []string) dependency {
	return dependency{"brokers " + strings.Join(brokers, ","), func(ctx context.Context) error {
		client, err := kgo.NewClient(kgo.SeedBrokers(brokers...))
		if err != nil {
			return err
		}
		defer client.Close()
		return client.Ping(ctx)
	}}
}

func redisAnswers(address string, client redis.UniversalClient) dependency {
	return dependency{"Redis " + address, func(ctx context.Context) error { return client.Ping(ctx).Err() }}
}

// lakeAnswers asks for the first object of a table, which one short listing tells.
func lakeAnswers(s *bridge.Schema, store lake.Store) dependency {
	return dependency{"", func(ctx context.Context) error {
		for _, err := range store.List(ctx, s.Prefix()+"/") {
			return err
		}
		return ctx.Err()
	}}
}

// health is what is known of the systems that a road needs.
type health struct {
	needs []dependency

	mu    sync.Mutex
	known bool
	err   error
}

// check asks all systems at once.
func (h *health) check(ctx context.Context) error {
	failures := make([]error, len(h.needs))
	var wg sync.WaitGroup
	for i := range h.needs {
		wg.Go(func() { failures[i] = h.needs[i].answers(ctx) })
	}
	wg.Wait()
	return errors.Join(failures...)
}

// down is why the road cannot work, as of the last check.
func (h *health) down() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.known {
		return errors.New("the systems it needs have not answered yet")
	}
	return h.err
}

// learn keeps what a check found, and reports whether up turned to down or back.
func (h *health) learn(err error) (turned bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	turned = !h.known || (err == nil) != (h.err == nil)
	h.known, h.err = true, err
	return turned
}

// The waits between checks.
const (
	whileUp   = 10 * time.Second
	whileDown = time.Second
)

// watch checks until ctx is done, and tells each turn.
func (h *health) watch(ctx context.Context, tell func(error)) {
	for {
		err := h.check(ctx)
		if ctx.Err() != nil {
			return
		}
		if h.learn(err) {
			tell(err)
		}
		wait := whileUp
		if err != nil {
			wait = whileDown
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}
