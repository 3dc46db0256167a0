// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

// Thresholds of Rewritten.
const (
	// rewrittenShare is how many of the words of a text stand in the one it was made from: servers that extract facts change
	// pronouns, endings and order, and keep what is spoken of.
	rewrittenShare = 1. / 3
	// tellingSize is how many letters a word has that tells something.
	tellingSize = 3
)

// Rewritten reports whether a text can be another way to say something of what a request says: it names no account, address, page,
// long number or code that the request does not name, and a third of its words stand there. It is what a server that rewrites
// texts may bring in under the class of a request; anything else came from elsewhere.
func Rewritten(text, request string) bool {
	text, request = prepare(text), prepare(request)
	units, from := cut(text), cut(request)
	named := map[uint64]bool{}
	for _, f := range identify(request, from).strong {
		named[f] = true
	}
	for _, f := range identify(text, units).strong {
		if !named[f] {
			return false
		}
	}
	said := map[uint64]bool{}
	for _, u := range from {
		said[u.hash] = true
	}
	telling, shared := 0, 0
	for _, u := range units {
		if u.size < tellingSize {
			continue
		}
		if telling++; said[u.hash] {
			shared++
		}
	}
	return shared > 0 && float64(shared) >= rewrittenShare*float64(telling)
}
