// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package fulltext

import "sync"

// Frequencies remembers of words in many records how many those are. What it says may be old, which costs a search
// nothing but a little of its judgment. The zero value is ready, and safe for concurrent use.
type Frequencies struct {
	mu    sync.Mutex
	words map[string]frequency
}

type frequency struct {
	records int
	size    float64 // of the store when they were counted
}

// maxFrequencies bounds how many words are remembered.
const maxFrequencies = 4096

// get returns what was counted while the store was not much smaller.
func (f *Frequencies) get(word Expression, size float64) (int, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, ok := f.words[word.String()]
	return known.records, ok && size <= known.size*1.1+100
}

func (f *Frequencies) put(word Expression, records int, size float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.words == nil || len(f.words) >= maxFrequencies {
		f.words = map[string]frequency{}
	}
	f.words[word.String()] = frequency{records, size}
}
