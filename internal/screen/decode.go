// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names of the views that decode a text.
const (
	// ViewBase64 has the base64 runs of the text decoded in place.
	ViewBase64 = "base64"
	// ViewROT13 has the letters rotated by 13.
	ViewROT13 = "rot13"
	// ViewAcrostic has the word that the initials of short sentences spell in front.
	ViewAcrostic = "acrostic"
)

const (
	// Shortest base64 run looked at, in characters: 18 bytes, about three words.
	minBase64 = 24
	// Consecutive words that must be words of the lexicon in ROT13 but not as they
	// stand. Words of other languages rotate into English now and then, three in a
	// row do not.
	minRotated = 3
	// Shortest word, in letters, that counts as evidence of ROT13.
	minRotatedWord = 4
	// Fewest initials that spell a word, and most words of a sentence that counts:
	// acrostics are written in short sentences.
	minAcrostic      = 4
	maxAcrosticWords = 3
)

// decodedViews returns the readings of a plain text that need decoding. Most texts
// have none. Each costs one pass over the text.
func decodedViews(plain string, known vocabulary) []View {
	var views []View
	if text, ok := decodeBase64(plain); ok {
		views = append(views, View{Name: ViewBase64, Text: text})
	}
	if rotated(plain, known) {
		views = append(views, View{Name: ViewROT13, Text: strings.Map(rot13, plain)})
	}
	return views
}

// decodeBase64 replaces the runs that decode to readable text by that text, as
// sentences of their own.
func decodeBase64(s string) (string, bool) {
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && isBase64(s[end]) {
			end++
		}
		if end-i >= minBase64 {
			if text, ok := readableBase64(s[i:end]); ok {
				b.WriteString(s[done:i])
				b.WriteString("\n\n" + text + "\n\n")
				done = end
			}
		}
		i = max(end, i+1)
	}
	if done == 0 {
		return "", false
	}
	b.WriteString(s[done:])
	return b.String(), true
}

func isBase64(c byte) bool {
	return isLetter(c) || (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '-' || c == '_'
}

func readableBase64(run string) (string, bool) {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		encoding = base64.RawURLEncoding
	}
	data, err := encoding.DecodeString(run)
	if err != nil || !utf8.Valid(data) {
		return "", false
	}
	for _, r := range string(data) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			return "", false
		}
	}
	return plainText(string(data)), true
}

// rotated reports whether the text has a run of words that only ROT13 explains.
func rotated(s string, known vocabulary) bool {
	run := 0
	var buffer [maxSegment]byte
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && isLetter(s[end]) {
			end++
		}
		if n := end - i; n > 0 {
			if n >= minRotatedWord && n <= maxSegment {
				if rotatesToWord(s[i:end], buffer[:n], known) {
					run++
				} else {
					run = 0
				}
			}
			if run >= minRotated {
				return true
			}
		}
		i = max(end, i+1)
	}
	return false
}

func rotatesToWord(word string, buffer []byte, known vocabulary) bool {
	vowels := 0
	for i := range len(word) {
		c := lowerASCII(word[i])
		if isVowel(c) {
			vowels++
		}
		buffer[i] = c
		if isLetter(c) {
			buffer[i] = 'a' + (c-'a'+13)%26
		}
	}
	_, ok := known[string(buffer)]
	return ok && vowels*4 <= len(word)+4
}

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

// acrosticReader watches the initials of consecutive short sentences for a word
// of the lexicon: "Sunny April. Kind nights. Idle ponds. Pleasant evenings." spells
// "skip". It is fed while the plain view is scanned.
type acrosticReader struct {
	initials []byte
	word     string // the word found
	after    int    // where the text behind the word starts
}

func (a *acrosticReader) reset() { *a = acrosticReader{initials: a.initials[:0]} }

// feed takes a sentence and the position behind it.
func (a *acrosticReader) feed(tokens []token, end int, known vocabulary) {
	if a.word != "" {
		return
	}
	tokens = afterLabel(tokens)
	if len(tokens) > maxAcrosticWords || !isLetter(tokens[0].text[0]) {
		a.initials = a.initials[:0]
		return
	}
	if len(a.initials) == maxSegment {
		a.initials = append(a.initials[:0], a.initials[1:]...)
	}
	a.initials = append(a.initials, tokens[0].text[0])
	for from := 0; from+minAcrostic <= len(a.initials); from++ {
		if word := string(a.initials[from:]); known.has(word) {
			a.word, a.after = word, end
			return
		}
	}
}

// view reads the text as if the word stood before the sentences behind it.
func (a *acrosticReader) view(plain string) View {
	return View{Name: ViewAcrostic, Text: a.word + " " + plain[a.after:]}
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
