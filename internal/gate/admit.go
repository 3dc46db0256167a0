// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
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
	// ReasonQuarantined: the memory is in Quarantine, waits folded into another, or its zone or state is not known.
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
	old    bool   // not the newest version
	doubt  bool   // nobody could say what it is, and its origin is not trusted
	seq    uint64 // of the newest audit entry, where verifyAny looked
}

// rereads is how often a record is read again whose row and audit entry are not of one version: a commit may have come in
// between, and another one in between again. It is not a sign of tampering unless it stays.
const rereads = 8

// verify checks each record of a namespace: that it is what was signed, that nothing else in it was changed, that it is the
// version that the audit log calls the newest, and that a newer one was not seen before.
func (g *Gate) verify(ctx context.Context, s *policy.State, namespace string, records []memory.Record) ([]verified, error) {
	if len(records) == 0 {
		return nil, nil
	}
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID
	}
	heads, err := g.store.Heads(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]verified, len(records))
	for i, r := range records {
		head := heads[r.ID]
		newest := g.newestSeen(r, head)
		for n := 0; n < rereads && !newest; n++ {
			if r, head, err = g.reread(ctx, namespace, r); err != nil {
				return nil, err
			}
			newest = g.newestSeen(r, head)
		}
		fault := checkHead(s, namespace, r, head)
		if fault == "" && !newest {
			fault = ReasonTampered
		}
		if fault == "" {
			g.heads.saw(r)
		}
		out[i] = verified{record: r, fault: fault}
	}
	return out, nil
}

// newestSeen reports whether a row is of the version that the audit log calls the newest, and no newer one was seen so far. It is
// asked once for each reading: a moment later the answer may be another one.
func (g *Gate) newestSeen(r memory.Record, head memory.Head) bool {
	return r.Seq == head.Seq && !g.heads.passed(r.ID, head.Seq)
}

// reread returns the record and its newest audit entry as they are now.
func (g *Gate) reread(ctx context.Context, namespace string, r memory.Record) (memory.Record, memory.Head, error) {
	fresh, err := g.store.Get(ctx, namespace, r.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return r, memory.Head{}, nil // removed beneath us: nothing vouches for it
	}
	if err != nil {
		return r, memory.Head{}, err
	}
	heads, err := g.store.Heads(ctx, []string{r.ID})
	return fresh, heads[r.ID], err
}

// checkHead says what speaks against r as the newest version, or "".
func checkHead(s *policy.State, namespace string, r memory.Record, head memory.Head) Reason {
	if fault := checkVersion(s, namespace, r); fault != "" {
		return fault
	}
	if r.Seq != head.Seq || !bytes.Equal(r.Commit.Hash, head.Commit[:]) {
		return ReasonTampered
	}
	return ""
}

// checkVersion says what speaks against r as any version of a record of the namespace, or "". That it belongs to the history
// of its record is for the caller to check.
func checkVersion(s *policy.State, namespace string, r memory.Record) Reason {
	err := s.Keyset.Verify(r.Tag, r.Tuple(s.Runtime.AgentID).Message())
	switch {
	case errors.Is(err, provenance.ErrKeyUnavailable):
		return ReasonKeyUnavailable
	case err != nil || r.Seq == 0 || r.Namespace != namespace || !hashes(r):
		return ReasonTampered
	}
	return ""
}

// present reports whether there is anything of r to deliver: forgotten and purged memories are answered like ones that never
// were. So is whatever is of a reserved kind: what a person is asked about is no memory, and what is known of an upstream's texts
// and tools comes out with those alone.
func present(r memory.Record) bool { return remains(r) && !memory.Reserved(r.Kind) }

// remains reports whether there is anything left of r.
func remains(r memory.Record) bool { return r.Live() && len(r.Erased) == 0 }

// speaks reports whether a record says something by itself, and does not only ask a person for something: it is a memory, or a
// text of an upstream.
func speaks(r memory.Record) bool { return !memory.Reserved(r.Kind) || r.Kind == kindUpstream }

// bar says why a memory that is present must not reach the agent, as far as that can be told without reading it, or "".
func bar(r *policy.Runtime, v verified, now time.Time) Reason {
	switch {
	case v.fault != "":
		return v.fault
	case v.record.Expired(now):
		return ReasonExpired
	case memory.BoundaryOf(v.record.Zone, v.record.State) == memory.Blocked:
		return ReasonQuarantined
	case v.record.FoldedInto != "" && (r.Review != v1alpha1.ReviewModeMark || v.record.Zone != memory.Working):
		return ReasonQuarantined
	}
	return ""
}

// trusted reports whether a memory is delivered without being screened. It applies the trust mode in force to a record that
// was perhaps written under another. Signed also asks for zone Trusted, which a record does not get when it was derived from
// one without a channel behind it. What a person approved is trusted in either mode: they read exactly this content, which
// the tag covers together with their name, and a screen that overrules them would make approving pointless. It never gets
// more authority than Inform.
func trusted(r *policy.Runtime, v verified) bool {
	switch {
	case v.fault != "":
		return false
	case v.record.State == memory.Approved && v.record.ApprovedBy != "":
		return true
	case !v.record.Class.High():
		return false
	case r.TrustMode == v1alpha1.TrustModeSigned:
		return v.record.Writer.Authenticated() && v.record.Zone == memory.Trusted
	}
	return true
}
