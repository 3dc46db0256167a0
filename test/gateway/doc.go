// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gateway tests the screener as a gateway, with real processes on either side: MCP servers that people run, agents written
// with the official clients, and the scenarios in which an agent is talked into something.
package gateway
