// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"cmp"
	"maps"
	"slices"
	"unicode/utf8"
)

// What makes a word common, in phrases that another word is in: lexicons hold no
// frequencies, but these say which words tell little.
const (
	// commonWord is that of a word of grammar: it is in nearly every sentence.
	commonWord = 1000
	// sharedWord is that of a word for each other language that has it, too, and shortWord
	// that of one with so few letters that others are likely to, with another meaning.
	sharedWord = 50
	shortWord  = 20
	// shortLetters is the length of the longest word that counts as short.
	shortLetters = 3
)

// phraseVisitor is called with each entry of a language and the words leading there.
type phraseVisitor func(words []int, e *entry)

// visitPhrases calls visit with every phrase that rules ask for or look over.
func (l *language) visitPhrases(visit phraseVisitor) {
	var walk func(path []int, level map[int]*entry)
	walk = func(path []int, level map[int]*entry) {
		for _, id := range slices.Sorted(maps.Keys(level)) {
			e, words := level[id], slices.Concat(path, []int{id})
			if len(e.classes) > 0 || e.roles&roleExcept != 0 {
				visit(words, e)
			}
			walk(words, e.next)
		}
	}
	walk(nil, l.phrases)
}

// commonness returns, by their numbers, how common the words of a language are. spread
// is how many languages have a spelling.
func (l *language) commonness(spread map[string]int) []int {
	cost := make([]int, len(l.words))
	l.visitPhrases(func(words []int, _ *entry) {
		for _, id := range words {
			cost[id]++
		}
	})
	for spelling, id := range l.words {
		cost[id] += sharedWord * (spread[spelling] - 1)
		if utf8.RuneCountInString(spelling) <= shortLetters {
			cost[id] += shortWord
		}
		if e := l.phrases[id]; e != nil && e.roles.grammatical() {
			cost[id] += commonWord
		}
	}
	return cost
}

// rarest returns which word of a phrase tells most: without it the phrase is not there.
func rarest(words, cost []int) (at int) {
	for i, id := range words {
		if cost[id] < cost[words[at]] {
			at = i
		}
	}
	return at
}

// anchor chooses the anchor of every rule: the obligatory element with the fewest and
// most telling phrases.
func (l *language) anchor(cost []int) {
	var classes, longest [maxClasses]int
	classes[0], classes[1] = commonWord, commonWord // addresses and numbers
	longest[0], longest[1] = 1, 1
	l.visitPhrases(func(words []int, e *entry) {
		for _, class := range e.classes {
			longest[class] = max(longest[class], len(words))
			classes[class] += cost[words[rarest(words, cost)]]
		}
	})
	l.anchored = make([][]int, maxClasses)
	for i := range l.rules {
		r := &l.rules[i]
		sum := func(at int) (n int) {
			for _, class := range r.elements[at].classes {
				n += classes[class]
			}
			return n
		}
		var obligatory []int
		for at := range r.elements {
			e := &r.elements[at]
			for _, class := range e.classes {
				e.length = max(e.length, longest[class])
			}
			if !e.optional {
				obligatory = append(obligatory, at)
			}
		}
		slices.SortStableFunc(obligatory, func(a, b int) int { return cmp.Compare(sum(a), sum(b)) })
		r.anchor = obligatory[0]
		for _, at := range obligatory[1:] {
			r.needs = append(r.needs, r.elements[at].classes)
		}
		for _, class := range r.elements[r.anchor].classes {
			l.anchored[class] = append(l.anchored[class], i)
			l.anchors.add(class)
		}
	}
}

// marks returns the marks of the words of a language, by their numbers, and sets those
// of addresses and numbers.
func (l *language) marks(cost []int) map[int]*mark {
	marks := map[int]*mark{}
	l.visitPhrases(func(words []int, e *entry) {
		at := rarest(words, cost)
		k := marks[words[at]]
		if k == nil {
			k = &mark{language: l.place}
			marks[words[at]] = k
		}
		k.add(l, words, at, e)
	})
	for _, k := range marks {
		k.finish()
	}
	l.addressMark, l.numberMark = mark{language: l.place}, mark{language: l.place}
	l.addressMark.add(l, nil, 0, l.address)
	l.numberMark.add(l, nil, 0, l.number)
	return marks
}
