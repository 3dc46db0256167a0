// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package judge asks a language model about texts of untrusted origin in which nothing else of the screen found a directive.
//
// Its answers can only add suspicion. Whoever uses it treats a text that the model calls a directive like one that the screen
// found, and a text that was not judged, for whatever reason, like one that a person has to look at; a text that the model
// finds harmless is what it was without being asked.
//
// The texts may have been written for the model to read. They are handed to it as JSON strings between lines that carry a random
// number, it can answer by a schema only, and an answer that does not match the texts one by one counts for nothing.
package judge
