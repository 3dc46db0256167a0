// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/screen"
)

// reasonUnreadable stands in the verdict of a text that the screener could not process.
const reasonUnreadable = "unreadable"

// words are whatever of a memory reaches those who recall it and can carry words: its content, and what is delivered beside
// it.
type words struct {
	content  string
	source   string
	kind     string
	subject  string
	tags     []string
	metadata map[string]string
}

// wordsOf returns the words of a record. Beside a text of an upstream stands nothing that anybody wrote.
func wordsOf(r memory.Record) words {
	if r.Kind == kindUpstream {
		return words{content: r.Content}
	}
	return words{content: r.Content, source: r.Source, kind: r.Kind, subject: r.Subject, tags: r.Tags, metadata: r.Metadata}
}

// screenText screens a memory: its content, and what stands beside it. ok is false when the screener failed; the verdict is
// then a directive, so that whoever goes on fails closed.
func (g *Gate) screenText(s *policy.State, w words, trusted bool) (v screen.Verdict, ok bool) {
	defer func() {
		if recover() != nil { // one text must not take the process, or the other memories of a recall, with it
			g.metrics.screenFailures.Inc()
			v, ok = screen.Verdict{Directive: true, Families: []string{reasonUnreadable}, Reasons: []string{reasonUnreadable}}, false
		}
	}()
	engine := g.engine(s)
	v = g.screened.screen(engine, screen.Input{Text: w.content, Trusted: trusted})
	if beside := w.beside(); !v.Directive && beside != "" {
		if s := engine.Screen(screen.Input{Text: beside, Trusted: trusted}); s.Directive || s.Abstained && !v.Abstained {
			v = s
		}
	}
	if v.Abstained {
		g.metrics.abstained.Inc()
		v.Families, v.Reasons = []string{familyUnjudged}, []string{reasonAbstained}
	}
	return v, true
}

// engine is what screens under a state.
func (g *Gate) engine(s *policy.State) Screener {
	if g.screener != nil {
		return g.screener
	}
	return s.Screener
}

// leastWords is how many words it takes to say anything.
const leastWords = 3

// beside is what stands beside the content, as sentences; empty where it cannot say anything.
func (w words) beside() string {
	n := countWords(w.source) + countWords(w.kind) + countWords(w.subject)
	for _, tag := range w.tags {
		n += countWords(tag)
	}
	for key, value := range w.metadata {
		n += countWords(key) + countWords(value)
	}
	if n < leastWords {
		return ""
	}
	var b strings.Builder
	for _, s := range []string{w.source, w.kind, w.subject} {
		writeSentences(&b, s)
	}
	for _, tag := range w.tags {
		writeSentences(&b, tag)
	}
	for _, key := range slices.Sorted(maps.Keys(w.metadata)) {
		writeSentences(&b, key)
		writeSentences(&b, w.metadata[key])
	}
	return b.String()
}

// countWords counts words up to leastWords.
func countWords(s string) (n int) {
	inside := false
	for _, r := range s {
		if notWord(r) {
			inside = false
			continue
		}
		if !inside {
			if n++; n == leastWords {
				return n
			}
		}
		inside = true
	}
	return n
}

// writeSentences writes a name or a short text as sentences, so that words that are not separated by spaces are read as
// well. Sentences end at ':' and '/', and at a mark that ends one before a space; whatever else separates words becomes space.
func writeSentences(b *strings.Builder, s string) {
	pending, open := false, false
	for i, r := range s {
		switch {
		case !notWord(r):
			if pending && open {
				b.WriteByte(' ')
			}
			pending, open = false, true
			b.WriteRune(r)
		case open && endsSentence(s, i, r):
			b.WriteString(". ")
			pending, open = false, false
		default:
			pending = true
		}
	}
	if open {
		b.WriteString(". ")
	}
}

// endsSentence reports whether r, which stands in s at i, ends a sentence.
func endsSentence(s string, i int, r rune) bool {
	switch r {
	case ':', '/', ';', '\n', '。', '！', '？':
		return true
	case '.', '!', '?':
		next, size := utf8.DecodeRuneInString(s[i+1:])
		return size == 0 || unicode.IsSpace(next)
	}
	return false
}

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
}
