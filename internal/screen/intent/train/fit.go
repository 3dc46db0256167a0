// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"memorytrust.dev/operator/internal/screen/intent"
)

// settings are what a fit is made with.
type settings struct {
	weightBits, seenBits uint    // logarithms of the table sizes
	epochs               int     // passes over the examples
	rate                 float32 // learning rate of the first pass
	drop                 float64 // share of features left out at each step
	minFamilies          int     // a feature must occur in so many families
	benign               float32 // weight of a harmless example against a directive
}

// defaults were chosen by the report; docs/intent-model.md says what was compared.
var defaults = settings{weightBits: 19, seenBits: 21, epochs: 24, rate: 0.25, drop: 0.5, minFamilies: 2, benign: 1.5}

// spreadBits is the size of the table that counts the families of a feature. It is
// larger than that of the weights, so that few features share a place.
const spreadBits = 22

// spread has a bit for every family that a feature occurs in: one of a single family
// tells its topic, not its mood.
type spread []uint64

func spreadOf(examples []example) spread {
	s := make(spread, 1<<spreadBits)
	var r intent.Reader
	for _, e := range examples {
		bit := uint64(1) << (e.family % 64)
		r.Reset(e.text)
		for r.Next() {
			for _, f := range r.Chars() {
				s[f>>(32-spreadBits)] |= bit
			}
			for _, f := range r.Words() {
				s[f>>(32-spreadBits)] |= bit
			}
		}
	}
	return s
}

func (s spread) families(feature uint32) int { return bits.OnesCount64(s[feature>>(32-spreadBits)]) }

// sample is an example as features.
type sample struct {
	features             []uint32 // indices of weights
	chars                int      // the first features are character n-grams, the others words
	charValue, wordValue float32
	weight               float32
	target               float32
}

// fit is a logistic regression by AdaGrad, with a part of the features left out at
// each step, so that no feature relies on another that comes with it.
type fit struct {
	settings
	spread  spread
	weight  []float32
	squares []float32 // sum of squared gradients
	bias    float32
	rng     *rand.Rand
	kept    []uint32 // features that a step does not leave out
}

// train fits the examples. All products are rounded before they are added to, so that
// the result is the same on every platform.
func train(examples []example, s settings) *fit {
	f := &fit{settings: s, spread: spreadOf(examples), weight: make([]float32, 1<<s.weightBits),
		squares: make([]float32, 1<<s.weightBits)}
	samples := make([]sample, len(examples))
	for i, e := range examples {
		samples[i] = f.sample(e)
	}
	f.rng = rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // must be the same in every run
	order := f.rng.Perm(len(samples))
	for epoch := range s.epochs {
		f.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := s.rate * float32(s.epochs-epoch) / float32(s.epochs)
		for _, i := range order {
			f.step(f.dropped(samples[i]), rate)
		}
	}
	return f
}

// dropped leaves out a share of the features and raises the value of the others in turn.
func (f *fit) dropped(x sample) sample {
	limit := uint64(f.drop * (1 << 16))
	kept, chars := f.kept[:0], 0
	var random uint64
	for i, feature := range x.features {
		if i%4 == 0 {
			random = f.rng.Uint64()
		}
		if random&0xFFFF >= limit {
			kept = append(kept, feature)
			if i < x.chars {
				chars++
			}
		}
		random >>= 16
	}
	f.kept = kept
	x.features, x.chars = kept, chars
	raise := float32(1 / (1 - f.drop))
	x.charValue *= raise
	x.wordValue *= raise
	return x
}

// minError is the error below which an example is learned and its step skipped.
const minError = 1e-4

func (f *fit) step(x sample, rate float32) {
	err := (float32(intent.Sigmoid(float64(f.margin(&x)))) - x.target) * x.weight
	if err < minError && err > -minError {
		return
	}
	f.update(x.features[:x.chars], err*x.charValue, rate)
	f.update(x.features[x.chars:], err*x.wordValue, rate)
	f.bias -= float32(rate * err * 0.01) // slow: the features should explain what they can
}

// firstSquares is what a sum of squares begins with: it tames the first steps of a feature.
const firstSquares = 1e-3

func (f *fit) update(features []uint32, gradient, rate float32) {
	square := float32(gradient * gradient)
	change := float32(rate * gradient)
	for _, i := range features {
		f.squares[i] += square
		f.weight[i] -= change / float32(math.Sqrt(float64(f.squares[i]+firstSquares)))
	}
}

func (f *fit) margin(x *sample) float32 {
	var chars, words float32
	for _, i := range x.features[:x.chars] {
		chars += f.weight[i]
	}
	for _, i := range x.features[x.chars:] {
		words += f.weight[i]
	}
	return f.bias + float32(chars*x.charValue) + float32(words*x.wordValue)
}

// sample reads the features of an example, without those of too few families.
func (f *fit) sample(e example) sample {
	x := sample{weight: e.weight}
	if e.directive {
		x.target = 1
	} else {
		x.weight *= f.benign
	}
	shift := 32 - f.weightBits
	var words []uint32
	nChars, nWords := 0, 0
	keep := func(to, hashes []uint32) []uint32 {
		for _, h := range hashes {
			if f.spread.families(h) >= f.minFamilies {
				to = append(to, h>>shift)
			}
		}
		return to
	}
	var r intent.Reader
	r.Reset(e.text)
	for r.Next() {
		nChars += len(r.Chars())
		nWords += len(r.Words())
		x.features = keep(x.features, r.Chars())
		words = keep(words, r.Words())
	}
	x.chars = len(x.features)
	x.features = append(x.features, words...)
	x.charValue, x.wordValue = float32(intent.CharNorm(nChars)), float32(intent.WordNorm(nWords))
	return x
}

// quantize turns the fit into the parameters of a model, without calibration.
func (f *fit) quantize() intent.Params {
	var sum float64
	used := 0
	for _, w := range f.weight {
		if w != 0 {
			sum += float64(float64(w) * float64(w))
			used++
		}
	}
	// Few weights are beyond clip times their root mean square; cutting those off
	// leaves finer steps for all others.
	const clip = 10
	scale := clip * math.Sqrt(sum/float64(max(used, 1))) / 127
	p := intent.Params{Weights: make([]int8, len(f.weight)), Seen: make([]byte, 1<<f.seenBits/8), Scale: scale,
		Bias: float64(f.bias), Slope: 1}
	for i, w := range f.weight {
		p.Weights[i] = int8(max(-127, min(127, math.Round(float64(w)/scale))))
	}
	return p
}

// cover marks the n-grams of the examples as seen.
func cover(p *intent.Params, examples []example, seenBits uint) {
	var r intent.Reader
	for _, e := range examples {
		r.Reset(e.text)
		for r.Next() {
			for _, h := range r.Cover() {
				bit := h >> (32 - seenBits)
				p.Seen[bit>>3] |= 1 << (bit & 7)
			}
		}
	}
}
