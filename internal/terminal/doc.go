// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package terminal is what programs for people share in front of a terminal: text of others is shown as what it is and cannot act on
// the terminal, columns line up in every script, colors only where somebody sees them, and the codes programs end with.
package terminal
