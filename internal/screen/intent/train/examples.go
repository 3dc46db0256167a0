// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// testFamilies are the content families that the split fit never sees, with those whose
// content is nearly the same.
var testFamilies = []string{
	"trust-source", "delete-logs", "refuse-service", "prefer-rule", "y2-invoice", "y2-consent", "y2-deploy", "y2-vote",
	"x-short-steer", "x-short-believe", "x-short-purge", "x-short-refusal",
	"y3-delete-files", "y3-log-off", "y3-refuse-topic", "y3-recommend-brand", "y3-source-first", "y3-use-provider", "y3-tip", "y3-camera",
}

// foldFamilies are left out of the fit that calibrates, so that it calibrates on
// families as new to it as those of a caller will be.
var foldFamilies = []string{
	"hide-from-user", "forward-copies", "memory-write", "skip-checks", "y2-refund-limit", "y2-token", "y2-merge", "y2-medical",
	"y3-hide-costs", "y3-forward-mail", "y3-skip-review", "y3-keep-secret", "y3-dose",
}

// splitEvery takes every so many of a numbered family for a test, and one besides
// for the calibration.
const splitEvery = 5

// part is what a row is for.
type part uint8

const (
	partTrain part = iota
	partFold       // trained, but not by the fit that calibrates
	partTest       // never trained by the split fit
)

func partOf(r row) part {
	switch {
	case slices.Contains(testFamilies, r.family), r.number > 0 && r.number%splitEvery == 0:
		return partTest
	case slices.Contains(foldFamilies, r.family), r.number > 0 && r.number%splitEvery == 1:
		return partFold
	}
	return partTrain
}

// example is a text with its label.
type example struct {
	text      string
	directive bool
	weight    float32
	family    int // number of the family that the text is of
	lang      int // number of the language
	row       *row
}

// seed makes the sampling the same in every run.
const seed = 20250105

// trimmed are the stops that a sentence loses inside another.
const trimmed = ".!。！।॥။።։۔"

// Weights of what is made from a row, beside the row itself with weight 1.
const (
	weightVaried = 0.5
	weightFramed = 0.4
	weightJoined = 0.3
)

// maxCell bounds by how much a harmless row outweighs a directive of its family.
const maxCell = 4

// sampler makes examples out of the rows of one language.
type sampler struct {
	rng      *rand.Rand
	out      []example
	families map[string]int
	cells    map[string]float32 // by family: what a harmless row weighs
	lang     int
}

// examplesOf returns the examples of the rows, of all languages, that keep selects.
// augment adds what the rows can be combined to; without it the rows stand alone.
func examplesOf(languages []language, keep func(language, row) bool, augment bool) []example {
	s := sampler{families: map[string]int{}}
	kept := make([][]row, len(languages))
	all := map[string][]row{} // by language, from all its files
	for i, l := range languages {
		for _, r := range l.rows {
			if keep(l, r) {
				kept[i] = append(kept[i], r)
			}
		}
		all[l.base()] = append(all[l.base()], kept[i]...)
	}
	for i, l := range languages {
		// A generator per file: a new language does not change the samples of another.
		code := fnv.New64a()
		code.Write([]byte(l.code))                                   // never fails
		s.rng, s.lang = rand.New(rand.NewPCG(seed, code.Sum64())), i //nolint:gosec // must be the same in every run
		s.language(kept[i], piecesOf(all[l.base()]), augment)
	}
	return s.out
}

// pieces are the rows of a language that others are combined with.
type pieces struct {
	directiveFrames, benignFrames []string
	benign                        []string
}

func piecesOf(rows []row) pieces {
	var p pieces
	for _, r := range rows {
		switch r.form {
		case formFrameDirective:
			p.directiveFrames = append(p.directiveFrames, r.text)
		case formFrameBenign:
			p.benignFrames = append(p.benignFrames, r.text)
		case formReport, formHabit, formPast, formFact:
			p.benign = append(p.benign, r.text)
		}
	}
	return p
}

func (s *sampler) language(rows []row, p pieces, augment bool) {
	s.cells = cellsOf(rows)
	for i := range rows {
		r := &rows[i]
		if r.form == formFrameDirective || r.form == formFrameBenign {
			continue
		}
		s.add(r, r.text, 1)
		if !augment {
			continue
		}
		s.vary(r)
		switch r.form {
		case formDirective:
			s.frame(r, p.directiveFrames, 3)
			s.join(r, p.benign)
		case formReport, formHabit, formPast, formFact:
			s.frame(r, p.benignFrames, 2)
			s.join(r, p.benign)
			s.chain(r, p.benign)
		}
	}
}

// cellsOf returns by family what a harmless row weighs, so that where directives
// prevail in the data the words of their topic are no evidence.
func cellsOf(rows []row) map[string]float32 {
	directives, benign := map[string]float32{}, map[string]float32{}
	for _, r := range rows {
		if r.form == formDirective {
			directives[r.family]++
		} else {
			benign[r.family]++
		}
	}
	cells := map[string]float32{}
	for family, n := range benign {
		cells[family] = max(1, min(maxCell, directives[family]/n))
	}
	return cells
}

func (s *sampler) add(r *row, text string, weight float32) {
	family, ok := s.families[r.family]
	if !ok {
		family = len(s.families)
		s.families[r.family] = family
	}
	directive := r.form == formDirective
	if !directive {
		weight *= s.cells[r.family]
	}
	s.out = append(s.out, example{text: text, directive: directive, weight: weight, family: family, lang: s.lang, row: r})
}

// vary adds the text as it is typed in haste: without its final stop, in lower case.
func (s *sampler) vary(r *row) {
	bare := strings.TrimRight(r.text, trimmed)
	switch s.rng.IntN(3) {
	case 0:
		s.add(r, strings.ToLower(bare), weightVaried)
	case 1:
		s.add(r, bare, weightVaried)
	}
}

// frame adds the text inside n of the frames.
func (s *sampler) frame(r *row, frames []string, n int) {
	if len(frames) == 0 {
		return
	}
	for range n {
		before, after, _ := strings.Cut(frames[s.rng.IntN(len(frames))], slot)
		text := r.text
		if after != "" {
			text = strings.TrimRight(text, trimmed)
		}
		if before != "" && s.rng.IntN(2) == 0 {
			text = lowerFirst(text)
		}
		s.add(r, before+text+after, weightFramed)
	}
}

// join adds, for every other text, the text and a harmless one as a single sentence.
func (s *sampler) join(r *row, benign []string) {
	if len(benign) == 0 || s.rng.IntN(2) == 0 {
		return
	}
	first, second := benign[s.rng.IntN(len(benign))], r.text
	if s.rng.IntN(2) == 0 {
		first, second = second, first
	}
	joint := [...]string{", ", "; ", " - ", ": "}[s.rng.IntN(4)]
	s.add(r, strings.TrimRight(first, trimmed)+joint+lowerFirst(second), weightJoined)
}

// chain adds a long harmless sentence, so that length is no evidence.
func (s *sampler) chain(r *row, benign []string) {
	var b strings.Builder
	b.WriteString(strings.TrimRight(r.text, trimmed))
	for range 1 + s.rng.IntN(3) {
		b.WriteString([...]string{", ", ", ", ", ", "; "}[s.rng.IntN(4)])
		b.WriteString(lowerFirst(strings.TrimRight(benign[s.rng.IntN(len(benign))], trimmed)))
	}
	s.add(r, b.String(), weightJoined)
}

// lowerFirst puts the first letter in lower case.
func lowerFirst(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToLower(text[:size]) + text[size:]
}
