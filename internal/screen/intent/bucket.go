// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package intent

import "math/bits"

// Bucket holds the weights of up to BucketSlots features: five check bytes in its lower
// 40 bits, a half byte for each of their weights above. A feature that the model does not
// know finds its check byte in one bucket out of fifty, so that what is new adds no noise; a
// plain table of the same size would give it the weight of another feature more often than not.
// A slot is free while its weight is 0.
type Bucket uint64

const (
	// BucketSlots is the number of features that a bucket has room for.
	BucketSlots = 5
	// MaxWeight is the largest weight.
	MaxWeight = 127

	bucketBytes = 8
	checkBits   = 8
	weightBits  = 4
	everyCheck  = 0x01_01_01_01_01 // 1 in each check byte
	highCheck   = everyCheck << (checkBits - 1)
	weightsAt   = BucketSlots * checkBits
)

// weights are what a half byte stands for: squares, because most weights are small and
// differences between those count. The upper bit is the sign.
var weights = [1 << weightBits]int{0, 3, 10, 23, 41, 65, 93, MaxWeight, 0, -3, -10, -23, -41, -65, -93, -MaxWeight}

// Place returns the number of the bucket, of so many, that a feature is looked for in.
func Place(feature uint32, buckets int) int {
	return int(uint64(feature) * uint64(buckets) >> 32) //nolint:gosec // less than buckets
}

// weight returns the weight of a feature, 0 if it is not in the bucket.
func (b Bucket) weight(feature uint32) int {
	// The lowest byte that is 0 in the difference is where the check byte is. Without one the
	// weight is looked for beyond the upper end, where there are only zeros: no branch to guess.
	diff := uint64(b) ^ uint64(feature&0xFF)*everyCheck
	zero := (diff - everyCheck) &^ diff & highCheck
	slot := uint(bits.TrailingZeros64(zero)) / checkBits
	return weights[b>>(weightsAt+weightBits*slot)&(1<<weightBits-1)]
}

// With returns the bucket with a feature in one of its slots, with the weight nearest to
// the given one; a feature whose nearest weight is 0 takes no slot.
func (b Bucket) With(slot int, feature uint32, weight float64) Bucket {
	code := nearest(weight)
	if code == 0 {
		return b
	}
	at := uint(slot)
	return b | Bucket(feature&0xFF)<<(checkBits*at) | Bucket(code)<<(weightsAt+weightBits*at) //nolint:gosec // code has 4 bits
}

// nearest returns the half byte whose weight is nearest.
func nearest(weight float64) int {
	best := 0
	for code, w := range weights {
		if abs(weight-float64(w)) < abs(weight-float64(weights[best])) {
			best = code
		}
	}
	return best
}

func abs(x float64) float64 { return max(x, -x) }
