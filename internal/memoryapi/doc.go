// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package memoryapi serves the group memory.memorytrust.dev: what people see of agents' memories through the API server, and decide about
// it. It keeps nothing. Every answer comes from the admin port of a screener of the agent, over mutual TLS and for the person that the API
// server authenticated and authorized; the screener signs every decision and logs it under that person's name.
//
// Whoever may not see memories of a namespace is refused before anything is looked up, and a memory of another namespace is not found, so
// that nothing tells what exists.
package memoryapi
