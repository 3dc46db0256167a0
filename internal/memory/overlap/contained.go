// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory/fold"
)

// Contained reports whether a text says nothing but what stands in a user's turn in the same words: every sentence of the text
// is one of the turn, from the first word to the last, with its numbers, signs and addresses. Around it the turn may have
// words that only ask to remember it, and greet. Any other word around it would change what the user said: without its
// beginning, "never pay this account" is an order to pay. What a turn quotes is not the user's own, see ownWords.
//
// Case, accents, spacing and punctuation between words do not matter. An empty text is contained in nothing.
func Contained(text, turn string) bool {
	said := phrasesOf(ownWords(turn))
	sentences := phrasesOf(text)
	words := 0
	for _, p := range said {
		words += len(p.words)
	}
	if len(sentences)*words > maxComparisons {
		return false
	}
	for _, s := range sentences {
		if !slices.ContainsFunc(said, func(t phrase) bool { return t.says(s) }) {
			return false
		}
	}
	return len(sentences) > 0
}

// maxComparisons bounds how many places of a turn the sentences of a text are looked for at: some hundred sentences in the
// longest turn. Nobody asks to remember more in so many words.
const maxComparisons = 2_000_000

// OfTurn is Of for what a user says: without what the turn quotes.
func OfTurn(turn string) []uint64 { return Of(ownWords(turn)) }

// phrase is a sentence as it is compared.
type phrase struct {
	words []word
	asks  bool
}

// word is a unit with the signs around it that say something.
type word struct {
	text          string
	before, after string
}

// phrasesOf cuts a text into sentences.
func phrasesOf(text string) []phrase {
	text = prepare(text)
	units := cut(text)
	var out []phrase
	for i, u := range units {
		from, to := 0, len(text)
		if i > 0 {
			from = units[i-1].end
		}
		if i+1 < len(units) {
			to = units[i+1].start
		}
		if u.opens || len(out) == 0 {
			out = append(out, phrase{})
		}
		p := &out[len(out)-1]
		p.words = append(p.words, word{
			text: fold.Word(text[u.start:u.end]), before: signsIn(text, from, u.start), after: signsIn(text, u.end, to),
		})
		p.asks = u.asks
	}
	return out
}

// signsIn returns what of a gap between words says something: currencies, percent, signs of addresses and of arithmetic, a minus
// before a digit, and whatever stands alone between two words without a space, as in 1.5 and 10-12.
func signsIn(text string, from, to int) string {
	gap := text[from:to]
	if from > 0 && to < len(text) && utf8.RuneCountInString(gap) == 1 && !strings.ContainsFunc(gap, unicode.IsSpace) {
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		behind, _ := utf8.DecodeRuneInString(text[to:])
		if scriptOf(before) == spaced && scriptOf(behind) == spaced {
			return gap
		}
	}
	minus := to < len(text) && isDigit(text[to]) && (strings.HasSuffix(gap, "-") || strings.HasSuffix(gap, "−"))
	out := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Sc, unicode.Sm) || strings.ContainsRune("%‰@#&/\\_*", r) {
			return r
		}
		return -1
	}, gap)
	if minus && !strings.HasSuffix(out, "−") {
		out += "-"
	}
	return out
}

// says reports whether a sentence of a turn says what another sentence says.
func (p phrase) says(s phrase) bool {
	for at := 0; at+len(s.words) <= len(p.words); at++ {
		end := at + len(s.words)
		if !sameWords(p.words[at:end], s.words) {
			continue
		}
		lead, leadAsks := onlyAsks(p.words[:at])
		tail, tailAsks := onlyAsks(p.words[end:])
		if lead && tail && (p.asks == s.asks || p.asks && (leadAsks || tailAsks)) {
			return true
		}
	}
	return false
}

// sameWords compares word for word. What stands before the first and behind the last word is compared too.
func sameWords(a, b []word) bool {
	for i := range a {
		if a[i].text != b[i].text || a[i].before != b[i].before {
			return false
		}
	}
	return a[len(a)-1].after == b[len(b)-1].after
}

//go:embed asks.txt
var asksText string

// asking are the words that ask to remember something, and those that go with them, as sequences of words; true for those that
// make a request of a question.
var asking, longestAsk = readAsks(asksText)

// readAsks reads phrases, one a line. '#' begins a comment; '!' before a phrase says that it makes a request of a question.
func readAsks(text string) (asks map[string]bool, longest int) {
	asks = map[string]bool{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		words, request := strings.CutPrefix(strings.TrimSpace(line), "!")
		for _, p := range phrasesOf(words) {
			asks[joinWords(p.words)] = request
			longest = max(longest, len(p.words))
		}
	}
	return asks, longest
}

func joinWords(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.text)
		b.WriteByte(' ')
	}
	return b.String()
}

// onlyAsks reports whether words only ask to remember what goes with them, and whether they make a request of a question.
func onlyAsks(words []word) (only, request bool) {
	for len(words) > 0 {
		n := min(len(words), longestAsk)
		for ; n > 0; n-- {
			if asks, known := asking[joinWords(words[:n])]; known {
				request = request || asks
				break
			}
		}
		if n == 0 || slices.ContainsFunc(words[:n], func(w word) bool { return strings.Trim(w.before+w.after, "'-") != "" }) {
			return false, false
		}
		words = words[n:]
	}
	return true, request
}

// ownWords is a turn without what it quotes: lines that begin with '>', blocks between fences, and whatever follows the line
// that a mail program puts above a message that is forwarded or answered, such as "----- Original Message -----".
func ownWords(turn string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(turn) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fenced = !fenced
			b.WriteByte('\n')
		case quotesRest(trimmed):
			return b.String()
		case fenced || strings.HasPrefix(trimmed, ">"):
			b.WriteByte('\n')
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// quotesRest reports whether a line says that another message follows: words between dashes.
func quotesRest(line string) bool {
	const dashes = "-_—–=*"
	words := strings.Trim(line, dashes+" ")
	left := len(line) - len(strings.TrimLeft(line, dashes))
	right := len(line) - len(strings.TrimRight(line, dashes))
	return words != "" && left >= 3 && right >= 3
}
