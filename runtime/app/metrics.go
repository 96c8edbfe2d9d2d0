package app

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/prometheus/client_golang/prometheus"
)

// collector reads the roads' counters when it is asked. A road's Stats is a plain
// struct; every whole number of it is a counter named after its field (or a gauge, if
// gauges knows it), so a new one needs no line here.
type collector struct{ all []*running }

func newCollector(all []*running) *collector { return &collector{all} }

// Describe sends nothing: the set of metrics follows from the Stats (an unchecked collector).
func (c *collector) Describe(chan<- *prometheus.Desc) {}

// Collect sends the counters of all roads, and bridge_ready.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	for _, r := range c.all {
		labels := prometheus.Labels{"table": r.table}
		for _, f := range counters(r.stats()) {
			out <- metric(r.road, f, labels)
		}
		ready := 0.0
		if r.Ready() == nil {
			ready = 1
		}
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc("bridge_ready", "1 while the process takes records.", nil,
			prometheus.Labels{"table": r.table, "road": r.road}), prometheus.GaugeValue, ready)
	}
}

// gauges are the fields of a Stats that go down again, with what they say.
var gauges = map[string]string{"lag": "Records that are not taken yet, now."}

func metric(road string, f counted, labels prometheus.Labels) prometheus.Metric {
	name, help := "bridge_"+road+"_"+f.name, gauges[f.name]
	if help != "" {
		return prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, labels), prometheus.GaugeValue, float64(f.value))
	}
	help = "Since the process began: " + strings.ReplaceAll(f.name, "_", " ") + "."
	return prometheus.MustNewConstMetric(prometheus.NewDesc(name+"_total", help, nil, labels), prometheus.CounterValue, float64(f.value))
}

type counted struct {
	name  string
	value int64
}

// counters are the whole-number fields of a Stats, in its order.
func counters(stats any) []counted {
	v := reflect.ValueOf(stats)
	var out []counted
	for i := range v.NumField() {
		if f := v.Field(i); f.CanInt() && v.Type().Field(i).Type.Kind() == reflect.Int64 && v.Type().Field(i).Type.PkgPath() == "" {
			out = append(out, counted{snake(v.Type().Field(i).Name), f.Int()})
		}
	}
	return out
}

func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// summary is the counters in a line.
func summary(stats any) string {
	var parts []string
	for _, c := range counters(stats) {
		parts = append(parts, fmt.Sprintf("%s %s", grouped(c.value), strings.ReplaceAll(c.name, "_", " ")))
	}
	return strings.Join(parts, ", ")
}
