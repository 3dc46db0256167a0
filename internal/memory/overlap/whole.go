// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

import (
	"slices"

	"memorytrust.dev/operator/internal/memory"
)

// wholeSeed keeps the hash of a whole text apart from those of its parts.
const wholeSeed = 0x57686f6c65207478

// Whole is the feature of a text as a whole, in lower case and without accents, spacing and punctuation; false for one of fewer
// than three words or ten letters, or as much of a text without spaces, and for numbers alone: those are said by many. It is a strong one: two texts that share
// it are one text. What Of finds in a short text is too little to tell that it was said before word for word.
func Whole(text string) (uint64, bool) {
	weight, size, hash := 0, 0, uint64(wholeSeed)
	for _, u := range cut(prepare(text)) {
		hash = mix(hash ^ u.hash)
		weight += u.weight
		size += u.size
	}
	return feature(kindStrong, hash), weight >= shingleWeight && size >= leastSize
}

// WithWhole is Of with the feature of the whole text, for texts that are to be recognized in later ones and for those that are
// looked for.
func WithWhole(text string) []uint64 {
	out := Of(text)
	whole, ok := Whole(text)
	if !ok {
		return out
	}
	at, known := slices.BinarySearch(out, whole)
	switch {
	case known:
		return out
	case len(out) == memory.MaxFeatures: // a text of that length is recognized by its parts
		return out
	}
	return slices.Insert(out, at, whole)
}

// Union returns the features of both, sorted, and at most memory.MaxFeatures.
func Union(a, b []uint64) []uint64 {
	out := slices.Concat(a, b)
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), memory.MaxFeatures)]
}
