package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/bridgegen/bridgegen/generated/customers"
	bridge "github.com/bridgegen/bridgegen/runtime"
)

// The shop's data, made from a seed: a nightly dump, and the changes of the day after it.

const (
	nightly    = 10_000 // valid rows of the dump
	brokenRows = 5      // rows of the dump that no spec can accept
	changes    = 2_000
)

// change is one event of the day.
type change struct {
	kind string // update, new, delete, repeat, older, invalid
	row  customers.Customer
}

// shop makes the data and keeps the truth beside it: what every customer must be once
// both roads have landed.
type shop struct {
	rnd   *rand.Rand
	dump  time.Time                    // when the nightly dump was taken
	truth map[int64]customers.Customer // with Sys.Version and Sys.Deleted
	ids   []int64                      // in the order in which they came
}

func newShop(seed uint64, dump time.Time) *shop {
	return &shop{rnd: rand.New(rand.NewPCG(seed, 42)), dump: dump, truth: map[int64]customers.Customer{}}
}

var (
	names    = []string{"Ana", "Bogdan", "Chiara", "Dmitri", "Emeka", "Fatima", "Günther", "Hana", "Ines", "Jürgen", "Keiko", "Liam"}
	domains  = []string{"Example.com", "example.org", "EXAMPLE.net", "shop.example"}
	statuses = []customers.Status{customers.StatusActive, customers.StatusActive, customers.StatusActive, customers.StatusInactive, customers.StatusBanned, customers.StatusSuspended}
)

// email is spelled as people spell it: with capitals, and blanks around it.
func (s *shop) email(id int64) string {
	text := fmt.Sprintf("%s.%d@%s", names[s.rnd.IntN(len(names))], id, domains[s.rnd.IntN(len(domains))])
	switch s.rnd.IntN(4) {
	case 0:
		return " " + text + " "
	case 1:
		return strings.ToUpper(text)
	}
	return text
}

func (s *shop) customer(id int64, updated time.Time) customers.Customer {
	created := s.dump.Add(-time.Duration(30+s.rnd.IntN(1000)) * 24 * time.Hour)
	return customers.Customer{
		ID: id, Email: s.email(id), Status: statuses[s.rnd.IntN(len(statuses))],
		CreatedAt: bridge.TimestampOf(created), UpdatedAt: bridge.TimestampOf(updated),
	}
}

// writeDump writes the nightly CSV: its valid rows, and a few that are broken.
func (s *shop) writeDump(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "id,email,status,created_at,updated_at")
	broken := map[int64]string{
		1_200: "20001,Ana.20001@example.com,vip,2024-01-01T00:00:00Z,2024-01-01T00:00:00Z",
		3_400: "20002,Ana.20002@example.com,active,2024-13-01,2024-01-01T00:00:00Z",
		5_600: "twenty,Ana.20003@example.com,active,2024-01-01T00:00:00Z,2024-01-01T00:00:00Z",
		7_800: "20004,Ana.20004@example.com,active,2024-01-01T00:00:00Z,2099-01-01T00:00:00Z",
		9_900: "20005,,active,2024-01-01T00:00:00Z,2024-01-01T00:00:00Z",
	}
	for id := int64(1); id <= nightly; id++ {
		c := s.customer(id, s.dump.Add(-time.Duration(1+s.rnd.IntN(90*24*60))*time.Minute))
		fmt.Fprintf(out, "%d,%s,%s,%s,%s\n", c.ID, quoted(c.Email), c.Status, c.CreatedAt, c.UpdatedAt)
		s.learn(c)
		if line, ok := broken[id]; ok {
			fmt.Fprintln(out, line)
		}
	}
	return out.Flush()
}

func quoted(s string) string {
	if strings.ContainsAny(s, " ,\"\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// learn is the reference that the bridge is checked against: the newer version wins,
// and one customer in one version is always the same event here.
func (s *shop) learn(c customers.Customer) {
	if !c.Sys.Version.OK {
		c.Sys.Version = bridge.Some(int64(c.UpdatedAt))
	}
	old, known := s.truth[c.ID]
	if !known {
		s.ids = append(s.ids, c.ID)
	}
	if known && old.Sys.Version.V >= c.Sys.Version.V {
		return
	}
	c.Email = strings.ToLower(strings.TrimSpace(c.Email))
	c.IsActive = c.Status == customers.StatusActive
	s.truth[c.ID] = c
}

// day makes the changes after the dump, in the order in which the shop sends them.
func (s *shop) day(from, to time.Time) []change {
	kinds := map[string]int{"update": 1200, "new": 300, "delete": 200, "repeat": 150, "older": 100, "invalid": 50}
	var order []string
	for _, kind := range []string{"update", "new", "delete", "repeat", "older", "invalid"} {
		for range kinds[kind] {
			order = append(order, kind)
		}
	}
	s.rnd.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	step := to.Sub(from) / time.Duration(len(order)+1)
	next, out := int64(nightly), make([]change, 0, len(order))
	for i, kind := range order {
		at := from.Add(step * time.Duration(i+1))
		if kind == "new" {
			next++
		}
		out = append(out, s.change(kind, next, at, out))
	}
	return out
}

// change makes one event at the instant at; next is the id of a new customer.
func (s *shop) change(kind string, next int64, at time.Time, sent []change) change {
	switch kind {
	case "new":
		c := s.customer(next, at)
		s.learn(c)
		return change{kind, c}
	case "delete":
		id := s.living()
		last := s.truth[id].Sys
		s.truth[id] = customers.Customer{ID: id, Sys: bridge.System{Deleted: true, Version: last.Version}}
		return change{kind, customers.Customer{ID: id, Sys: last}}
	case "repeat": // a retry of something already sent
		for range 100 {
			if len(sent) == 0 {
				break
			}
			if old := sent[s.rnd.IntN(len(sent))]; old.kind == "update" || old.kind == "new" {
				return change{kind, old.row}
			}
		}
	case "older": // an event that took the long way
		return change{kind, s.customer(s.ids[s.rnd.IntN(nightly)], s.dump.Add(-200*24*time.Hour))}
	case "invalid":
		c := s.customer(s.living(), at)
		c.Status = "vip"
		return change{kind, c}
	}
	c := s.customer(s.living(), at)
	c.CreatedAt = s.truth[c.ID].CreatedAt
	s.learn(c)
	return change{"update", c}
}

// living picks a customer that has not been deleted.
func (s *shop) living() int64 {
	for {
		id := s.ids[s.rnd.IntN(len(s.ids))]
		if !s.truth[id].Sys.Deleted {
			return id
		}
	}
}
