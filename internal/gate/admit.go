// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// Reason says in one word why a memory is withheld. It tells neither content nor scores.
type Reason string

// The reasons.
const (
	// ReasonQuarantined: the memory is in Quarantine, or its zone or state is not known.
	ReasonQuarantined Reason = "Quarantined"
	// ReasonDirective: it installs standing behavior and its origin is not trusted by the policy in force.
	ReasonDirective Reason = "Directive"
	// ReasonExpired: nobody decided about it in time.
	ReasonExpired Reason = "Expired"
	// ReasonKeyUnavailable: the key that signed it is not loaded.
	ReasonKeyUnavailable Reason = "KeyUnavailable"
	// ReasonTampered: it is not what was signed, or not the newest version that was.
	ReasonTampered Reason = "Tampered"
	// ReasonUnreadable: it could not be screened.
	ReasonUnreadable Reason = "Unreadable"
)

// Reasons lists all reasons, in the order in which people should care.
var Reasons = []Reason{
	ReasonTampered, ReasonKeyUnavailable, ReasonUnreadable, ReasonDirective, ReasonQuarantined, ReasonExpired,
}

// verified is a record and what speaks against its signature.
type verified struct {
	record memory.Record
	fault  Reason // ReasonKeyUnavailable, ReasonTampered, or empty
}

// rereads is how often a record is read again whose row and audit entry are not of one version: a commit may have come in
// between. It is not a sign of tampering unless it stays.
const rereads = 3

// verify checks each record's tag against the version that the audit log calls the newest.
func (g *Gate) verify(ctx context.Context, s *policy.State, records []memory.Record) ([]verified, error) {
	if len(records) == 0 {
		return nil, nil
	}
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID
	}
	heads, err := g.store.HeadSeq(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]verified, len(records))
	for i, r := range records {
		head := heads[r.ID]
		for range rereads {
			if r.Seq == head {
				break
			}
			if r, head, err = g.reread(ctx, r); err != nil {
				return nil, err
			}
		}
		out[i] = verified{record: r, fault: checkTag(s, r, head)}
	}
	return out, nil
}

// reread returns the record and its newest audit entry as they are now.
func (g *Gate) reread(ctx context.Context, r memory.Record) (memory.Record, uint64, error) {
	fresh, err := g.store.Get(ctx, r.Namespace, r.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return r, 0, nil // removed beneath us: nothing vouches for it
	}
	if err != nil {
		return r, 0, err
	}
	heads, err := g.store.HeadSeq(ctx, []string{r.ID})
	return fresh, heads[r.ID], err
}

func checkTag(s *policy.State, r memory.Record, head uint64) Reason {
	err := s.Keyset.Verify(r.Tag, r.Tuple(s.Runtime.AgentID).Message())
	switch {
	case errors.Is(err, provenance.ErrKeyUnavailable):
		return ReasonKeyUnavailable
	case err != nil || r.Seq == 0 || r.Seq != head || r.Namespace != s.Runtime.Namespace:
		return ReasonTampered
	}
	return ""
}

// withhold says why a live record must not reach the agent, or "".
func (g *Gate) withhold(r *policy.Runtime, v verified, now time.Time) Reason {
	switch {
	case v.fault != "":
		return v.fault
	case v.record.Expired(now):
		return ReasonExpired
	case memory.BoundaryOf(v.record.Zone, v.record.State) == memory.Blocked:
		return ReasonQuarantined
	case trusted(r, v):
		return ""
	}
	return g.screenRecord(v.record)
}

// trusted applies the trust mode in force to a record that was perhaps written under another. Signed also asks for zone
// Trusted, which a record does not get when it was derived from one without a channel behind it.
func trusted(r *policy.Runtime, v verified) bool {
	if v.fault != "" || !v.record.Class.High() {
		return false
	}
	if r.TrustMode == v1alpha1.TrustModeSigned {
		return v.record.Writer.Authenticated() && v.record.Zone == memory.Trusted
	}
	return true
}

// screenRecord screens a stored record again, because the lexicon may have learned since it was written.
func (g *Gate) screenRecord(r memory.Record) Reason {
	verdict, ok := g.screenText(r.Content, r.Source, false)
	switch {
	case !ok:
		return ReasonUnreadable
	case verdict.Directive:
		return ReasonDirective
	}
	return ""
}
