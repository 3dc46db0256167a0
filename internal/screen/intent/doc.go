// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package intent judges, in any language, whether one sentence installs standing
// behavior in whoever reads it: an order, a prohibition, a standing rule, a
// bypass, a claim of authority or an endorsement. Reports, questions, habits,
// told past, mentions and ordinary one-off requests do not.
//
// The judge is a linear model over hashed character n-grams and words, small
// enough to be embedded: weights of half a byte beside a check byte of the feature, and
// a bit set of the character n-grams that occur in the training data, by which a caller
// knows whether the model can judge the sentence at all. Features are read by Reader, in one pass,
// by both Score and the trainer in package train, so that the two cannot differ.
//
// The package is pure: it reads no files, and the same sentence always gets the
// same Score, on every platform. docs/intent-model.md says how the model is made
// and what it reaches on languages and families it was not trained on.
package intent
