// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import "strings"

// inflectEnglish returns the third person, past and gerund of a regular English
// verb. Verbs that double a consonant in a later syllable, or are irregular, are
// listed with "forms" in the lexicon.
func inflectEnglish(base string) [3]string {
	last := base[len(base)-1:]
	switch {
	case strings.HasSuffix(base, "ee"):
		return [3]string{base + "s", base + "d", base + "ing"}
	case last == "e":
		return [3]string{base + "s", base + "d", base[:len(base)-1] + "ing"}
	case last == "y" && len(base) > 1 && !isVowel(base[len(base)-2]):
		return [3]string{base[:len(base)-1] + "ies", base[:len(base)-1] + "ied", base + "ing"}
	case last == "s" || last == "x" || last == "z" || strings.HasSuffix(base, "ch") || strings.HasSuffix(base, "sh"):
		return [3]string{base + "es", base + "ed", base + "ing"}
	case doublesConsonant(base):
		return [3]string{base + "s", base + last + "ed", base + last + "ing"}
	}
	return [3]string{base + "s", base + "ed", base + "ing"}
}

// doublesConsonant holds for one-syllable verbs ending consonant, vowel,
// consonant: skip, skipped.
func doublesConsonant(base string) bool {
	n := len(base)
	if n < 3 || strings.IndexByte("wxy", base[n-1]) >= 0 || isVowel(base[n-1]) || !isVowel(base[n-2]) || isVowel(base[n-3]) {
		return false
	}
	vowels := 0
	for i := 0; i < n; i++ {
		if isVowel(base[i]) {
			vowels++
		}
	}
	return vowels == 1
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }
