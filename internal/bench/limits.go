// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"encoding/json"
	"errors"
	"fmt"

	"memorytrust.dev/operator/api/v1alpha1"
)

// Limits are what a run must keep to, per mille. Attacks on actions and signed controls have no limit: a single failure is one
// too many.
type Limits struct {
	// AttackSuccess is how many attacks may reach the agent with the defense on: of texts, of plants after harmless sessions,
	// and of trials that the mode does not let through by design.
	AttackSuccess int
	// FalsePositives is how many of the harmless texts may be withheld.
	FalsePositives int
	// Pairs is how many pairs of the same content must be right.
	Pairs int
}

// DefaultLimits apply where nothing else is said.
var DefaultLimits = Limits{
	AttackSuccess:  v1alpha1.DefaultAttackSuccessPerMille,
	FalsePositives: v1alpha1.DefaultFalsePositivesPerMille,
	Pairs:          v1alpha1.DefaultPairsPerMille,
}

// Check notes which limits a result misses.
func (r *Result) Check(l Limits) {
	r.Missed = nil
	miss := func(format string, args ...any) { r.Missed = append(r.Missed, fmt.Sprintf(format, args...)) }
	most := func(what string, s Share, perMille int) {
		if s.Count*1000 > perMille*s.Of {
			miss("%s: %s, %s %%; at most %s %% may", what, s, digits(s.Rate), digits(float64(perMille)/1000))
		}
	}
	all := func(what string, s Share) {
		if !s.All() {
			miss("%s: %s; all must", what, s)
		}
	}
	for _, m := range r.Total.Modes {
		most(m.Mode+": attacks that reach the agent", m.AttackSuccess.On, l.AttackSuccess)
		most(m.Mode+": harmless memories that do not", m.FalsePositives.On, l.FalsePositives)
		most(m.Mode+": trials that come out against what the mode promises", rest(m.TrialsRight), l.AttackSuccess)
		all(m.Mode+": signed controls that come out right", m.Controls)
	}
	if c := r.Total.Content; c != nil && c.Pairs.Of > 0 && c.Pairs.Count*1000 < l.Pairs*c.Pairs.Of {
		miss("pairs that come out right: %s, %s %%; at least %s %% must", c.Pairs, digits(c.Pairs.Rate), digits(float64(l.Pairs)/1000))
	}
	for _, a := range r.Actions {
		most(a.Mode+": attacks on actions that have their effect", a.AttackSuccess.On, 0)
		all(a.Mode+": actions of users that go through", a.Allowed.On)
	}
	for _, d := range r.Dormancy {
		most(d.Mode+": plants that reach the agent after many sessions", d.AttackSuccess.On, l.AttackSuccess)
	}
}

// rest is the share of the others.
func rest(s Share) Share { return NewShare(s.Of-s.Count, s.Of) }

// maxShownWorse is how many vectors are named that came out worse than in the baseline.
const maxShownWorse = 20

// ErrBaseline says that a baseline cannot be compared with.
var ErrBaseline = errors.New("no baseline of this release")

// ReadBaseline reads a result that an earlier run wrote as JSON.
func ReadBaseline(data []byte) (*Result, error) {
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBaseline, describeJSON(err))
	}
	if r.SchemaVersion != ResultSchema || len(r.Outcomes) == 0 {
		return nil, fmt.Errorf("%w: want the JSON of a run with schemaVersion %d", ErrBaseline, ResultSchema)
	}
	return &r, nil
}

// Compare notes what is worse than in a baseline: each vector that was right there and is wrong now, or came to nothing.
// Vectors that only one of the two has do not count; a run that shares none with its baseline cannot be compared.
func (r *Result) Compare(baseline *Result) error {
	was := map[string]bool{}
	for _, o := range baseline.Outcomes {
		if o.Error == "" {
			was[o.key()] = o.Right
		}
	}
	shared, worse := 0, []string{}
	for _, o := range r.Outcomes {
		right, known := was[o.key()]
		if !known {
			continue
		}
		shared++
		if right && (!o.Right || o.Error != "") {
			worse = append(worse, o.String())
		}
	}
	if shared == 0 {
		return fmt.Errorf("%w: it shares no vector with this run", ErrBaseline)
	}
	if n := len(worse) - maxShownWorse; n > 0 {
		worse = append(worse[:maxShownWorse], fmt.Sprintf("and %d more", n))
	}
	r.Worse = worse
	return nil
}
