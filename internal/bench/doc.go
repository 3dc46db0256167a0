// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package bench measures how well memory is defended: MemPoisonBench. It reads catalogs of attacks and of harmless memories,
// puts them before a harness, and reports what came of it.
//
// There are two kinds of figures, which never share a column. Content-only figures say what a harness makes of a text, nothing
// else known. End-to-end figures come from the real gate over a store of its own with a key made for the run: a memory is
// written as its source would write it, and recalled later; what counts is whether it reaches the agent, or whether an action
// goes through. "Off" is the same gate with enforcement DryRun, which computes everything and withholds nothing.
package bench
