// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package intent

import "testing"

func TestBucketGivesBackWeights(t *testing.T) {
	features := [BucketSlots]uint32{0x100, 0x0180FF, 0x2A, 0xFFFFFF7F, 0x80}
	put := [BucketSlots]float64{-127, 3.4, 40, -9, 1000}
	want := [BucketSlots]int{-127, 3, 41, -10, 127}
	var b Bucket
	for slot, f := range features {
		b = b.With(slot, f, put[slot])
	}
	for i, f := range features {
		if got := b.weight(f); got != want[i] {
			t.Errorf("feature %#x weighs %d, want %d", f, got, want[i])
		}
	}
	for _, other := range []uint32{1, 0x7E, 0x81, 0xFE, 0x55} {
		if got := b.weight(other); got != 0 {
			t.Errorf("feature %#x is not in the bucket and weighs %d", other, got)
		}
	}
}

func TestBucketWithoutWeight(t *testing.T) {
	if b := Bucket(0).With(2, 7, 1.2); b != 0 {
		t.Errorf("a weight of nearly nothing takes a slot: %#x", b)
	}
	if got := Bucket(0).weight(0); got != 0 {
		t.Errorf("an empty bucket gives %d", got)
	}
}

func TestPlace(t *testing.T) {
	for feature, want := range map[uint32]int{0: 0, 1 << 31: 500, 0xFFFFFFFF: 999} {
		if got := Place(feature, 1000); got != want {
			t.Errorf("feature %#x is in bucket %d, want %d", feature, got, want)
		}
	}
}
