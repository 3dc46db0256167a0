// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cli holds the commands of kubectl memtrust: people see what agents remember and what waits, and decide, through the API server
// (group memory.memorytrust.dev). Whatever others wrote is escaped before a terminal gets it.
package cli
