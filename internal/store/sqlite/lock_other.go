// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package sqlite

import "os"

// There are no such locks here: what sessions met goes to the store at once.
func lock(*os.File) error   { return errNoLocks }
func visit(*os.File) error  { return errNoLocks }
func visited(*os.File) bool { return true }
