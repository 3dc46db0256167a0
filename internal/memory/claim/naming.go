// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"memorytrust.dev/operator/internal/memory/fold"
)

const (
	// maxNamingBytes bounds a text that names somebody: one sentence, that says nothing else.
	maxNamingBytes = 400
	// maxNameSize bounds a name, counted by pieceSize: four words, or six signs of a script that writes a word or a
	// syllable of meaning with each.
	maxNameSize = 12
	// maxAgentTail bounds the words behind the agent of a passive in languages that put the verb last.
	maxAgentTail = 4
)

// naming is a text read as "<subject> <link> <name>". One text can have several readings.
type naming struct {
	subject string // words and signs before the link, but articles and what says that something is new
	link    role
	name    []piece
	office  bool // the text names an office, or an act that belongs to one
}

// namesDiffer reports whether two texts say the same, up to a name directly behind a linking word, which closes both.
func namesDiffer(a, b string) bool {
	if len(a) > maxNamingBytes || len(b) > maxNamingBytes {
		return false
	}
	both := a + "\n" + b
	lang := languageOf(both)
	if lang.namesDiffer(a, b) {
		return true
	}
	// A sentence of another script can have more letters of its Latin names than of its own.
	other := languageOf(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Latin, r) {
			return -1
		}
		return r
	}, both))
	return !slices.Contains(latinLanguages, other.name) && other != lang && other.namesDiffer(a, b)
}

func (l *language) namesDiffer(a, b string) bool {
	readingsB := readNamings(b, l)
	for _, first := range readNamings(a, l) {
		for _, second := range readingsB {
			if first.subject == second.subject && first.link == second.link && l.otherNames(first, second) {
				return true
			}
		}
	}
	return false
}

// readNamings returns the readings of a text whose subject is one definite thing; none if it leaves open whether there is
// one holder only.
func readNamings(content string, lang *language) []naming {
	pieces := lang.cutPieces(strings.TrimSpace(norm.NFKC.String(content)))
	if len(pieces) == 0 || lang.leavesOpen(pieces) {
		return nil
	}
	var out []naming
	for i := 1; i < len(pieces)-1; i++ {
		link, n := lang.linkAt(pieces, i)
		if n == 0 {
			continue
		}
		r := naming{subject: lang.subjectKey(pieces[:i]), link: link, name: lang.bareName(pieces[i+n:]), office: lang.namesOffice(pieces)}
		if lang.definite(r, pieces[:i], pieces[i]) {
			out = append(out, r)
		}
	}
	return out
}

// linkAt returns what links at i, and of how many pieces it is. An agent needs its auxiliary verb, in languages with one.
func (l *language) linkAt(pieces []piece, i int) (link role, n int) {
	for _, link := range []role{roleLink, rolePast, roleAgent} {
		n := l.matchAt(pieces, i, link)
		if n == 0 || link == roleAgent && len(l.naming[roleAuxiliary]) > 0 && !l.anyOf(pieces[:i], roleAuxiliary) {
			continue
		}
		return link, n
	}
	return "", 0
}

// definite reports whether the subject is one certain thing that can have one holder. A label must say of what, since that
// can stand around it. A capital letter behind a colon says little, as it does for a single word, and scripts without capitals
// tell no name from another word: these need an office.
func (l *language) definite(r naming, subject []piece, link piece) bool {
	cased := len(r.name) > 0 && r.name[0].cased()
	content, lower := l.weigh(subject)
	switch {
	case r.subject == "" || content == 0:
		return false
	case r.link == roleAgent, len(r.name) == 1 && cased && !link.mark:
		return r.office
	case link.text == ":" || link.text == "=":
		return r.office && content >= 2 && !l.anyOf(subject, roleAgent)
	case !cased || !l.hasCase():
		return r.office && content >= 2
	case len(l.naming[roleArticle]) == 0:
		return r.office || lower
	}
	return r.office || l.anyOf(subject, roleArticle) || l.anyOf(subject, roleOwner)
}

// weigh counts the words of a subject that say something, signs of Hangul one by one, and reports whether any of them begins
// with a small letter.
func (l *language) weigh(subject []piece) (content int, lower bool) {
	for _, p := range subject {
		switch {
		case p.mark || l.inNaming(roleArticle, p.text) || l.inNaming(roleOwner, p.text):
		case p.hangul():
			content += utf8.RuneCountInString(p.text)
		default:
			if _, stop := l.is(roleStop, p.folded); !stop {
				content++
				lower = lower || p.cased() && !p.capital
			}
		}
	}
	return content, lower
}

// hasCase reports whether the language writes names with capitals.
func (l *language) hasCase() bool { return l.name == "ru" || slices.Contains(latinLanguages, l.name) }

// subjectKey is what two subjects are compared by.
func (l *language) subjectKey(pieces []piece) string {
	var out []string
	for _, p := range pieces {
		if p.text != "," && !l.inNaming(roleArticle, p.text) {
			out = append(out, p.folded)
		}
	}
	return strings.Join(out, " ")
}

// bareName cuts off titles before a name and titles and endings of the sentence behind it.
func (l *language) bareName(pieces []piece) []piece {
	for cut := true; cut; {
		cut = false
		if n := l.matchAt(pieces, 0, roleTitle); n > 0 && n < len(pieces) {
			pieces, cut = pieces[n:], true
		}
		for n := 1; n <= min(maxJoined, len(pieces)-1); n++ {
			if l.matchAt(pieces, len(pieces)-n, roleTitle) == n {
				pieces, cut = pieces[:len(pieces)-n], true
				break
			}
		}
	}
	return pieces
}

// leavesOpen reports whether a text denies, or has words by which more than one may be meant.
func (l *language) leavesOpen(pieces []piece) bool {
	if l.runsTogether() {
		text := textOf(pieces)
		folded := fold.Word(text)
		for w := range l.roles[roleNegation] {
			if strings.Contains(folded, w) {
				return true
			}
		}
		return l.contains(text, roleSeveral)
	}
	return slices.ContainsFunc(pieces, func(p piece) bool {
		_, negation := l.is(roleNegation, p.folded)
		return negation || l.negates(p.folded) || l.inNaming(roleSeveral, p.text)
	})
}

// namesOffice looks in all languages that write alike, and in English: a label is too short to tell its own.
func (l *language) namesOffice(pieces []piece) bool {
	text := textOf(pieces)
	for _, other := range languages {
		if (other.runsTogether() || other.name == "ko") && other.contains(text, roleOffice) {
			return true
		}
		if other.hasCase() != l.hasCase() && other.name != "en" {
			continue
		}
		if slices.ContainsFunc(pieces, func(p piece) bool { return other.shaped(roleOffice, p.folded) }) {
			return true
		}
	}
	return false
}

// contains reports whether a word of a list stands anywhere in a text.
func (l *language) contains(text string, what role) bool {
	for w := range l.naming[what] {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// otherNames reports whether two statements about the same close with the names of two.
func (l *language) otherNames(a, b naming) bool {
	mine, others := a.name, b.name
	if a.link == roleAgent {
		for n := 0; n < maxAgentTail && len(mine) > 1 && len(others) > 1; n++ {
			last := mine[len(mine)-1]
			if last.capital || last.folded != others[len(others)-1].folded {
				break
			}
			mine, others = mine[:len(mine)-1], others[:len(others)-1]
		}
	}
	if !l.isName(mine) || !l.isName(others) || mine[0].cased() != others[0].cased() {
		return false
	}
	return !sameName(mine, others)
}

// isName reports whether pieces can be the name of somebody or something, and nothing else.
func (l *language) isName(pieces []piece) bool {
	size, capitals := 0, 0
	for i, p := range pieces {
		size += p.size()
		if p.mark || !p.nameable() || p.cased() && !l.inName(p, i == 0 || i == len(pieces)-1) {
			return false
		}
		_, weekday := l.is(roleWeekday, p.folded)
		_, month := l.is(roleMonth, p.folded)
		if weekday || month {
			return false
		}
		if p.capital {
			capitals++
		}
	}
	if size == 0 || size > maxNameSize {
		return false
	}
	return capitals > 1 || !l.shaped(roleCommon, fold.Word(textOf(pieces)))
}

// inName reports whether a word can be part of a name: one with a capital, and between two of these also a short one, such as
// van or of.
func (l *language) inName(p piece, edge bool) bool {
	if !edge {
		return p.capital || utf8.RuneCountInString(p.text) <= 3
	}
	_, stop := l.is(roleStop, p.folded)
	return p.capital && (!stop || utf8.RuneCountInString(p.folded) == 1)
}

// sameName reports whether two names can be those of one: one contains the other, with initials for words, or is made of
// the initials of the other.
func sameName(a, b []piece) bool {
	joinedA, joinedB := fold.Word(textOf(a)), fold.Word(textOf(b))
	if !a[0].cased() {
		return strings.Contains(joinedA, joinedB) || strings.Contains(joinedB, joinedA)
	}
	return joinedA == joinedB || within(a, b) || within(b, a) || initials(a) == joinedB || initials(b) == joinedA
}

// within reports whether each word of a name stands in the other.
func within(name, other []piece) bool {
	for _, p := range name {
		if !slices.ContainsFunc(other, func(q piece) bool {
			short := utf8.RuneCountInString(p.folded) == 1 || utf8.RuneCountInString(q.folded) == 1
			return sameWord(p.folded, q.folded) || short && (strings.HasPrefix(p.folded, q.folded) || strings.HasPrefix(q.folded, p.folded))
		}) {
			return false
		}
	}
	return true
}

func initials(name []piece) string {
	var out []rune
	for _, p := range name {
		if first, _ := utf8.DecodeRuneInString(p.folded); p.capital && unicode.IsLetter(first) {
			out = append(out, first)
		}
	}
	if len(out) < 2 {
		return "" // of one word: no abbreviation
	}
	return string(out)
}
