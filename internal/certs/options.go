// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package certs is the operator's own small certificate authority: it makes and renews the certificates of the webhook
// server, of the manager as a client of the screeners, and of every screener.
//
// Authorities overlap. A new one is published in the bundle that everybody verifies with long before it signs
// anything, and an old one stays there until it expires, so that no rotation has a moment in which one side does not
// know the other's signer.
package certs

import (
	"errors"
	"fmt"
	"time"
)

// Options sets how long certificates live.
type Options struct {
	// CALifetime is how long an authority is valid.
	CALifetime time.Duration
	// LeafLifetime is how long a leaf certificate is valid. It is renewed after two thirds of that.
	LeafLifetime time.Duration
	// Overlap is how long a new authority is in the bundle before it signs. It must be longer than the slowest reader
	// takes to pick up a new bundle; the kubelet takes up to two minutes.
	Overlap time.Duration
	// Skew is how far clocks may differ: certificates are valid from this much before they are made, and expired
	// authorities stay in the bundle for this much longer.
	Skew time.Duration
}

// DefaultOptions are the lifetimes used unless flags say otherwise.
func DefaultOptions() Options {
	return Options{
		CALifetime:   365 * 24 * time.Hour,
		LeafLifetime: 30 * 24 * time.Hour,
		Overlap:      24 * time.Hour,
		Skew:         5 * time.Minute,
	}
}

// errLifetimes is the root of what Validate returns.
var errLifetimes = errors.New("certificate lifetimes do not fit together")

// Validate checks that an authority always outlives what it signs and that a successor has time to become known.
func (o Options) Validate() error {
	switch {
	case o.CALifetime <= 0 || o.LeafLifetime <= 0 || o.Overlap <= 0 || o.Skew < 0:
		return fmt.Errorf("%w: all must be positive", errLifetimes)
	case o.LeafLifetime+2*o.Overlap > o.CALifetime/2:
		return fmt.Errorf("%w: leaf lifetime %s and twice the overlap %s must fit into half the CA lifetime %s",
			errLifetimes, o.LeafLifetime, o.Overlap, o.CALifetime)
	}
	return nil
}
