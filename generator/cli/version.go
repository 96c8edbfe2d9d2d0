package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"
)

const modulePathOfBridgegen = "github.com/bridgegen/bridgegen"

// unversioned is what Go calls a build from a working copy.
const unversioned = "(devel)"

func versionCommand(s *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  cobra.NoArgs,
		Run:   func(*cobra.Command, []string) { fmt.Fprintln(s.out, "bridgegen", buildVersion()) },
	}
}

// buildVersion is the module's version, as a main module or as a dependency of one that
// runs bridgegen as its tool.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unversioned
	}
	if info.Main.Path == modulePathOfBridgegen && info.Main.Version != "" {
		return info.Main.Version
	}
	for _, dep := range info.Deps {
		if dep.Path == modulePathOfBridgegen && dep.Replace == nil && dep.Version != "" {
			return dep.Version
		}
	}
	return unversioned
}

// release is what the commands take for their version.
var release = releaseVersion

// releaseVersion is the version that identifies what this build generates; empty for one
// from a working copy or of a commit, which no registry need have.
func releaseVersion() string {
	v := buildVersion()
	if v == unversioned || module.IsPseudoVersion(v) || strings.HasSuffix(v, "+dirty") {
		return ""
	}
	return v
}
