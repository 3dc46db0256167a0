// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/provenance"
)

// expected reads the hand-written list.
func expected(t *testing.T) map[Action]map[Standing]string {
	t.Helper()
	out := map[Action]map[Standing]string{}
	for _, line := range lines(t, "testdata/lifecycle.txt") {
		fields := strings.Fields(line)
		if len(fields) != 2+len(States) {
			t.Fatalf("%q has not a field for each state", line)
		}
		action := Action(fields[0])
		if out[action] == nil {
			out[action] = map[Standing]string{}
		}
		for i, target := range fields[2:] {
			out[action][Standing{Zone(fields[1]), States[i]}] = target
		}
	}
	return out
}

// abbreviated writes a target as the list does.
func abbreviated(to Standing, err error) string {
	switch {
	case err != nil:
		return "-"
	case to == Decided:
		return "new"
	}
	return string(to.Zone[:1]) + "." + string(to.State[:2])
}

func TestEveryActionFromEveryStanding(t *testing.T) {
	want := expected(t)
	for _, action := range Actions {
		for _, zone := range Zones {
			for _, state := range States {
				from := Standing{zone, state}
				to, err := Next(action, from)
				if got := abbreviated(to, err); got != want[action][from] {
					t.Errorf("%s from %s %s: %s, want %q", action, zone, state, got, want[action][from])
				}
				if possible := slices.Contains(ActionsFor(from), action); possible != (err == nil) {
					t.Errorf("%s from %s %s: in ActionsFor %v, error %v", action, zone, state, possible, err)
				}
			}
		}
	}
	if len(want) != len(Actions) {
		t.Errorf("the list has %d actions, there are %d", len(want), len(Actions))
	}
}

// The table that documents show is the one Next obeys, each line once.
func TestTransitionsAreTheTable(t *testing.T) {
	type key struct {
		Action
		Standing
	}
	seen := map[key]bool{}
	for _, tr := range Transitions() {
		to, err := Next(tr.Action, tr.From)
		if err != nil || to != tr.To || seen[key{tr.Action, tr.From}] {
			t.Errorf("%+v: Next says %+v, %v; seen %v", tr, to, err, seen[key{tr.Action, tr.From}])
		}
		seen[key{tr.Action, tr.From}] = true
	}
	possible := 0
	for _, zone := range Zones {
		for _, state := range States {
			possible += len(ActionsFor(Standing{zone, state}))
		}
	}
	if possible != len(seen) {
		t.Errorf("%d transitions shown, %d possible", len(seen), possible)
	}
	Transitions()[0].To = Standing{Trusted, Active}
	if Transitions()[0].To == (Standing{Trusted, Active}) {
		t.Error("a caller can change the table")
	}
}

func TestNextRefuses(t *testing.T) {
	_, err := Next(ActionPromote, Standing{Trusted, Active})
	var refused *TransitionError
	if !errors.Is(err, ErrTransition) || !errors.As(err, &refused) {
		t.Fatalf("got %v, want a *TransitionError", err)
	}
	want := "Promote is not possible for a memory in zone Trusted and state Active; " +
		"possible: Attest, Quarantine, Forget, Purge, Dispute, Supersede, Age, Edit"
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	for name, from := range map[string]Standing{"no zone": {"", Active}, "no state": {Trusted, ""}, "decided": Decided} {
		for _, action := range append([]Action{"", "Nonsense"}, Actions...) {
			if to, err := Next(action, from); err == nil {
				t.Errorf("%s: %s leads to %+v", name, action, to)
			}
		}
	}
}

// height orders zones by what they let a memory do.
var height = map[Zone]int{Quarantine: 0, Working: 1, Trusted: 2}

// Whatever is done to a memory in whatever order, only a promotion raises it, one zone at a time, and an approval out of
// Quarantine. An edit is left out: its outcome is that of a new write.
func TestOnlyPromotionRaises(t *testing.T) {
	for _, tr := range Transitions() {
		if tr.To == Decided {
			continue
		}
		rise := height[tr.To.Zone] - height[tr.From.Zone]
		switch {
		case tr.Action == ActionPromote && rise == 1:
		case tr.Action == ActionApprove && tr.From.Zone == Quarantine && tr.To.Zone == Working:
		case rise > 0:
			t.Errorf("%+v raises a memory", tr)
		case tr.Action == ActionPromote:
			t.Errorf("%+v is no promotion", tr)
		}
	}
	reached := reach(Standing{Quarantine, PendingReview}, func(a Action) bool { return a != ActionPromote })
	for _, s := range reached {
		if s.Zone == Trusted {
			t.Errorf("%+v is reached without a promotion", s)
		}
	}
	if !slices.Contains(reached, Standing{Working, Approved}) {
		t.Error("approval lets nothing in")
	}
}

// Without a person who approves, settles or promotes, nothing that was Blocked is ever delivered.
func TestNothingBlockedComesOutByItself(t *testing.T) {
	person := []Action{ActionApprove, ActionPromote, ActionAttest, ActionSettle, ActionReopen}
	for _, zone := range Zones {
		for _, state := range States {
			if BoundaryOf(zone, state) != Blocked {
				continue
			}
			for _, s := range reach(Standing{zone, state}, func(a Action) bool { return !slices.Contains(person, a) }) {
				if BoundaryOf(s.Zone, s.State) != Blocked {
					t.Errorf("%s %s comes to %+v", zone, state, s)
				}
			}
		}
	}
}

// reach lists every standing that actions lead to from a standing, itself included.
func reach(from Standing, allowed func(Action) bool) []Standing {
	out := []Standing{from}
	for i := 0; i < len(out); i++ {
		for _, a := range ActionsFor(out[i]) {
			to, _ := Next(a, out[i])
			if allowed(a) && to != Decided && !slices.Contains(out, to) {
				out = append(out, to)
			}
		}
	}
	return out
}

// No decision gives a memory the authority to justify actions, whatever its class and writer.
func TestNoDecisionGivesAct(t *testing.T) {
	for _, class := range provenance.Classes {
		for _, tr := range Transitions() {
			r := Record{Zone: tr.To.Zone, State: tr.To.State, Class: class, Writer: Writer{Channel: "console", Principal: "alice"}, ApprovedBy: "bob"}
			if AuthorityOf(r, now) == Act {
				t.Errorf("%+v gives a %s Act", tr, class)
			}
		}
	}
}
