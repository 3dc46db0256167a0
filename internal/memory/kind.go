// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import "strings"

// ReservedKinds begins the kinds that only the system gives. Their records are signed, versioned and reviewed like memories and
// are none: what a person is asked about, and what is known of texts and tools that others keep.
const ReservedKinds = "memorytrust.dev/"

// Reserved reports whether a kind is one that only the system gives.
func Reserved(kind string) bool { return strings.HasPrefix(strings.ToLower(kind), ReservedKinds) }

// Searchable reports whether Store.Search may find r: it is live, and a memory. However many records of reserved kinds there are,
// they push no memory out of an answer.
func (r Record) Searchable() bool { return r.Live() && !Reserved(r.Kind) }
