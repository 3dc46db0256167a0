// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"memorytrust.dev/operator/internal/policy"
)

// Annotations of the key Secret. They are written together with the keys, so that a rotation survives a crash between
// any two steps.
const (
	// annotationNextKey is the id of the key that waits to become primary.
	annotationNextKey = "memorytrust.dev/next-key"
	// annotationRotation is when the last rotation started, RFC 3339: its rotation.requestedAt if it was requested.
	annotationRotation = "memorytrust.dev/rotation"
	// annotationLostKeys lists, by comma, the ids of keys that were lost and not restored yet.
	annotationLostKeys = "memorytrust.dev/lost-keys"
)

// disabledPrefix, the key id and policy.KeySuffix name the entry of a key that screeners are not to load any more. They
// ignore entries of other names, so that a key is disabled by renaming its entry, and enabled again the same way.
const disabledPrefix = "disabled-"

// keyring is what a key Secret holds.
type keyring struct {
	agentID  string
	primary  string
	entries  map[string][]byte // key material by key id
	disabled map[string][]byte // the same of keys that screeners do not load
	next     string
	rotation time.Time // zero: none yet
	lost     []string  // sorted
}

// readKeyring reads a key Secret; nil stands for none. What is no key by its name is ignored, as screeners do.
func readKeyring(secret *corev1.Secret) keyring {
	k := keyring{entries: map[string][]byte{}, disabled: map[string][]byte{}}
	if secret == nil {
		return k
	}
	k.agentID = strings.TrimSpace(string(secret.Data[policy.FileAgentID]))
	k.primary = strings.TrimSpace(string(secret.Data[policy.FilePrimary]))
	for name, data := range secret.Data {
		if id, ok := entryID(name, policy.KeyPrefix); ok {
			k.entries[id] = data
		}
		if id, ok := entryID(name, disabledPrefix); ok {
			k.disabled[id] = data
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

// entryID returns the key id in the name of an entry with that prefix.
func entryID(name, prefix string) (string, bool) {
	id, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(id, policy.KeySuffix)
}

// ids returns the ids of all keys that screeners load, sorted.
func (k keyring) ids() []string { return slices.Sorted(maps.Keys(k.entries)) }

func (k keyring) has(id string) bool {
	_, ok := k.entries[id]
	return ok
}

func (k keyring) clone() keyring {
	entries := make(map[string][]byte, len(k.entries)+1)
	maps.Copy(entries, k.entries)
	k.entries = entries
	disabled := make(map[string][]byte, len(k.disabled))
	maps.Copy(disabled, k.disabled)
	k.disabled = disabled
	k.lost = slices.Clone(k.lost)
	return k
}

// data returns the entries of the key Secret.
func (k keyring) data() map[string][]byte {
	d := map[string][]byte{policy.FileAgentID: []byte(k.agentID), policy.FilePrimary: []byte(k.primary)}
	for id, entry := range k.entries {
		d[policy.KeyPrefix+id+policy.KeySuffix] = entry
	}
	for id, entry := range k.disabled {
		d[disabledPrefix+id+policy.KeySuffix] = entry
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
	ids     []string // of its last answer; nil before it answered
	// fresh is set when it answers now, and not only did once.
	fresh bool
	// asked is set once it answered, or did not when it was asked.
	asked bool
	// records counts live records by the key that signed them; nil when the screener did not say.
	records map[string]int64
}

// knows reports whether the screener has loaded a key. What it loaded once it keeps: a screener that cannot be reached
// now still verifies with the key it reported before.
func (s screenerKeys) knows(id string) bool { return slices.Contains(s.ids, id) }

// loadedBy counts the screeners that run on exactly this keyring.
func (k keyring) loadedBy(running []screenerKeys) int {
	ids := k.ids()
	n := 0
	for _, s := range running {
		have := slices.Clone(s.ids)
		slices.Sort(have)
		if s.fresh && s.primary == k.primary && slices.Equal(have, ids) {
			n++
		}
	}
	return n
}

// notAsked reports whether one of the screeners was not asked yet since the operator started.
func notAsked(running []screenerKeys) bool {
	return slices.ContainsFunc(running, func(s screenerKeys) bool { return !s.asked })
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
