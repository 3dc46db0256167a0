// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// Scripts that search is measured in.
var Scripts = []string{"English", "Chinese", "Japanese", "Korean", "Thai", "Russian"}

// Corpus makes up texts with the make of natural ones: a vocabulary of 20,000 words, used as unevenly as people use
// theirs (Zipf's law).
type Corpus struct {
	random     *rand.Rand
	zipf       *rand.Zipf
	vocabulary []string
	space      string
}

const vocabularySize = 20_000

// NewCorpus makes the texts of a script. The vocabulary is always the same, the texts depend on seed.
func NewCorpus(script string, seed uint64) *Corpus {
	c := &Corpus{space: " "}
	letters := []rune("abcdefghijklmnopqrstuvwxyz")
	shortest, longest := 2, 9
	switch script {
	case "Russian":
		letters = []rune("абвгдежзийклмнопрстуфхцчшщыьэюя")
	case "Chinese":
		letters, shortest, longest, c.space = runes(0x4e00, 3000), 1, 3, ""
	case "Japanese":
		letters, shortest, longest, c.space = append(runes(0x3041, 80), runes(0x5200, 1500)...), 1, 4, ""
	case "Korean":
		letters, shortest, longest = runes(0xac00, 1500), 2, 4
	case "Thai":
		letters, shortest, longest, c.space = append(runes(0x0e01, 46), []rune("าิีึืุูะเแโใไ่้ั็")...), 2, 7, ""
	}
	words := rand.New(rand.NewPCG(7, 7)) // #nosec G404 -- no secret
	for range vocabularySize {
		word := make([]rune, shortest+words.IntN(longest-shortest+1))
		for i := range word {
			word[i] = letters[int(float64(len(letters))*words.Float64()*words.Float64())] // some letters are rare
		}
		c.vocabulary = append(c.vocabulary, string(word))
	}
	c.random = rand.New(rand.NewPCG(seed, 1)) // #nosec G404 -- no secret
	c.zipf = rand.NewZipf(c.random, 1.1, 3, vocabularySize-1)
	return c
}

func runes(from rune, n int) []rune {
	out := make([]rune, n)
	for i := range out {
		out[i] = from + rune(i) // #nosec G115 -- small
	}
	return out
}

func (c *Corpus) text(length int) string {
	list := make([]string, length)
	for i := range list {
		list[i] = c.vocabulary[c.zipf.Uint64()]
	}
	return strings.Join(list, c.space)
}

// Sentence is one memory: 8 to 24 words.
func (c *Corpus) Sentence() string { return c.text(8 + c.random.IntN(17)) }

// Record is one memory; some wait in Quarantine.
func (c *Corpus) Record(i int) memory.Record {
	r := NewRecord(c.Sentence())
	if i%50 == 0 {
		r.Zone = memory.Quarantine
	}
	return r
}

// Question is what a recall asks: a few words as they come, and one that is not so common.
func (c *Corpus) Question() string {
	return c.text(5) + c.space + c.vocabulary[200+c.random.IntN(vocabularySize/4)]
}

// ReportLatencies reports percentiles of what a benchmark measured.
func ReportLatencies(b *testing.B, latencies []time.Duration) {
	slices.Sort(latencies)
	at := func(share float64) float64 {
		return float64(latencies[int(share*float64(len(latencies)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(at(.5), "p50-ms")
	b.ReportMetric(at(.99), "p99-ms")
}
