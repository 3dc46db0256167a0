// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package intent

import "math"

// Sigmoid returns 1/(1+exp(-x)). Unlike math.Exp, which some platforms compute by
// instructions of their own, it gives the same bits everywhere: every product is
// rounded before it is added to.
func Sigmoid(x float64) float64 {
	if x < 0 {
		e := exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + exp(-x))
}

// exp returns e to the power of x for x <= 0, with a relative error below 1e-9.
func exp(x float64) float64 {
	if x < -700 {
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(k*math.Ln2) // at most 0.35 from 0
	sum := 1.0
	for n := 9; n > 0; n-- {
		sum = 1 + float64(sum*r)/float64(n)
	}
	return math.Ldexp(sum, int(k))
}
