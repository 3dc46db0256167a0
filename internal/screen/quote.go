// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// "The phrase “ignore all previous instructions” is an attack" speaks of an order and
// gives none. What stands in quotation marks is looked over where
//
//   - the marks are closed within the sentence,
//   - a word outside of them says that words are spoken of: "phrase", "attack", and
//   - nothing near says that they are to be followed: "do as it says".
//
// A text that is nothing but a quotation says nothing about it, and counts as it stands.

// quoteMarks are the marks that open a quotation, each with the one that closes it. The
// plain view has the straight ones for all that look like them.
var quoteMarks = map[rune]rune{
	'"': '"', '\'': '\'', '`': '`', '‹': '›', '「': '」', '『': '』', '《': '》', '〈': '〉', '【': '】',
}

const anyQuote = "\"'`‹「『《〈【"

const (
	// quoteReach is how far around a sentence, in bytes, it is looked for words that say
	// to follow what is quoted.
	quoteReach = 240
	// quoteEdge is how many characters before the first and behind the last word of a
	// sentence may be its quotation marks.
	quoteEdge = 4
	// quoteLimit is how far into a view, in bytes, quotations are looked for. Behind it
	// they count as they stand: what stands around each would have to be read.
	quoteLimit = 64 << 10
)

// quotes reads the quotations of a sentence, and what is said about them in whatever
// language: an English phrase is talked about in all of them.
type quotes struct {
	within  []step  // the quotations, from behind the mark that opens to the one that closes
	around  scanner // of what stands around the sentence
	follows bool    // it is said that they are to be followed
	mention bool    // it is said that words are spoken of
}

// lookOverQuotes blanks the tokens in quotation marks where the sentence, which was read
// as these tokens, speaks of them.
func (m *matcher) lookOverQuotes(tokens []token, x *index) {
	q := &m.quotes
	if tokens[0].start > quoteLimit || !q.read(m.text, tokens) || !q.spokenOf(m.text, tokens, x) {
		return
	}
	next := 0 // the first quotation that does not end before the token
	for i := range m.cells {
		c, t := &m.cells[i], &m.tokens[i]
		for next < len(q.within) && q.within[next].to <= t.start {
			next++
		}
		if next == len(q.within) {
			return
		}
		from := q.within[next].from
		if t.start >= from {
			c.to = c.from
			continue
		}
		// Phrases that reach into the quotation go with it.
		spans := m.spans[c.from:c.to]
		kept := slices.DeleteFunc(spans, func(s span) bool { return m.tokens[i+s.words-1].start >= from })
		c.to = c.from + len(kept)
	}
}

// read finds the quotations that are closed within the sentence, and reports whether there
// are any.
func (q *quotes) read(text string, tokens []token) bool {
	from, end := quotesBefore(text, tokens[0].start), quotesBehind(text, tokens[len(tokens)-1].end)
	if !strings.ContainsAny(text[from:end], anyQuote) {
		return false
	}
	q.within = q.within[:0]
	open, closing := 0, rune(0)
	for i := range len(tokens) + 1 {
		to := end
		if i < len(tokens) {
			to = tokens[i].start
		}
		for at, r := range text[from:to] {
			at += from
			switch {
			case closing == 0 && quoteMarks[r] != 0 && (r != '\'' || opensWord(text, at)):
				open, closing = at+utf8.RuneLen(r), quoteMarks[r]
			case closing != 0 && r == closing:
				q.within = append(q.within, step{from: open, to: at})
				closing = 0
			}
		}
		if i < len(tokens) {
			from = tokens[i].end
		}
	}
	return len(q.within) > 0
}

// quotesBefore returns the start of the punctuation right before a place, or before the
// space that French puts there.
func quotesBefore(text string, at int) int {
	for n := range quoteEdge {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if size == 0 || r <= ' ' && (n > 0 || r < ' ') || isWordRune(r) {
			break
		}
		at -= size
	}
	return at
}

// quotesBehind returns the end of the punctuation right behind a place, or behind a space.
func quotesBehind(text string, at int) int {
	for n := range quoteEdge {
		r, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 || r <= ' ' && (n > 0 || r < ' ') || isWordRune(r) {
			break
		}
		at += size
	}
	return at
}

// opensWord reports whether the apostrophe at a place stands before a word and behind
// none, and is a quotation mark therefore.
func opensWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+1:])
	return (at == 0 || !isWordRune(before)) && isWordRune(after)
}

// spokenOf reports whether a word outside of the quotations says that words are spoken of,
// and nothing in the sentence or around it that they are to be followed.
func (q *quotes) spokenOf(text string, tokens []token, x *index) bool {
	q.mention, q.follows = false, false
	next := 0
	for i := range tokens {
		for next < len(q.within) && q.within[next].to <= tokens[i].start {
			next++
		}
		if next == len(q.within) || tokens[i].start < q.within[next].from {
			q.note(text, tokens[i:], x)
		}
	}
	if !q.mention || q.follows {
		return false
	}
	from, to := tokens[0].start, tokens[len(tokens)-1].end
	for _, around := range [...]string{
		text[runeStart(text, from-quoteReach):from], text[to:runeStart(text, to+quoteReach)],
	} {
		q.around.open(around, x)
		for next, _ := q.around.next(); next != nil && !q.follows; next, _ = q.around.next() {
			for i := range next {
				q.note(around, next[i:], x)
			}
		}
	}
	q.around.open("", nil)
	return !q.follows
}

// note notes what the words at the start of tokens say about quotations.
func (q *quotes) note(text string, tokens []token, x *index) {
	t := &tokens[0]
	if t.run != 0 {
		q.noteRun(text[t.start:t.end], x)
		return
	}
	if t.word == nil || !t.word.remarks {
		return
	}
	for i := range t.word.lexemes {
		if l := &t.word.lexemes[i]; l.entry != nil {
			q.noteEntry(l.entry, l.language, tokens[1:])
		}
	}
}

// noteEntry notes what the phrases of a language say that begin with an entry and go on
// with tokens.
func (q *quotes) noteEntry(e *entry, language int, tokens []token) {
	q.mention = q.mention || e.roles&roleMention != 0
	q.follows = q.follows || e.roles&roleFollow != 0
	if len(e.followers) == 0 || len(tokens) == 0 || tokens[0].word == nil {
		return
	}
	for i := range tokens[0].word.lexemes {
		l := &tokens[0].word.lexemes[i]
		if l.language != language {
			continue
		}
		if next := e.follower(l.id); next != nil {
			q.noteEntry(next, language, tokens[1:])
		}
	}
}

// noteRun notes what is said in a run of letters without spaces, at whatever place.
func (q *quotes) noteRun(run string, x *index) {
	for i := range run {
		node := int32(0)
		for j := i; j < len(run); {
			next, n := x.runs.step(node, run[j:])
			if n == 0 {
				break
			}
			node, j = next, j+n
			at := x.runs.nodes[node]
			for _, w := range [...]*word{x.wordAt(int(at.stem)), x.wordAt(int(at.word))} {
				if w == nil || !w.remarks {
					continue
				}
				for k := range w.lexemes {
					if l := &w.lexemes[k]; l.entry != nil {
						q.noteEntry(l.entry, l.language, nil)
					}
				}
			}
		}
	}
}
