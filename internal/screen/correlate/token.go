// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package correlate

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a word or, of a script that writes without spaces, one sign.
type token struct {
	hash       uint64 // of its letters and digits, in lower case and without accents
	start, end int    // where it stands in the prepared text
	runes      int
	sentence   int32
	clause     int32
	sign       bool // of a script without spaces
	opens      bool // begins a sentence
	asks       bool // belongs to a question
}

// FNV-1a, by runes.
const (
	hashSeed  = 0xcbf29ce484222325
	hashPrime = 0x100000001b3
)

func addRune(hash uint64, r rune) uint64 { return (hash ^ uint64(r)) * hashPrime } // #nosec G115 -- runes are not negative

// prepare brings a text into the form it is cut in: compatibility forms folded, and nothing left of what a reader does not see.
func prepare(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return visible(norm.NFKC.String(text))
		}
	}
	return text
}

func visible(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r < utf8.RuneSelf || !unicode.Is(unicode.Cf, r) {
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

// tokens cuts a text that is not prepared.
func tokens(text string) []token { return cut(prepare(text)) }

// cut cuts a prepared text into tokens, sentences and clauses.
func cut(text string) []token {
	out := make([]token, 0, len(text)/5+1)
	var sentence, clause int32
	first, opens := 0, true // first token of the sentence
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if letter(r) {
			t := readToken(text, i)
			t.sentence, t.clause, t.opens = sentence, clause, opens
			out = append(out, t)
			opens, i = false, t.end
			continue
		}
		i += size
		switch ends := endsSentence(text, i, r); {
		case ends:
			if asks(r) {
				for k := first; k < len(out); k++ {
					out[k].asks = true
				}
			}
			sentence, clause, first, opens = sentence+1, clause+1, len(out), true
		case endsClause(text, i, r):
			clause++
		}
	}
	return out
}

func letter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// readToken reads the token that begins at i.
func readToken(text string, i int) token {
	t := token{hash: hashSeed, start: i, end: i}
	for t.end < len(text) {
		r, size := utf8.DecodeRuneInString(text[t.end:])
		if !letter(r) {
			break
		}
		if dense(r) {
			if t.runes > 0 {
				break
			}
			return token{hash: addRune(hashSeed, r), start: i, end: i + size, runes: 1, sign: true}
		}
		t.end += size
		for _, f := range foldRune(r) {
			if f != 0 {
				t.hash = addRune(t.hash, f)
				t.runes++
			}
		}
	}
	return t
}

// foldRune is a rune in lower case and without accents; zeros are nothing.
func foldRune(r rune) [2]rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return [2]rune{r}
	case r == 'ß':
		return [2]rune{'s', 's'}
	case r == 'ı' || r == 'İ':
		return [2]rune{'i'}
	case r == 'ς':
		return [2]rune{'σ'}
	case r == 'ł' || r == 'Ł':
		return [2]rune{'l'}
	}
	r = unicode.ToLower(r)
	if unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic) {
		var buffer [16]byte
		base, _ := utf8.DecodeRune(norm.NFD.AppendString(buffer[:0], string(r)))
		r = base
	}
	if unicode.Is(unicode.Mn, r) && !unicode.In(r, unicode.Devanagari, unicode.Thai) {
		return [2]rune{}
	}
	return [2]rune{r}
}

// dense reports whether r is of a script that writes words without spaces between them.
func dense(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// endsSentence reports whether r, which stands before i, ends a sentence. A point inside of a name or number ends none.
func endsSentence(text string, i int, r rune) bool {
	switch r {
	case '\n', '\r', ';', '。', '！', '？', '؟', '؛', '।', '…', '\u2028', '\u2029', '!', '?':
		return true
	case '.':
		if i == len(text) {
			return true
		}
		next, _ := utf8.DecodeRuneInString(text[i:])
		return unicode.IsSpace(next) || next == '"' || next == '”' || next == '\''
	}
	return false
}

func asks(r rune) bool { return r == '?' || r == '？' || r == '؟' }

// endsClause reports whether r separates parts of a sentence.
func endsClause(text string, i int, r rune) bool {
	switch r {
	case '，', '、', '،', '：', '—', '–', '(', ')':
		return true
	case ',', ':':
		return i == len(text) || text[i] == ' '
	}
	return false
}
