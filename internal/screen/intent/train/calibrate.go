// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"

	"memorytrust.dev/operator/internal/screen/intent"
)

// calibrate finds slope and offset by which a margin becomes the log odds of a
// directive (Platt scaling), by Newton's method with a step that may only improve.
// Targets are drawn in from 0 and 1 by the number of examples, as Platt does, so that
// a fold without an error does not make the model certain of everything.
func calibrate(margins []float64, labels []bool) (slope, offset float64) {
	positive, negative := 0.0, 0.0
	for _, l := range labels {
		if l {
			positive++
		} else {
			negative++
		}
	}
	high, low := (positive+1)/(positive+2), 1/(negative+2)
	slope, offset = 1, 0
	for range 100 {
		var gs, gb, hss, hsb, hbb float64
		for i, m := range margins {
			target := low
			if labels[i] {
				target = high
			}
			p := intent.Sigmoid(float64(slope*m) + offset)
			d, w := p-target, float64(p*(1-p))
			gs += float64(d * m)
			gb += d
			hss += float64(float64(w*m) * m)
			hsb += float64(w * m)
			hbb += w
		}
		hss, hbb = hss+1e-6, hbb+1e-6
		det := float64(hss*hbb) - float64(hsb*hsb)
		if det <= 0 {
			break
		}
		ds := (float64(hbb*gs) - float64(hsb*gb)) / det
		db := (float64(hss*gb) - float64(hsb*gs)) / det
		// Far steps are cut: the curvature says little beyond the next margin.
		ds, db = max(-1, min(1, ds)), max(-1, min(1, db))
		slope, offset = slope-ds, offset-db
		if math.Abs(ds) < 1e-9 && math.Abs(db) < 1e-9 {
			break
		}
	}
	return slope, offset
}
