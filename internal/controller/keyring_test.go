// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/provenance"
)

const testAgentID = "11111111-2222-4333-8444-555555555555"

// keyMaker hands out real keys in a known order.
type keyMaker struct {
	ids     []string
	entries map[string][]byte
	next    int
}

func newKeyMaker(t *testing.T, n int) *keyMaker {
	t.Helper()
	m := &keyMaker{entries: map[string][]byte{}}
	for range n {
		id, entry, err := provenance.NewKey()
		if err != nil {
			t.Fatal(err)
		}
		m.ids = append(m.ids, id)
		m.entries[id] = entry
	}
	slices.Sort(m.ids)
	return m
}

func (m *keyMaker) make() (string, []byte, error) {
	id := m.ids[m.next]
	m.next++
	return id, m.entries[id], nil
}

// ring returns a keyring of the first n keys whose primary is the first one.
func (m *keyMaker) ring(n int) keyring {
	k := keyring{agentID: testAgentID, primary: m.ids[0], entries: map[string][]byte{}, disabled: map[string][]byte{}}
	for _, id := range m.ids[:n] {
		k.entries[id] = m.entries[id]
	}
	m.next = n
	return k
}

// knownKeys are keys as the last status has them: the first one signs.
func knownKeys(ids ...string) map[string]knownKey {
	known := map[string]knownKey{}
	for i, id := range ids {
		known[id] = knownKey{state: v1alpha1.KeyStateVerifyOnly}
		if i == 0 {
			known[id] = knownKey{state: v1alpha1.KeyStatePrimary}
		}
	}
	return known
}

func TestDecideKeys(t *testing.T) {
	requested := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	earlier := requested.Add(-time.Hour)
	reports := func(ids ...string) screenerKeys { return screenerKeys{pod: "p", primary: ids[0], ids: ids} }
	type outcome struct {
		Primary, Next                           string
		IDs, Lost, Waiting                      []string
		Rotation                                time.Time
		Write                                   bool
		Generated, Regenerated, Began, Switched bool
		TooMany                                 bool
		Broken                                  string
	}
	tests := map[string]struct {
		keys   int
		in     func(m *keyMaker) keyObserved
		expect func(m *keyMaker) outcome
	}{
		"first key": {1,
			func(*keyMaker) keyObserved { return keyObserved{agentID: testAgentID} },
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[0], IDs: m.ids, Write: true, Generated: true}
			}},
		"first key answers an early request": {1,
			func(*keyMaker) keyObserved { return keyObserved{agentID: testAgentID, requestedAt: requested} },
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[0], IDs: m.ids, Rotation: requested, Write: true, Generated: true}
			}},
		"nothing to do": {2,
			func(m *keyMaker) keyObserved {
				return keyObserved{exists: true, agentID: testAgentID, ring: m.ring(2), known: knownKeys(m.ids...), requestedAt: earlier, rotatedAt: earlier}
			},
			func(m *keyMaker) outcome { return outcome{Primary: m.ids[0], IDs: m.ids} }},
		"rotation begins": {2,
			func(m *keyMaker) keyObserved {
				return keyObserved{exists: true, agentID: testAgentID, ring: m.ring(1), requestedAt: requested, rotatedAt: earlier,
					running: []screenerKeys{reports(m.ids[0])}}
			},
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[0], Next: m.ids[1], IDs: m.ids, Waiting: []string{"p"}, Rotation: requested, Write: true, Began: true}
			}},
		"rotation waits for a screener that never reported": {2,
			func(m *keyMaker) keyObserved {
				ring := m.ring(2)
				ring.next, ring.rotation = m.ids[1], requested
				return keyObserved{exists: true, agentID: testAgentID, ring: ring, requestedAt: requested,
					running: []screenerKeys{reports(m.ids...), {pod: "silent"}}}
			},
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[0], Next: m.ids[1], IDs: m.ids, Waiting: []string{"silent"}, Rotation: requested}
			}},
		"rotation does not wait for a screener that reported the key and cannot be reached now": {2,
			func(m *keyMaker) keyObserved {
				ring := m.ring(2)
				ring.next, ring.rotation = m.ids[1], requested
				return keyObserved{exists: true, agentID: testAgentID, ring: ring, requestedAt: requested,
					running: []screenerKeys{{pod: "away", primary: m.ids[0], ids: m.ids}}}
			},
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[1], IDs: m.ids, Rotation: requested, Write: true, Switched: true}
			}},
		"rotation ends, also after a restart of the operator that lost the status": {2,
			func(m *keyMaker) keyObserved {
				ring := m.ring(2)
				ring.next, ring.rotation = m.ids[1], requested
				return keyObserved{exists: true, agentID: testAgentID, ring: ring, requestedAt: requested,
					running: []screenerKeys{reports(m.ids...)}}
			},
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[1], IDs: m.ids, Rotation: requested, Write: true, Switched: true}
			}},
		"a later request waits for the rotation under way": {3,
			func(m *keyMaker) keyObserved {
				ring := m.ring(2)
				ring.next, ring.rotation = m.ids[1], earlier
				return keyObserved{exists: true, agentID: testAgentID, ring: ring, requestedAt: requested,
					running: []screenerKeys{reports(m.ids[0])}}
			},
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[0], Next: m.ids[1], IDs: m.ids[:2], Waiting: []string{"p"}, Rotation: earlier}
			}},
		"without pods a rotation is done at once": {2,
			func(m *keyMaker) keyObserved {
				return keyObserved{exists: true, agentID: testAgentID, ring: m.ring(1), requestedAt: requested}
			},
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[1], IDs: m.ids, Rotation: requested, Write: true, Began: true, Switched: true}
			}},
		"the keyset is full": {provenance.MaxKeys,
			func(m *keyMaker) keyObserved {
				return keyObserved{exists: true, agentID: testAgentID, ring: m.ring(provenance.MaxKeys), requestedAt: requested}
			},
			func(m *keyMaker) outcome { return outcome{Primary: m.ids[0], IDs: m.ids, TooMany: true} }},
		"Secret lost": {2,
			func(m *keyMaker) keyObserved {
				m.next = 1
				return keyObserved{agentID: testAgentID, known: knownKeys(m.ids[:1]...), knownPrimary: m.ids[0], rotatedAt: earlier}
			},
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[1], IDs: m.ids[1:], Lost: m.ids[:1], Rotation: earlier, Write: true, Regenerated: true}
			}},
		"lost key restored": {2,
			func(m *keyMaker) keyObserved {
				ring := m.ring(2)
				ring.lost = []string{m.ids[0]}
				return keyObserved{exists: true, agentID: testAgentID, ring: ring, known: knownKeys(m.ids[1:]...)}
			},
			func(m *keyMaker) outcome { return outcome{Primary: m.ids[0], IDs: m.ids, Write: true} }},
		"primary entry lost, its key still there": {2,
			func(m *keyMaker) keyObserved {
				ring := m.ring(2)
				ring.primary = ""
				return keyObserved{exists: true, agentID: testAgentID, ring: ring, known: knownKeys(m.ids...), knownPrimary: m.ids[1]}
			},
			func(m *keyMaker) outcome { return outcome{Primary: m.ids[1], IDs: m.ids, Write: true} }},
		"next key lost in a rotation": {2,
			func(m *keyMaker) keyObserved {
				ring := m.ring(1)
				ring.next, ring.rotation = m.ids[1], requested
				return keyObserved{exists: true, agentID: testAgentID, ring: ring, known: knownKeys(m.ids...), requestedAt: requested}
			},
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[0], IDs: m.ids[:1], Lost: m.ids[1:], Rotation: requested, Write: true}
			}},
		"Secret of another identity": {1,
			func(m *keyMaker) keyObserved {
				return keyObserved{exists: true, agentID: "another", ring: m.ring(1), requestedAt: requested}
			},
			func(m *keyMaker) outcome {
				return outcome{Primary: m.ids[0], IDs: m.ids, Broken: ReasonAgentIDMismatch}
			}},
		"entry under another id": {2,
			func(m *keyMaker) keyObserved {
				ring := m.ring(2)
				ring.entries[m.ids[1]] = m.entries[m.ids[0]]
				return keyObserved{exists: true, agentID: testAgentID, ring: ring}
			},
			func(m *keyMaker) outcome { return outcome{Primary: m.ids[0], IDs: m.ids, Broken: ReasonKeysInvalid} }},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			m := newKeyMaker(t, tc.keys)
			d, err := decideKeys(tc.in(m), m.make)
			if err != nil {
				t.Fatal(err)
			}
			got := outcome{
				Primary: d.ring.primary, Next: d.ring.next, IDs: d.ring.ids(), Lost: d.ring.lost, Waiting: d.waiting,
				Rotation: d.ring.rotation, Write: d.write, Generated: d.generated, Regenerated: d.regenerated,
				Began: d.started, Switched: d.switched, TooMany: d.tooMany,
			}
			if d.broken != nil {
				got.Broken = d.broken.Reason
			} else if d.ring.agentID != testAgentID {
				t.Errorf("agentID = %q", d.ring.agentID)
			}
			if diff := cmp.Diff(tc.expect(m), got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("decision (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDecideKeysCrash runs rotations in which every write may be followed by a crash that loses all memory and status,
// and every key ever handed to a screener must stay.
func TestDecideKeysCrash(t *testing.T) {
	m := newKeyMaker(t, 8)
	secret := &corev1.Secret{}
	exists := false
	var everPrimary []string
	loaded := []string{}
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for round := range 12 {
		if round%3 == 0 {
			at = at.Add(time.Hour)
		}
		o := keyObserved{exists: exists, agentID: testAgentID, requestedAt: at, running: []screenerKeys{{pod: "p", ids: loaded}}}
		if exists {
			o.ring = readKeyring(secret)
		}
		d, err := decideKeys(o, m.make)
		if err != nil {
			t.Fatal(err)
		}
		if d.write {
			secret = &corev1.Secret{Data: d.ring.data(), ObjectMeta: metav1.ObjectMeta{Annotations: d.ring.annotations()}}
			exists = true
		}
		ring := readKeyring(secret)
		if _, err := provenance.ParseKeyset(ring.primary, ring.entries); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if len(loaded) > 0 && !slices.Contains(loaded, ring.primary) {
			t.Fatalf("round %d: key %s signs and the screener does not know it", round, ring.primary)
		}
		everPrimary = append(everPrimary, ring.primary)
		for _, id := range everPrimary {
			if !ring.has(id) {
				t.Fatalf("round %d: key %s is gone", round, id)
			}
		}
		if round%2 == 1 {
			loaded = ring.ids()
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(everPrimary)))) < 3 {
		t.Error("no rotation took place")
	}
}

func TestKeyringSurvivesItsSecret(t *testing.T) {
	m := newKeyMaker(t, 3)
	want := m.ring(3)
	want.next, want.lost = m.ids[2], []string{"1", "2"}
	want.disabled["7"] = []byte("a disabled key")
	want.rotation = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	got := readKeyring(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Annotations: want.annotations()}, Data: want.data()})
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(keyring{})); diff != "" {
		t.Errorf("keyring (-want +got):\n%s", diff)
	}
	if got := readKeyring(nil); len(got.entries) != 0 || got.primary != "" {
		t.Errorf("keyring of nothing = %v", got.ids())
	}
}

func TestProvenanceKeyStatus(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	m := newKeyMaker(t, 2)
	ring := m.ring(2)
	ring.next = m.ids[1]
	seen := metav1.NewTime(now.Add(-blockedAfter - time.Second))
	prev := v1alpha1.ProvenanceKeyStatus{
		PrimaryKeyID: m.ids[0],
		Keys: []v1alpha1.KeyStatus{
			{ID: m.ids[1], State: v1alpha1.KeyStateVerifyOnly, CreatedAt: &seen},
			{ID: m.ids[0], State: v1alpha1.KeyStatePrimary, PrimaryAt: &seen},
		},
	}
	waiting := keyDecision{ring: ring, waiting: []string{"pod-b", "pod-a"}}
	tests := map[string]struct {
		now  time.Time
		in   keyDecision
		want map[string]string
	}{
		"waiting": {now.Add(-time.Minute), waiting, map[string]string{
			"Ready": "True Available", "Rotating": "True WaitingForScreeners", "RotationBlocked": "False Idle",
		}},
		"blocked": {now, waiting, map[string]string{
			"Ready": "True Available", "Rotating": "True WaitingForScreeners", "RotationBlocked": "True ScreenersNotReporting",
		}},
		"full": {now, keyDecision{ring: m.ring(2), tooMany: true}, map[string]string{
			"Ready": "True Available", "Rotating": "False Idle", "RotationBlocked": "True TooManyKeys",
		}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			s := provenanceKeyStatus(prev, keyStatusInput{now: tc.now, generation: 3, decision: tc.in})
			got := map[string]string{}
			for _, c := range s.Conditions {
				got[c.Type] = fmt.Sprintf("%s %s", c.Status, c.Reason)
				if c.ObservedGeneration != 3 {
					t.Errorf("%s describes generation %d", c.Type, c.ObservedGeneration)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("conditions (-want +got):\n%s", diff)
			}
			if again := provenanceKeyStatus(s, keyStatusInput{now: tc.now.Add(time.Second), generation: 3, decision: tc.in}); !cmp.Equal(s, again) {
				t.Errorf("the status changes with nothing but the time:\n%s", cmp.Diff(s, again))
			}
		})
	}
}

func BenchmarkDecideKeys(b *testing.B) {
	ring := keyring{agentID: testAgentID, entries: map[string][]byte{}}
	for range 4 {
		id, entry, err := provenance.NewKey()
		if err != nil {
			b.Fatal(err)
		}
		ring.entries[id], ring.primary = entry, id
	}
	o := keyObserved{exists: true, agentID: testAgentID, ring: ring, known: knownKeys(ring.ids()...)}
	for i := range 20 {
		o.running = append(o.running, screenerKeys{pod: strconv.Itoa(i), primary: ring.primary, ids: ring.ids()})
	}
	for b.Loop() {
		if d, err := decideKeys(o, provenance.NewKey); err != nil || d.write {
			b.Fatal("a settled keyring changed", err)
		}
	}
}
