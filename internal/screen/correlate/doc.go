// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package correlate finds plans that are spread over several texts, none of which is a directive by itself.
//
// A text carries a part of a plan where it says what could be done (capability: pay, send, delete, log in, ...) or that nobody
// needs to be asked about it (autonomy: pre-approved, no confirmation needed, usually fine, ...). Such a text is a fragment.
// Fragments of at least two roots that name the same thing, or are about the same kind of action, and that together cover both
// axes, are a cluster: what one of them leaves open, the other one fills in. Who planted them, and when, plays no part.
//
// Read finds signals and entities in a text, Judge decides about fragments that share an entity, and JudgeTopics about those
// that one answer delivers together. The package keeps nothing: what it returns of a text are bits and hashes.
package correlate
