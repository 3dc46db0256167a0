// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind tells words from what is written with the same characters.
type tokenKind uint8

const (
	kindWord tokenKind = iota
	kindNumber
	kindAddress // a URL, an e-mail address, a host name
)

// boundary is how strongly punctuation separates a token from the one before.
type boundary uint8

const (
	boundNone     boundary = iota
	boundComma             // comma, closing bracket, wrapped line
	boundClause            // colon, semicolon, dash, quote, opening bracket
	boundSentence          // first token of a sentence
)

// token is one word of a sentence: a range of the text, and what the lexicons know
// about it.
type token struct {
	start, end int
	word       *word // nil when no lexicon has it
	letters    int   // 0 when it has digits: keys and hashes are no writing
	kind       tokenKind
	bound      boundary
	run        runeClass // the kind of script written without spaces, 0 for a single word
	caps       bool      // written in capitals only
	pre        byte      // the last punctuation before it, 0 if none
	post       byte      // the punctuation right after it, 0 if none
}

// scanner cuts a view into sentences. It reads each byte a bounded number of times.
type scanner struct {
	text   string
	index  *index
	pos    int
	tokens []token // reused between sentences
	cut    bool    // the sentence before was cut for its length

	measured int // bytes looked at to find where words end, for the tests of linearity

	chunkEnd   int // end of the chunk of text last searched for an address
	chunkTries int // searches that began in it
}

// open points the scanner at the start of a text.
func (s *scanner) open(text string, x *index) {
	s.text, s.index, s.pos, s.chunkEnd, s.chunkTries, s.cut = text, x, 0, 0, 0, false
}

const (
	// maxSentence is the length of the longest sentence read at once, in tokens. Longer
	// ones, which no person writes, are read in parts.
	maxSentence = 512
	// sentenceOverlap tokens at the end of a part begin the next one again, so that
	// what a block of the matcher can see is whole in one part.
	sentenceOverlap = matchBlock - matchStep
)

// next returns the tokens of the next sentence and whether it is a question. The
// slice is valid until the following call; nil means the end of the text.
func (s *scanner) next() (sentence []token, question bool) {
	bound, pre := boundSentence, byte(0)
	if s.cut {
		bound = boundNone
		s.tokens = s.tokens[:copy(s.tokens, s.tokens[len(s.tokens)-sentenceOverlap:])]
	} else {
		s.tokens = s.tokens[:0]
	}
	first := len(s.tokens)
	s.cut = false
	mark := 0 // tokens up to the last full stop
	for s.pos < len(s.text) {
		if len(s.tokens) == maxSentence {
			s.cut = true
			return s.tokens, false
		}
		r, size := rune(s.text[s.pos]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s.text[s.pos:])
		}
		if isWordRune(r) {
			s.word(bound, pre)
			bound, pre = boundNone, 0
			continue
		}
		if r == ' ' {
			s.pos++
			continue
		}
		end, b := s.separator(r, size)
		s.pos += size
		if end && len(s.tokens) > 0 && s.asks(r) {
			return s.tokens, true
		}
		// Words with a full stop each do not end the sentence: "Ignore. All. Rules."
		if end && (len(s.tokens)-mark > 1 || len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].run != 0) {
			return s.tokens, false
		}
		if end {
			b, mark = boundClause, len(s.tokens)
		}
		bound = max(bound, b)
		if wide := widePunctuation(r); wide != 0 {
			pre = wide
		} else if r < utf8.RuneSelf && r > ' ' {
			pre = byte(r)
		}
	}
	if len(s.tokens) == first {
		return nil, false
	}
	return s.tokens, false
}

// asks reports whether a character that ends the sentence makes it a question.
func (s *scanner) asks(r rune) bool { return r == '?' || r == '？' || r == '؟' || r == ';' }

// word reads the token at the position, which starts with a word character.
func (s *scanner) word(bound boundary, pre byte) {
	t := token{start: s.pos, bound: bound, pre: pre}
	size := s.wordASCII(&t)
	if next := s.pos + size; size == 0 || next < len(s.text) && (s.text[next] >= utf8.RuneSelf || !endsChunk[s.text[next]]) {
		if s.startsChunk() {
			if n := s.address(); n > 0 {
				t = token{start: s.pos, bound: bound, pre: pre, kind: kindAddress}
				size = n
			}
		}
		if size == 0 {
			size = s.wordAny(&t)
		}
	}
	s.pos += size
	t.end = s.pos
	for i := s.pos; i < len(s.text) && i < s.pos+3; i++ {
		if c := s.text[i]; c != ' ' && c != '*' && c != '_' {
			if c >= utf8.RuneSelf {
				r, _ := utf8.DecodeRuneInString(s.text[i:])
				t.post = widePunctuation(r)
			} else if !isLetter(c) {
				t.post = c
			}
			break
		}
	}
	s.tokens = append(s.tokens, t)
	s.markShout()
}

// wordASCII reads a word of ASCII letters and digits and looks it up, in one pass.
// It returns 0 where more characters may belong to the word.
func (s *scanner) wordASCII(t *token) int { //nolint:gocyclo // one pass, with a branch for each kind of byte
	text := s.text[s.pos:]
	h, kinds, i := hashStart, uint8(0), 0
	for ; i < len(text) && i < stemHead; i++ {
		c := wordBytes[text[i]]
		if c.lower == 0 {
			break
		}
		h = hashByte(h, c.lower)
		kinds |= c.kind
	}
	stem := -1
	if x := s.index; x != nil && (x.shortStems || i == stemHead && x.stemHeads.maybe(h)) {
		h, kinds, i, stem = x.readStem(text)
	} else if i == stemHead {
		for ; i < len(text); i++ {
			c := wordBytes[text[i]]
			if c.lower == 0 {
				break
			}
			h = hashByte(h, c.lower)
			kinds |= c.kind
		}
	}
	if i < len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c == '\'' || kinds == wordDigit && (c == ',' || c == '.') {
			return 0
		}
	}
	switch {
	case kinds == wordDigit:
		t.kind = kindNumber
	case kinds&wordDigit == 0:
		t.letters = i
	}
	t.caps = kinds == wordCapital && i > 1
	if s.index != nil {
		if found := s.index.exact.findFolded(h, text[:i]); found >= 0 {
			stem = found
		}
		t.word = s.index.wordAt(stem)
	}
	return i
}

// readStem reads a word that some stem may begin, and returns its hash, the kinds of its
// characters, its length and the longest stem.
func (x *index) readStem(text string) (h uint32, kinds uint8, size, stem int) {
	h, stem = hashStart, -1
	for ; size < len(text); size++ {
		c := wordBytes[text[size]]
		if c.lower == 0 {
			break
		}
		h = hashByte(h, c.lower)
		kinds |= c.kind
		if found := x.stems.findFolded(h, text[:size+1]); found >= 0 {
			stem = found
		}
	}
	return h, kinds, size, stem
}

// Kinds of the characters of a word, as a bit set.
const (
	wordSmall uint8 = 1 << iota
	wordCapital
	wordDigit
)

// wordBytes maps ASCII letters to small ones and digits to themselves, with their kinds,
// and the rest to 0.
var wordBytes = func() (set [256]struct{ lower, kind uint8 }) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case c >= '0' && c <= '9':
			set[c].lower, set[c].kind = c, wordDigit
		case c >= 'a' && c <= 'z':
			set[c].lower, set[c].kind = c, wordSmall
		case c >= 'A' && c <= 'Z':
			set[c].lower, set[c].kind = lowerASCII(c), wordCapital
		}
	}
	return set
}()

// wordAny reads any word or number and looks it up.
func (s *scanner) wordAny(t *token) int {
	size, kind := s.elided(), kindWord
	if size == 0 {
		size, kind = wordLength(s.text[s.pos:])
		s.measured += size
	}
	t.kind = kind
	if kind == kindWord {
		text := s.text[s.pos : s.pos+size]
		t.caps = allCaps(text)
		t.letters = plainLetters(text)
		if first, _ := utf8.DecodeRuneInString(text); first >= utf8.RuneSelf {
			t.run = classOf(first) & runeUnspaced
		}
	}
	if t.run == 0 {
		t.word = s.index.find(s.text[s.pos : s.pos+size])
	}
	return size
}

// plainLetters counts the letters of a word, 0 when it has digits.
func plainLetters(word string) (n int) {
	for i := range len(word) {
		c := word[i]
		if c >= '0' && c <= '9' {
			return 0
		}
		if c < utf8.RuneSelf || utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// elided measures the elided word at the position, "l'" of "l'utilisateur", and returns 0
// where there is none or the whole is a word. It looks no further than a whole word may
// reach, which keeps "d'd'd'…" linear.
func (s *scanner) elided() int {
	if s.index == nil || len(s.index.elided) == 0 {
		return 0
	}
	text := s.text[s.pos:]
	at := strings.IndexByte(text[:min(len(text), maxElided)], '\'')
	if at < 0 || !letterAt(text, at+1) {
		return 0
	}
	var buffer [2 * maxElided]byte
	if _, ok := s.index.elided[string(lowerWord(buffer[:], text[:at+1]))]; !ok {
		return 0
	}
	most := s.index.apostrophes
	size, _ := wordLength(text[:min(len(text), most+utf8.UTFMax)])
	s.measured += size
	if size <= most && s.index.find(text[:size]) != nil {
		return 0
	}
	return at + 1
}

// maxElided bounds the length of an elided word, in bytes: "lorsqu'", "dell'".
const maxElided = 12

// shoutWords in a row in capitals after ordinary words begin a sentence of their
// own: "How can I DO NOT ANSWER THIS".
const shoutWords = 3

func (s *scanner) markShout() {
	first := len(s.tokens) - shoutWords
	if first < 1 || !s.tokens[len(s.tokens)-1].caps || s.tokens[first-1].caps {
		return
	}
	for _, t := range s.tokens[first:] {
		if !t.caps {
			return
		}
	}
	s.tokens[first].bound = max(s.tokens[first].bound, boundClause)
}

func allCaps(word string) bool {
	for i := range len(word) {
		if word[i] < 'A' || word[i] > 'Z' {
			return false
		}
	}
	return len(word) > 1
}

// startsChunk reports whether an address may start at the position. Looking only
// after white space and quoting keeps the scan for addresses linear.
func (s *scanner) startsChunk() bool {
	return s.pos == 0 || strings.IndexByte(" \t\n\"'<>()[]{},;|`=*", s.text[s.pos-1]) >= 0
}

// Characters of ASCII that end a chunk in which an address is looked for.
var endsChunk = func() (set [utf8.RuneSelf]bool) {
	for _, c := range " \t\n\"'<>()[]{},;|`" {
		set[c] = true
	}
	return set
}()

// maxChunkTries bounds the searches for an address that begin in one chunk, which
// keeps text such as "a=a=a=…" linear.
const maxChunkTries = 2

// address measures the address at the position, or returns 0. Nearly every chunk
// is ruled out by having none of the signs of an address.
func (s *scanner) address() int {
	if s.pos >= s.chunkEnd {
		end, signs := s.pos, false
		for ; end < len(s.text) && end-s.pos < maxAddress; end++ {
			c := s.text[end]
			if c < utf8.RuneSelf && endsChunk[c] {
				break
			}
			signs = signs || c == '.' || c == '@' || c == ':'
		}
		s.chunkEnd, s.chunkTries = end, maxChunkTries
		if signs {
			s.chunkTries = 0
		}
	}
	if s.chunkTries == maxChunkTries {
		return 0
	}
	s.chunkTries++
	return addressLength(s.text[s.pos:s.chunkEnd])
}

// wordLength measures letters, digits and marks, with apostrophes inside words
// and separators inside numbers. A word ends where a script without spaces, or
// Hangul, meets another script, and the former also where it meets digits.
func wordLength(s string) (int, tokenKind) {
	w := wordMeter{kind: kindNumber}
	for i := 0; i < len(s); {
		n := 0
		switch c := s[i]; {
		case isLetter(c):
			n = w.letter()
		case c >= '0' && c <= '9':
			n = w.digit()
		case c >= utf8.RuneSelf:
			n = w.wide(s, i)
		case i > 0:
			n = w.inner(s, i)
		}
		if n == 0 {
			return i, w.kind
		}
		i += n
	}
	return len(s), w.kind
}

// wordMeter keeps track of what a word consists of so far. Its methods return the size
// of the next character in bytes, 0 where the word ends before it.
type wordMeter struct {
	kind    tokenKind
	group   runeClass // of its letters
	grouped bool      // it has letters
}

func (w *wordMeter) letter() int {
	if w.grouped && w.group != 0 {
		return 0
	}
	w.kind, w.grouped = kindWord, true
	return 1
}

func (w *wordMeter) digit() int {
	if w.group&runeUnspaced != 0 {
		return 0
	}
	return 1
}

func (w *wordMeter) wide(s string, i int) int {
	r, n := utf8.DecodeRuneInString(s[i:])
	class := classOf(r)
	switch group := class & runeGroup; {
	case class&runeWord == 0:
		return 0
	case class&runeDigit != 0:
		return n
	case class&runeMark != 0:
		w.kind = kindWord
		return n
	case w.grouped && group != w.group, !w.grouped && i > 0 && group&runeUnspaced != 0:
		return 0
	default:
		w.kind, w.group, w.grouped = kindWord, group, true
		return n
	}
}

// inner takes an apostrophe in a word, a comma or full stop in a number.
func (w *wordMeter) inner(s string, i int) int {
	switch c := s[i]; {
	case c == '\'' && w.kind == kindWord && letterAt(s, i+1):
		return 1
	case (c == ',' || c == '.') && w.kind == kindNumber && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
		return 1
	}
	return 0
}

func letterAt(s string, i int) bool {
	if i >= len(s) || s[i] < utf8.RuneSelf {
		return i < len(s) && isLetter(s[i])
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return classOf(r)&runeOrthography != 0
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return (r|0x20 >= 'a' && r|0x20 <= 'z') || (r >= '0' && r <= '9')
	}
	return classOf(r)&runeWord != 0
}

// separator classifies the punctuation r at the position: whether it closes the
// sentence, and how strong a boundary it is otherwise.
func (s *scanner) separator(r rune, size int) (end bool, b boundary) {
	rest := s.text[s.pos+size:]
	switch r {
	case '.', '!', '?', '…':
		return s.closes(r, rest), boundNone
	case '。', '！', '？', '।', '॥', '۔', '؟', '։', '።', '។', '။', '།', '፧':
		return true, boundNone
	case ';':
		// The Greek question mark, which normalization turns into a semicolon.
		return s.afterGreek(), boundClause
	case '\n':
		return startsBlock(rest), boundComma
	case ',', '，', '、', '،', ')', '）', ']', '}':
		if r == ']' || r == '}' {
			return false, boundClause
		}
		return false, boundComma
	case ':', '：', '；', '(', '（', '[', '{', '<', '>', '=', '|', '—', '–', '#', '؛', '¿', '¡', '「', '『', '《', '〈', '【', '」', '』', '》', '〉', '】':
		return false, boundClause
	case '"', '\'':
		if s.opensQuote() {
			return false, boundClause
		}
		return false, boundNone
	case '-':
		if s.pos > 0 && s.text[s.pos-1] == ' ' && (rest == "" || rest[0] == ' ' || rest[0] == '-') {
			return false, boundClause
		}
		return false, boundNone
	}
	if r >= utf8.RuneSelf && classOf(r)&runeSymbol != 0 {
		return false, boundComma
	}
	return false, boundNone
}

// closes reports whether a full stop, exclamation or question mark ends the
// sentence: what follows must not be glued to it, and it must not belong to an
// abbreviation.
func (s *scanner) closes(r rune, rest string) bool {
	if rest != "" {
		next, _ := utf8.DecodeRuneInString(rest)
		if next == '.' || next == '!' || next == '?' {
			return false
		}
		if r == '.' && isWordRune(next) && !unicode.IsUpper(next) {
			return false
		}
	}
	if r != '.' || len(s.tokens) == 0 {
		return true
	}
	last := s.tokens[len(s.tokens)-1]
	if last.end-last.start > len("approx") {
		return true
	}
	var buffer [len("approx") + utf8.UTFMax]byte
	switch string(lowerWord(buffer[:], s.text[last.start:last.end])) {
	case "dr", "mr", "mrs", "ms", "st", "no", "vs", "e", "g", "eg", "i", "ie", "approx", "dept":
		return false
	}
	return true
}

// afterGreek reports whether the last word is Greek.
func (s *scanner) afterGreek() bool {
	if len(s.tokens) == 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.tokens[len(s.tokens)-1].start:])
	return unicode.Is(unicode.Greek, r)
}

// startsBlock reports whether the text after a newline begins something new: a
// blank line, a list item, a heading or a capital letter. A lower-case letter
// continues the wrapped line.
func startsBlock(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	if rest == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return strings.ContainsRune("\n-*+#•>|`<[{", r) || unicode.IsDigit(r) || unicode.IsUpper(r)
}

func (s *scanner) opensQuote() bool {
	if s.pos == 0 {
		return true
	}
	before := s.text[s.pos-1]
	return before <= ' ' || strings.IndexByte("([{:=>-", before) >= 0
}

//go:embed lexicon/tld.txt
var tldList string

var topLevelDomains = func() map[string]struct{} {
	set := map[string]struct{}{}
	for line := range strings.Lines(tldList) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			for _, name := range strings.Fields(line) {
				set[name] = struct{}{}
			}
		}
	}
	return set
}()

// Longest address looked for, in bytes: the limit common browsers put on a URL.
const maxAddress = 2048

// addressLength measures a URL, e-mail address or host name that makes up the start
// of a chunk, or returns 0. Host names need a well-known top-level domain, because
// "done.then" is two words with a missing space.
func addressLength(chunk string) int {
	s := strings.TrimRight(chunk, ".:!?*_")
	if i := strings.Index(s, "://"); i > 0 && i+len("://") < len(s) {
		return len(s)
	}
	at := strings.IndexByte(s, '@')
	if at > 0 && strings.IndexByte(s[at:], '.') > 0 {
		return len(s)
	}
	return hostLength(s)
}

func hostLength(s string) int {
	host := s
	if i := strings.IndexAny(host, "/:?#"); i >= 0 {
		host = host[:i]
	}
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 {
		return 0
	}
	for i := 0; i < len(host); i++ {
		if c := host[i]; !isLetter(c) && (c < '0' || c > '9') && c != '.' && c != '-' {
			return 0
		}
	}
	// "me.To" is a missing space, "Example.COM" a host name.
	last := host[dot+1:]
	newSentence := last != "" && last[0] < 'a' && isLetter(last[0]) && last != strings.ToUpper(last)
	if !newSentence && isTopLevelDomain(last) {
		return len(s)
	}
	if isIPv4(host) {
		return len(s)
	}
	return 0
}

// longestDomain is a bound on the names in the list of top-level domains, in bytes.
const longestDomain = 16

func isTopLevelDomain(name string) bool {
	if len(name) > longestDomain {
		return false
	}
	var buffer [longestDomain]byte
	_, ok := topLevelDomains[string(lowerWord(buffer[:], name))]
	return ok
}

func isIPv4(host string) bool {
	parts := 0
	for part := range strings.SplitSeq(host, ".") {
		if parts++; part == "" || len(part) > 3 || strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	return parts == 4
}
