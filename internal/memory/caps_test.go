// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"errors"
	"math"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/provenance"
)

func TestCapOf(t *testing.T) {
	user, agent := Cap{1000, 1000, 1, 1}, Cap{600, 800, 1, .95}
	tool, external := Cap{500, 600, .997, .85}, Cap{400, 400, .99, .75}
	for class, want := range map[provenance.Class]Cap{
		provenance.UserInput: user, provenance.Manual: user, provenance.SystemMemory: user, provenance.AgentInferred: agent,
		provenance.SubagentTrace: tool, provenance.ToolOutput: tool,
		provenance.WebContent: external, provenance.Unknown: external, "": external, "Nonsense": external,
	} {
		if got := CapOf(class); got != want {
			t.Errorf("%s: %+v, want %+v", class, got, want)
		}
	}
}

func TestCapped(t *testing.T) {
	for name, tc := range map[string]struct {
		class                provenance.Class
		confidence, salience int
		wantConf, wantSal    int
	}{
		"not stated":    {provenance.WebContent, 0, 0, 400, 400},
		"too much":      {provenance.WebContent, 1000, 999, 400, 400},
		"less":          {provenance.WebContent, 100, 1, 100, 1},
		"each its own":  {provenance.AgentInferred, 700, 700, 700, 600},
		"user may all":  {provenance.UserInput, 1000, 1000, 1000, 1000},
		"tool":          {provenance.ToolOutput, 1000, 1000, 600, 500},
		"no class":      {"", 1000, 0, 400, 400},
		"already there": {provenance.WebContent, 400, 400, 400, 400},
	} {
		r := Record{Class: tc.class, Confidence: tc.confidence, Salience: tc.salience}.Capped()
		if r.Confidence != tc.wantConf || r.Salience != tc.wantSal {
			t.Errorf("%s: %d and %d, want %d and %d", name, r.Confidence, r.Salience, tc.wantConf, tc.wantSal)
		}
		if again := r.Capped(); again.Confidence != r.Confidence || again.Salience != r.Salience {
			t.Errorf("%s: doing it twice changes it", name)
		}
	}
}

// Every class in every standing: a pin takes a high class, and Trusted or a person's approval.
func TestMayPin(t *testing.T) {
	allowed := map[Standing]bool{{Trusted, Active}: true, {Trusted, Approved}: true, {Working, Approved}: true}
	for _, class := range append(provenance.Classes, "", "Nonsense") {
		for _, zone := range append(Zones, "") {
			for _, state := range append(States, "") {
				s := Standing{zone, state}
				want := class.High() && allowed[s]
				if got := MayPin(class, s); got != want {
					t.Errorf("%s %+v: %v, want %v", class, s, got, want)
				}
				r := Record{Class: class, Zone: zone, State: state, Pinned: true}
				var refused *CapError
				if err := r.CheckPin(); (err == nil) != want || err != nil && (!errors.As(err, &refused) || refused.Fix == "") {
					t.Errorf("%s %+v: error %v, may be pinned %v", class, s, err, want)
				}
				r.Pinned = false
				if err := r.CheckPin(); err != nil {
					t.Errorf("%s %+v, not pinned: %v", class, s, err)
				}
			}
		}
	}
}

func TestCapErrorNamesClassAndFix(t *testing.T) {
	err := Record{Class: provenance.WebContent, Zone: Working, State: Approved, Pinned: true, Content: "secret"}.CheckPin()
	if err == nil || !strings.Contains(err.Error(), "WebContent") || !strings.Contains(err.Error(), "authenticated channel") {
		t.Errorf("got %v", err)
	}
	err = Record{Class: provenance.UserInput, Zone: Working, State: Active, Pinned: true}.CheckPin()
	if err == nil || !strings.Contains(err.Error(), "approve") {
		t.Errorf("got %v", err)
	}
}

func TestStrength(t *testing.T) {
	for name, tc := range map[string]struct {
		record  Record
		recalls int64
		want    float64
	}{
		"nothing stated":             {Record{Class: provenance.WebContent}, 0, 1},
		"states more than it may":    {Record{Class: provenance.WebContent, Confidence: 1000, Salience: 1000}, 0, 1},
		"states half":                {Record{Class: provenance.WebContent, Confidence: 200}, 0, .5},
		"states a quarter":           {Record{Class: provenance.WebContent, Confidence: 200, Salience: 200}, 0, .25},
		"web, recalled often":        {Record{Class: provenance.WebContent, Confidence: 200}, 1e9, .5},
		"agent, recalled often":      {Record{Class: provenance.AgentInferred, Confidence: 400}, 1e9, .5},
		"pending, recalled often":    {Record{Class: provenance.WebContent, State: PendingReview, Confidence: 200}, 1e9, .5},
		"disputed, recalled often":   {Record{Class: provenance.WebContent, State: Disputed, ApprovedBy: "bob", Confidence: 200}, 1e9, .5},
		"approved, recalled 10":      {Record{Class: provenance.WebContent, State: Approved, Confidence: 200}, 10, .75},
		"user, recalled 10":          {Record{Class: provenance.UserInput, Confidence: 500}, 10, .75},
		"user, recalled often":       {Record{Class: provenance.UserInput, Confidence: 500}, math.MaxInt64, 1},
		"negative recalls":           {Record{Class: provenance.UserInput, Confidence: 500}, -5, .5},
		"negative, out of the store": {Record{Class: provenance.UserInput, Confidence: -500}, 0, 0},
	} {
		got := Strength(tc.record, tc.recalls)
		if math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

// However often an unvetted memory of a low class is recalled, nothing of its ranking changes.
func TestRecallNeverLiftsTheUnvetted(t *testing.T) {
	for _, class := range provenance.Classes {
		for _, state := range States {
			if class.High() || state == Approved {
				continue
			}
			c := candidate("x", class, .5, 30*day)
			c.Record.State, c.Record.Confidence = state, 100
			before := Rank([]Candidate{c}, RankOptions{Now: now})[0]
			c.Recalls, c.LastRecalled = 1e6, now
			after := Rank([]Candidate{c}, RankOptions{Now: now})[0]
			if after.Score != before.Score || after.Trust != before.Trust || after.Decay != before.Decay {
				t.Errorf("%s %s: %v became %v", class, state, before.Score, after.Score)
			}
		}
	}
}
