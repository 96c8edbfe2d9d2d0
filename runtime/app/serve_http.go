package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// process is a road that runs until it is stopped.
type process interface {
	Run(context.Context) error
	// Ready is nil while the process takes records, else why it does not.
	Ready() error
}

// status serves /metrics and /healthz of the processes until stop.
func status(ctx context.Context, address string, ready func() error, metrics prometheus.Collector) (addr string, stop func(), err error) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), metrics)
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		if err := ready(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("--listen %s: %w", address, err)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // ends by Shutdown
	}()
	return listener.Addr().String(), func() {
		shutdown, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		_ = server.Shutdown(shutdown)
		<-done
	}, nil
}

// joinReady is the readiness of several processes at once.
func joinReady(processes []*running) func() error {
	return func() error {
		var all []error
		for _, p := range processes {
			all = append(all, p.Ready())
		}
		return errors.Join(all...)
	}
}
