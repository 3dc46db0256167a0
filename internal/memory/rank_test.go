// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/provenance"
)

const day = 24 * time.Hour

func TestScore(t *testing.T) {
	all := Evidence{Source: true, Hash: true, Session: true}
	for name, tc := range map[string]struct {
		class    provenance.Class
		evidence Evidence
		want     float64
	}{
		"manual":                  {provenance.Manual, Evidence{}, .90},
		"system":                  {provenance.SystemMemory, Evidence{}, .85},
		"user":                    {provenance.UserInput, Evidence{}, .75},
		"user with session":       {provenance.UserInput, Evidence{Session: true}, .80},
		"tool with hash, session": {provenance.ToolOutput, Evidence{Hash: true, Session: true}, .80},
		"tool":                    {provenance.ToolOutput, Evidence{}, .55},
		"subagent":                {provenance.SubagentTrace, Evidence{}, .45},
		"subagent with session":   {provenance.SubagentTrace, Evidence{Session: true}, .50},
		"web":                     {provenance.WebContent, Evidence{}, .35},
		"web with everything":     {provenance.WebContent, all, .70},
		"never above one":         {provenance.Manual, all, 1},
		"no class is unknown":     {"Nonsense", Evidence{}, .25},
	} {
		got := Score(tc.class, tc.evidence)
		if math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

// What is left of a memory depends on its class and age; being recalled keeps only vetted ones fresh.
func TestDecay(t *testing.T) {
	recalled := func(c Candidate) Candidate {
		c.LastRecalled, c.Recalls = now, 1000
		return c
	}
	standing := func(c Candidate, s State) Candidate {
		c.Record.State = s
		return c
	}
	pinned := func(c Candidate) Candidate {
		c.Record.Pinned = true
		return c
	}
	faster := func(provenance.Class) float64 { return .5 }
	slower := func(provenance.Class) float64 { return 1 }
	unset := func(provenance.Class) float64 { return 0 }
	for name, tc := range map[string]struct {
		candidate Candidate
		policy    func(provenance.Class) float64
		want      float64
	}{
		"user never fades":           {candidate("", provenance.UserInput, 1, 3650*day), nil, 1},
		"agent never fades":          {candidate("", provenance.AgentInferred, 1, 3650*day), nil, 1},
		"tool after a day":           {candidate("", provenance.ToolOutput, 1, day), nil, .997},
		"web after a day":            {candidate("", provenance.WebContent, 1, day), nil, .99},
		"web after half a day":       {candidate("", provenance.WebContent, 1, day/2), nil, math.Sqrt(.99)},
		"no class fades as web":      {candidate("", "Nonsense", 1, day), nil, .99},
		"from the future is fresh":   {candidate("", provenance.WebContent, 1, -day), nil, 1},
		"web recalled a lot":         {recalled(candidate("", provenance.WebContent, 1, day)), nil, .99},
		"approved web just recalled": {recalled(standing(candidate("", provenance.WebContent, 1, day), Approved)), nil, 1},
		"disputed web just recalled": {recalled(standing(candidate("", provenance.WebContent, 1, day), Disputed)), nil, .99},
		"pinned":                     {pinned(candidate("", provenance.UserInput, 1, day)), faster, 1},
		"policy makes users fade":    {candidate("", provenance.UserInput, 1, day), faster, .5},
		"policy lowers":              {candidate("", provenance.WebContent, 1, day), faster, .5},
		"policy cannot raise":        {candidate("", provenance.WebContent, 1, day), slower, .99},
		"policy says nothing":        {candidate("", provenance.WebContent, 1, day), unset, .99},
	} {
		got := Rank([]Candidate{tc.candidate}, RankOptions{Now: now, DecayPerDay: tc.policy})[0].Decay
		if math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

func TestBand(t *testing.T) {
	for score, want := range map[float64]string{1: "High", .80: "High", .799: "Medium", .50: "Medium", .499: "Low", 0: "Low", math.Inf(-1): "Low"} {
		if got := Band(score); got != want {
			t.Errorf("%v is %s, want %s", score, got, want)
		}
	}
	if Band(math.NaN()) != "Low" {
		t.Error("what is no number is not low")
	}
}

func candidate(id string, class provenance.Class, relevance float64, age time.Duration) Candidate {
	return Candidate{Record: Record{ID: id, Class: class, CreatedAt: now.Add(-age)}, Relevance: relevance}
}

func TestRank(t *testing.T) {
	pinned := candidate("z pinned", provenance.Manual, .7, 0)
	pinned.Record.Pinned = true
	candidates := []Candidate{
		candidate("tie-b", provenance.WebContent, .5, 0),
		candidate("stale web", provenance.WebContent, 1, 365*day),
		candidate("fresh web", provenance.WebContent, 1, 0),
		candidate("off topic user", provenance.UserInput, .1, 0),
		candidate("manual", provenance.Manual, 1, 365*day),
		candidate("tie-a", provenance.WebContent, .5, 0),
		candidate("not a number", provenance.Manual, math.NaN(), 0),
		candidate("beyond one", provenance.UserInput, 7, 0),
		candidate("not pinned", provenance.Manual, .7, 0),
		pinned,
	}
	want := []string{"manual", "beyond one", "z pinned", "not pinned", "fresh web", "tie-a", "tie-b", "off topic user", "stale web", "not a number"}
	for range 50 {
		rand.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
		var got []string
		for _, r := range Rank(candidates, RankOptions{Now: now}) {
			got = append(got, r.Record.ID)
			if p := r.Relevance * r.Trust * r.Decay; r.Score != p || r.Relevance < 0 || r.Relevance > 1 {
				t.Errorf("%s: score %v is not the product of its parts, %v", r.Record.ID, r.Score, p)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

// The trust in the ranking is the trust score, the cap of the class and what the writer stated, and nothing a low class
// says about itself lifts it.
func TestRankTrust(t *testing.T) {
	web := candidate("", provenance.WebContent, 1, 0)
	stated := web
	stated.Record.Confidence, stated.Record.Salience = 1000, 1000
	timid := web
	timid.Record.Confidence = 100
	user := candidate("", provenance.UserInput, 1, 0)
	for name, tc := range map[string]struct {
		candidate         Candidate
		trustScore, trust float64
	}{
		"web":                 {web, .35, .35 * .75},
		"web, sure of itself": {stated, .35, .35 * .75},
		"web, not so sure":    {timid, .35, .35 * .75 * .25},
		"user":                {user, .75, .75},
	} {
		got := Rank([]Candidate{tc.candidate}, RankOptions{Now: now})[0]
		if math.Abs(got.TrustScore-tc.trustScore) > 1e-9 || math.Abs(got.Trust-tc.trust) > 1e-9 {
			t.Errorf("%s: %v and %v, want %v and %v", name, got.TrustScore, got.Trust, tc.trustScore, tc.trust)
		}
	}
}
