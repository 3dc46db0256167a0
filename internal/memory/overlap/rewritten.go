// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

// Request is what a server was asked to store, ready to be compared with what it answers.
type Request struct {
	named map[uint64]bool // accounts, addresses, pages, long numbers and codes
	said  map[uint64]bool // words
}

// NewRequest reads the texts of a request.
func NewRequest(texts ...string) Request {
	r := Request{named: map[uint64]bool{}, said: map[uint64]bool{}}
	for _, text := range texts {
		text = prepare(text)
		units := cut(text)
		for _, f := range identify(text, units).strong {
			r.named[f] = true
		}
		for _, u := range units {
			r.said[u.hash] = true
		}
	}
	return r
}

// Thresholds of Rewritten.
const (
	// rewrittenShare is how many of the words of a text stand in the one it was made from: servers that extract facts change
	// pronouns, endings and order, and keep what is spoken of.
	rewrittenShare = 1. / 3
	// tellingSize is how many letters a word has that tells something.
	tellingSize = 3
)

// Rewritten reports whether a text can be another way to say something of what the request says: it names no account, address,
// page, long number or code that the request does not name, and a third of its words stand there. It is what a server that
// rewrites texts may bring in under the class of a request; anything else came from elsewhere.
func (r Request) Rewritten(text string) bool {
	text = prepare(text)
	units := cut(text)
	for _, f := range identify(text, units).strong {
		if !r.named[f] {
			return false
		}
	}
	telling, shared := 0, 0
	for _, u := range units {
		if u.size < tellingSize {
			continue
		}
		if telling++; r.said[u.hash] {
			shared++
		}
	}
	return shared > 0 && float64(shared) >= rewrittenShare*float64(telling)
}
