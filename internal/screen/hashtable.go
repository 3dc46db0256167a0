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
	slots []int    // number in keys plus one, 0 when free
	seen  []uint64 // a bit for some bits of every hash: most misses end here
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
	t.slots, t.seen = make([]int, size), make([]uint64, size/64*4)
	for i, key := range t.keys {
		h := hashStart
		for j := range len(key) {
			h = hashByte(h, key[j])
		}
		bit := t.bit(h)
		t.seen[bit/64] |= 1 << (bit % 64)
		at := t.slot(h)
		for t.slots[at] != 0 {
			at = (at + 1) & (len(t.slots) - 1)
		}
		t.slots[at] = i + 1
	}
}

// slot mixes the upper bits in: the lower ones of FNV-1a alone are weak.
func (t *hashTable) slot(h uint32) int { return int(h^h>>15) & (len(t.slots) - 1) }

func (t *hashTable) bit(h uint32) int { return int(h^h>>13) & (len(t.seen)*64 - 1) }

// maybe reports whether a spelling with this hash may be there.
func (t *hashTable) maybe(h uint32) bool {
	bit := t.bit(h)
	return t.seen[bit/64]&(1<<(bit%64)) != 0
}

// find returns the number of a spelling, -1 when it is not there.
func (t *hashTable) find(h uint32, key []byte) int {
	for at := t.slot(h); t.slots[at] != 0; at = (at + 1) & (len(t.slots) - 1) {
		if i := t.slots[at] - 1; t.keys[i] == string(key) {
			return t.value[i]
		}
	}
	return -1
}

// findFolded is find for a word in which ASCII letters may be capitals.
func (t *hashTable) findFolded(h uint32, word string) int {
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
		if key[i] != lowerASCII(word[i]) {
			return false
		}
	}
	return true
}
