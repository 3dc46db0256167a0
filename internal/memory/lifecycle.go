// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

//go:generate go run ./gen/lifecycle -out ../../docs/lifecycle.md

// Action is what can be done to a memory that is stored. The table in this file says which action leads from where to
// where; there is no other way to another zone or state.
type Action string

// The actions.
const (
	ActionApprove    Action = "Approve"    // a person: it may stay; out of Quarantine it goes to Working
	ActionReject     Action = "Reject"     // a person: it may not; kept, and Reopen brings it back to the queue
	ActionPromote    Action = "Promote"    // a person: one zone up, with a reason, anchor and corroboration where the rules ask for them
	ActionAttest     Action = "Attest"     // a person: it may count as it is though no channel vouches for it; zone and class stay
	ActionQuarantine Action = "Quarantine" // a person or a detector: out of reach of the agent until a person decides
	ActionReopen     Action = "Reopen"     // a person: what was rejected or forgotten waits in Quarantine again
	ActionForget     Action = "Forget"     // its writer or a person: out of every recall; the history stays
	ActionPurge      Action = "Purge"      // a person: the content is erased from every version, hashes stay
	ActionDispute    Action = "Dispute"    // the contradiction scan: it contradicts another and is the one that counts for less
	ActionSettle     Action = "Settle"     // a person: the contradiction is decided, and this one stands
	ActionSupersede  Action = "Supersede"  // another memory replaces it
	ActionAge        Action = "Age"        // the system: older than the policy takes for fresh
	ActionEdit       Action = "Edit"       // its writer: new content, which is decided about like a new write
	ActionRestate    Action = "Restate"    // its writer: a text of an upstream that is gone is stored again, which is decided about like a new write
)

// Actions lists every action, in the order documents show them.
var Actions = []Action{
	ActionApprove, ActionReject, ActionPromote, ActionAttest, ActionQuarantine, ActionReopen, ActionForget, ActionPurge,
	ActionDispute, ActionSettle, ActionSupersede, ActionAge, ActionEdit, ActionRestate,
}

// Zones lists every zone, lowest first.
var Zones = []Zone{Quarantine, Working, Trusted}

// States lists every state.
var States = []State{Active, PendingReview, Approved, Stale, Disputed, Superseded, Rejected, Forgotten}

// Standing is zone and state of a memory.
type Standing struct {
	Zone  Zone
	State State
}

// Decided is the target of a transition that the table leaves to Decide: new content is decided about like a new write.
var Decided = Standing{}

// Standing is that of the record.
func (r Record) Standing() Standing { return Standing{r.Zone, r.State} }

// ErrTransition says that an action does not apply to a memory as it stands.
var ErrTransition = errors.New("not possible as the memory stands")

// TransitionError says which action was refused, and what can be done instead. It wraps ErrTransition.
type TransitionError struct {
	Action   Action
	From     Standing
	Possible []Action // as of ActionsFor
}

// Error implements error. It names actions, zone and state and nothing else.
func (e *TransitionError) Error() string {
	possible := make([]string, len(e.Possible))
	for i, a := range e.Possible {
		possible[i] = string(a)
	}
	return fmt.Sprintf("%s is not possible for a memory in zone %s and state %s; possible: %s",
		e.Action, e.From.Zone, e.From.State, strings.Join(possible, ", "))
}

// Unwrap makes errors.Is find ErrTransition.
func (e *TransitionError) Unwrap() error { return ErrTransition }

// Transition is one line of the table: Action leads From one standing To another, or to Decided.
type Transition struct {
	Action   Action
	From, To Standing
}

// rule is several lines of the table: an action applies in these zones and states. Lists that are nil mean all; where zone
// or state is nil, the action leaves it as it is.
type rule struct {
	action Action
	zones  []Zone
	states []State
	zone   func(Zone) Zone
	state  func(State) State
}

var (
	live      = []State{Active, PendingReview, Approved, Stale, Disputed, Superseded}
	rules     = tableRules()
	table     = expand(rules)
	nextTable = index(table)
)

// tableRules is the table as people wrote it. Only Promote raises a zone, save that whoever is approved comes out of
// Quarantine: that lets a memory in and makes it no more trusted than the lowest that are in.
func tableRules() []rule {
	in := func(z Zone) Zone {
		if z == Quarantine {
			return Working
		}
		return z
	}
	up := func(z Zone) Zone {
		if z == Working {
			return Trusted
		}
		return Working
	}
	to := func(s State) func(State) State { return func(State) State { return s } }
	out := func(Zone) Zone { return Quarantine }
	decided := func(Zone) Zone { return Decided.Zone }
	return []rule{
		{ActionApprove, nil, []State{PendingReview, Disputed, Stale}, in, to(Approved)},
		{ActionReject, nil, []State{PendingReview, Disputed}, nil, to(Rejected)},
		// What is stale, disputed or replaced is decided about as what it is before anyone raises it.
		{ActionPromote, []Zone{Quarantine, Working}, []State{Active, PendingReview, Approved}, up, to(Approved)},
		// What waits or is disputed is approved instead; in Quarantine nothing is let in by the way.
		{ActionAttest, []Zone{Working, Trusted}, []State{Active}, nil, to(Approved)},
		{ActionQuarantine, []Zone{Working, Trusted}, live, out, to(PendingReview)},
		{ActionReopen, nil, []State{Rejected, Forgotten}, out, to(PendingReview)},
		{ActionForget, nil, live, nil, to(Forgotten)},
		{ActionPurge, nil, nil, nil, to(Forgotten)},
		{ActionDispute, nil, []State{Active, Approved, Stale}, nil, to(Disputed)},
		{ActionDispute, nil, []State{PendingReview}, nil, nil}, // it is in the queue already
		{ActionSettle, nil, []State{Disputed}, nil, to(Approved)},
		{ActionSupersede, nil, []State{Active, PendingReview, Approved, Stale, Disputed}, nil, to(Superseded)},
		{ActionAge, nil, []State{Active, Approved}, nil, to(Stale)},
		{ActionEdit, nil, []State{Active, PendingReview, Approved, Stale, Disputed}, decided, to(Decided.State)},
		{ActionRestate, nil, []State{Superseded, Forgotten}, decided, to(Decided.State)},
	}
}

func expand(rules []rule) []Transition {
	var out []Transition
	for _, r := range rules {
		for _, zone := range Zones {
			for _, state := range States {
				if r.zones != nil && !slices.Contains(r.zones, zone) || r.states != nil && !slices.Contains(r.states, state) {
					continue
				}
				t := Transition{Action: r.action, From: Standing{zone, state}, To: Standing{zone, state}}
				if r.zone != nil {
					t.To.Zone = r.zone(zone)
				}
				if r.state != nil {
					t.To.State = r.state(state)
				}
				out = append(out, t)
			}
		}
	}
	return out
}

func index(table []Transition) map[Action]map[Standing]Standing {
	out := map[Action]map[Standing]Standing{}
	for _, t := range table {
		if out[t.Action] == nil {
			out[t.Action] = map[Standing]Standing{}
		}
		out[t.Action][t.From] = t.To
	}
	return out
}

// Transitions is the whole table: what is not in it is not possible.
func Transitions() []Transition { return slices.Clone(table) }

// Next is the standing that an action leads to. It is Decided for an edit, which the caller then decides about with Decide.
// It returns a *TransitionError where the table has no line. A purged memory cannot be reopened either, which its standing
// does not show.
func Next(a Action, from Standing) (Standing, error) {
	to, ok := nextTable[a][from]
	if !ok {
		return Standing{}, &TransitionError{Action: a, From: from, Possible: ActionsFor(from)}
	}
	return to, nil
}

// ActionsFor lists what can be done to a memory as it stands, in the order of Actions.
func ActionsFor(from Standing) []Action {
	var out []Action
	for _, a := range Actions {
		if _, ok := nextTable[a][from]; ok {
			out = append(out, a)
		}
	}
	return out
}
