// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"slices"
	"time"

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
	// obstacle is why nothing could be decided at all; nil normally.
	obstacle *finding
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
	s.Keys = keyStatuses(prev, ring, in.now)
	s.PrimaryKeyID = ring.primary
	if !ring.rotation.IsZero() {
		at := metav1.NewTime(ring.rotation)
		if s.LastRotationAt == nil || !s.LastRotationAt.Time.Equal(at.Time) {
			s.LastRotationAt = &at
		}
	}
	s.Screeners = v1alpha1.ScreenerCounts{Running: int32(len(in.running)), Loaded: int32(ring.loadedBy(in.running))} //nolint:gosec // counts of pods
	keyReady(ring).set(&s.Conditions, v1alpha1.ConditionReady, in.generation)
	keyRotating(in.decision).set(&s.Conditions, v1alpha1.ConditionRotating, in.generation)
	keyBlocked(in, s.Keys).set(&s.Conditions, v1alpha1.ConditionRotationBlocked, in.generation)
	return s
}

// keyStatuses lists the keys, newest first.
func keyStatuses(prev v1alpha1.ProvenanceKeyStatus, ring keyring, now time.Time) []v1alpha1.KeyStatus {
	known := map[string]v1alpha1.KeyStatus{}
	for _, k := range prev.Keys {
		known[k.ID] = k
	}
	seen := metav1.NewTime(now.Truncate(time.Second))
	keys := make([]v1alpha1.KeyStatus, 0, len(ring.entries))
	for _, id := range ring.ids() {
		k, ok := known[id]
		if !ok {
			k = v1alpha1.KeyStatus{ID: id, CreatedAt: &seen}
		}
		k.State = v1alpha1.KeyStateVerifyOnly
		if id == ring.primary {
			k.State = v1alpha1.KeyStatePrimary
			if k.PrimaryAt == nil || prev.PrimaryKeyID != id {
				k.PrimaryAt = &seen
			}
		}
		keys = append(keys, k)
	}
	slices.SortStableFunc(keys, func(a, b v1alpha1.KeyStatus) int {
		return cmp.Or(compareTimes(b.CreatedAt, a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return keys
}

func compareTimes(a, b *metav1.Time) int {
	if a == nil || b == nil {
		return 0
	}
	return a.Compare(b.Time)
}

func keyReady(ring keyring) finding {
	if len(ring.lost) > 0 {
		return yes(ReasonKeyRegenerated,
			"key %s was lost and key %s signs now: records signed by the lost key are withheld as KeyUnavailable until somebody with the verb restore applies the backup of the key Secret",
			listed(ring.lost), ring.primary)
	}
	return yes(ReasonAvailable, "Key %s signs, %d keys verify", ring.primary, len(ring.entries))
}

func keyRotating(d keyDecision) finding {
	if d.ring.next == "" {
		return no(ReasonIdle, "No rotation is under way")
	}
	return yes(ReasonRotating, "Key %s becomes primary once the screeners in these pods report it: %s", d.ring.next, listed(d.waiting))
}

func keyBlocked(in keyStatusInput, keys []v1alpha1.KeyStatus) finding {
	if in.decision.tooMany {
		return yes(ReasonTooManyKeys,
			"A rotation was asked for and the keyset is full: remove keys from the key Secret that sign no record any more")
	}
	since, waiting := waitingSince(in.decision, keys)
	if !waiting || in.now.Sub(since) < blockedAfter {
		return no(ReasonIdle, "Nothing holds up a rotation")
	}
	return yes(ReasonScreenersNotReporting,
		"The screeners in these pods do not report key %s: %s. Look at their logs, or delete the pods; the rotation then goes on by itself",
		in.decision.ring.next, listed(in.decision.waiting))
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
