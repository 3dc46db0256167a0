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
// # Views
//
// Matching never looks at the text itself but at readings of it, named in
// Verdict.View:
//
//   - plain: NFKC, invisible characters gone, what is hidden in tag characters and
//     variation selectors made visible;
//   - folded: look-alike letters (Unicode's confusables and a list of our own), leet
//     digits, spelled-out and run-together words written out, where that makes words;
//   - decoded: base64, hexadecimal, escapes of programming languages, URLs, HTML
//     references, quoted-printable, ROT13, reversed text, acrostics, up to three inside
//     each other and 64 KiB for a text. Decoded bytes must be readable: images, hashes and
//     keys give no view. A text that needs more than the budget abstains.
//
// # Tiers
//
// Each view is cut into sentences of word tokens, and two tiers look at every
// sentence, so that padding dilutes nothing:
//
//   - The lexicons. Every verb gets a grammatical mood: only a verb that addresses the
//     reader (an imperative, "you must", "I prefer that you") can carry an order; reports,
//     habits and questions cannot. The rules, sequences of word classes with bounded gaps,
//     are matched, and the weights of their families combined. A rule is tried only where
//     a word for each of its elements occurs, and what is quoted to be spoken of is looked
//     over. lexicon/README.md describes the files.
//   - The intent model (package intent), for any language. It also says how much of the
//     writing it knows; an untrusted text that is not a directive and has a sentence of
//     unknown writing abstains.
//
// The file decide.go weighs the tiers against each other. The thresholds are policy.
//
// # Bounds
//
// All steps are linear in the length of the text. Long sentences are matched in blocks
// and judged in windows, rules run as automata over sets of places, what decoders and
// folding write is bounded, and reading stops where enough was found. Clean texts
// allocate nothing unless normalization has to rewrite them.
package screen
