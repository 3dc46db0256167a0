// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package claim

import "slices"

// The signs of a contradiction that are no values. Those of values are "<kind> differ", such as "amounts differ".
const (
	SignDenial    = "one denies the other"
	SignOpposites = "opposites"
	// SignNames is of two texts that name different holders of one office or attribute of one thing: "The CEO of Acme is
	// Alice Meyer." and "The CEO of Acme is Bob Stone."
	SignNames = "names differ"
)

// Shares of words, 0 to 1.
const (
	nearlyEqual = .8  // two texts say the same but for one thing
	alikeShare  = .82 // two long texts differ in so little else that it does not matter
)

// Pair is two texts that are to be compared.
type Pair struct {
	textA, textB string
	a, b         Claim
	words        compared
}

// Compare reads two texts in the language of both, since a short one alone may tell too little: of each the first 4096 bytes.
func Compare(a, b string) Pair {
	lang := languageOf(cutText(a) + "\n" + cutText(b))
	p := Pair{textA: a, textB: b, a: readIn(a, lang), b: readIn(b, lang)}
	p.words = p.a.compare(p.b)
	return p
}

// Share is the part of the words of either that both texts have, inflected or not, 0 to 1.
func (p Pair) Share() float64 { return p.words.share() }

// SharedNames reports whether a word is in both texts with a capital letter.
func (p Pair) SharedNames() bool { return p.words.sharedNames }

// NamesDiffer reports whether the texts, each one sentence of at most 400 bytes, say the same up to a name behind a linking
// word, which closes both: SignNames. Other than with Signs, such texts are about the same thing.
func (p Pair) NamesDiffer() bool { return namesDiffer(p.textA, p.textB) }

// Signs returns the signs that the texts cannot both hold, at most one; nil if there are none. They count provided that the
// texts are about the same thing, which is for the caller to say; in each, one text says nothing that the other does not say
// too, but for the very thing they differ in.
func (p Pair) Signs() []string {
	c, other, words := p.a, p.b, p.words
	diff, comparable := c.differences(other, words)
	opposite := words.takeOpposites()
	if !comparable || words.shared == 0 || len(words.onlyA) > 0 && len(words.onlyB) > 0 && !c.alike(other, words) {
		return nil
	}
	denied := c.negated != other.negated
	switch {
	case denied && opposite, len(diff) > 0 && (denied || opposite):
		return nil // not open, and closed; not at five, and at six
	case denied && words.share() >= nearlyEqual:
		return []string{SignDenial}
	case opposite && words.share() >= nearlyEqual:
		return []string{SignOpposites}
	case denied || opposite || len(diff) != 1:
		return nil
	}
	if c.event && other.event && diff[0].repeats() {
		return nil
	}
	return []string{string(diff[0]) + " differ"}
}

// alike reports whether two long texts differ in so little else that it does not matter, and not in a name.
func (c Claim) alike(other Claim, words compared) bool {
	const long = 8
	named := func(names map[string]bool) func(string) bool { return func(w string) bool { return names[w] } }
	return words.shared >= long && words.share() >= alikeShare &&
		!slices.ContainsFunc(words.onlyA, named(c.names)) && !slices.ContainsFunc(words.onlyB, named(other.names))
}

// takeOpposites takes a pair of opposites out of what only one side has.
func (c *compared) takeOpposites() bool {
	for i, a := range c.onlyA {
		for j, b := range c.onlyB {
			if !opposites(a, b) {
				continue
			}
			c.onlyA, c.onlyB = slices.Delete(slices.Clone(c.onlyA), i, i+1), slices.Delete(slices.Clone(c.onlyB), j, j+1)
			return true
		}
	}
	return false
}

func opposites(a, b string) bool {
	for _, l := range languages {
		if l.opposites[a][b] {
			return true
		}
	}
	return false
}

// differences returns the kinds of values the claims differ in. They are not comparable where they differ in more than
// one place, or where one names another thing of the same sort: two invoices, two days of a series.
func (c Claim) differences(other Claim, words compared) (diff []valueKind, comparable bool) {
	same := 0
	for key, values := range c.values {
		theirs := other.values[key]
		if len(theirs) == 0 {
			continue
		}
		mine, others := without(values, theirs), without(theirs, values)
		switch {
		case len(mine) == 0 || len(others) == 0:
			if key.kind != valueTime {
				same++
			}
		case key.kind == valueCode, len(mine) > 1 || len(others) > 1, !c.sameSlot(other, key, words):
			return nil, false
		default:
			diff = append(diff, key.kind)
		}
	}
	if len(diff) > 1 || len(diff) == 1 && same > 0 && (diff[0] == valueDate || diff[0] == valueWeekday) {
		return nil, false
	}
	return diff, true
}

// sameSlot reports whether numbers without a unit stand behind the same word in both claims.
func (c Claim) sameSlot(other Claim, key valueKey, words compared) bool {
	if key.kind != valueNumber || key.unit != "" {
		return true
	}
	for word := range c.before[key] {
		for theirs := range other.before[key] {
			if sameWord(word, theirs) {
				return true
			}
		}
	}
	return len(words.onlyA) == 0 && len(words.onlyB) == 0
}

func without(set, other map[string]bool) []string {
	var out []string
	for v := range set {
		if !other[v] {
			out = append(out, v)
		}
	}
	return out
}
