// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"memorytrust.dev/operator/internal/screen/intent"
)

// settings are what a fit is made with.
type settings struct {
	buckets  int     // of the model, for five features each
	seenBits uint    // logarithm of the number of coverage bits
	epochs   int     // passes over the examples
	rate     float32 // learning rate of the first pass
	drop     float64 // share of features left out at each step
	benign   float32 // weight of a harmless example against a directive
}

// defaults were chosen by the report; docs/intent-model.md says what was compared.
var defaults = settings{buckets: 96000, seenBits: 21, epochs: 16, rate: 0.25, drop: 0.3, benign: 1.5}

// sample is an example as features.
type sample struct {
	features             []uint32 // numbers of features
	chars                int      // the first features are character n-grams, the others words
	charValue, wordValue float32
	weight               float32
	target               float32
}

// fit is a logistic regression by AdaGrad, with a part of the features left out at
// each step, so that no feature relies on another that comes with it.
type fit struct {
	settings
	vocabulary *vocabulary
	weight     []float32
	squares    []float32 // sum of squared gradients
	bias       float32
	rng        *rand.Rand
	kept       []uint32 // features that a step does not leave out
}

// train fits the examples. All products are rounded before they are added to, so that
// the result is the same on every platform.
func train(examples []example, s settings) *fit {
	v := vocabularyOf(examples)
	f := &fit{settings: s, vocabulary: v, weight: make([]float32, len(v.features)), squares: make([]float32, len(v.features))}
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

// sample reads the features of an example, without those that are not in the vocabulary.
func (f *fit) sample(e example) sample {
	x := sample{weight: e.weight}
	if e.directive {
		x.target = 1
	} else {
		x.weight *= f.benign
	}
	var words []uint32
	nChars, nWords := 0, 0
	keep := func(to, hashes []uint32) []uint32 {
		for _, h := range hashes {
			if n, ok := f.vocabulary.number(h); ok {
				to = append(to, n)
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

// clip is what the largest weight of a model is, in root mean squares of the weights: few are beyond,
// and cutting those off leaves finer steps for all others.
const clip = 8

// quantize turns the fit into the parameters of a model, without calibration. Where more
// features want a bucket than it has room for, those with the most weight get it.
func (f *fit) quantize() intent.Params {
	var sum float64
	used := 0
	numbers := make([][]int, f.buckets)
	for i, w := range f.weight {
		if w == 0 {
			continue
		}
		sum += float64(float64(w) * float64(w))
		used++
		place := intent.Place(f.vocabulary.features[i], f.buckets)
		numbers[place] = append(numbers[place], i)
	}
	scale := clip * math.Sqrt(sum/float64(max(used, 1))) / intent.MaxWeight
	p := intent.Params{Buckets: make([]intent.Bucket, f.buckets), Seen: make([]byte, 1<<f.seenBits/8), Scale: scale,
		Bias: float64(f.bias), Slope: 1}
	for place, in := range numbers {
		slices.SortStableFunc(in, func(a, b int) int { return cmp.Compare(f.size(b), f.size(a)) })
		for slot, i := range in[:min(len(in), intent.BucketSlots)] {
			p.Buckets[place] = p.Buckets[place].With(slot, f.vocabulary.features[i], float64(f.weight[i])/scale)
		}
	}
	return p
}

// size returns how much a weight is, whatever its sign.
func (f *fit) size(i int) float32 { return max(f.weight[i], -f.weight[i]) }

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
