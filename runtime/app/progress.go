package app

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bridgegen/bridgegen/runtime/batch"
	"golang.org/x/term"
)

// progress is one line on a terminal that says how far a load is, and nothing elsewhere.
type progress struct {
	w     io.Writer // nil: nobody looks
	label string
	shown bool
}

type descriptor interface{ Fd() uintptr }

func (a *program) progress(label string) *progress {
	out, ok := a.err.(descriptor)
	if a.quiet || !ok || !term.IsTerminal(int(out.Fd())) {
		return &progress{}
	}
	return &progress{w: a.err, label: label}
}

const eraseLine = "\r\x1b[K"

func (p *progress) show(now batch.Progress) {
	if p.w != nil {
		p.shown = true
		fmt.Fprint(p.w, eraseLine+progressLine(p.label, now))
	}
}

// done takes the line away.
func (p *progress) done() {
	if p.shown {
		fmt.Fprint(p.w, eraseLine)
	}
}

// barWidth is the inside of the bar, in characters.
const barWidth = 16

// progressLine is what a person wants to know of a load under way: how much, how fast,
// how long, and what was rejected.
func progressLine(label string, now batch.Progress) string {
	var parts []string
	if now.Total > 0 {
		share := min(float64(now.Read)/float64(now.Total), 1)
		bar := strings.Repeat("=", int(share*barWidth))
		if len(bar) < barWidth {
			bar += ">"
		}
		parts = append(parts, fmt.Sprintf("[%-*s] %3.0f%%", barWidth, bar, share*100))
	} else {
		parts = append(parts, size(now.Read)+" read")
	}
	switch now.Stage {
	case "checking":
		parts = append(parts, "comparing the input with what is there")
	case "writing":
		parts = append(parts, fmt.Sprintf("%s written", count(int64(now.Objects), "object")))
	default:
		parts = append(parts, short(now.Rows)+" rows")
		if seconds := now.Elapsed.Seconds(); seconds > 0 {
			parts = append(parts, short(int64(float64(now.Rows)/seconds))+" rows/s")
		}
		if left := remaining(now); left > 0 {
			parts = append(parts, fmt.Sprintf("about %s left", age(left)))
		}
	}
	if now.Rejected > 0 {
		parts = append(parts, grouped(now.Rejected)+" rejected")
	}
	return label + "  " + strings.Join(parts, "  ")
}

// remaining is the time left if the rest goes as what was read; 0: unknown.
func remaining(now batch.Progress) time.Duration {
	if now.Total <= 0 || now.Read <= 0 || now.Elapsed < time.Second {
		return 0
	}
	left := float64(now.Elapsed) * float64(now.Total-now.Read) / float64(now.Read)
	return time.Duration(left).Round(time.Second)
}

// short writes a count as 6.1 M.
func short(n int64) string {
	switch {
	case n >= 1_000_000_000:
		return fmt.Sprintf("%.1f G", float64(n)/1e9)
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f M", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.1f k", float64(n)/1e3)
	}
	return grouped(n)
}

// count is 1 object or 2 objects.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}
