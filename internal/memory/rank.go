// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"cmp"
	"math"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

// Evidence is what backs a record's origin beside its class.
type Evidence struct {
	Source  bool // names where it came from
	Hash    bool // carries a tag over its content
	Session bool // names the session it was made in
}

// EvidenceOf reads the evidence off a record.
func EvidenceOf(r Record) Evidence {
	return Evidence{Source: r.Source != "", Hash: len(r.Tag) > 0, Session: r.Session != ""}
}

// Weights of the trust score, after Remnic's trust zones. The weights of AgentInferred and Unknown are ours, as the scale they come from has
// neither: an agent's inference stands between its user and its tools, the unknown below the web.
var classWeight = map[provenance.Class]float64{
	provenance.Manual:        .90,
	provenance.SystemMemory:  .85,
	provenance.UserInput:     .75,
	provenance.AgentInferred: .65,
	provenance.ToolOutput:    .55,
	provenance.SubagentTrace: .45,
	provenance.WebContent:    .35,
	provenance.Unknown:       .25,
}

const (
	sourceWeight  = .10
	hashWeight    = .20
	sessionWeight = .05
)

// Score is the trust score of a class with evidence, 0 to 1. It ranks and informs people; authority never follows
// from it.
func Score(class provenance.Class, e Evidence) float64 {
	score, known := classWeight[class]
	if !known {
		score = classWeight[provenance.Unknown]
	}
	if e.Source {
		score += sourceWeight
	}
	if e.Hash {
		score += hashWeight
	}
	if e.Session {
		score += sessionWeight
	}
	return min(score, 1)
}

// decayPerDay is the factor by which a memory loses weight each day, after Brain Memory's caps by origin. What users, operators and the agent itself
// say does not fade; what tools and strangers say does.
func decayPerDay(class provenance.Class) float64 {
	switch class {
	case provenance.UserInput, provenance.Manual, provenance.SystemMemory, provenance.AgentInferred:
		return 1
	case provenance.SubagentTrace, provenance.ToolOutput:
		return .997
	case provenance.WebContent, provenance.Unknown:
	}
	return .99
}

// Decay is the weight, 0 to 1, that is left of a memory of class after age. It counts from creation and not from the last
// recall, so that being recalled often does not keep a memory fresh.
func Decay(class provenance.Class, age time.Duration) float64 {
	days := max(age, 0).Hours() / 24
	return math.Pow(decayPerDay(class), days)
}

// Ranked is a candidate with its score and the parts of it.
type Ranked struct {
	Candidate
	Score float64 // Relevance × Trust × Decay
	Trust float64
	Decay float64
}

// Rank orders candidates by relevance × trust × decay, best first; equal scores by ascending id, so that the order never
// depends on chance.
func Rank(candidates []Candidate, now time.Time) []Ranked {
	ranked := make([]Ranked, 0, len(candidates))
	for _, c := range candidates {
		r := Ranked{
			Candidate: c,
			Trust:     Score(c.Record.Class, EvidenceOf(c.Record)),
			Decay:     Decay(c.Record.Class, now.Sub(c.Record.CreatedAt)),
		}
		r.Score = clamp01(c.Relevance) * r.Trust * r.Decay
		ranked = append(ranked, r)
	}
	slices.SortFunc(ranked, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Record.ID, b.Record.ID))
	})
	return ranked
}

// clamp01 also turns NaN into 0, which would make the order depend on the input's.
func clamp01(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}
