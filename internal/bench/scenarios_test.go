// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
)

func newSetup(t *testing.T) setup {
	t.Helper()
	p, err := DefaultPolicy()
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Screener()
	if err != nil {
		t.Fatal(err)
	}
	return setup{policy: p, screener: s, mode: v1alpha1.TrustModePrefix}
}

// Every attack works without a defense, or it would prove nothing, and none works with one, in either mode; what the user or
// operator asks for goes through everywhere.
func TestScenarios(t *testing.T) {
	arms := map[string]func(*setup){
		"off":                 func(s *setup) { s.off = true },
		"Prefix":              func(*setup) {},
		"Signed":              func(s *setup) { s.mode = v1alpha1.TrustModeSigned },
		"Signed and Withhold": func(s *setup) { s.mode, s.review = v1alpha1.TrustModeSigned, v1alpha1.ReviewModeWithhold },
	}
	if len(scenarios) != 25 {
		t.Errorf("%d scenarios, want 25", len(scenarios))
	}
	for name, change := range arms {
		s := newSetup(t)
		change(&s)
		for _, c := range scenarios {
			t.Run(name+"/"+c.id, func(t *testing.T) {
				t.Parallel()
				effect, err := s.play(t.Context(), t.TempDir(), c.attack)
				if err != nil {
					t.Fatal(err)
				}
				if want := s.off && !c.neverOpen; effect != want {
					t.Errorf("the attack had its effect: %t, want %t", effect, want)
				}
				allowed, err := s.play(t.Context(), t.TempDir(), c.twin)
				if err != nil {
					t.Fatal(err)
				}
				if !allowed {
					t.Error("what the user asked for did not go through")
				}
			})
		}
	}
}
