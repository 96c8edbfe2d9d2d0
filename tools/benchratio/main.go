// Command benchratio reads the output of go test -bench and prints, for every
// benchmark with a sub-benchmark "bridgegen" and others named after peers, rows per
// second of both and their ratio. It fails where a goal is missed: a path without a
// row in goals needs 1.5, and where allocs is set a row may cost no allocation.
// Benchmarks without a peer have limits of time.
package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// goals are the least ratios, and whether a row may allocate, by benchmark.
var goals = map[string]struct {
	ratio  float64
	allocs bool // true: none per row
}{
	"Write":      {3, true},
	"Read":       {3, false},
	"Dedup":      {3, true},
	"AvroEncode": {1.5, true},
	"AvroDecode": {1.5, true},
}

// limits are the longest times of one operation, by benchmark.
var limits = []struct {
	path  string
	limit time.Duration
}{
	{"ThousandTables/check", time.Second},
	{"ThousandTables/generate", time.Second},
	{"ThousandTables/check_full", 15 * time.Second},
}

const ours = "bridgegen"

// noAllocs is the most allocations per row that count as none: what a file, page or
// batch costs once, spread over its rows.
const noAllocs = 0.02

// result holds rows per second, allocations per row, and nanoseconds per operation.
type result struct{ rows, allocs, ns []float64 }

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "benchratio:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	results, err := read(in, out)
	if err != nil {
		return err
	}
	order := paired(results)
	fmt.Fprintf(out, "\n%-24s %14s  %-24s %14s %7s %6s  %s\n", "path", "rows/s", "peer", "rows/s", "ratio", "goal", "allocs/row")
	var missed []string
	for _, path := range order {
		missed = append(missed, report(out, path, results[path])...)
	}
	for path := range goals {
		if !slices.ContainsFunc(order, func(p string) bool { return strings.SplitN(p, "/", 2)[0] == path }) {
			missed = append(missed, path+": no result beside a peer")
		}
	}
	missed = append(missed, timed(out, results)...)
	slices.Sort(missed)
	if len(missed) > 0 {
		return fmt.Errorf("goals missed:\n  %s", strings.Join(missed, "\n  "))
	}
	return nil
}

var line = regexp.MustCompile(`^Benchmark([^/\s]+)/(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// read collects the results by path and contender, and passes everything on to out.
func read(in io.Reader, out io.Writer) (map[string]map[string]*result, error) {
	results := map[string]map[string]*result{}
	scan := bufio.NewScanner(in)
	for scan.Scan() {
		fmt.Fprintln(out, scan.Text())
		if strings.HasPrefix(scan.Text(), "FAIL") || strings.HasPrefix(scan.Text(), "--- FAIL") {
			return nil, fmt.Errorf("a benchmark failed")
		}
		m := line.FindStringSubmatch(scan.Text())
		if m == nil {
			continue
		}
		// A name may have further levels, as Read/own_file/bridgegen: the last is the contender.
		path, contender := m[1], m[2]
		if i := strings.LastIndexByte(contender, '/'); i >= 0 {
			path, contender = path+"/"+contender[:i], contender[i+1:]
		}
		if results[path] == nil {
			results[path] = map[string]*result{}
		}
		if results[path][contender] == nil {
			results[path][contender] = &result{}
		}
		results[path][contender].add(strings.Fields(m[3]))
	}
	return results, scan.Err()
}

// paired are the paths with a result of ours and one of a peer, sorted.
func paired(results map[string]map[string]*result) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(results)), func(p string) bool { return results[p][ours] == nil || len(results[p]) < 2 })
}

// timed prints the benchmarks that have a limit, and returns those beyond it.
func timed(out io.Writer, results map[string]map[string]*result) (missed []string) {
	fmt.Fprintf(out, "\n%-28s %10s %10s\n", "command", "time", "limit")
	for _, l := range limits {
		path, name, _ := strings.Cut(l.path, "/")
		r := results[path][name]
		if r == nil {
			missed = append(missed, l.path+": no result")
			continue
		}
		took := time.Duration(middle(r.ns)).Round(time.Millisecond)
		fmt.Fprintf(out, "%-28s %10s %10s\n", l.path, took, l.limit)
		if took > l.limit {
			missed = append(missed, fmt.Sprintf("%s: %s, limit %s", l.path, took, l.limit))
		}
	}
	return missed
}

func (r *result) add(fields []string) {
	metric := map[string]float64{}
	for i := 0; i+1 < len(fields); i += 2 {
		if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
			metric[fields[i+1]] = v
		}
	}
	rows, ns := metric["rows/s"], metric["ns/op"]
	r.ns = append(r.ns, ns)
	if rows == 0 || ns == 0 {
		return
	}
	r.rows = append(r.rows, rows)
	r.allocs = append(r.allocs, metric["allocs/op"]/(rows*ns/1e9))
}

func report(out io.Writer, path string, contenders map[string]*result) (missed []string) {
	us, usAllocs := contenders[ours].median()
	goal, known := goals[strings.SplitN(path, "/", 2)[0]]
	if !known {
		goal.ratio = 1.5
	}
	var peers []string
	for name := range contenders {
		if name != ours {
			peers = append(peers, name)
		}
	}
	slices.Sort(peers)
	for _, peer := range peers {
		them, _ := contenders[peer].median()
		ratio := us / them
		fmt.Fprintf(out, "%-24s %14.0f  %-24s %14.0f %6.1fx %5.1fx  %.4f\n", path, us, peer, them, ratio, goal.ratio, usAllocs)
		if !(ratio >= goal.ratio) || them == 0 {
			missed = append(missed, fmt.Sprintf("%s against %s: %.2fx, goal %.1fx", path, peer, ratio, goal.ratio))
		}
	}
	if goal.allocs && usAllocs > noAllocs {
		missed = append(missed, fmt.Sprintf("%s: %.3f allocations per row", path, usAllocs))
	}
	return missed
}

func (r *result) median() (rows, allocs float64) { return middle(r.rows), middle(r.allocs) }

// middle is the median; 0 of nothing.
func middle(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
