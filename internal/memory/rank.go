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

// Bands of the trust score, after Remnic.
const (
	highBand   = .80
	mediumBand = .50
)

// Band names the range a trust score is in, for people: High from .80, Medium from .50, Low.
func Band(score float64) string {
	switch {
	case score >= highBand:
		return "High"
	case score >= mediumBand:
		return "Medium"
	}
	return "Low"
}

// RankOptions are what a ranking depends on beside the candidates.
type RankOptions struct {
	Now time.Time
	// DecayPerDay is what a policy says is left of a class's weight after each day; nil or not positive: what is built
	// in. A policy can make memories fade sooner, never later.
	DecayPerDay func(provenance.Class) float64
}

func (o RankOptions) decayPerDay(class provenance.Class) float64 {
	builtIn := CapOf(class).DecayPerDay
	if o.DecayPerDay == nil {
		return builtIn
	}
	if d := o.DecayPerDay(class); d > 0 {
		return min(d, builtIn)
	}
	return builtIn
}

// decay is the weight, 0 to 1, that is left of a candidate. It counts from creation, so that being recalled often does not
// keep a memory fresh; for vetted ones it counts from the last recall. Pinned ones do not fade.
func (o RankOptions) decay(c Candidate) float64 {
	if c.Record.Pinned {
		return 1
	}
	since := c.Record.CreatedAt
	if c.Record.vetted() && c.LastRecalled.After(since) {
		since = c.LastRecalled
	}
	days := max(o.Now.Sub(since), 0).Hours() / 24
	return math.Pow(o.decayPerDay(c.Record.Class), days)
}

// Ranked is a candidate with its score and the parts of it, each 0 to 1. Relevance is that of the candidate.
type Ranked struct {
	Candidate
	TrustScore float64 // Score of class and evidence
	Trust      float64 // TrustScore, times the cap on trust of the class, times Strength
	Decay      float64
	Score      float64 // Relevance × Trust × Decay
}

// Rank orders candidates by relevance × trust × decay, best first. Of equal scores pinned ones come first, then they
// ascend by id, so that the order never depends on chance.
func Rank(candidates []Candidate, o RankOptions) []Ranked {
	ranked := make([]Ranked, 0, len(candidates))
	for _, c := range candidates {
		c.Relevance = clamp01(c.Relevance)
		r := Ranked{Candidate: c, TrustScore: Score(c.Record.Class, EvidenceOf(c.Record)), Decay: o.decay(c)}
		r.Trust = r.TrustScore * CapOf(c.Record.Class).Trust * Strength(c.Record, c.Recalls)
		r.Score = r.Relevance * r.Trust * r.Decay
		ranked = append(ranked, r)
	}
	slices.SortFunc(ranked, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), pinnedFirst(a.Record, b.Record), cmp.Compare(a.Record.ID, b.Record.ID))
	})
	return ranked
}

func pinnedFirst(a, b Record) int {
	switch {
	case a.Pinned == b.Pinned:
		return 0
	case a.Pinned:
		return -1
	}
	return 1
}

// clamp01 also turns NaN into 0, which would make the order depend on the input's.
func clamp01(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}
