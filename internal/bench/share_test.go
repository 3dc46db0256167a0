// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"math"
	"testing"
)

// The intervals of the first four are those that Newcombe gives to four digits (Statistics in Medicine 17, 1998, table I,
// method 3).
func TestShare(t *testing.T) {
	tests := map[string]struct {
		count, of int
		low, high float64
		shown     string
	}{
		"81 of 263":   {81, 263, 0.2553, 0.3662, "30.8 % (25.5–36.6)"},
		"15 of 148":   {15, 148, 0.0624, 0.1605, "10.1 % (6.2–16.0)"},
		"none of 20":  {0, 20, 0, 0.1611, "0.0 % (0.0–16.1)"},
		"one of 29":   {1, 29, 0.0061, 0.1718, "3.4 % (0.611–17.2)"},
		"all of 20":   {20, 20, 0.8389, 1, "100.0 % (83.9–100.0)"},
		"one of 5255": {1, 5255, 0, 0.0011, "0.019 % (0.003–0.108)"},
		"of nothing":  {0, 0, 0, 1, "-"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := NewShare(test.count, test.of)
			if math.Abs(s.Low-test.low) > 5e-5 || math.Abs(s.High-test.high) > 5e-5 {
				t.Errorf("the interval is %g to %g, want %g to %g", s.Low, s.High, test.low, test.high)
			}
			if got := s.percent(); got != test.shown {
				t.Errorf("shown as %q, want %q", got, test.shown)
			}
		})
	}
}
