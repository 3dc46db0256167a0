// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// LossReason says in one word why trust mode Signed does not trust a memory that mode Prefix takes at its word.
type LossReason string

// The reasons.
const (
	// LossNotAuthenticated: it is of a high class by the name of its source, and came through no channel.
	LossNotAuthenticated LossReason = "NotAuthenticated"
	// LossNotTrustedZone: it came through a channel and is not in zone Trusted, since it was derived from, or imported as,
	// something that no channel vouches for.
	LossNotTrustedZone LossReason = "NotTrustedZone"
	// LossKeyUnavailable: the key that signed it is not loaded. It is withheld in either mode until the key is back.
	LossKeyUnavailable = LossReason(ReasonKeyUnavailable)
	// LossTampered: it is not what was signed. It is withheld in either mode.
	LossTampered = LossReason(ReasonTampered)
)

// LossReasons lists all reasons, in the order in which people should care.
var LossReasons = []LossReason{LossTampered, LossKeyUnavailable, LossNotTrustedZone, LossNotAuthenticated}

// Bounds of trust reports.
const (
	trustReportEvery = time.Hour // how old what the status shows may get
	trustReportPage  = 200       // memories read at a time; nothing is held between pages
	maxLossExamples  = 10        // ids listed for a reason
)

// TrustReport says what a namespace would lose if only authenticated origins counted.
type TrustReport struct {
	At             time.Time            `json:"at" doc:"When memories were looked at"`
	PolicyRevision string               `json:"policyRevision" doc:"Policy in force at the time"`
	TrustMode      v1alpha1.TrustMode   `json:"trustMode" doc:"Trust mode in force; the report says what Signed would trust, whichever it is"`
	Enforcement    v1alpha1.Enforcement `json:"enforcement" doc:"Enforcement in force"`
	Claiming       int64                `json:"claiming" doc:"Memories of class UserInput, Manual or SystemMemory that a recall can deliver"`
	Trusted        int64                `json:"trusted" doc:"How many of them Signed trusts"`
	Losing         []TrustLoss          `json:"losing" nullable:"false" doc:"The others, by reason"`
}

// TrustLoss counts the memories that lose trust for one reason.
type TrustLoss struct {
	Reason   LossReason `json:"reason" enum:"Tampered,KeyUnavailable,NotTrustedZone,NotAuthenticated" doc:"Why"`
	Memories int64      `json:"memories" doc:"How many"`
	Examples []string   `json:"examples" nullable:"false" doc:"Ids of some of them, at most 10"`
}

// claims reports whether a record stands for a high class and could be delivered, as its row has it.
func claims(r memory.Record, now time.Time) bool {
	return r.Class.High() && remains(r) && speaks(r) && !r.Expired(now) && memory.BoundaryOf(r.Zone, r.State) != memory.Blocked
}

// trustLoss says why mode Signed does not trust a memory that claims trust, or "". It is the difference between the two modes
// of trusted, told apart by what can be done about it.
func trustLoss(v verified) LossReason {
	r := v.record
	switch {
	case v.fault != "":
		return LossReason(v.fault)
	case r.State == memory.Approved && r.ApprovedBy != "":
		return ""
	case !r.Writer.Authenticated():
		return LossNotAuthenticated
	case r.Zone != memory.Trusted:
		return LossNotTrustedZone
	}
	return ""
}

// TrustReport looks at all memories of a namespace that claim trust and says which of them mode Signed would not trust. It
// returns ErrNotReady, a *memory.FieldError or an error of the store.
func (g *Gate) TrustReport(ctx context.Context, p Person) (TrustReport, error) {
	defer g.metrics.time("trust_report")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return TrustReport{}, err
	}
	report, err := g.trustReport(ctx, s, namespace)
	if err == nil {
		g.trust.put(namespace, report)
	}
	return report, err
}

// trustReport reads page by page, so that it neither holds a transaction open nor many memories at once.
func (g *Gate) trustReport(ctx context.Context, s *policy.State, namespace string) (TrustReport, error) {
	out := TrustReport{
		At: g.now(), PolicyRevision: s.Runtime.Revision, TrustMode: s.Runtime.TrustMode, Enforcement: s.Runtime.Enforcement,
	}
	losses := map[LossReason]*TrustLoss{}
	for _, class := range provenance.Classes {
		if !class.High() {
			continue
		}
		f := memory.Filter{Namespace: namespace, Class: class, Limit: trustReportPage}
		err := g.pages(ctx, s, f, func(v verified) {
			if !claims(v.record, out.At) {
				return
			}
			out.Claiming++
			reason := trustLoss(v)
			if reason == "" {
				out.Trusted++
				return
			}
			if losses[reason] == nil {
				losses[reason] = &TrustLoss{Reason: reason, Examples: []string{}}
			}
			loss := losses[reason]
			if loss.Memories++; len(loss.Examples) < maxLossExamples {
				loss.Examples = append(loss.Examples, v.record.ID)
			}
		})
		if err != nil {
			return TrustReport{}, err
		}
	}
	out.Losing = []TrustLoss{}
	for _, reason := range LossReasons {
		if losses[reason] != nil {
			out.Losing = append(out.Losing, *losses[reason])
		}
	}
	return out, nil
}

// pages calls visit with every memory that a filter finds, verified, until all were seen or ctx ends.
func (g *Gate) pages(ctx context.Context, s *policy.State, f memory.Filter, visit func(verified)) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		page, err := g.store.List(ctx, f)
		if err != nil {
			return err
		}
		checked, err := g.verify(ctx, s, f.Namespace, page)
		if err != nil {
			return err
		}
		for _, v := range checked {
			visit(v)
		}
		if len(page) < f.Limit {
			return nil
		}
		f.After = page[len(page)-1].ID
	}
}

// trustReports remembers the newest report of each namespace.
type trustReports struct {
	mu      sync.Mutex
	reports map[string]TrustReport
	basis   string    // policy and keys that all of them were made under
	due     time.Time // zero: at the next look
}

func (t *trustReports) put(namespace string, r TrustReport) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reports != nil { // before the first look there is no whole to add to
		t.reports[namespace] = r
	}
}

// begin says when reports that are made from now on are due again. What becomes outdated while they are made is due at once.
func (t *trustReports) begin(due time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.due = due
}

// replace makes these the reports.
func (t *trustReports) replace(reports map[string]TrustReport, basis string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reports, t.basis = reports, basis
}

// outdated has all reports made anew at the next look.
func (t *trustReports) outdated() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.due = time.Time{}
}

func (t *trustReports) isDue(basis string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reports == nil || t.basis != basis || !now.Before(t.due)
}

// TrustLoss counts, over all namespaces, the memories that mode Signed does not trust though mode Prefix takes them at their
// word, as of the last look of Run; by LossReason. It is nil before the first.
func (g *Gate) TrustLoss() map[string]int64 {
	g.trust.mu.Lock()
	defer g.trust.mu.Unlock()
	if g.trust.reports == nil {
		return nil
	}
	out := map[string]int64{}
	for _, report := range g.trust.reports {
		for _, loss := range report.Losing {
			out[string(loss.Reason)] += loss.Memories
		}
	}
	return out
}

// trustBasis names what a report depends on besides the memories.
func trustBasis(s *policy.State) string {
	basis := s.Runtime.Revision
	for _, id := range s.Keyset.KeyIDs() {
		basis += " " + id
	}
	return basis
}

// trustReports makes the reports anew if they are due: after a change of policy, keys or what people attested, and hourly. It
// logs what changed.
func (m *maintenance) trustReports(ctx context.Context, s *policy.State, namespaces []string, now time.Time) error {
	g, basis := m.gate, trustBasis(s)
	if !g.trust.isDue(basis, now) {
		return nil
	}
	reports, before := map[string]TrustReport{}, g.TrustLoss()
	g.trust.begin(now.Add(trustReportEvery))
	for _, namespace := range namespaces {
		report, err := g.trustReport(ctx, s, namespace)
		if err != nil {
			g.trust.outdated()
			return err
		}
		reports[namespace] = report
	}
	g.trust.replace(reports, basis)
	after := g.TrustLoss()
	for _, reason := range LossReasons {
		g.metrics.trustLoss.WithLabelValues(string(reason)).Set(float64(after[string(reason)]))
	}
	if !maps.Equal(before, after) {
		args := []any{"trustMode", s.Runtime.TrustMode}
		for _, reason := range slices.Sorted(maps.Keys(after)) {
			args = append(args, reason, after[reason])
		}
		m.log.Info("Counted memories that trust mode Signed does not trust", args...)
	}
	return nil
}
