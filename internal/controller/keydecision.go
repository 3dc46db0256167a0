// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// knownKey is what the last status says about a key.
type knownKey struct {
	state                  v1alpha1.ProvenanceKeyState
	primaryAt, verifyUntil time.Time // zero: not set
}

// keyObserved is what a decision about an agent's keys is made from.
type keyObserved struct {
	now     time.Time
	exists  bool // the key Secret
	ring    keyring
	agentID string // of the AgentMemory
	// known and knownPrimary are those of the last status: keys that were there once.
	known        map[string]knownKey
	knownPrimary string
	requestedAt  time.Time     // spec.rotation.requestedAt; zero when unset
	rotatedAt    time.Time     // status.lastRotationAt; zero when unset
	period       time.Duration // spec.rotation.periodSeconds; zero when unset
	// mayStart spaces out the rotations of many agents that are due at the same time; nil lets all start.
	mayStart    func() bool
	source      *keySource // nil: the operator makes the keys
	compromised []string   // spec.compromisedKeyIDs
	running     []screenerKeys
}

// keyDecision is what to do about an agent's keys.
type keyDecision struct {
	// ring to write, when write is set.
	ring  keyring
	write bool

	// What write does, for events.
	generated, regenerated, adopted bool   // a first key: made, made in place of a lost one, taken from the user's Secret
	started, switched               bool   // a rotation
	cause                           string // of the rotation that started, in words
	revoked, disabled, removed      []string
	standIn                         bool // the primary key was compromised and is replaced

	// waiting names pods whose screener has not reported the next key.
	waiting []string
	// holding names pods whose screener last reported a compromised key.
	holding []string
	// tooMany is set when a rotation would exceed the most keys a keyset may hold.
	tooMany bool
	// unchanged is set when a rotation is asked for and the user's Secret still holds the same key.
	unchanged bool
	// deferred is set when a rotation is due and no screener runs that would use the key.
	deferred bool
	// held is set when a rotation is due and others have to start first.
	held bool
	// problem is why the user's Secret cannot be used; the keys in force stay.
	problem *finding
	// broken is why the key Secret cannot be used, or made, and is not touched.
	broken *finding
	// sourcePrimary is the id of the key in the user's Secret; empty without a usable one.
	sourcePrimary string
}

// decideKeys is the whole life of a keyset: made once, or taken from a Secret of the user; rotated in two steps with a
// wait in between; each old key disabled, then removed, when nothing needs it; compromised keys dropped without waiting;
// replaced when lost, and never overwritten when it belongs to somebody else. All that a decision needs is in the Secret
// and the last status, so that the operator may be restarted between any two steps.
func decideKeys(o keyObserved, newKey func() (string, []byte, error)) (keyDecision, error) {
	d := keyDecision{ring: o.ring.clone()}
	d.revoke(o)
	if broken := checkRing(o, d.ring); broken != nil {
		d.broken = broken
		return d, nil
	}
	if d.ring.agentID != o.agentID {
		d.ring.agentID, d.write = o.agentID, true
	}
	d.takeProvided(o)
	if err := d.ensurePrimary(o, newKey); err != nil || d.broken != nil {
		return d, err
	}
	d.trackLost(o)
	if err := d.rotate(o, newKey); err != nil {
		return d, err
	}
	d.retire(o)
	for _, s := range o.running {
		if slices.ContainsFunc(o.compromised, s.knows) {
			d.holding = append(d.holding, s.pod)
		}
	}
	return d, nil
}

// revoke drops compromised keys, whatever else goes on.
func (d *keyDecision) revoke(o keyObserved) {
	for _, id := range o.compromised {
		_, wasDisabled := d.ring.disabled[id]
		if d.ring.has(id) || wasDisabled {
			delete(d.ring.entries, id)
			delete(d.ring.disabled, id)
			d.revoked, d.write = append(d.revoked, id), true
		}
		if id == d.ring.primary {
			d.ring.primary, d.standIn, d.write = "", true, true
		}
		if id == d.ring.next {
			d.ring.next, d.write = "", true
		}
	}
}

// checkRing finds what must not be repaired by overwriting.
func checkRing(o keyObserved, ring keyring) *finding {
	if !o.exists {
		return nil
	}
	if ring.agentID != "" && ring.agentID != o.agentID {
		f := no(ReasonAgentIDMismatch,
			"the key Secret belongs to agentID %s and the AgentMemory to %s: restore the AgentMemory with that agentID (verb adopt), or delete the key Secret to start with new keys",
			ring.agentID, o.agentID)
		return &f
	}
	if len(ring.entries) > provenance.MaxKeys {
		f := no(ReasonTooManyKeys, "the key Secret holds %d keys, at most %d can be loaded: remove keys that sign no record any more",
			len(ring.entries), provenance.MaxKeys)
		return &f
	}
	for _, id := range ring.ids() {
		if _, err := provenance.ParseKeyset(id, map[string][]byte{id: ring.entries[id]}); err != nil {
			f := no(ReasonKeysInvalid, "entry %s%s%s of the key Secret is no key: restore it from a backup, or remove it",
				policy.KeyPrefix, id, policy.KeySuffix)
			return &f
		}
	}
	return nil
}

// takeProvided adds the keys of the user's Secret for verification. Which of them signs is for the steps after it.
func (d *keyDecision) takeProvided(o keyObserved) {
	if o.source == nil {
		return
	}
	if d.problem = o.source.problem; d.problem != nil {
		return
	}
	p := o.source.provided
	if slices.Contains(o.compromised, p.Primary) {
		f := no(ReasonKeySourceCompromised, "%s still holds the compromised key %s: put a new key there", o.source.name, p.Primary)
		d.problem = &f
		return
	}
	for _, id := range slices.Sorted(maps.Keys(p.Entries)) {
		if slices.Contains(o.compromised, id) {
			continue
		}
		have, known := d.ring.entries[id]
		if !known {
			have, known = d.ring.disabled[id]
		}
		if known && !provenance.SameKey(id, have, p.Entries[id]) {
			f := no(ReasonKeySourceInvalid, "%s holds another key under the id %s of an older one: make another key, with an id of its own", o.source.name, id)
			d.problem = &f
			return
		}
		if d.ring.has(id) {
			continue
		}
		if len(d.ring.entries) >= provenance.MaxKeys {
			d.tooMany = true
			return
		}
		d.ring.entries[id], d.write = p.Entries[id], true
		delete(d.ring.disabled, id)
	}
	d.sourcePrimary = p.Primary
}

// ensurePrimary makes sure that there is a key to sign with. A key that screeners have is better than a new one, but an
// old key is not taken up again in place of a compromised one.
func (d *keyDecision) ensurePrimary(o keyObserved, newKey func() (string, []byte, error)) error {
	if d.ring.has(d.ring.primary) {
		return nil
	}
	d.write = true
	var candidates []string
	if d.standIn {
		candidates = []string{o.knownPrimary, d.ring.next, d.sourcePrimary}
	} else {
		candidates = append([]string{o.knownPrimary, d.sourcePrimary}, d.ring.ids()...)
	}
	if i := slices.IndexFunc(candidates, d.ring.has); i >= 0 {
		d.ring.primary = candidates[i]
		d.adopted = !o.exists && d.ring.primary == d.sourcePrimary
	} else {
		if o.source != nil && !d.standIn {
			d.broken = d.problem
			return nil
		}
		id, entry, err := newKey()
		if err != nil {
			return err
		}
		d.ring.entries[id], d.ring.primary = entry, id
		d.generated = len(o.known) == 0
		d.regenerated = !d.generated && !d.standIn
	}
	if d.ring.next == d.ring.primary || d.generated || d.regenerated {
		d.ring.next = ""
	}
	if d.adopted || d.generated || d.regenerated || d.standIn {
		// A request that is older than the key is fulfilled by it.
		d.ring.rotation = later(later(d.ring.rotation, o.requestedAt), o.rotatedAt)
	}
	return nil
}

// trackLost keeps the list of keys that were there once and are not any more, though nobody meant them to go.
func (d *keyDecision) trackLost(o keyObserved) {
	lost := map[string]bool{}
	note := func(id string) {
		if id != "" && !d.ring.has(id) && !slices.Contains(o.compromised, id) {
			lost[id] = true
		}
	}
	for id, k := range o.known {
		if k.state == v1alpha1.KeyStatePrimary || k.state == v1alpha1.KeyStateVerifyOnly {
			if _, isDisabled := d.ring.disabled[id]; !isDisabled {
				note(id)
			}
		}
	}
	for _, id := range d.ring.lost {
		note(id)
	}
	now := slices.Sorted(maps.Keys(lost))
	if !slices.Equal(now, d.ring.lost) {
		d.ring.lost, d.write = now, true
	}
}

// rotate starts a rotation that is asked for or due, and ends the one under way once every running screener knows the
// next key.
func (d *keyDecision) rotate(o keyObserved, newKey func() (string, []byte, error)) error {
	if d.ring.next != "" && (!d.ring.has(d.ring.next) || d.ring.next == d.ring.primary) {
		d.ring.next, d.write = "", true
	}
	if d.ring.next == "" {
		if err := d.begin(o, newKey); err != nil {
			return err
		}
	}
	if d.ring.next == "" {
		return nil
	}
	for _, s := range o.running {
		if !s.knows(d.ring.next) {
			d.waiting = append(d.waiting, s.pod)
		}
	}
	if len(d.waiting) == 0 {
		d.ring.primary, d.ring.next = d.ring.next, ""
		d.write, d.switched = true, true
	}
	return nil
}

// begin starts a rotation if there is a reason to: a new key in the user's Secret, a request, or the primary's age.
func (d *keyDecision) begin(o keyObserved, newKey func() (string, []byte, error)) error {
	last := later(d.ring.rotation, o.rotatedAt)
	requested := o.requestedAt.After(last)
	due := o.due(d.ring.primary)
	isDue := !due.IsZero() && !o.now.Before(due)
	switch {
	case d.sourcePrimary != "" && d.sourcePrimary != d.ring.primary:
		d.start(d.sourcePrimary, later(later(last, o.requestedAt), o.now), "the key in "+o.source.name+" changed")
		return nil
	case o.source != nil:
		d.unchanged = requested && d.problem == nil
		return nil
	case !requested && !isDue:
		return nil
	case len(d.ring.entries) >= provenance.MaxKeys:
		d.tooMany = true
		return nil
	case !requested && len(o.running) == 0:
		d.deferred = true
		return nil
	case !requested && o.mayStart != nil && !o.mayStart():
		d.held = true
		return nil
	}
	id, entry, err := newKey()
	if err != nil {
		return err
	}
	if _, taken := d.ring.disabled[id]; taken || d.ring.has(id) {
		return fmt.Errorf("new key id %s is taken already", id)
	}
	d.ring.entries[id] = entry
	if requested {
		d.start(id, o.requestedAt, "it was requested")
	} else {
		d.start(id, later(last, o.now), "the primary key reached its age")
	}
	return nil
}

func (d *keyDecision) start(next string, at time.Time, cause string) {
	d.ring.next, d.ring.rotation = next, at
	d.write, d.started, d.cause = true, true, cause
}

// due is when a primary key reaches its age; zero for never. A key without a time became primary just now.
func (o keyObserved) due(primary string) time.Time {
	since := o.known[primary].primaryAt
	if o.period == 0 || o.source != nil || since.IsZero() {
		return time.Time{}
	}
	return since.Add(o.period)
}

// retire disables keys whose window is over, and removes disabled ones, as far as no store needs them. Nothing is ever
// done on the word of an agent of which no screener runs: its volume may hold what nobody counts.
func (d *keyDecision) retire(o keyObserved) {
	for _, id := range slices.Sorted(maps.Keys(d.ring.disabled)) {
		switch {
		case d.ring.has(id): // somebody restored it
			delete(d.ring.disabled, id)
			d.write = true
		// The status has to say Disabled first: a key that merely went is a lost one.
		case o.known[id].state == v1alpha1.KeyStateDisabled && o.unneeded(d.ring.primary, id) &&
			!slices.ContainsFunc(o.running, func(s screenerKeys) bool { return s.knows(id) }):
			delete(d.ring.disabled, id)
			d.removed, d.write = append(d.removed, id), true
		}
	}
	for _, id := range d.ring.ids() {
		k := o.known[id]
		if id == d.ring.primary || id == d.ring.next || o.source.provides(id) ||
			k.state != v1alpha1.KeyStateVerifyOnly || k.verifyUntil.IsZero() || o.now.Before(k.verifyUntil) ||
			!o.unneeded(d.ring.primary, id) {
			continue
		}
		d.ring.disabled[id] = d.ring.entries[id]
		delete(d.ring.entries, id)
		d.disabled, d.write = append(d.disabled, id), true
	}
}

// unneeded reports whether every running screener answers, signs with the primary key and has no live record under id.
func (o keyObserved) unneeded(primary, id string) bool {
	for _, s := range o.running {
		if !s.fresh || s.primary != primary || s.records == nil || s.records[id] != 0 {
			return false
		}
	}
	return len(o.running) > 0
}
