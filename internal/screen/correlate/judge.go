// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package correlate

import "math/bits"

// Fragment is what is known of a text that carries a part of a plan.
type Fragment struct {
	Root    string // what the text goes back to; all that go back to the same count as one
	Signals Signals
}

// leastWeak is how many roots have to say each of the two weak signals where nothing more is said of autonomy. That a supplier is
// reliable, and that it is usually paid on Fridays, are notes that people take of any.
const leastWeak = 2

// Judge reports whether fragments that name the same entity are a cluster: of at least two roots, with something that could be
// done, and with autonomy. Autonomy is that asking is waived, or that two roots say that the entity is trusted, and two others that
// something is routine there, about what cannot be taken back.
func Judge(fragments []Fragment) bool {
	byRoot := merge(fragments)
	if len(byRoot) < 2 {
		return false
	}
	var all Signals
	for _, s := range byRoot {
		all |= s
	}
	switch {
	case all&Capability == 0:
		return false
	case all&Waive != 0:
		return true
	}
	trust, routine, both := 0, 0, 0
	for _, s := range byRoot {
		switch s & (Trust | Routine) {
		case Trust:
			trust++
		case Routine:
			routine++
		case Trust | Routine:
			both++
		}
	}
	lacking := max(0, leastWeak-trust) + max(0, leastWeak-routine)
	return all&Consequential != 0 && lacking <= both
}

// JudgeTopics reports whether texts that one answer delivers together are a cluster though they name nothing in common: one
// waives asking about a kind of action that cannot be taken back, and another speaks of actions of that kind. It returns the
// actions in question; zero for none. Over longer times, kinds of actions are too common for this to say anything.
func JudgeTopics(fragments []Fragment) Signals {
	byRoot := merge(fragments)
	var out Signals
	for topics := uint16(Consequential); topics != 0; topics &= topics - 1 {
		topic := Signals(1) << bits.TrailingZeros16(topics)
		waived, others := 0, 0
		for _, s := range byRoot {
			switch {
			case s&(topic<<waiveShift) != 0:
				waived++
			case s&topic != 0:
				others++
			}
		}
		if waived > 0 && waived+others > 1 {
			out |= topic
		}
	}
	return out
}

// Concerns reports whether a text with these signals belongs to a cluster about these actions.
func (s Signals) Concerns(topics Signals) bool { return s&topics != 0 }

func merge(fragments []Fragment) map[string]Signals {
	byRoot := make(map[string]Signals, len(fragments))
	for _, f := range fragments {
		if f.Signals.Fragment() {
			byRoot[f.Root] |= f.Signals
		}
	}
	return byRoot
}
