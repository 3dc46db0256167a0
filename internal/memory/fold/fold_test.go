// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package fold

import "testing"

func TestFold(t *testing.T) {
	for text, want := range map[string]struct{ letters, word string }{
		"Café  CRÈME, 5!": {"cafecreme5", "cafecreme5"},
		"ＡＢＣ１２３":          {"abc123", "abc123"},
		"lik\u200bes":     {"likes", "likes"},
		"! ?":             {"!?", "! ?"},
		"％":               {"％", "%"},
		"เสื้อ":           {"เสื้อ", "เสื้อ"},
		"كِتَاب":          {"كتاب", "كتاب"},
		"":                {"", ""},
	} {
		if got := string(Letters(text)); got != want.letters {
			t.Errorf("letters of %q: %q, want %q", text, got, want.letters)
		}
		if got := Word(text); got != want.word {
			t.Errorf("word of %q: %q, want %q", text, got, want.word)
		}
	}
}

func TestDense(t *testing.T) {
	for r, want := range map[rune]bool{'a': false, 'я': false, '한': false, 'ก': false, '办': true, 'ひ': true, 'カ': true} {
		if Dense(r) != want {
			t.Errorf("%c: %v", r, !want)
		}
	}
}
