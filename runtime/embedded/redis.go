package embedded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// rememberedString is a Redis string in the file.
type rememberedString struct {
	Value   string    `json:"value"`
	Expires time.Time `json:"expires,omitzero"`
}

func startRedis(c *Cluster, o Options) error {
	server := miniredis.NewMiniRedis()
	file := ""
	if o.DataDir != "" {
		file = filepath.Join(o.DataDir, "redis.json")
		if err := loadRedis(server, file); err != nil {
			return fmt.Errorf("the embedded Redis: %w", err)
		}
	}
	if err := server.Start(); err != nil {
		return fmt.Errorf("the embedded Redis: %w", err)
	}
	c.Redis = server.Addr()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go expire(server, stop, stopped)
	c.stops = append(c.stops, func() error {
		close(stop)
		<-stopped
		defer server.Close()
		if file == "" {
			return nil
		}
		return saveRedis(server, file)
	})
	return nil
}

// expire moves the clock by which miniredis expires keys; it has none of its own.
func expire(server *miniredis.Miniredis, stop <-chan struct{}, stopped chan<- struct{}) {
	defer close(stopped)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			server.FastForward(now.Sub(last))
			last = now
		}
	}
}

func loadRedis(server *miniredis.Miniredis, file string) error {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var all map[string]rememberedString
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	now := time.Now()
	for key, s := range all {
		if !s.Expires.IsZero() && !s.Expires.After(now) {
			continue
		}
		if err := server.Set(key, s.Value); err != nil {
			return err
		}
		if !s.Expires.IsZero() {
			server.SetTTL(key, s.Expires.Sub(now))
		}
	}
	return nil
}

func saveRedis(server *miniredis.Miniredis, file string) error {
	now, all := time.Now(), map[string]rememberedString{}
	for _, key := range server.Keys() {
		if server.Type(key) != "string" {
			continue
		}
		value, err := server.Get(key)
		if err != nil {
			return err
		}
		s := rememberedString{Value: value}
		if ttl := server.TTL(key); ttl > 0 {
			s.Expires = now.Add(ttl)
		}
		all[key] = s
	}
	return writeJSON(file, all)
}
