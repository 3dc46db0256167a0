// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package version holds the release this binary was built from.
package version

// Version is set at link time (-X); "dev" means a build outside the Makefile.
var Version = "dev"
