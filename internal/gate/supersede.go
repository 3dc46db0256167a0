// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"slices"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// errSupersedes is the answer for what cannot be replaced. It is the same for a memory that never existed and one that is
// Blocked, so that asking tells nothing about Quarantine.
var errSupersedes = &memory.FieldError{Field: "supersedes",
	Fix: "name memories that a recall delivered; at least one of these cannot be found"}

// supersede lets a record replace others, and returns the changes of those, to be committed with it. Where the record waits
// for a person anyway it replaces nothing; where what it replaces counts for more, it has to wait for one.
func (g *Gate) supersede(
	ctx context.Context, s *policy.State, record *memory.Record, o origin, now time.Time,
) ([]memory.Change, error) {
	if len(record.Supersedes) == 0 {
		return nil, nil
	}
	targets, err := g.targets(ctx, s, record.Namespace, record.Supersedes, now)
	if err != nil {
		return nil, err
	}
	if len(targets) < len(record.Supersedes) {
		return nil, errSupersedes
	}
	return supersedeAll(s, record, o, targets, now)
}

// supersedeAll is supersede for targets that are known.
func supersedeAll(s *policy.State, record *memory.Record, o origin, targets []verified, now time.Time) ([]memory.Change, error) {
	if record.State == memory.PendingReview {
		return nil, nil
	}
	targets = slices.DeleteFunc(targets, func(t verified) bool { return t.record.State == memory.Superseded })
	if slices.ContainsFunc(targets, func(t verified) bool { return outranks(t.record, o.asCaller(*record)) }) {
		hold(s.Runtime, record, now)
		return nil, nil
	}
	var changes []memory.Change
	for _, target := range targets {
		change, err := supersededBy(s, target, *record, record.Writer.String(), now)
		if err != nil {
			return nil, err
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// supersededBy is the change that replaces a memory.
func supersededBy(s *policy.State, target verified, by memory.Record, actor string, now time.Time) (memory.Change, error) {
	to, err := memory.Next(memory.ActionSupersede, target.record.Standing())
	if err != nil {
		return memory.Change{}, err
	}
	next := target.record
	next.Zone, next.State, next.UpdatedAt = to.Zone, to.State, now
	next.Pinned = false
	return memory.Change{
		Type: memory.ChangeUpdate, Record: next, Actor: actor, Reason: "superseded by " + by.ID,
		ExpectSeq: target.record.Seq, Sign: signer(s),
	}, nil
}

// targets returns those of the memories named that a caller can see and that verify: exactly what Get would deliver.
func (g *Gate) targets(ctx context.Context, s *policy.State, namespace string, ids []string, now time.Time) ([]verified, error) {
	var out []verified
	for _, id := range ids {
		v, err := g.visible(ctx, s, namespace, id, now)
		if errors.Is(err, memory.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if v.fault == "" {
			out = append(out, v)
		}
	}
	return out, nil
}

// visible returns a memory that Get would deliver, or memory.ErrNotFound. Nothing of what it says reaches the caller.
func (g *Gate) visible(ctx context.Context, s *policy.State, namespace, id string, now time.Time) (verified, error) {
	v, err := g.head(ctx, s, namespace, id)
	if err != nil {
		return verified{}, err
	}
	v, reason := g.screening(s).examineOne(ctx, v, now)
	if reason != "" && s.Runtime.Enforcement != v1alpha1.EnforcementDryRun {
		return verified{}, memory.ErrNotFound
	}
	return v, nil
}

// outranks reports whether a newcomer may not replace a memory without a person: the memory is of a higher class, or of a
// higher zone, where a channel or a person stands behind it and nobody behind the newcomer.
func outranks(target, newcomer memory.Record) bool {
	return newcomer.Class.Below(target.Class) || slices.Index(zones, newcomer.Zone) < slices.Index(zones, target.Zone)
}

// hold makes a record wait for a person, as the policy has undecided memories wait.
func hold(r *policy.Runtime, record *memory.Record, now time.Time) {
	record.State = memory.PendingReview
	record.CappedBy = union(record.CappedBy, []string{cappedBySupersedes})
	if r.Review == v1alpha1.ReviewModeWithhold || record.Zone == memory.Quarantine {
		record.Zone, record.Expiry = memory.Quarantine, time.Time{}
		return
	}
	record.Zone = memory.Working
	if span := r.PendingExpiry(); span > 0 {
		record.Expiry = sooner(record.Expiry, memory.Timestamp(now.Add(span)))
	}
}
