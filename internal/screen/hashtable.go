// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

// FNV-1a, the hash of the index: one step for each byte, so that it is known at every
// prefix of a word on the way.
const (
	hashStart uint32 = 2166136261
	hashPrime uint32 = 16777619
)

func hashByte(h uint32, c byte) uint32 { return (h ^ uint32(c)) * hashPrime }

// maxFoundWord is the longest word looked up, in bytes. Entries are shorter.
const maxFoundWord = maxWord*4 + 16

// hashTable maps spellings in lower case to numbers, with open addressing.
type hashTable struct {
	keys  []string
	value []int
	slots []int  // number in keys plus one, 0 when free
	seen  filter // most misses end here
}

// filter has a bit for some bits of every hash in a set. Its size is a power of two.
type filter []uint64

func (f filter) bit(h uint32) int { return int(h^h>>13) & (len(f)*64 - 1) }

func (f filter) add(h uint32) {
	bit := f.bit(h)
	f[bit/64] |= 1 << (bit % 64)
}

// maybe reports whether a hash may be in the set.
func (f filter) maybe(h uint32) bool {
	bit := f.bit(h)
	return f[bit/64]&(1<<(bit%64)) != 0
}

// stemHead is how many bytes of a word tell whether some stem may begin it.
const stemHead = 3

// headsOf returns the heads of stems, and whether there are stems that are shorter.
func headsOf(stems []string) (heads filter, shorter bool) {
	heads = make(filter, 1<<10)
	for _, key := range stems {
		shorter = shorter || len(key) < stemHead
		heads.add(hashOf(key[:min(len(key), stemHead)]))
	}
	return heads, shorter
}

// hashOf returns the hash of a spelling in lower case.
func hashOf(key string) uint32 {
	h := hashStart
	for i := range len(key) {
		h = hashByte(h, key[i])
	}
	return h
}

func (t *hashTable) add(key string, value int) {
	t.keys = append(t.keys, key)
	t.value = append(t.value, value)
}

// finish lays the slots out, at most one in four of them taken.
func (t *hashTable) finish() {
	size := 64
	for size < 4*len(t.keys) {
		size *= 2
	}
	t.slots, t.seen = make([]int, size), make(filter, size/64*4)
	for i, key := range t.keys {
		h := hashOf(key)
		t.seen.add(h)
		at := t.slot(h)
		for t.slots[at] != 0 {
			at = (at + 1) & (len(t.slots) - 1)
		}
		t.slots[at] = i + 1
	}
}

// slot mixes the upper bits in: the lower ones of FNV-1a alone are weak.
func (t *hashTable) slot(h uint32) int { return int(h^h>>15) & (len(t.slots) - 1) }

// find returns the number of a spelling, -1 when it is not there.
func (t *hashTable) find(h uint32, key []byte) int {
	if !t.seen.maybe(h) {
		return -1
	}
	for at := t.slot(h); t.slots[at] != 0; at = (at + 1) & (len(t.slots) - 1) {
		if i := t.slots[at] - 1; t.keys[i] == string(key) {
			return t.value[i]
		}
	}
	return -1
}

// findFolded is find for a word in which ASCII letters may be capitals.
func (t *hashTable) findFolded(h uint32, word string) int {
	if !t.seen.maybe(h) {
		return -1
	}
	for at := t.slot(h); t.slots[at] != 0; at = (at + 1) & (len(t.slots) - 1) {
		if i := t.slots[at] - 1; equalFolded(t.keys[i], word) {
			return t.value[i]
		}
	}
	return -1
}

// equalFolded compares a key in lower case with a word.
func equalFolded(key, word string) bool {
	if len(key) != len(word) {
		return false
	}
	for i := range len(key) {
		if key[i] != word[i] && key[i] != lowerASCII(word[i]) {
			return false
		}
	}
	return true
}
