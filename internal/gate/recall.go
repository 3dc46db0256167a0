// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// Bounds of a recall.
const (
	DefaultRecallResults = 10
	MaxQueryBytes        = 8192
)

// overFetch is how many candidates are looked at for each result asked for, and spareCandidates how many more, so
// that withheld ones do not leave the answer short.
const (
	overFetch       = 4
	spareCandidates = 16
)

// Recall is a question to memory.
type Recall struct {
	Query   string        // free text; empty asks for the most recent memories
	Session string        // session of the agent; may be empty
	Limit   int           // 0: DefaultRecallResults; never more than the policy's maxRecallResults
	Zones   []memory.Zone // empty: all; what is in Quarantine is reported and not delivered
}

// Recalled is the answer to a Recall.
type Recalled struct {
	Context  string      `json:"context" doc:"The memories as a block for a prompt, one line each; control characters are escaped"`
	Memories []Delivered `json:"memories" nullable:"false" doc:"The memories, best first"`
	Withheld []Withheld  `json:"withheld" nullable:"false" doc:"What matched and was kept back"`
	Degraded bool        `json:"degraded" doc:"Whether the answer is less than the policy means it to be"`
	Message  string      `json:"message" doc:"What was done and what to do about it"`
	Caution  string      `json:"caution,omitempty" doc:"How to treat what was delivered"`
}

// Withheld names a memory that was kept back.
type Withheld struct {
	ID     string `json:"id" doc:"Id of the memory"`
	Reason Reason `json:"reason" enum:"Quarantined,Directive,Expired,KeyUnavailable,Tampered,Unreadable" doc:"Why"`
}

// Recall finds, checks, ranks, logs and returns memories. It returns ErrNotReady, a *memory.FieldError, or an error of the
// store; memories that cannot be verified or read are withheld one by one and are no error.
func (g *Gate) Recall(ctx context.Context, q Recall) (Recalled, error) {
	defer g.metrics.time("recall")()
	s, err := g.ready()
	if err != nil {
		return Recalled{}, err
	}
	if len(q.Query) > MaxQueryBytes {
		return Recalled{}, &memory.FieldError{Field: "query", Fix: fmt.Sprintf("ask in at most %d bytes", MaxQueryBytes)}
	}
	if err := checkSession(q.Session); err != nil {
		return Recalled{}, err
	}
	now, limit := g.now(), recallLimit(s.Runtime, q.Limit)
	d := g.deliver(s.Runtime, q.Session, now)
	found, blocked, err := g.search(ctx, s.Runtime, q, d.dryRun(), limit)
	if err != nil {
		return Recalled{}, err
	}
	ranked, err := g.rank(ctx, s, found, now)
	if err != nil {
		return Recalled{}, err
	}
	out := Recalled{Withheld: []Withheld{}}
	truncated := false
	for _, c := range ranked {
		if len(d.delivered) == limit {
			break
		}
		if d.full(len(c.record.Content)) {
			truncated = true
			break
		}
		if reason := d.offer(c.verified, c.score); reason != "" {
			out.Withheld = append(out.Withheld, Withheld{ID: c.record.ID, Reason: reason})
		}
	}
	for _, id := range blocked {
		d.withheld[ReasonQuarantined]++
		out.Withheld = append(out.Withheld, Withheld{ID: id, Reason: ReasonQuarantined})
	}
	if err := d.finish(ctx); err != nil {
		return Recalled{}, err
	}
	out.Memories, out.Context = d.delivered, contextBlock(d.delivered)
	out.Degraded = d.degraded() || truncated
	out.Message, out.Caution = d.message(truncated), d.caution()
	return out, nil
}

func recallLimit(r *policy.Runtime, asked int) int {
	if asked <= 0 {
		asked = DefaultRecallResults
	}
	return min(asked, r.MaxRecallResults)
}

// search returns candidates that can be delivered, and the ids of memories in Quarantine that would be among the best
// limit matches if Quarantine did not exist. DryRun delivers those as well.
func (g *Gate) search(ctx context.Context, r *policy.Runtime, q Recall, dryRun bool, limit int) (
	found []memory.Candidate, blocked []string, err error,
) {
	query := memory.Query{
		Namespace: r.Namespace, Text: q.Query, Zones: q.Zones,
		Limit: min(limit*overFetch+spareCandidates, memory.MaxPageSize),
	}
	all, err := g.store.Search(ctx, query)
	if err != nil || dryRun {
		return all, nil, err
	}
	for i, c := range all {
		switch {
		case c.Record.Zone != memory.Quarantine:
			found = append(found, c)
		case i < limit:
			blocked = append(blocked, c.Record.ID)
		}
	}
	// Flooding Quarantine must not push anything out of the answer: where it fills the candidates, look again without it.
	crowded := len(all) == query.Limit && len(all)-len(found) > spareCandidates
	if query.Zones = deliverable(q.Zones); crowded && len(query.Zones) > 0 {
		found, err = g.store.Search(ctx, query)
	}
	return found, blocked, err
}

// deliverable returns the zones asked for without Quarantine.
func deliverable(asked []memory.Zone) []memory.Zone {
	if len(asked) == 0 {
		return []memory.Zone{memory.Trusted, memory.Working}
	}
	return slices.DeleteFunc(slices.Clone(asked), func(z memory.Zone) bool { return z == memory.Quarantine })
}

// scored is a verified candidate with its place in the ranking.
type scored struct {
	verified
	score float64
}

// rank orders and verifies candidates.
func (g *Gate) rank(ctx context.Context, s *policy.State, found []memory.Candidate, now time.Time) ([]scored, error) {
	ranked := memory.Rank(found, now)
	records := make([]memory.Record, len(ranked))
	for i, r := range ranked {
		records[i] = r.Record
	}
	checked, err := g.verify(ctx, s, records)
	if err != nil {
		return nil, err
	}
	out := make([]scored, 0, len(ranked))
	for i, v := range checked {
		if v.record.Live() { // not forgotten while we looked
			out = append(out, scored{verified: v, score: ranked[i].Score})
		}
	}
	return out, nil
}

func checkSession(session string) error {
	if len(session) > memory.MaxSessionBytes || !utf8.ValidString(session) || strings.ContainsFunc(session, unicode.IsControl) {
		return &memory.FieldError{Field: "session",
			Fix: fmt.Sprintf("use at most %d bytes of valid UTF-8 without control characters", memory.MaxSessionBytes)}
	}
	return nil
}
