// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// What can lower a class, as reported in cappedBy.
const (
	cappedByClaim   = "claim"
	cappedByLineage = "lineage"
	cappedBySession = "session"
	// cappedBySupersedes: it is to replace a memory that counts for more, so that a person has to decide.
	cappedBySupersedes = "supersedes"
)

// sessionWindow is how far back deliveries count for writes that name no session.
const sessionWindow = 30 * time.Minute

// agentSource and channelSource name the source of writes that claim none.
const (
	agentSource   = "agent"
	channelSource = "channel:"
)

// origin is where a write came from, as far as the gate can tell. Its class only ever falls.
type origin struct {
	class         provenance.Class
	authenticated bool // a channel stands behind class
	prefix        bool // a trusted prefix stands behind class
	source        string
	writer        memory.Writer
	parents       []string
	cappedBy      []string
}

// lower brings the class down to c, if it is not that low already, and notes why.
func (o *origin) lower(c provenance.Class, why string) {
	if !c.Below(o.class) {
		return
	}
	o.class = c
	if !slices.Contains(o.cappedBy, why) {
		o.cappedBy = append(o.cappedBy, why)
	}
}

// resolveOrigin reads channel and claim. On the agent's port a claim cannot be believed beyond AgentInferred, except for
// a trusted prefix in mode Prefix; on a channel it can lower the channel's class and nothing else.
func resolveOrigin(r *policy.Runtime, c Caller, claimed string) (origin, error) {
	claim, err := provenance.ReadClaim(claimed, trustedFormats(r))
	if err != nil {
		if errors.Is(err, provenance.ErrInvalidSource) {
			return origin{}, &memory.FieldError{Field: "source",
				Fix: fmt.Sprintf("use at most %d bytes of valid UTF-8 without control or formatting characters", provenance.MaxSourceBytes)}
		}
		return origin{}, err
	}
	o := origin{class: provenance.AgentInferred, source: claim.Base, writer: c.writer()}
	if c.Authenticated() {
		o.class, o.authenticated = c.Channel.Class, true
	}
	if o.source == "" {
		o.source = agentSource
		if c.Authenticated() {
			o.source = channelSource + c.Channel.Name
		}
	}
	switch {
	case claim.Class == "":
	case claim.TrustedPrefix && !o.authenticated && r.TrustMode == v1alpha1.TrustModePrefix:
		o.class, o.prefix = claim.Class, true
	default:
		o.lower(claim.Class, cappedByClaim)
	}
	return o, nil
}

func trustedFormats(r *policy.Runtime) []provenance.TrustedFormat {
	formats := make([]provenance.TrustedFormat, len(r.Formats))
	for i, f := range r.Formats {
		formats[i] = provenance.TrustedFormat{Prefix: f.Prefix, Class: f.Class}
	}
	return formats
}

// errParents is the answer for a parent that cannot be derived from. It is the same for one that never existed and one
// that is Blocked, so that asking tells nothing about Quarantine.
var errParents = &memory.FieldError{Field: "parents", Fix: "name memories that a recall delivered; at least one of these cannot be found"}

// capByLineage lowers o to the lowest of its declared parents, zone included. A parent that is high without a channel
// behind it takes the channel from its child as well: deriving must not turn a claim into proof.
func (g *Gate) capByLineage(
	ctx context.Context, s *policy.State, namespace string, o *origin, parents []string, now time.Time,
) error {
	parents = slices.Clone(parents)
	slices.Sort(parents)
	o.parents = slices.Compact(parents)
	if len(o.parents) > memory.MaxParents {
		return &memory.FieldError{Field: "parents", Fix: fmt.Sprintf("give at most %d parents", memory.MaxParents)}
	}
	records := make([]memory.Record, 0, len(o.parents))
	for _, id := range o.parents {
		if !memory.ValidID(id) {
			return errParents
		}
		record, err := g.store.Get(ctx, namespace, id)
		if errors.Is(err, memory.ErrNotFound) {
			return errParents
		}
		if err != nil {
			return err
		}
		records = append(records, record)
	}
	checked, err := g.verify(ctx, s, namespace, records)
	if err != nil {
		return err
	}
	for _, parent := range checked {
		if err := o.deriveFrom(parent, s.Runtime, now); err != nil {
			return err
		}
	}
	return nil
}

func (o *origin) deriveFrom(parent verified, r *policy.Runtime, now time.Time) error {
	// An expired parent was delivered while it was not; it still caps.
	blocked := memory.BoundaryOf(parent.record.Zone, parent.record.State) == memory.Blocked || parent.fault != ""
	if !present(parent.record) || (blocked && r.Enforcement != v1alpha1.EnforcementDryRun) {
		return errParents
	}
	class := parent.record.Class
	if parent.fault != "" {
		class = provenance.Unknown
	}
	if class.High() && memory.AuthorityOf(parent.record, now) != memory.Act {
		if r.TrustMode == v1alpha1.TrustModeSigned {
			class = provenance.AgentInferred
		} else if o.authenticated {
			o.authenticated, o.prefix = false, true
			o.cappedBy = append(o.cappedBy, cappedByLineage)
		}
	}
	o.lower(class, cappedByLineage)
	return nil
}

// sessionMark returns the lowest class that was delivered to the session in a namespace, or to the agent there in the last
// half hour when the write names none; UserInput, the neutral class, when nothing was.
func (g *Gate) sessionMark(ctx context.Context, namespace, session string, now time.Time) (provenance.Class, error) {
	var since time.Time
	if session == "" {
		since = now.Add(-sessionWindow)
	}
	class, ok, err := g.store.LowestDelivered(ctx, namespace, session, since)
	if err != nil || !ok {
		return provenance.UserInput, err
	}
	return class, nil
}
