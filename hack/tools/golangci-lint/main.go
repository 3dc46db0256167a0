// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command golangci-lint is golangci-lint with the two Kubernetes linters it does not carry itself: kubeapilinter, which
// checks API types against the Kubernetes API conventions, and logcheck, which checks structured log calls.
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"
	_ "sigs.k8s.io/kube-api-linter"
	_ "sigs.k8s.io/logtools/logcheck/gclplugin"
)

func main() {
	if err := commands.Execute(buildInfo()); err != nil {
		fmt.Fprintln(os.Stderr, "golangci-lint:", err)
		os.Exit(exitcodes.Failure)
	}
}

// buildInfo reports the version of the golangci-lint module that is linked in.
func buildInfo() commands.BuildInfo {
	info := commands.BuildInfo{Version: "unknown", Commit: "none", Date: "unknown"}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	info.GoVersion = build.GoVersion
	for _, module := range build.Deps {
		if module.Path == "github.com/golangci/golangci-lint/v2" {
			info.Version = module.Version
		}
	}
	return info
}
