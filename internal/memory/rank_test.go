// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"fmt"
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

func TestDecay(t *testing.T) {
	for name, tc := range map[string]struct {
		class provenance.Class
		age   time.Duration
		want  float64
	}{
		"user never fades":         {provenance.UserInput, 3650 * day, 1},
		"agent never fades":        {provenance.AgentInferred, 3650 * day, 1},
		"tool after a day":         {provenance.ToolOutput, day, .997},
		"web after a day":          {provenance.WebContent, day, .99},
		"web after half a day":     {provenance.WebContent, day / 2, math.Sqrt(.99)},
		"no class fades as web":    {"Nonsense", day, .99},
		"from the future is fresh": {provenance.WebContent, -day, 1},
	} {
		if got := Decay(tc.class, tc.age); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

func candidate(id string, class provenance.Class, relevance float64, age time.Duration) Candidate {
	return Candidate{Record: Record{ID: id, Class: class, CreatedAt: now.Add(-age)}, Relevance: relevance}
}

func TestRank(t *testing.T) {
	candidates := []Candidate{
		candidate("tie-b", provenance.WebContent, .5, 0),
		candidate("stale web", provenance.WebContent, 1, 365*day),
		candidate("fresh web", provenance.WebContent, 1, 0),
		candidate("off topic user", provenance.UserInput, .1, 0),
		candidate("manual", provenance.Manual, 1, 365*day),
		candidate("tie-a", provenance.WebContent, .5, 0),
		candidate("not a number", provenance.Manual, math.NaN(), 0),
		candidate("beyond one", provenance.UserInput, 7, 0),
	}
	want := []string{"manual", "beyond one", "fresh web", "tie-a", "tie-b", "off topic user", "stale web", "not a number"}
	for range 50 {
		rand.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
		var got []string
		for _, r := range Rank(candidates, now) {
			got = append(got, r.Record.ID)
			if p := clamp01(r.Relevance) * r.Trust * r.Decay; r.Score != p {
				t.Errorf("%s: score %v is not the product of its parts, %v", r.Record.ID, r.Score, p)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

func BenchmarkRank(b *testing.B) {
	candidates := make([]Candidate, 200)
	for i := range candidates {
		candidates[i] = candidate(fmt.Sprint(i), provenance.Classes[i%8], float64(i%17)/17, time.Duration(i)*day)
	}
	for b.Loop() {
		Rank(candidates, now)
	}
}
