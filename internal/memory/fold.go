// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"math/bits"
	"slices"

	"memorytrust.dev/operator/internal/memory/fold"
)

// NearDuplicate is the similarity from which two texts count as the same one said again. It is the threshold at which
// Remnic pairs memories for its contradiction scan.
const NearDuplicate = .82

// MaxSketchDistance is how many bits the sketches of near-duplicates may differ in. Sets with a Jaccard similarity of .82
// have a cosine of .90, so that each bit differs with probability acos(.90)/π = .14: 9.2 bits of 64 on average with
// a standard deviation of 2.8. 18 bits are three deviations above that, and three and a half below the 32 bits of
// unrelated texts. It is a filter: what is within it is then compared with Similarity.
const MaxSketchDistance = 18

// maxShingles bounds what is kept of a text: the shingles with the lowest hashes, which are a fair sample of all of them.
// 1024 estimate a similarity of .82 with a standard error of .012.
const maxShingles = 1024

// Sketch is a 64-bit fingerprint of a text in any script (a simhash, after Charikar): similar texts differ in few bits.
// Case, punctuation, spacing and accents do not change it. Stores keep it, so that it must not change between releases
// without writing it anew.
func Sketch(content string) uint64 { return shinglesOf(content).sketch() }

// SketchDistance is the number of bits in which two sketches differ, 0 to 64.
func SketchDistance(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// Similarity is the Jaccard similarity of two texts' shingles, 0 to 1: what they share of what both have. Texts of more
// than 1024 different shingles are compared by a sample of that size, so that the cost is linear in their length.
func Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	return shinglesOf(a).similarity(shinglesOf(b))
}

// shingles are the hashes of a text's shingles: ascending, different, at most maxShingles of them, the lowest.
type shingles []uint64

// shinglesOf cuts a text into overlapping pieces of three letters or digits, or of two where a script writes a syllable
// or a word with one sign.
func shinglesOf(content string) shingles {
	text := fold.Letters(content)
	s := make(shingles, 0, min(len(text), 4*maxShingles))
	limit := ^uint64(0)
	for i := range text {
		n := min(shingleLength(text[i]), len(text))
		if i > 0 && i+n > len(text) {
			break
		}
		var packed uint64 // of three runes of 21 bits: different shingles never meet before they are mixed
		for _, r := range text[i : i+n] {
			packed = packed<<21 | uint64(r) // #nosec G115 -- runes are not negative
		}
		if h := mix(packed); h <= limit {
			s = append(s, h)
		}
		if len(s) == 4*maxShingles {
			s = s.lowest()
			limit = s[len(s)-1]
		}
	}
	return s.lowest()
}

func (s shingles) lowest() shingles {
	slices.Sort(s)
	s = slices.Compact(s)
	return s[:min(len(s), maxShingles)]
}

func (s shingles) sketch() uint64 {
	var votes [64]int
	for _, h := range s {
		for bit := range votes {
			votes[bit] += int(h>>bit&1)*2 - 1 // #nosec G115 -- one bit
		}
	}
	var sketch uint64
	for bit, vote := range votes {
		if vote > 0 {
			sketch |= 1 << bit
		}
	}
	return sketch
}

// similarity compares the lowest hashes of the union, which belong to samples of either text if they belong to the text.
func (s shingles) similarity(other shingles) float64 {
	var union, both int
	for i, j := 0, 0; union < maxShingles && (i < len(s) || j < len(other)); union++ {
		switch {
		case j == len(other) || i < len(s) && s[i] < other[j]:
			i++
		case i == len(s) || other[j] < s[i]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	if union == 0 {
		return 1 // nothing on either side
	}
	return float64(both) / float64(union)
}

// mix spreads a packed shingle over 64 bits (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func shingleLength(r rune) int {
	if fold.Dense(r) {
		return 2
	}
	return 3
}
