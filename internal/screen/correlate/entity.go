// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package correlate

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory/overlap"
)

// MaxEntities is how many entities of one text count.
const MaxEntities = 16

const (
	leastName    = 4  // letters of a name; with fewer it has to be in capitals
	leastInitial = 3  // letters of a name in capitals
	leastNumber  = 4  // digits of a number that names something
	leastKana    = 3  // signs of a name in Katakana
	longestQuote = 40 // bytes of a code word in quotation marks
)

// entity is the hash under which an entity is kept: of a canonical form, with a prefix that keeps it apart from hashes made
// elsewhere. It is cut to 64 bits, so that it tells as little as it must.
func entity(kind byte, canonical uint64) uint64 {
	var b [24]byte
	copy(b[:], "correlate/v1:")
	b[13] = kind
	binary.BigEndian.PutUint64(b[14:], canonical)
	sum := sha256.Sum256(b[:])
	return binary.BigEndian.Uint64(sum[:])
}

// Kinds of entities.
const (
	kindSink = 's' // account, address, page, host, long number; a name near another
	kindName = 'n' // name, code word
)

// mentions finds what the text names in sentences with signals and next to them. Where there is too much, what is named where
// asking is waived comes first, then where money or data can go.
func (s *scan) mentions(bySentence map[int32]Signals) []Mention {
	found := map[uint64]*mention{}
	var order []*mention
	shouting := s.shouts()
	for from := 0; from < len(s.tokens); {
		n, to := s.tokens[from].sentence, from+1
		for to < len(s.tokens) && s.tokens[to].sentence == n {
			to++
		}
		if around := bySentence[n-1] | bySentence[n] | bySentence[n+1]; around.Fragment() {
			s.entities(from, to, shouting, func(kind byte, hash uint64) {
				e := entity(kind, hash)
				m := found[e]
				if m == nil {
					m = &mention{Mention: Mention{Entity: e}, kind: kind}
					found[e] = m
					order = append(order, m)
				}
				m.Signals |= around
			})
		}
		from = to
	}
	slices.SortStableFunc(order, func(a, b *mention) int { return a.rank() - b.rank() })
	out := make([]Mention, 0, min(len(order), MaxEntities))
	for _, m := range order[:cap(out)] {
		out = append(out, m.Mention)
	}
	return out
}

type mention struct {
	Mention
	kind byte
}

func (m *mention) rank() int {
	rank := 3
	if m.Signals&Waive != 0 {
		rank -= 2
	}
	if m.kind == kindSink {
		rank--
	}
	return rank
}

// entities finds what the sentence of these tokens names.
func (s *scan) entities(from, to int, shouting bool, add func(kind byte, hash uint64)) {
	start, end := s.tokens[from].start, len(s.text)
	if to < len(s.tokens) {
		end = s.tokens[to].start
	}
	for start > 0 && strings.IndexByte("+\"'`", s.text[start-1]) >= 0 || start > 1 && s.quoteBefore(start) {
		_, size := utf8.DecodeLastRuneInString(s.text[:start])
		start -= size
	}
	sentence := s.text[start:end]
	for _, f := range overlap.Identifiers(overlap.Of(sentence)) {
		add(kindSink, f)
	}
	name := func(hash uint64) { add(kindName, hash) }
	s.quoted(sentence, name)
	s.hosts(sentence, name)
	for i := from; i < to; i++ {
		if s.names(i, shouting) {
			name(s.tokens[i].hash)
		}
	}
	s.katakana(sentence, name)
}

// quoteBefore reports whether a quotation mark stands before a place in the text.
func (s *scan) quoteBefore(at int) bool {
	r, _ := utf8.DecodeLastRuneInString(s.text[:at])
	_, opens := quotes[r]
	return opens
}

// shouts reports whether capitals tell nothing because most words are written in them.
func (s *scan) shouts() bool {
	upper, letters := 0, 0
	for _, r := range s.text {
		if unicode.IsLetter(r) {
			letters++
			if unicode.IsUpper(r) {
				upper++
			}
		}
	}
	return upper*4 > letters*3
}

// names reports whether a token names something by itself: a word with a capital letter, or a number, that is no common one
// and no word of the lexicon.
func (s *scan) names(i int, shouting bool) bool {
	t := s.tokens[i]
	word := s.text[t.start:t.end]
	if t.sign || s.common[t.hash] || s.meaningful(i) {
		return false
	}
	digits, capitals := 0, 0
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			capitals++
		}
	}
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case digits == t.runes:
		return digits >= leastNumber && !everyday(word)
	case digits > 0:
		return t.runes >= leastNumber && capitals > 0
	case shouting || !unicode.IsUpper(first):
		return false
	case capitals == t.runes:
		return t.runes >= leastInitial
	}
	return t.runes >= leastName
}

// everyday reports whether a number is a year or a round one.
func everyday(digits string) bool {
	telling := len(strings.TrimRight(strings.TrimLeft(digits, "0"), "0"))
	return telling < leastNumber-1 || len(digits) == 4 && (digits[:2] == "19" || digits[:2] == "20")
}

// meaningful reports whether a token is a phrase of the lexicon by itself.
func (s *scan) meaningful(i int) bool {
	for _, a := range s.atomsOf(i) {
		if next, ok := s.edges[edge{0, a}]; ok && len(s.ends[next]) > 0 {
			return true
		}
	}
	return false
}

// quotes are the marks that open a quotation and those that end it.
var quotes = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '‘': '’', '「': '」', '『': '』', '`': '`'}

// quoted adds code words in quotation marks: one word, or two.
func (s *scan) quoted(text string, add func(uint64)) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		ends, opens := quotes[r]
		if !opens {
			continue
		}
		end := strings.IndexRune(text[i:min(len(text), i+longestQuote)], ends)
		if end <= 0 {
			continue
		}
		words := cut(text[i : i+end])
		i += end + utf8.RuneLen(ends)
		runes, hash := 0, uint64(hashSeed)
		for _, w := range words {
			runes += w.runes
			hash = (hash ^ w.hash) * hashPrime
		}
		switch {
		case runes < leastInitial:
		case len(words) == 1 && !s.common[words[0].hash]:
			add(words[0].hash)
		case len(words) > 1 && (len(words) == 2 || words[0].sign):
			add(hash)
		}
	}
}

// hosts adds the names of domains without their endings, as texts name whoever is there.
func (s *scan) hosts(text string, add func(uint64)) {
	for run := range strings.FieldsSeq(text) {
		if strings.IndexByte(run, '.') <= 0 {
			continue
		}
		if _, rest, ok := strings.Cut(run, "://"); ok {
			run = rest
		}
		if _, rest, ok := strings.Cut(run, "@"); ok {
			run = rest
		}
		host, _, _ := strings.Cut(run, "/")
		labels := strings.Split(strings.Trim(host, ".,;:!?()<>[]\"'"), ".")
		n := len(labels)
		if n < 2 || len(labels[n-1]) < 2 || len(labels[n-2]) < leastName || strings.ContainsAny(labels[n-1], "0123456789") {
			continue
		}
		for _, t := range cut(labels[n-2]) {
			if t.runes >= leastName && !s.common[t.hash] {
				add(t.hash)
			}
		}
	}
}

// katakana adds names of other languages in Japanese texts.
func (s *scan) katakana(text string, add func(uint64)) {
	run, hash := 0, uint64(hashSeed)
	flush := func() {
		if run >= leastKana && !s.common[hash] {
			add(hash)
		}
		run, hash = 0, hashSeed
	}
	for _, r := range text {
		if unicode.Is(unicode.Katakana, r) || run > 0 && r == 'ー' {
			run++
			hash = addRune(hash, r)
			continue
		}
		flush()
	}
	flush()
}
