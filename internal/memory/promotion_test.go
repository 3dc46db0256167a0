// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

const claimed = "The vendor portal moved to a new address in the spring."

// corroborator is one that counts.
func corroborator(id, principal string) Corroborator {
	return Corroborator{
		Record: Record{
			ID: id, Namespace: "team-a", Zone: Trusted, State: Active, Class: provenance.Manual,
			Writer: Writer{Channel: "console", Principal: principal}, Content: "The vendor portal moved in the spring, to another address.",
		},
		Roots: []string{id}, Verified: true,
	}
}

// promotion is one that may go ahead.
func promotion() Promotion {
	evidence := sha256.Sum256([]byte("page 7 of the contract"))
	return Promotion{
		Record: Record{ID: "m", Namespace: "team-a", Zone: Working, State: Active, Class: provenance.WebContent, Content: claimed},
		Roots:  []string{"m"}, Reason: "Checked with the vendor",
		Anchor:        Anchor{SourceID: "TICKET-7", EvidenceSHA256: hex.EncodeToString(evidence[:])},
		Corroborators: []Corroborator{corroborator("a", "alice"), corroborator("b", "bob")},
		Now:           now,
	}
}

func unmetNames(p Promotion) (Standing, string) {
	to, rules := p.Check()
	var names []string
	for _, r := range Unmet(rules) {
		names = append(names, r.Name)
	}
	return to, strings.Join(names, " ")
}

func TestPromotion(t *testing.T) {
	own := sha256.Sum256([]byte(claimed))
	up := Standing{Trusted, Approved}
	for name, tc := range map[string]struct {
		edit  func(*Promotion)
		to    Standing
		unmet string
	}{
		"everything there":       {func(*Promotion) {}, up, ""},
		"an agent's inference":   {func(p *Promotion) { p.Record.Class = provenance.AgentInferred }, up, ""},
		"evidence word for word": {func(p *Promotion) { p.Anchor.EvidenceSHA256 = hex.EncodeToString(own[:]) }, up, ""},
		"no reason":              {func(p *Promotion) { p.Reason = " " }, up, "reason"},
		"reason with newline":    {func(p *Promotion) { p.Reason = "a\nb" }, up, "reason"},
		"no source":              {func(p *Promotion) { p.Anchor.SourceID = "" }, up, "anchor"},
		"long source":            {func(p *Promotion) { p.Anchor.SourceID = strings.Repeat("x", MaxSourceBytes+1) }, up, "anchor"},
		"no evidence":            {func(p *Promotion) { p.Anchor.EvidenceSHA256 = "" }, up, "anchor"},
		"short evidence":         {func(p *Promotion) { p.Anchor.EvidenceSHA256 = "abcd" }, up, "anchor"},
		"upper-case evidence":    {func(p *Promotion) { p.Anchor.EvidenceSHA256 = strings.ToUpper(p.Anchor.EvidenceSHA256) }, up, "anchor"},
		"evidence of zeros":      {func(p *Promotion) { p.Anchor.EvidenceSHA256 = strings.Repeat("0", 64) }, up, "anchor"},
		"evidence of nothing":    {func(p *Promotion) { p.Anchor.EvidenceSHA256 = emptySHA256 }, up, "anchor"},
		"nothing at all": {func(p *Promotion) { p.Reason, p.Anchor, p.Corroborators = "", Anchor{}, nil }, up,
			"reason anchor corroboration"},
		"pending":    {func(p *Promotion) { p.Record.State = PendingReview }, up, ""},
		"disputed":   {func(p *Promotion) { p.Record.State = Disputed }, Standing{}, "transition"},
		"rejected":   {func(p *Promotion) { p.Record.State = Rejected }, Standing{}, "transition"},
		"expired":    {func(p *Promotion) { p.Record.Expiry = now }, Standing{}, "transition"},
		"at the top": {func(p *Promotion) { p.Record.Zone = Trusted }, Standing{}, "transition"},
		"out of quarantine, with a reason alone": {func(p *Promotion) {
			p.Record.Zone, p.Record.State, p.Anchor, p.Corroborators = Quarantine, PendingReview, Anchor{}, nil
		}, Standing{Working, Approved}, ""},
		"a user's own, with a reason alone": {func(p *Promotion) {
			p.Record.Class, p.Anchor, p.Corroborators = provenance.UserInput, Anchor{}, nil
		}, up, ""},
		"three asked for": {func(p *Promotion) { p.Required = 3 }, up, "corroboration"},
		"one asked for is two": {func(p *Promotion) { p.Required, p.Corroborators = 1, p.Corroborators[:1] }, up,
			"corroboration"},
		"unknown lineage of the memory": {func(p *Promotion) { p.Roots = nil }, up, "corroboration"},
	} {
		t.Run(name, func(t *testing.T) {
			p := promotion()
			tc.edit(&p)
			if to, unmet := unmetNames(p); to != tc.to || unmet != tc.unmet {
				t.Errorf("to %+v with unmet %q, want %+v and %q", to, unmet, tc.to, tc.unmet)
			}
		})
	}
}

// One of the two corroborators that do is spoiled.
func TestCorroboratorsThatDoNotCount(t *testing.T) {
	for name, tc := range map[string]struct {
		edit func(*Corroborator)
		why  string
	}{
		"low class":                   {func(c *Corroborator) { c.Record.Class = provenance.AgentInferred }, "low class"},
		"not verified":                {func(c *Corroborator) { c.Verified = false }, "not verified"},
		"by the agent's port":         {func(c *Corroborator) { c.Record.Writer = Writer{} }, "not written through"},
		"principal without a channel": {func(c *Corroborator) { c.Record.Writer.Channel = "" }, "not written through"},
		"channel without principal":   {func(c *Corroborator) { c.Record.Writer.Principal = "" }, "not written through"},
		"same principal":              {func(c *Corroborator) { c.Record.Writer.Principal = "alice" }, "share a principal"},
		"same principal, other case":  {func(c *Corroborator) { c.Record.Writer.Principal = "ALICE" }, "share a principal"},
		"the memory's writer":         {func(c *Corroborator) { c.Record.Writer.Principal = "crawler" }, "principal who wrote"},
		"same root":                   {func(c *Corroborator) { c.Roots = []string{"x", "a"} }, "share a principal or a root"},
		"the memory's root":           {func(c *Corroborator) { c.Roots = []string{"m"} }, "same lineage"},
		"the memory itself":           {func(c *Corroborator) { c.Record.ID = "m" }, "same lineage"},
		"unknown lineage":             {func(c *Corroborator) { c.Roots = nil }, "unknown lineage"},
		"of another namespace":        {func(c *Corroborator) { c.Record.Namespace = "team-b" }, "another namespace"},
		"quarantined":                 {func(c *Corroborator) { c.Record.Zone = Quarantine }, "not safe"},
		"disputed":                    {func(c *Corroborator) { c.Record.State = Disputed }, "not safe"},
		"forgotten":                   {func(c *Corroborator) { c.Record.State = Forgotten }, "not safe"},
		"expired":                     {func(c *Corroborator) { c.Record.Expiry = now.Add(-time.Second) }, "not safe"},
		"about something else":        {func(c *Corroborator) { c.Record.Content = "Alice likes olives." }, "something else"},
		"tagged to fit": {func(c *Corroborator) {
			c.Record.Content, c.Record.Tags, c.Record.Subject = "Alice likes olives.", []string{"vendor"}, "vendor portal"
		}, "something else"},
		"to the contrary": {func(c *Corroborator) {
			c.Record.Content = "The vendor portal did not move to a new address in the spring."
		}, "something else"},
	} {
		t.Run(name, func(t *testing.T) {
			p := promotion()
			p.Record.Writer = Writer{Channel: "crawler", Principal: "crawler"}
			p.Record.Tags, p.Record.Subject = []string{"vendor"}, "vendor portal"
			tc.edit(&p.Corroborators[1])
			_, rules := p.Check()
			unmet := Unmet(rules)
			if len(unmet) != 1 || unmet[0].Name != RuleCorroboration || !strings.Contains(unmet[0].Explain, tc.why) {
				t.Errorf("got %+v, want corroboration to fail because of %q", unmet, tc.why)
			}
		})
	}
}

// However many there are, corroborators of which any two share a principal or a root, or of a low class, are never enough.
func TestNoNumberOfDependentCorroboratorsSuffices(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	low := provenance.Classes[3:]
	for name, spoil := range map[string]func(i int, c *Corroborator){
		"one principal":     func(_ int, c *Corroborator) { c.Record.Writer.Principal = "alice" },
		"one root":          func(_ int, c *Corroborator) { c.Roots = append(c.Roots, "common") },
		"the memory's root": func(_ int, c *Corroborator) { c.Roots = append(c.Roots, "m") },
		"low class":         func(i int, c *Corroborator) { c.Record.Class = low[i%len(low)] },
		"all but one low": func(i int, c *Corroborator) {
			if i > 0 {
				c.Record.Class = low[i%len(low)]
			}
		},
		"half share a principal, the rest a root with all": func(i int, c *Corroborator) {
			c.Roots = append(c.Roots, "common")
			if i%2 == 0 {
				c.Record.Writer.Principal = "alice"
			}
		},
	} {
		for range 40 {
			p := promotion()
			p.Corroborators = nil
			for i := range rnd.IntN(40) {
				c := corroborator(fmt.Sprint("c", i), fmt.Sprint("person", rnd.IntN(1000)))
				for range rnd.IntN(3) {
					c.Roots = append(c.Roots, fmt.Sprint("r", rnd.IntN(50)))
				}
				spoil(i, &c)
				p.Corroborators = append(p.Corroborators, c)
			}
			if _, unmet := unmetNames(p); unmet != RuleCorroboration {
				t.Fatalf("%s: %d of them, unmet %q", name, len(p.Corroborators), unmet)
			}
		}
	}
}

// Those that are independent are found among many that are not.
func TestIndependentCorroboratorsAreFound(t *testing.T) {
	p := promotion()
	p.Required, p.Corroborators = 3, nil
	for i := range 30 {
		c := corroborator(fmt.Sprint("c", i), "alice")
		c.Roots = []string{"common", "r1"}
		p.Corroborators = append(p.Corroborators, c)
	}
	blocking := corroborator("z", "zoe")
	blocking.Roots = []string{"r1", "r2", "r3"} // with it, no two others fit
	p.Corroborators = append(p.Corroborators, blocking)
	for i, who := range []string{"bob", "carol", "dave"} {
		c := corroborator(who, who)
		c.Roots = []string{fmt.Sprint("r", i+1)}
		p.Corroborators = append(p.Corroborators, c)
	}
	if _, unmet := unmetNames(p); unmet != "" {
		_, rules := p.Check()
		t.Errorf("unmet %q: %+v", unmet, rules)
	}
}

func TestPromotionNeverGivesAct(t *testing.T) {
	for _, class := range provenance.Classes {
		p := promotion()
		p.Record.Class, p.Record.Writer = class, Writer{Channel: "console", Principal: "carol"}
		to, rules := p.Check()
		if len(Unmet(rules)) > 0 {
			t.Fatalf("%s: %+v", class, rules)
		}
		p.Record.Zone, p.Record.State, p.Record.ApprovedBy = to.Zone, to.State, "dave"
		if got := AuthorityOf(p.Record, now); got != Inform {
			t.Errorf("%s: %s", class, got)
		}
	}
}

func TestRulesHoldNoContent(t *testing.T) {
	p := promotion()
	p.Corroborators[0].Record.Class = provenance.WebContent
	p.Anchor = Anchor{}
	_, rules := p.Check()
	data, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "portal") || !strings.Contains(string(data), `"name":"anchor","met":false,"explain":"`) {
		t.Errorf("got %s", data)
	}
}
