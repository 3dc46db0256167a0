// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"strings"
	"unicode"

	"memorytrust.dev/operator/internal/screen"
)

// reasonUnreadable stands in the verdict of a text that the screener could not process.
const reasonUnreadable = "unreadable"

// screenText screens a memory: its content, and its source, which is delivered beside it and can carry words just as
// well. ok is false when the screener failed; the verdict is then a directive, so that whoever goes on fails closed.
func (g *Gate) screenText(content, source string, trusted bool) (v screen.Verdict, ok bool) {
	defer func() {
		if recover() != nil { // one text must not take the process, or the other memories of a recall, with it
			g.metrics.screenFailures.Inc()
			v, ok = screen.Verdict{Directive: true, Families: []string{reasonUnreadable}, Reasons: []string{reasonUnreadable}}, false
		}
	}()
	v = g.screener.Screen(screen.Input{Text: content, Trusted: trusted})
	if words := sourceText(source); !v.Directive && words != "" {
		if s := g.screener.Screen(screen.Input{Text: words, Trusted: trusted}); s.Directive {
			v = s
		}
	}
	return v, true
}

// sourceText reads an identifier as sentences: its segments are ended by ':' and '/', and whatever else separates words
// becomes space. A source of fewer than three words cannot say anything.
func sourceText(source string) string {
	if len(strings.FieldsFunc(source, notWord)) < 3 {
		return ""
	}
	var b strings.Builder
	for segment := range strings.FieldsFuncSeq(source, func(r rune) bool { return r == ':' || r == '/' }) {
		b.WriteString(strings.Join(strings.FieldsFunc(segment, notWord), " "))
		b.WriteString(". ")
	}
	return b.String()
}

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
}
