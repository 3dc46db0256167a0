// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

// Write is what is known about a write when it is decided what becomes of it.
type Write struct {
	// Class after channel, claim, lineage and session were taken together.
	Class provenance.Class
	// Authenticated is whether it came through an authenticated channel.
	Authenticated bool
	// TrustedPrefix is whether Class rests on a trusted source prefix; false where the policy's trust mode does not
	// count prefixes.
	TrustedPrefix bool
	// Directive is whether screening found text that installs standing behavior.
	Directive bool
	// Unjudged is whether nobody could say what the text is: it waits for a person unless its origin is trusted.
	Unjudged bool
	// Withhold keeps undecided writes of untrusted classes in Quarantine instead of delivering them marked.
	Withhold bool
	// PendingExpiry is how long an undecided write waits for a person, and is delivered marked where it is delivered at all;
	// not positive: without end.
	PendingExpiry time.Duration
	// ClassExpiry is how long a write of this class is delivered at all; not positive: without end.
	ClassExpiry time.Duration
	Now         time.Time
}

// Outcome is what a write becomes.
type Outcome struct {
	Zone      Zone
	State     State
	Authority Authority
	Expiry    time.Time // zero: never
}

// Decide is the table "What a write becomes" of the design. A high class that neither an authenticated channel nor a
// trusted prefix stands behind is treated as AgentInferred: whoever hands in words on the agent's port may be the model.
func Decide(w Write) Outcome {
	class := w.Class
	if class.High() && !w.Authenticated && !w.TrustedPrefix {
		class = provenance.AgentInferred
	}
	switch {
	case class.High() && w.Authenticated:
		return Outcome{Zone: Trusted, State: Active, Authority: Act, Expiry: w.expiry(w.ClassExpiry)}
	case class.High():
		return Outcome{Zone: Working, State: Active, Authority: Inform, Expiry: w.expiry(w.ClassExpiry)}
	case w.Directive:
		return w.quarantined()
	case class == provenance.AgentInferred && !w.Unjudged:
		return Outcome{Zone: Working, State: Active, Authority: Inform, Expiry: w.expiry(w.ClassExpiry)}
	case w.Withhold:
		return w.quarantined()
	}
	return Outcome{Zone: Working, State: PendingReview, Authority: Inform, Expiry: w.expiry(w.PendingExpiry, w.ClassExpiry)}
}

// expiry is the end of the shortest of the spans; those that are not positive have none.
func (w Write) expiry(spans ...time.Duration) time.Time {
	var shortest time.Duration
	for _, d := range spans {
		if d > 0 && (shortest == 0 || d < shortest) {
			shortest = d
		}
	}
	if shortest == 0 {
		return time.Time{}
	}
	return Timestamp(w.Now.Add(shortest))
}

// quarantined is what waits for a person, for as long as anything undecided waits: a queue that never empties by itself
// could be filled for good. The end of the class counts from when it is let out. Its authority is None, like that of
// everything Blocked; the table's Inform is what it would get once let out.
func (w Write) quarantined() Outcome {
	return Outcome{Zone: Quarantine, State: PendingReview, Authority: None, Expiry: w.expiry(w.PendingExpiry)}
}

// Withheld is what a write becomes that repeats what is kept from the agent, whatever it says and whoever hands it in.
func Withheld(pendingExpiry time.Duration, now time.Time) Outcome {
	return Write{PendingExpiry: pendingExpiry, Now: now}.quarantined()
}

// BoundaryOf says what a recaller must do with a memory in this zone and state. What it does not know is Blocked.
func BoundaryOf(zone Zone, state State) Boundary {
	if zone != Working && zone != Trusted {
		return Blocked
	}
	switch state {
	case Active, Approved:
		return Safe
	case Stale, Disputed, Superseded, PendingReview:
		return RequiresReview
	}
	return Blocked
}

// Expired reports whether r is past its expiry.
func (r Record) Expired(now time.Time) bool { return !r.Expiry.IsZero() && !now.Before(r.Expiry) }

// Live reports whether r counts as a memory: neither forgotten nor rejected.
func (r Record) Live() bool { return r.State != Forgotten && r.State != Rejected }

// Boundary is BoundaryOf of the record; an expired one is Blocked.
func (r Record) Boundary(now time.Time) Boundary {
	if r.Expired(now) {
		return Blocked
	}
	return BoundaryOf(r.Zone, r.State)
}

// StaleAt reports whether r is due to age: it stands undisputed, is not pinned and was written longer than after ago. A
// span that is not positive means never.
func (r Record) StaleAt(after time.Duration, now time.Time) bool {
	return after > 0 && !r.Pinned && (r.State == Active || r.State == Approved) && now.Sub(r.CreatedAt) > after
}

// AuthorityOf says what r may justify, provided its tag verified: Act only if it is of a high class, came through an
// authenticated channel and stands in the Trusted zone, Active, as that channel wrote it; None when it is Blocked.
//
// No decision about a memory gives it Act. Whoever approves or promotes it vouches for a text that another wrote, and what
// a person read and found harmless must not justify a payment; someone who wants that says it anew, as their own.
func AuthorityOf(r Record, now time.Time) Authority {
	switch r.Boundary(now) {
	case Blocked:
		return None
	case Safe:
		if r.Zone == Trusted && r.State == Active && r.ApprovedBy == "" && r.Class.High() && r.Writer.Authenticated() {
			return Act
		}
	case RequiresReview:
	}
	return Inform
}
