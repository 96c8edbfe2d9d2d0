package batch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	"github.com/bridgegen/bridgegen/runtime/lake"
)

// The child of the kill test is this binary with the lake's folder and the round in its
// environment.
const (
	killFolder = "BRIDGE_KILL_FOLDER"
	killRound  = "BRIDGE_KILL_ROUND"
	killRows   = 30000
	killAnew   = 50 // rounds until another lake: a load can be replaced 63 times
)

func TestMain(m *testing.M) {
	if os.Getenv(killFolder) == "" {
		os.Exit(m.Run())
	}
	round, err := strconv.Atoi(os.Getenv(killRound))
	if os.Getenv(killRemoval) != "" {
		err = killedRemoval(os.Getenv(killFolder))
	} else if err == nil {
		err = killedLoad(os.Getenv(killFolder), round)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var killStatuses = []customers.Status{customers.StatusActive, customers.StatusBanned, customers.StatusSuspended}

// killedLoad replaces the load by that of a round: the same keys with another status.
func killedLoad(folder string, round int) error {
	store, err := lake.OpenStore(context.Background(), folder, lake.StoreOptions{})
	if err != nil {
		return err
	}
	in := dump(1, killRows, string(killStatuses[round%len(killStatuses)]))
	_, err = Load(context.Background(), customers.Any, []Input{in}, Options{
		Store: store, Time: loadTime, Now: clock, Replace: round%killAnew > 0, PartBytes: 1, RowGroupRows: batchRows,
	})
	return err
}

// child starts a load in a process of its own.
func child(t *testing.T, folder string, round int) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), killFolder+"="+folder, fmt.Sprintf("%s=%d", killRound, round))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// visible is the newest row of every key that a reader sees, and how often a key stands
// there. What was replaced while it was read is read again: an object was gone, or a
// second listing differs (no store lists all names at one instant).
func visible(store lake.Store) (newest map[int64]customers.Customer, times map[int64]int, err error) {
	for {
		before, err := objectKeys(store)
		if err != nil {
			return nil, nil, err
		}
		newest, times = map[int64]customers.Customer{}, map[int64]int{}
		err = look(store, before, newest, times)
		if err != nil && !errors.Is(err, lake.ErrNotFound) {
			return nil, nil, err
		}
		after, listErr := objectKeys(store)
		if listErr != nil {
			return nil, nil, listErr
		}
		if err == nil && slices.Equal(before, after) {
			return newest, times, nil
		}
	}
}

func objectKeys(store lake.Store) (keys []string, err error) {
	for object, err := range store.List(context.Background(), customers.Table.Schema.Prefix()+"/year=") {
		if err != nil {
			return nil, err
		}
		keys = append(keys, object.Key)
	}
	return keys, nil
}

func look(store lake.Store, keys []string, newest map[int64]customers.Customer, times map[int64]int) error {
	for _, key := range keys {
		rows, err := readObject(customers.Table, store, key)
		if err != nil {
			return err
		}
		for _, r := range rows {
			times[r.ID]++
			if old, ok := newest[r.ID]; !ok || customers.Compare(&r, &old) > 0 {
				newest[r.ID] = r
			}
		}
	}
	return nil
}

// watch looks at the lake until stop and reports whether a key ever went.
func watch(store lake.Store, want int, stop <-chan struct{}) error {
	for {
		newest, _, err := visible(store)
		if err != nil {
			return err
		}
		if len(newest) < want {
			return fmt.Errorf("%d keys are visible, %d were", len(newest), want)
		}
		select {
		case <-stop:
			return nil
		default:
		}
	}
}

// A load, and then its replacements, are killed at random points under a reader: a key
// that was visible stays visible, and the load run again loses and doubles nothing.
func TestKillLoad(t *testing.T) {
	rounds := 5
	if v := os.Getenv("BRIDGE_KILL_ROUNDS"); v != "" {
		var err error
		if rounds, err = strconv.Atoi(v); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	scratch := child(t, t.TempDir(), 0) // how long an undisturbed one takes
	if err := scratch.Wait(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(began)
	var folder string
	var store lake.Store
	for round := range rounds {
		want := killRows
		if round%killAnew == 0 {
			folder, want = t.TempDir(), 0
			var err error
			if store, err = lake.OpenStore(context.Background(), folder, lake.StoreOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		stop, seen := make(chan struct{}), make(chan error, 1)
		go func() { seen <- watch(store, want, stop) }()
		cmd := child(t, folder, round)
		killAfter(cmd, time.Duration(rand.Int64N(int64(whole)*3/2)))
		if err := killedLoad(folder, round); err != nil {
			t.Errorf("round %d, again: %v", round, err)
		}
		close(stop)
		if err := <-seen; err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		checkRound(t, store, round)
	}
}

// killAfter kills the process unless it ends before.
func killAfter(cmd *exec.Cmd, d time.Duration) {
	var kill sync.Once
	timer := time.AfterFunc(d, func() { kill.Do(func() { _ = cmd.Process.Kill() }) })
	_ = cmd.Wait() // killed, mostly
	timer.Stop()
}

func checkRound(t *testing.T, store lake.Store, round int) {
	t.Helper()
	newest, times, err := visible(store)
	if err != nil {
		t.Fatal(err)
	}
	if len(newest) != killRows {
		t.Fatalf("round %d: %d keys", round, len(newest))
	}
	for id, r := range newest {
		if times[id] != 1 || r.Status != killStatuses[round%len(killStatuses)] {
			t.Fatalf("round %d: key %d stands there %d times, with status %s", round, id, times[id], r.Status)
		}
	}
	entries, err := List(context.Background(), store, customers.Table.Schema, loadTime, loadTime)
	if err != nil || len(entries) != 1 || entries[0].State != Complete || entries[0].Rows != killRows {
		t.Fatalf("round %d: %+v, %v", round, entries, err)
	}
}
