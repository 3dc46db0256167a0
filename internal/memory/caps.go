// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"fmt"

	"memorytrust.dev/operator/internal/provenance"
)

// Cap is what a memory may become at most, by where it came from. The numbers are those of Brain Memory's caps by origin.
type Cap struct {
	Salience    int     // per mille
	Confidence  int     // per mille
	DecayPerDay float64 // what is left of its weight after each day, 0 to 1
	Trust       float64 // factor on its trust score, 0 to 1
}

// CapOf returns the cap of a class. Brain Memory knows four origins: we count operators and the system as users, what a
// subagent reports as tool output, the web and what is unknown as external.
func CapOf(class provenance.Class) Cap {
	switch class {
	case provenance.UserInput, provenance.Manual, provenance.SystemMemory:
		return Cap{Salience: 1000, Confidence: 1000, DecayPerDay: 1, Trust: 1}
	case provenance.AgentInferred:
		return Cap{Salience: 600, Confidence: 800, DecayPerDay: 1, Trust: .95}
	case provenance.SubagentTrace, provenance.ToolOutput:
		return Cap{Salience: 500, Confidence: 600, DecayPerDay: .997, Trust: .85}
	case provenance.WebContent, provenance.Unknown:
	}
	return Cap{Salience: 400, Confidence: 400, DecayPerDay: .99, Trust: .75}
}

// Capped returns r with confidence and salience of at most the cap of its class. What is not stated, 0, becomes the cap.
// Every path that writes a record goes through it: a new write, an edit, a merge, an import.
func (r Record) Capped() Record {
	c := CapOf(r.Class)
	r.Confidence, r.Salience = capped(r.Confidence, c.Confidence), capped(r.Salience, c.Salience)
	return r
}

func capped(stated, most int) int {
	if stated == 0 {
		return most
	}
	return min(stated, most)
}

// MayPin reports whether a memory of class may be pinned as it stands: only one of a high class, that is Trusted or that
// a person approved. Anything else is refused and not capped, since a pin is all or nothing: it would never fade.
func MayPin(class provenance.Class, standing Standing) bool {
	return class.High() && BoundaryOf(standing.Zone, standing.State) == Safe &&
		(standing.Zone == Trusted || standing.State == Approved)
}

// CapError says that a memory cannot be pinned, and what it takes. It holds no content.
type CapError struct {
	Class    provenance.Class
	Standing Standing
	Fix      string // what a caller should do
}

// Error implements error.
func (e *CapError) Error() string {
	return fmt.Sprintf("a memory of class %s in zone %s and state %s cannot be pinned: %s", e.Class, e.Standing.Zone, e.Standing.State, e.Fix)
}

// CheckPin returns a *CapError if r is pinned and may not be. It belongs to every path that writes a record, also where
// pinning is not what was asked for: a pinned memory that is moved to a lower zone or class loses the right to its pin.
func (r Record) CheckPin() error {
	if !r.Pinned || MayPin(r.Class, r.Standing()) {
		return nil
	}
	fix := "have a person approve it first"
	if !r.Class.High() {
		fix = "have a person write it through an authenticated channel, as their own"
	}
	return &CapError{Class: r.Class, Standing: r.Standing(), Fix: fix}
}

// vetted reports whether someone who may vouches for r: it is of a high class, or a person approved it and nothing came
// up since. Only such memories gain from being used.
func (r Record) vetted() bool { return r.Class.High() || r.State == Approved }

// halvingRecalls is how many recalls bring a vetted memory half the way to its cap.
const halvingRecalls = 10

// Strength is how much of what its class allows a memory has, 0 to 1: confidence and salience relative to their caps.
// Recalls strengthen a vetted memory towards 1. They do nothing for any other: otherwise a planted memory would only have
// to be recalled often to outweigh the ones that are true.
func Strength(r Record, recalls int64) float64 {
	c := CapOf(r.Class)
	stated := r.Capped()
	strength := share(stated.Confidence, c.Confidence) * share(stated.Salience, c.Salience)
	if recalls > 0 && r.vetted() {
		strength = 1 - (1-strength)*halvingRecalls/(halvingRecalls+float64(recalls))
	}
	return strength
}

func share(stated, most int) float64 { return clamp01(float64(stated) / float64(most)) }
