// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"fmt"
	"slices"

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
	// cappedByObservation: it repeats what the agent met outside of its memory.
	cappedByObservation = "observation"
	// cappedBySupersedes: it is to replace a memory that counts for more, so that a person has to decide.
	cappedBySupersedes = "supersedes"
)

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
	quoted        bool // the words are those of a user's turn, whoever handed them in
	withheld      bool // it repeats what is kept from the agent
	source        string
	writer        memory.Writer
	parents       []string
	cappedBy      []string
}

// speaks reports whether whoever hands something in speaks for themselves: a person or a system behind a channel of a high
// class. What the agent was shown says nothing about where their words come from.
func (c Caller) speaks() bool { return c.Authenticated() && c.Channel.Class.High() }

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
