// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

// leastSize is how many letters a shingle has at least. Shorter ones are of little words only, "at the end" and "from now on",
// which any two texts can have in common.
const leastSize = 10

// window is how many shingles in a row one is kept of. Winnowing (Schleimer, Wilkerson and Aiken, 2003) keeps the one with the
// lowest hash of every window, so that two texts have one in common wherever as many words as a window and a shingle take are
// the same: six.
const window = 4

// shingles are the features of all shingles of a text, in their order.
func shingles(units []unit) []uint64 {
	out := make([]uint64, 0, len(units))
	for i := range units {
		hash, weight, size := uint64(hashSeed), 0, 0
		for j := i; j < len(units) && weight < shingleWeight; j++ {
			hash = mix(hash ^ units[j].hash)
			weight += units[j].weight
			size += units[j].size
		}
		if weight < shingleWeight && i > 0 {
			break
		}
		if size >= leastSize {
			out = append(out, feature(kindShingle, hash))
		}
	}
	return out
}

// wholeText is how many shingles are all kept: of a text that short, a sample would be too small to compare.
const wholeText = 10

// winnow keeps a sample of at most n shingles. The windows of a long text are wider. What is the lowest of a wide window is so
// of every narrow one around it as well, so that what is kept of a long text is also kept of a short one copied from it.
func winnow(all []uint64, n int) []uint64 {
	if len(all) <= min(wholeText, n) {
		return all
	}
	for width := window; ; width += max(1, width/4) {
		if kept := winnowBy(all, width); len(kept) <= n {
			return kept
		}
	}
}

// winnowBy keeps the lowest of every window, the last one of equals.
func winnowBy(all []uint64, width int) []uint64 {
	width = min(width, len(all))
	kept := make([]uint64, 0, 2*len(all)/(width+1)+1)
	lowest := -1
	for from := 0; from+width <= len(all); from++ {
		end := from + width - 1
		switch {
		case lowest < from:
			lowest = from
			for i := from + 1; i <= end; i++ {
				if all[i] <= all[lowest] {
					lowest = i
				}
			}
		case all[end] <= all[lowest]:
			lowest = end
		default:
			continue
		}
		kept = append(kept, all[lowest])
	}
	return kept
}
