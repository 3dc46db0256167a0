// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/provenance"
)

// keyClock is the time of the decisions below; hours are what their periods and windows are made of.
var keyClock = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func hours(n int) time.Time { return keyClock.Add(time.Duration(n) * time.Hour) }

// settled is an agent with the first n keys of m, the first of which signs, and one screener that loaded them all.
func settled(m *keyMaker, n int) keyObserved {
	ring := m.ring(n)
	return keyObserved{
		now: keyClock, exists: true, ring: ring, agentID: testAgentID,
		known: knownKeys(m.ids[:n]...), knownPrimary: m.ids[0],
		running: []screenerKeys{{pod: "p", primary: ring.primary, ids: ring.ids(), fresh: true, records: map[string]int64{m.ids[0]: 5}}},
	}
}

// provides is a Secret of the user with these keys of m; the first one is to sign.
func (m *keyMaker) provides(ids ...string) *keySource {
	s := &keySource{name: "entry key of Secret own", provided: provenance.Provided{Primary: ids[0], Entries: map[string][]byte{}}}
	for _, id := range ids {
		s.provided.Entries[id] = m.entries[id]
	}
	return s
}

type keySteps struct {
	Primary, Next                          string
	IDs, Disabled, Lost                    []string
	Write, Generated, Regenerated, Adopted bool
	Started, Switched, StandIn             bool
	Cause                                  string
	Revoked, Retired, Removed              []string
	Waiting, Holding                       []string
	TooMany, Unchanged, Deferred, Held     bool
	Problem, Broken                        string
	Rotation                               time.Time
}

func stepsOf(d keyDecision) keySteps {
	s := keySteps{
		Primary: d.ring.primary, Next: d.ring.next, IDs: d.ring.ids(), Disabled: slices.Sorted(maps.Keys(d.ring.disabled)), Lost: d.ring.lost,
		Write: d.write, Generated: d.generated, Regenerated: d.regenerated, Adopted: d.adopted,
		Started: d.started, Switched: d.switched, StandIn: d.standIn, Cause: d.cause,
		Revoked: d.revoked, Retired: d.disabled, Removed: d.removed, Waiting: d.waiting, Holding: d.holding,
		TooMany: d.tooMany, Unchanged: d.unchanged, Deferred: d.deferred, Held: d.held, Rotation: d.ring.rotation,
	}
	if d.problem != nil {
		s.Problem = d.problem.Reason
	}
	if d.broken != nil {
		s.Broken = d.broken.Reason
	}
	return s
}

type keyCase struct {
	keys   int
	in     func(m *keyMaker) keyObserved
	expect func(m *keyMaker) keySteps
}

func runKeyCases(t *testing.T, tests map[string]keyCase) {
	t.Helper()
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			m := newKeyMaker(t, tc.keys)
			d, err := decideKeys(tc.in(m), m.make)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.expect(m), stepsOf(d), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("decision (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecideKeysByAge(t *testing.T) {
	aged := func(m *keyMaker, n int) keyObserved {
		o := settled(m, n)
		o.period = time.Hour
		o.known[m.ids[0]] = knownKey{state: v1alpha1.KeyStatePrimary, primaryAt: hours(-1)}
		return o
	}
	runKeyCases(t, map[string]keyCase{
		"a key of that age is replaced": {2,
			func(m *keyMaker) keyObserved { return aged(m, 1) },
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], Next: m.ids[1], IDs: m.ids, Write: true, Started: true,
					Cause: "the primary key reached its age", Waiting: []string{"p"}, Rotation: keyClock}
			}},
		"a younger one is not": {2,
			func(m *keyMaker) keyObserved {
				o := aged(m, 1)
				o.now = keyClock.Add(-time.Second)
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1]} }},
		"a key whose time is lost counts as new": {2,
			func(m *keyMaker) keyObserved {
				o := aged(m, 1)
				o.known = knownKeys(m.ids[0])
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1]} }},
		"no screener runs: it waits for one": {2,
			func(m *keyMaker) keyObserved {
				o := aged(m, 1)
				o.running = nil
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Deferred: true} }},
		"others start first": {2,
			func(m *keyMaker) keyObserved {
				o := aged(m, 1)
				o.mayStart = func() bool { return false }
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Held: true} }},
		"a request does not wait for others": {2,
			func(m *keyMaker) keyObserved {
				o := aged(m, 1)
				o.requestedAt, o.mayStart = hours(0), func() bool { return false }
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], Next: m.ids[1], IDs: m.ids, Write: true, Started: true,
					Cause: "it was requested", Waiting: []string{"p"}, Rotation: hours(0)}
			}},
		"not during another rotation": {3,
			func(m *keyMaker) keyObserved {
				o := aged(m, 2)
				o.ring.next = m.ids[1]
				o.running[0].ids = m.ids[:1]
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], Next: m.ids[1], IDs: m.ids[:2], Waiting: []string{"p"}}
			}},
		"an older request is fulfilled by it": {2,
			func(m *keyMaker) keyObserved {
				o := aged(m, 1)
				o.known[m.ids[0]] = knownKey{state: v1alpha1.KeyStatePrimary, primaryAt: hours(0)}
				o.rotatedAt, o.requestedAt = hours(0), hours(-1)
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1]} }},
	})
}

func TestDecideKeysOfTheUser(t *testing.T) {
	missing := no(ReasonKeySourceMissing, "there is no Secret own")
	runKeyCases(t, map[string]keyCase{
		"the first key": {1,
			func(m *keyMaker) keyObserved {
				return keyObserved{now: keyClock, agentID: testAgentID, source: m.provides(m.ids[0]), requestedAt: hours(-1)}
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids, Write: true, Adopted: true, Rotation: hours(-1)}
			}},
		"no key is made in place of a missing Secret": {1,
			func(*keyMaker) keyObserved {
				return keyObserved{now: keyClock, agentID: testAgentID, source: &keySource{problem: &missing}}
			},
			func(*keyMaker) keySteps {
				return keySteps{Write: true, Problem: ReasonKeySourceMissing, Broken: ReasonKeySourceMissing}
			}},
		"the Secret goes: the keys in force stay": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 2)
				o.source, o.requestedAt = &keySource{problem: &missing}, hours(0)
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids, Problem: ReasonKeySourceMissing}
			}},
		"a new key in it": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.source = m.provides(m.ids[1])
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], Next: m.ids[1], IDs: m.ids, Write: true, Started: true,
					Cause: "the key in entry key of Secret own changed", Waiting: []string{"p"}, Rotation: keyClock}
			}},
		"all screeners have the new key": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 2)
				o.ring.next, o.source = m.ids[1], m.provides(m.ids[1])
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[1], IDs: m.ids, Write: true, Switched: true}
			}},
		"the same key": {1,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.source = m.provides(m.ids[0])
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids} }},
		"a third key waits for the rotation to the second, and is known already": {3,
			func(m *keyMaker) keyObserved {
				o := settled(m, 2)
				o.ring.next, o.source = m.ids[1], m.provides(m.ids[2])
				o.running[0].ids = m.ids[:1]
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], Next: m.ids[1], IDs: m.ids, Write: true, Waiting: []string{"p"}}
			}},
		"a keyset: its other keys verify": {3,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.source = m.provides(m.ids[0], m.ids[1], m.ids[2])
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids, Write: true} }},
		"a request cannot be fulfilled by the operator": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.source, o.requestedAt, o.rotatedAt = m.provides(m.ids[0]), hours(0), hours(-1)
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Unchanged: true} }},
		"a period does not count": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.source, o.period = m.provides(m.ids[0]), time.Hour
				o.known[m.ids[0]] = knownKey{state: v1alpha1.KeyStatePrimary, primaryAt: hours(-9)}
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1]} }},
		"another key under the id of an old one": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.source = m.provides(m.ids[0])
				o.source.provided.Entries[m.ids[0]] = m.entries[m.ids[1]]
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Problem: ReasonKeySourceInvalid}
			}},
		"back to a disabled key": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.ring.disabled[m.ids[1]] = m.entries[m.ids[1]]
				o.known[m.ids[1]] = knownKey{state: v1alpha1.KeyStateDisabled}
				o.source = m.provides(m.ids[1])
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], Next: m.ids[1], IDs: m.ids, Write: true, Started: true,
					Cause: "the key in entry key of Secret own changed", Waiting: []string{"p"}, Rotation: keyClock}
			}},
		"the keyset is full": {provenance.MaxKeys + 1,
			func(m *keyMaker) keyObserved {
				o := settled(m, provenance.MaxKeys)
				o.source = m.provides(m.ids[provenance.MaxKeys])
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids[:provenance.MaxKeys], TooMany: true}
			}},
		"the key Secret is lost: it comes back from the user's": {1,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.exists, o.ring, o.source = false, readKeyring(nil), m.provides(m.ids[0])
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids, Write: true, Adopted: true} }},
	})
}

func TestDecideKeysCompromised(t *testing.T) {
	runKeyCases(t, map[string]keyCase{
		"the primary key is replaced at once, without waiting": {3,
			func(m *keyMaker) keyObserved {
				o := settled(m, 2)
				o.compromised = m.ids[:1]
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[2], IDs: m.ids[1:], Write: true, StandIn: true, Revoked: m.ids[:1], Holding: []string{"p"}}
			}},
		"and by the next key if there is one": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 2)
				o.ring.next, o.compromised = m.ids[1], m.ids[:1]
				o.running[0].ids = m.ids[:1]
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[1], IDs: m.ids[1:], Write: true, StandIn: true, Revoked: m.ids[:1], Holding: []string{"p"}}
			}},
		"an old key just goes, and is not lost": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 2)
				o.compromised, o.running = m.ids[1:], nil
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Write: true, Revoked: m.ids[1:]}
			}},
		"the next key goes, and with it the rotation": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 2)
				o.ring.next, o.compromised = m.ids[1], m.ids[1:]
				o.running[0].ids = m.ids[:1]
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Write: true, Revoked: m.ids[1:]}
			}},
		"a disabled key goes": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.ring.disabled[m.ids[1]], o.compromised = m.entries[m.ids[1]], m.ids[1:]
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Write: true, Revoked: m.ids[1:]}
			}},
		"gone already: nothing to do": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.compromised = m.ids[1:]
				o.known[m.ids[1]] = knownKey{state: v1alpha1.KeyStateCompromised}
				return o
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1]} }},
		"a backup that brings it back as primary gives way to the key in force": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 2)
				o.ring.primary, o.compromised = m.ids[1], m.ids[1:]
				o.running[0].ids = m.ids[:1]
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Write: true, StandIn: true, Revoked: m.ids[1:]}
			}},
		"the user's key: one of the operator's stands in": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.source, o.compromised, o.running = m.provides(m.ids[0]), m.ids[:1], nil
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[1], IDs: m.ids[1:], Write: true, StandIn: true, Revoked: m.ids[:1],
					Problem: ReasonKeySourceCompromised}
			}},
		"the user's next key takes over": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.source, o.compromised, o.running = m.provides(m.ids[1]), m.ids[:1], nil
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[1], IDs: m.ids[1:], Write: true, StandIn: true, Revoked: m.ids[:1]}
			}},
		"a period that is over does not start a second rotation": {2,
			func(m *keyMaker) keyObserved {
				o := settled(m, 1)
				o.period, o.compromised = time.Hour, m.ids[:1]
				o.known[m.ids[0]] = knownKey{state: v1alpha1.KeyStatePrimary, primaryAt: hours(-9)}
				return o
			},
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[1], IDs: m.ids[1:], Write: true, StandIn: true, Revoked: m.ids[:1], Holding: []string{"p"}}
			}},
	})
}

func TestDecideKeysRetire(t *testing.T) {
	// over has two keys, of which the second one's window is over.
	over := func(m *keyMaker, change func(*keyObserved)) keyObserved {
		o := settled(m, 2)
		o.known[m.ids[1]] = knownKey{state: v1alpha1.KeyStateVerifyOnly, primaryAt: hours(-9), verifyUntil: hours(0)}
		if change != nil {
			change(&o)
		}
		return o
	}
	// off has one key and a disabled one.
	off := func(m *keyMaker, change func(*keyObserved)) keyObserved {
		o := settled(m, 1)
		o.ring.disabled[m.ids[1]] = m.entries[m.ids[1]]
		o.known[m.ids[1]] = knownKey{state: v1alpha1.KeyStateDisabled, primaryAt: hours(-9), verifyUntil: hours(-1)}
		if change != nil {
			change(&o)
		}
		return o
	}
	kept := func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids} }
	stillOff := func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Disabled: m.ids[1:]} }
	tests := map[string]keyCase{
		"window over and no record under it: disabled, not lost": {2,
			func(m *keyMaker) keyObserved { return over(m, nil) },
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Disabled: m.ids[1:], Write: true, Retired: m.ids[1:]}
			}},
		"the status does not know it yet": {2,
			func(m *keyMaker) keyObserved {
				return off(m, func(o *keyObserved) { o.known[m.ids[1]] = knownKey{state: v1alpha1.KeyStateVerifyOnly} })
			}, stillOff},
		"disabled and nobody loads it: removed, not lost": {2,
			func(m *keyMaker) keyObserved { return off(m, nil) },
			func(m *keyMaker) keySteps {
				return keySteps{Primary: m.ids[0], IDs: m.ids[:1], Write: true, Removed: m.ids[1:]}
			}},
		"removed, and the status has not followed yet": {2,
			func(m *keyMaker) keyObserved {
				return off(m, func(o *keyObserved) { delete(o.ring.disabled, m.ids[1]) })
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids[:1]} }},
		"disabled and restored by somebody: verifies again": {2,
			func(m *keyMaker) keyObserved {
				return off(m, func(o *keyObserved) { o.ring.entries[m.ids[1]] = m.entries[m.ids[1]] })
			},
			func(m *keyMaker) keySteps { return keySteps{Primary: m.ids[0], IDs: m.ids, Write: true} }},
		"the user's Secret provides it": {2,
			func(m *keyMaker) keyObserved {
				return over(m, func(o *keyObserved) { o.source = m.provides(m.ids...) })
			}, kept},
	}
	for name, change := range map[string]func(*keyObserved, *keyMaker){
		"a store has records under it":      func(o *keyObserved, m *keyMaker) { o.running[0].records[m.ids[1]] = 1 },
		"a screener does not say":           func(o *keyObserved, _ *keyMaker) { o.running[0].records = nil },
		"a screener cannot be reached":      func(o *keyObserved, _ *keyMaker) { o.running[0].fresh = false },
		"a screener never answered":         func(o *keyObserved, _ *keyMaker) { o.running = append(o.running, screenerKeys{pod: "q"}) },
		"a screener signs with another key": func(o *keyObserved, m *keyMaker) { o.running[0].primary = m.ids[1] },
		"no screener runs":                  func(o *keyObserved, _ *keyMaker) { o.running = nil },
		"one of two stores has records under it": func(o *keyObserved, m *keyMaker) {
			second := o.running[0]
			second.records = map[string]int64{m.ids[1]: 3}
			o.running = append(o.running, second)
		},
	} {
		tests["window over, but "+name] = keyCase{2,
			func(m *keyMaker) keyObserved { return over(m, func(o *keyObserved) { change(o, m) }) }, kept}
		tests["disabled, but "+name] = keyCase{2,
			func(m *keyMaker) keyObserved { return off(m, func(o *keyObserved) { change(o, m) }) }, stillOff}
	}
	tests["window not over"] = keyCase{2,
		func(m *keyMaker) keyObserved {
			return over(m, func(o *keyObserved) { o.now = hours(0).Add(-time.Second) })
		}, kept}
	tests["no window"] = keyCase{2,
		func(m *keyMaker) keyObserved {
			return over(m, func(o *keyObserved) { o.known[m.ids[1]] = knownKey{state: v1alpha1.KeyStateVerifyOnly} })
		}, kept}
	tests["disabled, but a screener still loads it"] = keyCase{2,
		func(m *keyMaker) keyObserved { return off(m, func(o *keyObserved) { o.running[0].ids = m.ids }) }, stillOff}
	runKeyCases(t, tests)
}

// TestKeyLifeThroughCrashes lives through ten rotations by age. After each decision the operator may have stopped before the
// Secret was written, or before the status was; a screener loads keys late and re-signs its records late. No record may
// ever be under a key that its screener does not know, no key counts as lost, and in the end the old ones are gone.
func TestKeyLifeThroughCrashes(t *testing.T) {
	const window, period = 2 * time.Hour, 5 * time.Hour
	m := newKeyMaker(t, 12)
	var status v1alpha1.ProvenanceKeyStatus
	secret := (*corev1.Secret)(nil)
	screener := screenerKeys{pod: "p", fresh: true, records: map[string]int64{}}
	now := keyClock
	for step := 0; step < 600; step++ {
		now = now.Add(10 * time.Minute)
		o := keyObserved{
			now: now, exists: secret != nil, ring: readKeyring(secret), agentID: testAgentID, known: map[string]knownKey{},
			knownPrimary: status.PrimaryKeyID, rotatedAt: timeOf(status.LastRotationAt), period: period, running: []screenerKeys{screener},
		}
		if m.next == len(m.ids) {
			o.period = 0 // no keys are left to rotate to
		}
		for _, k := range status.Keys {
			o.known[k.ID] = knownKey{state: k.State, primaryAt: timeOf(k.PrimaryAt), verifyUntil: timeOf(k.VerifyUntil)}
		}
		made := m.next
		d, err := decideKeys(o, m.make)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.ring.lost) > 0 || d.regenerated {
			t.Fatalf("step %d: keys %v count as lost", step, d.ring.lost)
		}
		if step%5 == 3 { // stopped before the Secret was written
			m.next = made
			continue
		}
		if d.write {
			secret = &corev1.Secret{Data: d.ring.data(), ObjectMeta: metav1.ObjectMeta{Annotations: d.ring.annotations()}}
		}
		if step%7 != 2 { // else stopped before the status was written
			status = provenanceKeyStatus(status, keyStatusInput{now: now, decision: d, running: o.running, window: window, period: period})
		}
		if step%3 == 1 { // the screener loads what is there, and signs something
			ring := readKeyring(secret)
			screener.ids, screener.primary = ring.ids(), ring.primary
			screener.records = maps.Clone(screener.records)
			screener.records[screener.primary]++
		}
		if step%20 == 19 { // and signs what is old anew
			screener.records = map[string]int64{screener.primary: 1}
		}
		for id, n := range screener.records {
			if n > 0 && !screener.knows(id) {
				t.Fatalf("step %d: %d records under key %s, which the screener does not know", step, n, id)
			}
		}
	}
	if m.next < 11 {
		t.Errorf("%d keys were made, want a rotation every five hours", m.next)
	}
	if got := len(status.Keys); got != 1 {
		t.Errorf("%d keys are left, want the primary: %v", got, status.Keys)
	}
}

func TestKeySourceOf(t *testing.T) {
	raw := []byte("0123456789abcdefghijklmnopqrstuv")
	labels := map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceProvenance}
	tests := map[string]struct {
		labels map[string]string
		data   map[string][]byte
		entry  string
		absent bool
		reason string // empty: usable
		says   []string
	}{
		"raw bytes":               {labels, map[string][]byte{"key": raw}, "", false, "", nil},
		"in another entry":        {labels, map[string][]byte{"mac": raw}, "mac", false, "", nil},
		"no Secret":               {nil, nil, "", true, ReasonKeySourceMissing, []string{"Secret own", "memorytrust.dev/key-source=provenance"}},
		"no label":                {nil, map[string][]byte{"key": raw}, "", false, ReasonKeySourceMissing, []string{"Secret own", "label it"}},
		"the label of a channel":  {map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceChannel}, map[string][]byte{"key": raw}, "", false, ReasonKeySourceMissing, []string{"label it"}},
		"no such entry":           {labels, map[string][]byte{"password": raw}, "", false, ReasonKeySourceMissing, []string{"no entry key"}},
		"too short":               {labels, map[string][]byte{"key": raw[:31]}, "", false, ReasonKeySourceInvalid, []string{"entry key of Secret own", "31 bytes", "at least 32"}},
		"a keyset that is broken": {labels, map[string][]byte{"key": []byte(`{"primaryKeyId": 1, "key": [`)}, "", false, ReasonKeySourceInvalid, []string{"Tink JSON keyset"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "own", Labels: tc.labels}, Data: tc.data}
			s := keySourceOf(v1alpha1.KeySecretRef{Name: "own", Key: tc.entry}, secret, !tc.absent)
			if tc.reason == "" {
				if s.problem != nil || len(s.provided.Entries) != 1 {
					t.Fatalf("source = %+v, want one key", s.problem)
				}
				return
			}
			if s.problem == nil || s.problem.Reason != tc.reason || s.problem.Status != metav1.ConditionFalse {
				t.Fatalf("problem = %+v, want %s", s.problem, tc.reason)
			}
			for _, part := range tc.says {
				if !strings.Contains(s.problem.Message, part) {
					t.Errorf("message %q does not say %q", s.problem.Message, part)
				}
			}
			if strings.Contains(s.problem.Message, string(raw[:8])) {
				t.Error("the message quotes the key")
			}
		})
	}
}

func TestProvenanceKeyStatusOfStates(t *testing.T) {
	m := newKeyMaker(t, 5)
	ring := m.ring(3)
	ring.next = m.ids[2]
	ring.disabled[m.ids[3]] = m.entries[m.ids[3]]
	created := metav1.NewTime(hours(-9))
	prev := v1alpha1.ProvenanceKeyStatus{PrimaryKeyID: m.ids[0], Keys: []v1alpha1.KeyStatus{
		{ID: m.ids[0], State: v1alpha1.KeyStatePrimary, CreatedAt: &created, PrimaryAt: &created},
		{ID: m.ids[1], State: v1alpha1.KeyStatePrimary, CreatedAt: &created, PrimaryAt: &created},
		{ID: m.ids[3], State: v1alpha1.KeyStateVerifyOnly, CreatedAt: &created, VerifyUntil: &created},
		{ID: m.ids[4], State: v1alpha1.KeyStateVerifyOnly, CreatedAt: &created},
	}}
	in := keyStatusInput{
		now: keyClock, period: 10 * time.Hour, window: time.Hour, compromised: m.ids[4:], decision: keyDecision{ring: ring},
		running: []screenerKeys{{pod: "p", records: map[string]int64{m.ids[0]: 4, m.ids[4]: 2}}, {pod: "q", records: map[string]int64{m.ids[0]: 1}}},
	}
	s := provenanceKeyStatus(prev, in)
	got := map[string]string{}
	for _, k := range s.Keys {
		until := "open"
		if k.VerifyUntil != nil {
			until = k.VerifyUntil.Sub(keyClock).String()
		}
		got[k.ID] = fmt.Sprintf("%s %s %d", k.State, until, *k.RecordsSigned)
	}
	want := map[string]string{
		m.ids[0]: "Primary open 5",
		m.ids[1]: "VerifyOnly 1h0m0s 0",
		m.ids[2]: "VerifyOnly open 0", // waits to sign
		m.ids[3]: "Disabled -9h0m0s 0",
		m.ids[4]: "Compromised 0s 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if s.NextRotationAt == nil || !s.NextRotationAt.Time.Equal(hours(1)) {
		t.Errorf("nextRotationAt = %v, want %v", s.NextRotationAt, hours(1))
	}
	in.now = keyClock.Add(time.Minute)
	if again := provenanceKeyStatus(s, in); !cmp.Equal(s, again) {
		t.Errorf("the status changes with nothing but the time:\n%s", cmp.Diff(s, again))
	}

	in.running = nil // without reports the counts stay
	if again := provenanceKeyStatus(s, in); *again.Keys[len(again.Keys)-1].RecordsSigned != 2 {
		t.Error("counts went with the pods")
	}
	ring.entries[m.ids[3]] = ring.disabled[m.ids[3]]
	delete(ring.disabled, m.ids[3])
	restored := provenanceKeyStatus(s, in)
	i := slices.IndexFunc(restored.Keys, func(k v1alpha1.KeyStatus) bool { return k.ID == m.ids[3] })
	if k := restored.Keys[i]; k.State != v1alpha1.KeyStateVerifyOnly || !k.VerifyUntil.Time.After(in.now) {
		t.Errorf("restored key = %+v, want a window of its own", k)
	}
}

func TestProvenanceKeyConditions(t *testing.T) {
	m := newKeyMaker(t, 2)
	ring := m.ring(1)
	since := metav1.NewTime(hours(-9))
	problem := no(ReasonKeySourceInvalid, "entry key of Secret own cannot be used")
	prev := v1alpha1.ProvenanceKeyStatus{PrimaryKeyID: m.ids[0], Keys: []v1alpha1.KeyStatus{
		{ID: m.ids[0], State: v1alpha1.KeyStatePrimary, CreatedAt: &since, PrimaryAt: &since},
		{ID: m.ids[1], State: v1alpha1.KeyStateCompromised, VerifyUntil: &since},
	}}
	tests := map[string]struct {
		in   keyDecision
		want map[string]string
		says string // in one of the messages
	}{
		"the user's Secret is broken": {keyDecision{ring: ring, problem: &problem}, map[string]string{
			"Ready": "False KeySourceInvalid", "Rotating": "False Idle", "RotationBlocked": "False Idle",
		}, "until then key " + m.ids[0] + " goes on signing"},
		"asked for, and the Secret holds the same key": {keyDecision{ring: ring, unchanged: true}, map[string]string{
			"Ready": "True Available", "Rotating": "False Idle", "RotationBlocked": "True SecretUnchanged",
		}, "put a new key there"},
		"due, and no screener runs": {keyDecision{ring: ring, deferred: true}, map[string]string{
			"Ready": "True Available", "Rotating": "False Idle", "RotationBlocked": "False Idle",
		}, "takes place when a screener"},
		"a compromised key is still loaded": {keyDecision{ring: ring, holding: []string{"pod-a"}}, map[string]string{
			"Ready": "True Available", "Rotating": "True RevokingCompromisedKey", "RotationBlocked": "True ScreenersNotReporting",
		}, "pod-a"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			in := keyStatusInput{now: keyClock, period: time.Hour, compromised: m.ids[1:], decision: tc.in}
			if tc.in.unchanged {
				in.source = m.provides(m.ids[0])
			}
			s := provenanceKeyStatus(prev, in)
			got, messages := map[string]string{}, ""
			for _, c := range s.Conditions {
				got[c.Type] = fmt.Sprintf("%s %s", c.Status, c.Reason)
				messages += c.Message + "\n"
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("conditions (-want +got):\n%s", diff)
			}
			if !strings.Contains(messages, tc.says) {
				t.Errorf("messages do not say %q:\n%s", tc.says, messages)
			}
			if usable := keysUsable(&v1alpha1.ProvenanceKey{Status: s}); !usable {
				t.Error("the keys in force do not count as usable")
			}
		})
	}
}

func TestKeyCountsOnly(t *testing.T) {
	count := func(n int64) *int64 { return &n }
	status := func(n *int64) v1alpha1.ProvenanceKeyStatus {
		return v1alpha1.ProvenanceKeyStatus{PrimaryKeyID: "1", Keys: []v1alpha1.KeyStatus{{ID: "1", RecordsSigned: n}}}
	}
	other := status(count(5))
	other.PrimaryKeyID = "2"
	for name, tc := range map[string]struct {
		next v1alpha1.ProvenanceKeyStatus
		only bool
	}{
		"a count moved":     {status(count(5)), true},
		"a count became 0":  {status(count(0)), false},
		"a count went":      {status(nil), false},
		"more than a count": {other, false},
		"a key more":        {v1alpha1.ProvenanceKeyStatus{PrimaryKeyID: "1"}, false},
	} {
		if got := keyCountsOnly(status(count(4)), tc.next); got != tc.only {
			t.Errorf("%s: counts only = %v, want %v", name, got, tc.only)
		}
	}
}

func TestScreenerKeysOf(t *testing.T) {
	r := report{reachable: metav1.ConditionTrue}
	if k := screenerKeysOf("p", r); k.records == nil {
		t.Error("an empty store counts as one that does not say")
	}
	r.status.Zones = map[string]int64{"Working": 1}
	if k := screenerKeysOf("p", r); k.records != nil {
		t.Error("records without counts by key count as none")
	}
	r = report{reachable: metav1.ConditionFalse}
	r.status.KeyIDs = []string{"1"}
	if k := screenerKeysOf("p", r); k.fresh || !k.knows("1") || k.records != nil {
		t.Errorf("an unreachable screener = %+v, want its last keys, not fresh", k)
	}
}

// A wait gets too long two minutes after it began, however often the operator looked meanwhile.
func TestScheduleOfWaits(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) *metav1.Time { return &metav1.Time{Time: now.Add(-d)} }
	waiting := keyDecision{ring: keyring{next: "2"}, waiting: []string{"p"}}
	holding := keyDecision{holding: []string{"p"}}
	for name, tt := range map[string]struct {
		decision keyDecision
		keys     []v1alpha1.KeyStatus
		want     time.Duration // from now; zero: never
	}{
		"begins now":             {waiting, nil, blockedAfter + time.Second},
		"under way":              {waiting, []v1alpha1.KeyStatus{{ID: "2", CreatedAt: ago(100 * time.Second)}}, 21 * time.Second},
		"too long already":       {waiting, []v1alpha1.KeyStatus{{ID: "2", CreatedAt: ago(time.Hour)}}, 0},
		"revoked now":            {holding, nil, blockedAfter + time.Second},
		"revoked before":         {holding, []v1alpha1.KeyStatus{{ID: "1", State: v1alpha1.KeyStateCompromised, VerifyUntil: ago(time.Minute)}}, time.Minute + time.Second},
		"nothing is waited for":  {keyDecision{}, nil, 0},
		"revoked, and long gone": {holding, []v1alpha1.KeyStatus{{ID: "1", State: v1alpha1.KeyStateCompromised, VerifyUntil: ago(time.Hour)}}, 0},
	} {
		key := &v1alpha1.ProvenanceKey{Status: v1alpha1.ProvenanceKeyStatus{Keys: tt.keys}}
		s := &keyScope{key: key, status: keyStatusInput{now: now}}
		s.schedule(keyObserved{now: now}, tt.decision)
		if got := s.again; got.IsZero() != (tt.want == 0) || tt.want != 0 && got.Sub(now) != tt.want {
			t.Errorf("%s: looks again at %v, want %v after %v", name, got, tt.want, now)
		}
	}
}
