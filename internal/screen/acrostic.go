// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

const (
	// Fewest initials that spell a word, and most words of a sentence that counts:
	// acrostics are written in short sentences.
	minAcrostic      = 4
	maxAcrosticWords = 3
)

// acrosticReader watches the initials of consecutive short sentences for a word
// of the lexicon: "Sunny April. Kind nights. Idle ponds. Pleasant evenings." spells
// "skip". It is fed while the plain view is scanned.
type acrosticReader struct {
	initials []byte
	word     string // the word found
	after    int    // where the text behind the word starts
}

func (a *acrosticReader) reset() { *a = acrosticReader{initials: a.initials[:0]} }

// feed takes the sentence that the scanner has just read.
func (a *acrosticReader) feed(s *scanner, tokens []token) {
	if a.word != "" {
		return
	}
	tokens = afterLabel(tokens)
	initial := lowerASCII(s.text[tokens[0].start])
	if len(tokens) > maxAcrosticWords || !isLetter(initial) {
		a.initials = a.initials[:0]
		return
	}
	if len(a.initials) == maxSegment {
		a.initials = append(a.initials[:0], a.initials[1:]...)
	}
	a.initials = append(a.initials, initial)
	for from := 0; from+minAcrostic <= len(a.initials); from++ {
		if s.index.spells(a.initials[from:]) {
			a.word, a.after = string(a.initials[from:]), s.pos
			return
		}
	}
}

// afterLabel drops what stands before a colon: "House notes: Sunny April."
func afterLabel(tokens []token) []token {
	for i := len(tokens) - 1; i > 0; i-- {
		if tokens[i-1].post == ':' {
			return tokens[i:]
		}
	}
	return tokens
}
