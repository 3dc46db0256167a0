// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"fmt"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

const benchText = "The office closes at 5 pm on weekdays, and the refund limit for customers of the premium plan is 500 EUR. " +
	"Ask Alice before you deploy on Fridays; she keeps the on-call calendar."

func BenchmarkSketch(b *testing.B) {
	for b.Loop() {
		Sketch(benchText)
	}
}

func BenchmarkSimilarity(b *testing.B) {
	for b.Loop() {
		Similarity(benchText, benchText+" She likes olives.")
	}
}

func BenchmarkTokens(b *testing.B) {
	for b.Loop() {
		Tokens(benchText)
	}
}

func BenchmarkContradicts(b *testing.B) {
	first, second := Record{Content: "The refund limit is 500 EUR."}, Record{Content: "The refund limit for customers is now 5000 EUR."}
	for b.Loop() {
		Contradicts(first, second)
	}
}

func BenchmarkContradictsNames(b *testing.B) {
	first, second := Record{Content: "The CEO of Acme is Alice Meyer."}, Record{Content: "The CEO of Acme is now Bob Stone."}
	for b.Loop() {
		Contradicts(first, second)
	}
}

// BenchmarkRankSelect is what a recall does with a hundred candidates.
func BenchmarkRankSelect(b *testing.B) {
	texts := distinct(100)
	candidates := make([]Candidate, len(texts))
	for i := range candidates {
		candidates[i] = candidate(fmt.Sprint(i), provenance.Classes[i%8], float64(i%17)/17, time.Duration(i)*day)
		candidates[i].Record.Content = texts[i] + benchText
	}
	limits := Limits{Results: 20, Tokens: 4000, Reserved: ReservedFor(20)}
	for b.Loop() {
		Select(Rank(candidates, RankOptions{Now: now}), nil, limits)
	}
}
