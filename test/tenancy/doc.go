// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tenancy tries to get at the memory of other agents and other namespaces, over every way in, against the real things: a
// kube-apiserver, the memory API, the memory admission webhook, and screeners as processes, one on SQLite and two on one PostgreSQL
// database. Every attempt is made twice, about what is there and about what is not, and has to end the same way: refused, nothing
// changed, and the answers equal but for the names that were asked for.
package tenancy
