// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"math"
)

// z95 is the two-sided 95 % quantile of the normal distribution.
const z95 = 1.959963984540054

// Share is how many of a number of texts something holds for, with the Wilson score interval of the rate behind it: it stays
// within 0 and 1 and is meaningful for small numbers and for none at all (Wilson 1927; Brown, Cai and DasGupta 2001 recommend
// it).
type Share struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Rate  float64 `json:"rate"` // 0 to 1; 0 of nothing
	Low   float64 `json:"low"`  // of the 95 % interval
	High  float64 `json:"high"`
}

// NewShare returns the share of count in of. Of nothing, everything is possible: the interval is 0 to 1.
func NewShare(count, of int) Share {
	s := Share{Count: count, Of: of}
	if of <= 0 {
		s.High = 1
		return s
	}
	n, p := float64(of), float64(count)/float64(of)
	const zz = z95 * z95
	middle := p + zz/(2*n)
	spread := z95 * math.Sqrt(p*(1-p)/n+zz/(4*n*n))
	s.Rate = round(p)
	s.Low, s.High = round(max(0, (middle-spread)/(1+zz/n))), round(min(1, (middle+spread)/(1+zz/n)))
	// Rounding in the formula leaves the ends a hair off where they are known.
	if count == 0 {
		s.Low = 0
	}
	if count == of {
		s.High = 1
	}
	return s
}

// round keeps what a report shows, so that reports of equal results are equal.
func round(f float64) float64 { return math.Round(f*1e6) / 1e6 }

// All reports whether it holds for all of some.
func (s Share) All() bool { return s.Count == s.Of }

// String implements fmt.Stringer: "3/4".
func (s Share) String() string { return fmt.Sprintf("%d/%d", s.Count, s.Of) }

// percent shows the rate with its interval: "75.0 % (30.1–95.4)".
func (s Share) percent() string {
	if s.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%s %% (%s–%s)", digits(s.Rate), digits(s.Low), digits(s.High))
}

// digits shows a rate in percent; rates near 0, which false positives are meant to have, with two digits more.
func digits(rate float64) string {
	if rate > 0 && rate < 0.01 {
		return fmt.Sprintf("%.3f", 100*rate)
	}
	return fmt.Sprintf("%.1f", 100*rate)
}
