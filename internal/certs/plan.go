// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs

import (
	"crypto/x509"
	"slices"
	"time"
)

// State is everything the operator knows about its authorities.
type State struct {
	// Current signs. Nil before the first plan.
	Current *Signer
	// Next is published in the bundle and does not sign yet. Nil most of the time.
	Next *Signer
	// Bundle is what everybody verifies with: current, next, and earlier ones until they expire.
	Bundle []*x509.Certificate
}

// Step is one change that Plan made.
type Step string

// The steps of an authority's life.
const (
	// StepCreated: there was no usable authority, one was made and signs at once.
	StepCreated Step = "Created"
	// StepPublished: a successor was made and added to the bundle.
	StepPublished Step = "Published"
	// StepPromoted: the successor was in the bundle for the overlap and signs now.
	StepPromoted Step = "Promoted"
	// StepDropped: expired authorities left the bundle.
	StepDropped Step = "Dropped"
	// StepRepaired: the bundle lacked an authority in use.
	StepRepaired Step = "Repaired"
)

// Plan brings the authorities up to date. It returns the new state, what changed (nothing means that the state need
// not be written), and when to plan again. It never exchanges a valid authority in one step: a successor is
// published, waits for the overlap, and only then signs.
func Plan(s State, now time.Time, o Options) (State, []Step, time.Time, error) {
	next := State{Current: s.Current, Next: s.Next, Bundle: slices.Clone(s.Bundle)}
	var steps []Step

	if next.Next != nil && expired(next.Next.Cert, now) {
		next.Next = nil
	}
	if promotable(next, now, o) {
		next.Current, next.Next = next.Next, nil
		steps = append(steps, StepPromoted)
	}
	if next.Current == nil || expired(next.Current.Cert, now) {
		signer, err := newSigner(now, o)
		if err != nil {
			return s, nil, time.Time{}, err
		}
		next.Current = signer
		next.Bundle = append(next.Bundle, signer.Cert)
		steps = append(steps, StepCreated)
	}
	if next.Next == nil && !now.Before(successorDue(next.Current.Cert, o)) {
		signer, err := newSigner(now, o)
		if err != nil {
			return s, nil, time.Time{}, err
		}
		next.Next = signer
		next.Bundle = append(next.Bundle, signer.Cert)
		steps = append(steps, StepPublished)
	}
	steps = append(steps, tidyBundle(&next, now, o)...)
	return next, steps, planAgain(next, now, o), nil
}

// promotable reports whether the successor may sign: it was published for the overlap, or the current authority is of
// no use any more, so that waiting would protect nobody.
func promotable(s State, now time.Time, o Options) bool {
	if s.Next == nil {
		return false
	}
	return s.Current == nil || expired(s.Current.Cert, now) || !now.Before(promotionDue(s.Next.Cert, o))
}

// tidyBundle drops expired authorities and puts back those in use.
func tidyBundle(s *State, now time.Time, o Options) []Step {
	var steps []Step
	before := len(s.Bundle)
	s.Bundle = slices.DeleteFunc(s.Bundle, func(c *x509.Certificate) bool { return expired(c, now.Add(-o.Skew)) })
	if len(s.Bundle) != before {
		steps = append(steps, StepDropped)
	}
	for _, signer := range []*Signer{s.Current, s.Next} {
		if signer != nil && !slices.ContainsFunc(s.Bundle, signer.Cert.Equal) {
			s.Bundle = append(s.Bundle, signer.Cert)
			steps = append(steps, StepRepaired)
		}
	}
	return steps
}

// successorDue is when an authority needs a successor in the bundle: after two thirds of its life, and in any case so
// early that the last leaf it signs before the exchange does not outlive it.
func successorDue(c *x509.Certificate, o Options) time.Time {
	twoThirds := c.NotBefore.Add(c.NotAfter.Sub(c.NotBefore) * 2 / 3)
	latest := c.NotAfter.Add(-o.LeafLifetime - 2*o.Overlap)
	if latest.Before(twoThirds) {
		return latest
	}
	return twoThirds
}

// promotionDue is when a published authority has been known for the overlap. It was published when it was made.
func promotionDue(c *x509.Certificate, o Options) time.Time {
	return c.NotBefore.Add(o.Skew + o.Overlap)
}

func planAgain(s State, now time.Time, o Options) time.Time {
	due := successorDue(s.Current.Cert, o)
	if s.Next != nil {
		due = promotionDue(s.Next.Cert, o)
	}
	for _, c := range s.Bundle {
		if drop := c.NotAfter.Add(o.Skew + time.Second); drop.Before(due) {
			due = drop
		}
	}
	if due.Before(now) {
		return now
	}
	return due
}

// expired tells whether a certificate is over. One that is not yet valid (a clock went back) is not over.
func expired(c *x509.Certificate, now time.Time) bool { return now.After(c.NotAfter) }
