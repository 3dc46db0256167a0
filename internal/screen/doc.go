// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package screen decides whether a text tries to install standing behavior in
// an agent: a command, an override, a claim of authority, a rule, or an
// endorsement that later sessions would obey. Such a text is a directive; a
// plain fact, a habit or a question is not.
//
// The package is pure. It reads no files, opens no connections and knows
// nothing of origins beyond what Input carries, so the same text always gets
// the same Verdict. Whether a directive is withheld is decided elsewhere, from
// the verdict and the origin together.
//
// Screening takes four steps:
//
//  1. Normalize derives views of the text: one with the invisible characters
//     gone, and, where evasion is suspected, one with look-alike letters, leet
//     digits and spelled-out words folded back.
//  2. Each view is cut into sentences of word tokens.
//  3. Every verb of a sentence gets a grammatical mood: only a verb that
//     addresses the reader (an imperative, "you must", "I prefer that you")
//     can carry an order. Reports, habits and questions cannot.
//  4. The rules of the lexicon, sequences of word classes with bounded gaps,
//     are matched against the tokens, and the weights of the families they
//     belong to are combined per sentence.
//
// All steps are linear in the length of the text.
package screen
