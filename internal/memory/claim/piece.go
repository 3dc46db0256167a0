// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory/fold"
)

// piece is a word, one sign of a script without spaces, or a punctuation mark of a statement that may name somebody. Other
// than a token it keeps accents, by which è is and e joins.
type piece struct {
	text    string // lower case
	folded  string
	capital bool
	lower   bool // has a lower-case letter
	mark    bool
}

// maxJoined is how many pieces a word of a script without spaces has at most, in the lists for names.
const maxJoined = 4

// runsTogether reports whether the language puts no spaces between words, so that words of lists stand inside of others.
func (l *language) runsTogether() bool { return slices.Contains([]string{"zh", "ja", "th"}, l.name) }

func (p piece) first() rune { r, _ := utf8.DecodeRuneInString(p.text); return r }

func (p piece) cased() bool {
	return unicode.In(p.first(), unicode.Latin, unicode.Cyrillic, unicode.Greek)
}

// sign reports whether a piece is one sign of a script without spaces.
func (p piece) sign() bool { return unspaced(p.first()) }

func (p piece) hangul() bool { return unicode.Is(unicode.Hangul, p.first()) }

// nameable excludes numbers, codes, and the script in which Japanese writes verbs and particles.
func (p piece) nameable() bool {
	return !strings.ContainsFunc(p.text, func(r rune) bool { return unicode.IsDigit(r) || unicode.Is(unicode.Hiragana, r) || r == '_' })
}

// size is what a piece counts in a name, see maxNameSize.
func (p piece) size() int {
	switch first := p.first(); {
	case unicode.Is(unicode.Han, first):
		return 2
	case p.sign():
		return 1
	}
	return 3
}

func textOf(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// cutPieces cuts a text that is one sentence; nil if it is a question, more than one sentence, or all in capitals, so that
// these tell nothing.
func (l *language) cutPieces(text string) []piece {
	text = strings.TrimRight(text, ".!;。！।… \t\r\n\"'”’»」")
	c := pieceCutter{lang: l, text: []rune(text)}
	for i := 0; i < len(c.text); {
		if i = c.next(i); i < 0 {
			return nil
		}
	}
	out := l.withoutNews(c.pieces)
	anyCased := slices.ContainsFunc(out, piece.cased)
	if anyCased && !slices.ContainsFunc(out, func(p piece) bool { return p.lower }) && l.hasCase() {
		return nil
	}
	return out
}

type pieceCutter struct {
	lang   *language
	text   []rune
	pieces []piece
}

// next reads a piece at i and returns where the one behind it begins, or -1 where the sentence ends before the text.
func (c *pieceCutter) next(i int) int {
	r := c.text[i]
	switch {
	case unspaced(r):
		end := i + 1
		for end < len(c.text) && unicode.IsMark(c.text[end]) {
			end++
		}
		c.add(string(c.text[i:end]), false)
		return end
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return c.word(i)
	case r == '.' && c.abbreviated():
	case strings.ContainsRune(".!?;\n。！？।؟", r):
		return -1
	case unicode.IsSpace(r), strings.ContainsRune("\"'’‘“”„«»「」『』・·‧*`", r):
	case r == '–' || r == '-':
		c.add("—", true)
	case r == '、' || r == '،':
		c.add(",", true)
	default:
		c.add(string(r), true)
	}
	return i + 1
}

// abbreviated reports whether a full stop may belong to the word before it: J., Inc., Prof.
func (c *pieceCutter) abbreviated() bool {
	if len(c.pieces) == 0 {
		return false
	}
	last := c.pieces[len(c.pieces)-1]
	return last.capital && (utf8.RuneCountInString(last.text) <= 3 || c.lang.inNaming(roleTitle, last.text))
}

func (c *pieceCutter) word(i int) int {
	end := i
	for end < len(c.text) {
		r := c.text[end]
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
		hyphen := r == '-' && end+1 < len(c.text) && (unicode.IsLetter(c.text[end+1]) || unicode.IsDigit(c.text[end+1]))
		if !inside && !hyphen || unspaced(r) {
			break
		}
		end++
	}
	word := string(c.text[i:end])
	if c.lang.name != "ko" {
		c.add(word, false)
		return end
	}
	what := roleLink
	if end == len(c.text) {
		what = roleTitle
	}
	stem, ending := word, ""
	for w := range c.lang.naming[what] {
		if cut, ok := strings.CutSuffix(word, w); ok && cut != "" && len(w) > len(ending) {
			stem, ending = cut, w
		}
	}
	c.add(stem, false)
	if ending != "" {
		c.add(ending, false)
	}
	return end
}

func (c *pieceCutter) add(raw string, mark bool) {
	first, _ := utf8.DecodeRuneInString(raw)
	c.pieces = append(c.pieces, piece{text: strings.ToLower(raw), folded: fold.Word(raw), mark: mark,
		capital: unicode.IsUpper(first), lower: strings.ContainsFunc(raw, unicode.IsLower)})
}

// withoutNews drops words that only say that something is new or matters, and the marks they leave at the beginning.
func (l *language) withoutNews(pieces []piece) []piece {
	var out []piece
	for i := 0; i < len(pieces); {
		if n := l.newsAt(pieces, i); n > 0 && (!pieces[i].capital || len(out) == 0) {
			i += n
			continue
		}
		if !pieces[i].mark || len(out) > 0 {
			out = append(out, pieces[i])
		}
		i++
	}
	return out
}

// newsAt returns how many pieces at i are such a word. Of scripts without spaces single signs do not count: they are part
// of other words.
func (l *language) newsAt(pieces []piece, i int) int {
	least := 1
	if pieces[i].sign() {
		least = 2
	}
	for n := min(2*maxJoined, len(pieces)-i); n >= least; n-- {
		if n > 1 && !(pieces[i].sign() && pieces[i+n-1].sign()) {
			continue
		}
		if _, ok := l.is(roleChange, fold.Word(textOf(pieces[i:i+n]))); ok {
			return n
		}
	}
	return 0
}

// matchAt returns how many pieces at i are a word of a list: the most that are.
func (l *language) matchAt(pieces []piece, i int, what role) int {
	if i >= len(pieces) {
		return 0
	}
	most := 1
	if pieces[i].sign() {
		most = min(maxJoined, len(pieces)-i)
	}
	for n := most; n > 0; n-- {
		if l.inNaming(what, textOf(pieces[i:i+n])) {
			return n
		}
	}
	return 0
}

func (l *language) anyOf(pieces []piece, what role) bool {
	return slices.ContainsFunc(pieces, func(p piece) bool { return l.inNaming(what, p.text) })
}

func (l *language) inNaming(what role, text string) bool { return l.naming[what][text] }

// shaped reports whether a folded word is in a list of whole words, beginnings and endings.
func (l *language) shaped(what role, word string) bool {
	shapes := l.shapes[what]
	return shapes.whole[word] ||
		slices.ContainsFunc(shapes.begins, func(begin string) bool { return strings.HasPrefix(word, begin) }) ||
		slices.ContainsFunc(shapes.ends, func(end string) bool { return strings.HasSuffix(word, end) })
}
