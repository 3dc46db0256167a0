// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package overlap tells whether one text was made from another, without keeping the other: it compares features, hashes of
// what a text says and of what it names. It is not about meaning. A text that says the same in other words and names nothing
// by the same name has no features in common with it.
package overlap

import (
	"slices"

	"memorytrust.dev/operator/internal/memory"
)

// A feature says in its two highest bits what it is a hash of. Stores keep features, so that neither those bits nor what is
// hashed may change without computing them anew.
const (
	kindShift = 62

	kindShingle uint64 = iota - 1 // three words in a row, or as much of a text without spaces
	kindWeak                      // a domain, or two of: a name of several words, a short number, a domain; one near the other
	kindStrong                    // an account, address of a page, e-mail address, long number, code
)

func feature(kind, hash uint64) uint64 { return kind<<kindShift | mix(hash)>>2 }

func kindOf(feature uint64) uint64 { return feature >> kindShift }

// Shares of the features of one text that are kept for what it names, strong ones first; the rest is for what it says.
const (
	maxStrong = memory.MaxFeatures / 4
	maxWeak   = memory.MaxFeatures / 8
)

// Of returns the features of a text, sorted: about one for every two or three words up to 600 words, and at most
// memory.MaxFeatures however long the text is. The texts of two scripts, cases, widths or accents of the same letters have the
// same features. It takes time linear in the length of the text.
func Of(text string) []uint64 {
	text = prepare(text)
	units := cut(text)
	named := identify(text, units)
	strong, weak := lowest(named.strong, maxStrong), lowest(named.weak, maxWeak)
	out := slices.Concat(strong, weak, winnow(shingles(units), memory.MaxFeatures-len(strong)-len(weak)))
	slices.Sort(out)
	return slices.Compact(out)
}

// lowest returns the n lowest of the features, each once: a fair sample, and the same one for every text that has them.
func lowest(features []uint64, n int) []uint64 {
	slices.Sort(features)
	features = slices.Compact(features)
	return features[:min(len(features), n)]
}

// Identifiers are those features of a text that stand for what it names, strong or weak. They are fewer and tell more.
func Identifiers(features []uint64) []uint64 {
	var out []uint64
	for _, f := range features {
		if kindOf(f) != kindShingle {
			out = append(out, f)
		}
	}
	return out
}

// Thresholds of Weigh. With them, 8 of 9.3 million pairs of unrelated texts of public sets (LongMemEval, XPersona, BIPIA,
// NotInject, deepset) are taken for derived, each for a phrase that both have; docs/lineage.md says what is found.
const (
	// longText is from how many features on a text is long. It names so much that one weak feature in common says little.
	longText = 64
	// copied is the share of the shingles of the shorter text that both have in common if one was copied from the other.
	copied = .3
	// leastShingles is how many that are at least: one alone is a phrase.
	leastShingles = 2
	// manyShingles tell of copied sentences, however much else either text says.
	manyShingles = 10
)

// Weigh reports whether a text with these features was made from the one the trace is of, or both from the same third: they
// name the same account, address or code; or the same two names near each other; or one repeats the other word for word in
// part.
func Weigh(own []uint64, m memory.TraceMatch) bool {
	var shared [kindStrong + 1]int
	for _, f := range m.Shared {
		if kind := kindOf(f); kind < uint64(len(shared)) {
			shared[kind]++
		}
	}
	needed := 1
	if max(len(own), m.Features) > longText {
		needed = 2
	}
	if shared[kindStrong] > 0 || shared[kindWeak] >= needed {
		return true
	}
	said := 0
	for _, f := range own {
		if kindOf(f) == kindShingle {
			said++
		}
	}
	n := shared[kindShingle]
	return n >= manyShingles || n >= leastShingles && float64(n) >= copied*float64(min(said, m.Features))
}

// mix spreads a hash over 64 bits (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
