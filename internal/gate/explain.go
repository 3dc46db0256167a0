// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// Explain says what became of every memory that a recall looks at, with the beginning of each. It is for people: nothing is
// delivered by it, and nothing logged. It returns ErrNotReady, a *memory.FieldError, or an error of the store.
func (g *Gate) Explain(ctx context.Context, p Person, q Recall) (XRay, error) {
	defer g.metrics.time("explain")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return XRay{}, err
	}
	if err := q.check(); err != nil {
		return XRay{}, err
	}
	now := g.now()
	chosen, err := g.choose(ctx, s, namespace, q, now)
	if err != nil {
		return XRay{}, err
	}
	x := newXRay(q, now)
	picked := chosen.isPicked()
	for _, m := range chosen.ranked {
		x.add(personItem(s.Runtime, chosen, m, picked[m.record.ID], now))
	}
	return x, nil
}

// agentXRay explains an answer that holds the first n of what was picked. It tells of what is not in the answer that it was
// there, and why not in the coarsest words: neither what it says, nor where it comes from, nor how well it matches.
func agentXRay(r *policy.Runtime, q Recall, c choice, n int, now time.Time) XRay {
	x := newXRay(q, now)
	picked := c.isPicked()
	withheld := map[string]bool{}
	for _, w := range c.reported {
		withheld[w.ID] = true
	}
	delivered := map[string]bool{}
	for _, m := range c.picked[:n] {
		delivered[m.record.ID] = true
	}
	for _, m := range c.ranked {
		id := m.record.ID
		switch {
		case len(x.Items) == maxXRayItems:
			return x
		case delivered[id]:
			x.add(fullItem(r, c, m, now))
		case picked[id]:
			x.add(XRayItem{ID: id, Outcome: OutcomeLeft, Why: whyCut})
		case withheld[id]:
			x.add(XRayItem{ID: id, Outcome: OutcomeWithheld, Why: whyWithheld[c.reasons[id]]})
		case c.left[id] != "":
			x.add(XRayItem{ID: id, Outcome: OutcomeLeft, Why: whyLeft[c.left[id]]})
		}
	}
	return x
}

// isPicked tells picked memories by their ids.
func (c choice) isPicked() map[string]bool {
	out := make(map[string]bool, len(c.picked))
	for _, m := range c.picked {
		out[m.record.ID] = true
	}
	return out
}

// personItem explains one memory to a person.
func personItem(r *policy.Runtime, c choice, m scored, picked bool, now time.Time) XRayItem {
	item := fullItem(r, c, m, now)
	reason, left := c.reasons[m.record.ID], c.left[m.record.ID]
	switch {
	case picked:
	case reason != "":
		item.Outcome, item.Why = OutcomeWithheld, whyWithheld[reason]
		if len(m.record.Reasons) > 0 && m.fault == "" {
			item.Why += " When it was written, screening found: " + printable(strings.Join(m.record.Reasons, "; ")) + "."
		}
	default:
		item.Outcome, item.Why = OutcomeLeft, whyLeft[left]
	}
	return item
}

// fullItem explains a memory that is delivered.
func fullItem(r *policy.Runtime, c choice, m scored, now time.Time) XRayItem {
	record := m.record
	evidence := memory.EvidenceOf(record)
	boundary, authority := standing(r, m.verified, now)
	item := XRayItem{
		ID: record.ID, Outcome: OutcomeDelivered, Why: whyDelivered(r, c, m, boundary),
		Class: record.Class, Source: printable(record.Source), Zone: record.Zone, State: record.State,
		Boundary: boundary, Authority: authority,
		SourceID: evidence.Source, Evidence: evidence.Hash, Anchored: evidence.Source && evidence.Hash && m.fault == "",
		Trust: m.TrustScore, Band: memory.Band(m.TrustScore),
		Parts:  &ScoreParts{Relevance: m.Relevance, Trust: m.Trust, Decay: m.Decay, Score: m.Score},
		Commit: commitOf(record),
	}
	if m.fault != "" {
		closed := shadow(record, m.fault)
		item.Zone, item.State, item.Class = closed.Zone, closed.State, closed.Class
	}
	if item.Anchored {
		item.Preview = preview(record.Content)
	} else if item.Boundary == memory.Safe {
		item.Boundary, item.Authority = memory.RequiresReview, memory.Inform
	}
	return item
}

// The outcomes of a memory that a recall looked at.
const (
	OutcomeDelivered = "Delivered"
	OutcomeWithheld  = "Withheld"
	OutcomeLeft      = "Left"
)

// maxXRayItems bounds the X-ray that comes with an answer.
const maxXRayItems = 100

func newXRay(q Recall, now time.Time) XRay {
	return XRay{Query: printable(q.Query), At: now, Items: []XRayItem{}, Counts: map[string]int{}}
}

func (x *XRay) add(item XRayItem) {
	x.Items = append(x.Items, item)
	x.Counts[item.Outcome]++
}

// whyWithheld says for one memory what fixes says for several.
var whyWithheld = map[Reason]string{
	ReasonTampered:       "It is not what was signed, or an old version was put back.",
	ReasonKeyUnavailable: "The key that signed it is not loaded.",
	ReasonUnreadable:     "It could not be screened.",
	ReasonDirective:      "It gives a standing instruction, and its origin is not trusted to give any.",
	ReasonQuarantined:    "It waits for a person.",
	ReasonExpired:        "Nobody reviewed it in time.",
}

// whyCut is the reason of what an answer had no room for.
const whyCut = "The answer had no room for a text of its length."

var whyLeft = map[memory.Left]string{
	memory.LeftRoot:   "Others that go back to the same root, or say nearly the same, are in the answer.",
	memory.LeftBudget: "It does not fit into the budget of tokens.",
	memory.LeftRank:   "Others match better.",
}

func whyDelivered(r *policy.Runtime, c choice, m scored, boundary memory.Boundary) string {
	switch {
	case c.reasons[m.record.ID] != "":
		return "The policy is in DryRun. Otherwise it would be withheld: " + whyWithheld[c.reasons[m.record.ID]]
	case m.record.State == memory.Approved:
		return "A person approved it."
	case boundary == memory.RequiresReview:
		return "Nothing speaks against it, but it is marked for review."
	case trusted(r, m.verified):
		return "Its origin is trusted."
	}
	return "Screening found no standing instruction in it."
}

// previewRunes is how much of a memory an X-ray shows.
const previewRunes = 160

// preview is the beginning of a memory, on one line.
func preview(content string) string {
	n := 0
	for i := range content {
		if n++; n > previewRunes {
			return printable(content[:i]) + "…"
		}
	}
	return printable(content)
}

// printable escapes what could forge or hide a line, or steer a terminal.
func printable(s string) string {
	var b strings.Builder
	writeEscaped(&b, s)
	return b.String()
}
