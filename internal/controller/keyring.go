// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// Annotations of the key Secret. They are written together with the keys, so that a rotation survives a crash between
// any two steps.
const (
	// annotationNextKey is the id of the key that waits to become primary.
	annotationNextKey = "memorytrust.dev/next-key"
	// annotationRotation is the rotation.requestedAt that was last acted upon, RFC 3339.
	annotationRotation = "memorytrust.dev/rotation"
	// annotationLostKeys lists, by comma, the ids of keys that were lost and not restored yet.
	annotationLostKeys = "memorytrust.dev/lost-keys"
)

// keyring is what a key Secret holds.
type keyring struct {
	agentID  string
	primary  string
	entries  map[string][]byte // key material by key id
	next     string
	rotation time.Time // zero: none yet
	lost     []string  // sorted
}

// readKeyring reads a key Secret; nil stands for none. What is no key by its name is ignored, as screeners do.
func readKeyring(secret *corev1.Secret) keyring {
	k := keyring{entries: map[string][]byte{}}
	if secret == nil {
		return k
	}
	k.agentID = strings.TrimSpace(string(secret.Data[policy.FileAgentID]))
	k.primary = strings.TrimSpace(string(secret.Data[policy.FilePrimary]))
	for name, data := range secret.Data {
		id, isKey := strings.CutPrefix(name, policy.KeyPrefix)
		if id, ok := strings.CutSuffix(id, policy.KeySuffix); isKey && ok {
			k.entries[id] = data
		}
	}
	k.next = secret.Annotations[annotationNextKey]
	if at, err := time.Parse(time.RFC3339, secret.Annotations[annotationRotation]); err == nil {
		k.rotation = at
	}
	if lost := secret.Annotations[annotationLostKeys]; lost != "" {
		k.lost = strings.Split(lost, ",")
	}
	return k
}

// ids returns the ids of all keys, sorted.
func (k keyring) ids() []string { return slices.Sorted(maps.Keys(k.entries)) }

func (k keyring) has(id string) bool {
	_, ok := k.entries[id]
	return ok
}

func (k keyring) clone() keyring {
	entries := make(map[string][]byte, len(k.entries)+1)
	maps.Copy(entries, k.entries)
	k.entries = entries
	k.lost = slices.Clone(k.lost)
	return k
}

// data returns the entries of the key Secret.
func (k keyring) data() map[string][]byte {
	d := map[string][]byte{policy.FileAgentID: []byte(k.agentID), policy.FilePrimary: []byte(k.primary)}
	for id, entry := range k.entries {
		d[policy.KeyPrefix+id+policy.KeySuffix] = entry
	}
	return d
}

// annotations returns those of the key Secret that are set.
func (k keyring) annotations() map[string]string {
	a := map[string]string{}
	if k.next != "" {
		a[annotationNextKey] = k.next
	}
	if !k.rotation.IsZero() {
		a[annotationRotation] = k.rotation.UTC().Format(time.RFC3339)
	}
	if len(k.lost) > 0 {
		a[annotationLostKeys] = strings.Join(k.lost, ",")
	}
	return a
}

// screenerKeys is what one running screener reports about its keys.
type screenerKeys struct {
	pod     string
	primary string
	ids     []string // nil before it reported anything
}

// keyObserved is what a decision about an agent's keys is made from.
type keyObserved struct {
	exists  bool // the key Secret
	ring    keyring
	agentID string // of the AgentMemory
	// knownIDs and knownPrimary are those of the last status: keys that were there once.
	knownIDs     []string
	knownPrimary string
	requestedAt  time.Time // spec.rotation.requestedAt; zero when unset
	rotatedAt    time.Time // status.lastRotationAt; zero when unset
	running      []screenerKeys
}

// keyDecision is what to do about an agent's keys.
type keyDecision struct {
	// ring to write, when write is set.
	ring  keyring
	write bool
	// generated, regenerated, started, switched say what write does, for events.
	generated, regenerated, started, switched bool
	// waiting names pods whose screener has not reported the next key.
	waiting []string
	// tooMany is set when a rotation would exceed the most keys a keyset may hold.
	tooMany bool
	// broken is why the Secret cannot be used and is not touched.
	broken *finding
}

// decideKeys is the whole life of a keyset: made once, rotated in two steps with a wait in between, replaced when lost,
// and never overwritten when it belongs to somebody else.
func decideKeys(o keyObserved, newKey func() (string, []byte, error)) (keyDecision, error) {
	d := keyDecision{ring: o.ring.clone()}
	if broken := checkRing(o); broken != nil {
		d.broken = broken
		return d, nil
	}
	if d.ring.agentID != o.agentID {
		d.ring.agentID, d.write = o.agentID, true
	}
	if err := d.ensurePrimary(o, newKey); err != nil {
		return d, err
	}
	d.trackLost(o)
	if err := d.rotate(o, newKey); err != nil {
		return d, err
	}
	return d, nil
}

// checkRing finds what must not be repaired by overwriting.
func checkRing(o keyObserved) *finding {
	if !o.exists {
		return nil
	}
	if o.ring.agentID != "" && o.ring.agentID != o.agentID {
		f := no(ReasonAgentIDMismatch,
			"the key Secret belongs to agentID %s and the AgentMemory to %s: restore the AgentMemory with that agentID (verb adopt), or delete the key Secret to start with new keys",
			o.ring.agentID, o.agentID)
		return &f
	}
	if len(o.ring.entries) > provenance.MaxKeys {
		f := no(ReasonTooManyKeys, "the key Secret holds %d keys, at most %d can be loaded: remove keys that sign no record any more",
			len(o.ring.entries), provenance.MaxKeys)
		return &f
	}
	for _, id := range o.ring.ids() {
		if _, err := provenance.ParseKeyset(id, map[string][]byte{id: o.ring.entries[id]}); err != nil {
			f := no(ReasonKeysInvalid, "entry %s%s%s of the key Secret is no key: restore it from a backup, or remove it",
				policy.KeyPrefix, id, policy.KeySuffix)
			return &f
		}
	}
	return nil
}

// ensurePrimary makes sure that there is a key to sign with.
func (d *keyDecision) ensurePrimary(o keyObserved, newKey func() (string, []byte, error)) error {
	if d.ring.has(d.ring.primary) {
		return nil
	}
	d.write = true
	if len(d.ring.entries) > 0 {
		d.ring.primary = d.ring.ids()[0]
		if d.ring.has(o.knownPrimary) {
			d.ring.primary = o.knownPrimary
		}
		return nil
	}
	id, entry, err := newKey()
	if err != nil {
		return err
	}
	d.ring.entries[id] = entry
	d.ring.primary = id
	d.ring.next = ""
	// A request that is older than the key is fulfilled by it.
	d.ring.rotation = later(later(d.ring.rotation, o.requestedAt), o.rotatedAt)
	d.generated = len(o.knownIDs) == 0
	d.regenerated = !d.generated
	return nil
}

// trackLost keeps the list of keys that were there once and are not any more.
func (d *keyDecision) trackLost(o keyObserved) {
	lost := map[string]bool{}
	for _, id := range append(slices.Clone(o.knownIDs), d.ring.lost...) {
		if id != "" && !d.ring.has(id) {
			lost[id] = true
		}
	}
	now := slices.Sorted(maps.Keys(lost))
	if !slices.Equal(now, d.ring.lost) {
		d.ring.lost, d.write = now, true
	}
}

// rotate starts a requested rotation, and ends the one under way once every running screener knows the next key.
func (d *keyDecision) rotate(o keyObserved, newKey func() (string, []byte, error)) error {
	if d.ring.next != "" && (!d.ring.has(d.ring.next) || d.ring.next == d.ring.primary) {
		d.ring.next, d.write = "", true
	}
	last := later(d.ring.rotation, o.rotatedAt)
	if d.ring.next == "" && o.requestedAt.After(last) {
		if len(d.ring.entries) >= provenance.MaxKeys {
			d.tooMany = true
			return nil
		}
		id, entry, err := newKey()
		if err != nil {
			return err
		}
		if d.ring.has(id) {
			return fmt.Errorf("new key id %s is taken already", id)
		}
		d.ring.entries[id] = entry
		d.ring.next, d.ring.rotation = id, o.requestedAt
		d.write, d.started = true, true
	}
	if d.ring.next == "" {
		return nil
	}
	for _, s := range o.running {
		if !slices.Contains(s.ids, d.ring.next) {
			d.waiting = append(d.waiting, s.pod)
		}
	}
	if len(d.waiting) == 0 {
		d.ring.primary, d.ring.next = d.ring.next, ""
		d.write, d.switched = true, true
	}
	return nil
}

// loadedBy counts the screeners that run on exactly this keyring.
func (k keyring) loadedBy(running []screenerKeys) int {
	ids := k.ids()
	n := 0
	for _, s := range running {
		have := slices.Clone(s.ids)
		slices.Sort(have)
		if s.primary == k.primary && slices.Equal(have, ids) {
			n++
		}
	}
	return n
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
