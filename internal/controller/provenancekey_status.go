// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
)

// blockedAfter is how long a rotation waits for screeners before it says that it is blocked. The kubelet needs up to
// 80 seconds to deliver a Secret without help.
const blockedAfter = 2 * time.Minute

// keyStatusInput is what the status of a ProvenanceKey is computed from.
type keyStatusInput struct {
	now        time.Time
	generation int64
	agent      string
	period     time.Duration // spec.rotation.periodSeconds; zero when unset
	window     time.Duration // spec.rotation.verifyWindowSeconds; zero when unset
	// compromised are spec.compromisedKeyIDs.
	compromised []string
	// obstacle is why nothing could be decided at all; nil normally.
	obstacle *finding
	source   *keySource // nil: the operator makes the keys
	decision keyDecision
	running  []screenerKeys
}

// provenanceKeyStatus computes the status. Of the earlier one it keeps the times it noted for each key.
func provenanceKeyStatus(prev v1alpha1.ProvenanceKeyStatus, in keyStatusInput) v1alpha1.ProvenanceKeyStatus {
	s := *prev.DeepCopy()
	s.ObservedGeneration = in.generation
	obstacle := in.obstacle
	if obstacle == nil {
		obstacle = in.decision.broken
	}
	if obstacle != nil {
		obstacle.set(&s.Conditions, v1alpha1.ConditionReady, in.generation)
		rest := unknown(obstacle.Reason, "%s", obstacle.Message)
		rest.set(&s.Conditions, v1alpha1.ConditionRotating, in.generation)
		rest.set(&s.Conditions, v1alpha1.ConditionRotationBlocked, in.generation)
		return s
	}
	ring := in.decision.ring
	s.Keys = keyStatuses(prev, in)
	s.PrimaryKeyID = ring.primary
	if !ring.rotation.IsZero() {
		at := metav1.NewTime(ring.rotation)
		if s.LastRotationAt == nil || !s.LastRotationAt.Time.Equal(at.Time) {
			s.LastRotationAt = &at
		}
	}
	s.NextRotationAt = nextRotation(s.Keys, in)
	s.Screeners = screenerCounts(prev, in)
	keyReady(in).set(&s.Conditions, v1alpha1.ConditionReady, in.generation)
	keyRotating(in, s.NextRotationAt).set(&s.Conditions, v1alpha1.ConditionRotating, in.generation)
	keyBlocked(in, s.Keys).set(&s.Conditions, v1alpha1.ConditionRotationBlocked, in.generation)
	return s
}

// screenerCounts counts the screeners that run, and those of them that run on the keyring. As long as one was not asked since
// the operator started, the last count of the same keyring stands: a restart of the operator is no transition.
func screenerCounts(prev v1alpha1.ProvenanceKeyStatus, in keyStatusInput) v1alpha1.ScreenerCounts {
	ring := in.decision.ring
	c := v1alpha1.ScreenerCounts{Running: int32(len(in.running)), Loaded: int32(ring.loadedBy(in.running))} //nolint:gosec // counts of pods
	var before []string
	for _, k := range prev.Keys {
		if k.State == v1alpha1.KeyStatePrimary || k.State == v1alpha1.KeyStateVerifyOnly {
			before = append(before, k.ID)
		}
	}
	slices.Sort(before)
	if notAsked(in.running) && prev.PrimaryKeyID == ring.primary && slices.Equal(before, ring.ids()) {
		c.Loaded = min(max(c.Loaded, prev.Screeners.Loaded), c.Running)
	}
	return c
}

// nextRotation is when the primary key reaches its age; nil without a period.
func nextRotation(keys []v1alpha1.KeyStatus, in keyStatusInput) *metav1.Time {
	i := slices.IndexFunc(keys, func(k v1alpha1.KeyStatus) bool { return k.State == v1alpha1.KeyStatePrimary })
	if in.period == 0 || in.source != nil || i < 0 || keys[i].PrimaryAt == nil {
		return nil
	}
	at := metav1.NewTime(keys[i].PrimaryAt.Add(in.period))
	return &at
}

// maxListedKeys is the most keys a status lists; the field's own bound.
const maxListedKeys = 64

// keyStatuses lists the keys, newest first; compromised ones come last.
func keyStatuses(prev v1alpha1.ProvenanceKeyStatus, in keyStatusInput) []v1alpha1.KeyStatus {
	known := map[string]v1alpha1.KeyStatus{}
	for _, k := range prev.Keys {
		known[k.ID] = k
	}
	ring := in.decision.ring
	seen := metav1.NewTime(in.now.Truncate(time.Second))
	keys := make([]v1alpha1.KeyStatus, 0, len(ring.entries)+len(ring.disabled)+len(in.compromised))
	for _, id := range slices.Concat(ring.ids(), slices.Collect(maps.Keys(ring.disabled))) {
		k, ok := known[id]
		if !ok {
			k = v1alpha1.KeyStatus{ID: id, CreatedAt: &seen}
		}
		k.State = stateOf(ring, id)
		switch {
		case k.State == v1alpha1.KeyStatePrimary:
			k.VerifyUntil = nil
			if k.PrimaryAt == nil || prev.PrimaryKeyID != id {
				k.PrimaryAt = &seen
			}
		case k.State == v1alpha1.KeyStateDisabled:
		case id == ring.next, in.window == 0, in.source.provides(id):
			k.VerifyUntil = nil
		case k.VerifyUntil == nil, known[id].State == v1alpha1.KeyStateDisabled: // it ceased to sign, or was restored
			until := metav1.NewTime(seen.Add(in.window))
			k.VerifyUntil = &until
		}
		keys = append(keys, k)
	}
	slices.SortStableFunc(keys, func(a, b v1alpha1.KeyStatus) int {
		return cmp.Or(compareTimes(b.CreatedAt, a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	for _, id := range slices.Sorted(slices.Values(in.compromised)) {
		k := known[id]
		if k.ID = id; k.State != v1alpha1.KeyStateCompromised {
			k.State, k.VerifyUntil = v1alpha1.KeyStateCompromised, &seen
		}
		keys = append(keys, k)
	}
	countRecords(keys, in.running)
	return keys[:min(len(keys), maxListedKeys)]
}

func stateOf(ring keyring, id string) v1alpha1.ProvenanceKeyState {
	switch {
	case id == ring.primary:
		return v1alpha1.KeyStatePrimary
	case ring.has(id):
		return v1alpha1.KeyStateVerifyOnly
	}
	return v1alpha1.KeyStateDisabled
}

// countRecords adds up what the screeners report. Without any report the last counts stay.
func countRecords(keys []v1alpha1.KeyStatus, running []screenerKeys) {
	for i := range keys {
		sum, counted := int64(0), false
		for _, s := range running {
			if s.records != nil {
				sum, counted = sum+s.records[keys[i].ID], true
			}
		}
		if counted && (keys[i].RecordsSigned == nil || *keys[i].RecordsSigned != sum) {
			keys[i].RecordsSigned = &sum
		}
	}
}

// keyCountsOnly reports whether two statuses differ in nothing but how many records keys signed, and none of these counts
// became or ceased to be zero.
func keyCountsOnly(prev, next v1alpha1.ProvenanceKeyStatus) bool {
	if len(prev.Keys) != len(next.Keys) {
		return false
	}
	next = *next.DeepCopy()
	for i := range next.Keys {
		was, is := prev.Keys[i].RecordsSigned, next.Keys[i].RecordsSigned
		if (was == nil) != (is == nil) || was != nil && (*was == 0) != (*is == 0) {
			return false
		}
		next.Keys[i].RecordsSigned = was
	}
	return equality.Semantic.DeepEqual(prev, next)
}

func compareTimes(a, b *metav1.Time) int {
	if a == nil || b == nil {
		return 0
	}
	return a.Compare(b.Time)
}

func keyReady(in keyStatusInput) finding {
	ring := in.decision.ring
	if p := in.decision.problem; p != nil {
		return no(p.Reason, "%s; until then key %s goes on signing", p.Message, ring.primary)
	}
	if len(ring.lost) > 0 {
		return yes(ReasonKeyRegenerated,
			"key %s was lost and key %s signs now: records signed by the lost key are withheld as KeyUnavailable until somebody with the verb restore applies the backup of the key Secret",
			listed(ring.lost), ring.primary)
	}
	return yes(ReasonAvailable, "Key %s signs, %d keys verify", ring.primary, len(ring.entries))
}

// keysUsable reports whether an agent can sign and verify. A Secret of the user that cannot be used leaves the keys in
// force.
func keysUsable(k *v1alpha1.ProvenanceKey) bool {
	ready := meta.FindStatusCondition(k.Status.Conditions, v1alpha1.ConditionReady)
	if ready == nil || ready.Status == metav1.ConditionTrue {
		return ready != nil
	}
	inForce := []string{ReasonKeySourceMissing, ReasonKeySourceInvalid, ReasonKeySourceCompromised}
	return k.Status.PrimaryKeyID != "" && slices.Contains(inForce, ready.Reason)
}

func keyRotating(in keyStatusInput, next *metav1.Time) finding {
	d := in.decision
	switch {
	case len(d.holding) > 0:
		return yes(ReasonRevoking, "A compromised key was removed; the screeners in these pods have not loaded that yet: %s", listed(d.holding))
	case d.ring.next != "":
		return yes(ReasonRotating, "Key %s becomes primary once the screeners in these pods report it: %s", d.ring.next, listed(d.waiting))
	case d.deferred && next != nil:
		return no(ReasonIdle, "A rotation is due since %s and takes place when a screener of the agent runs", next.UTC().Format(time.RFC3339))
	}
	return no(ReasonIdle, "No rotation is under way")
}

func keyBlocked(in keyStatusInput, keys []v1alpha1.KeyStatus) finding {
	d := in.decision
	switch {
	case len(d.holding) > 0 && in.now.Sub(revokedAt(keys)) >= blockedAfter:
		return yes(ReasonScreenersNotReporting,
			"The screeners in these pods still verify with a compromised key: %s. Look at their logs, or delete the pods", listed(d.holding))
	case d.tooMany:
		return yes(ReasonTooManyKeys,
			"A new key is wanted and the keyset is full: old keys leave when their window is over and no store reports records under them, see recordsSigned and verifyUntil in status.keys")
	case d.unchanged:
		return yes(ReasonSecretUnchanged, "A rotation was asked for, and %s still holds key %s: put a new key there", in.source.name, d.ring.primary)
	}
	since, waiting := waitingSince(d, keys)
	if !waiting || in.now.Sub(since) < blockedAfter {
		return no(ReasonIdle, "Nothing holds up a rotation")
	}
	return yes(ReasonScreenersNotReporting,
		"The screeners in these pods do not report key %s: %s. Look at their logs, or delete the pods; the rotation then goes on by itself",
		d.ring.next, listed(d.waiting))
}

// revokedAt is when the newest of the compromised keys was disabled.
func revokedAt(keys []v1alpha1.KeyStatus) time.Time {
	var at time.Time
	for _, k := range keys {
		if k.State == v1alpha1.KeyStateCompromised && k.VerifyUntil != nil {
			at = later(at, k.VerifyUntil.Time)
		}
	}
	return at
}

// waitingSince tells since when a rotation waits: since the operator first saw its key.
func waitingSince(d keyDecision, keys []v1alpha1.KeyStatus) (time.Time, bool) {
	if d.ring.next == "" || len(d.waiting) == 0 {
		return time.Time{}, false
	}
	i := slices.IndexFunc(keys, func(k v1alpha1.KeyStatus) bool { return k.ID == d.ring.next })
	if i < 0 || keys[i].CreatedAt == nil {
		return time.Time{}, false
	}
	return keys[i].CreatedAt.Time, true
}
