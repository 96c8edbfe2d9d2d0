package app

import (
	"context"
	"fmt"
	"os"

	bridge "github.com/bridgegen/bridgegen/runtime"
	"github.com/bridgegen/bridgegen/runtime/embedded"
	"github.com/bridgegen/bridgegen/runtime/sink"
	"github.com/bridgegen/bridgegen/runtime/speed"
	"github.com/bridgegen/bridgegen/runtime/stream"
	"github.com/spf13/cobra"
)

func devCommand(a *program) *cobra.Command {
	var listen string
	var o embedded.Options
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Run broker, registry, Redis, sink and speed processor in this process, for trying out",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.dev(cmd.Context(), o, listen)
		},
	}
	listenFlag(cmd, &listen, "127.0.0.1:9400")
	cmd.Flags().StringVar(&o.DataDir, "data", "", "`folder` that keeps the broker's records over a restart (default: nothing is kept)")
	return cmd
}

// dev prints the endpoints as a shell would read them, so that other commands find them.
func (a *program) dev(ctx context.Context, o embedded.Options, listen string) error {
	for _, t := range a.project.Tables {
		o.Topics = append(o.Topics, t.Info().Topic)
	}
	cluster, err := embedded.Start(ctx, o)
	if err != nil {
		return err
	}
	defer cluster.Close()
	a.endpoints.brokers, a.endpoints.registry, a.endpoints.redis = cluster.Brokers, cluster.Registry, cluster.Redis
	if a.endpoints.lake == "" {
		if a.endpoints.lake, err = os.MkdirTemp("", "bridge-lake-"); err != nil {
			return err
		}
	}
	fmt.Fprintf(a.out, "export BRIDGE_LAKE=%s\nexport BRIDGE_BROKERS=%s\nexport BRIDGE_REGISTRY=%s\nexport BRIDGE_REDIS=%s\n",
		a.endpoints.lake, cluster.Brokers[0], cluster.Registry, cluster.Redis)
	registry, err := stream.RegistryClient(cluster.Registry)
	if err != nil {
		return err
	}
	var all []*running
	for _, t := range a.project.Tables {
		if _, err := stream.Register(ctx, registry, t.Info()); err != nil {
			return fmt.Errorf("table %q: %w", t.Info().Table, err)
		}
		both, err := a.devRoads(ctx, t)
		if err != nil {
			return fmt.Errorf("table %q: %w", t.Info().Table, err)
		}
		all = append(all, both...)
	}
	return a.supervise(ctx, all, listen)
}

func (a *program) devRoads(ctx context.Context, t bridge.Any) ([]*running, error) {
	land, err := a.newSink(ctx, t, sink.Options{})
	if err != nil {
		return nil, err
	}
	state, err := a.newSpeed(ctx, t, speed.Options{})
	if err != nil {
		return nil, err
	}
	return []*running{land, state}, nil
}
