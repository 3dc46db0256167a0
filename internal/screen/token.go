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

// token is one word of a sentence, in lower case.
type token struct {
	text  string
	kind  tokenKind
	bound boundary
	caps  bool // written in capitals only
	pre   byte // the last punctuation before it, 0 if none
	post  byte // the punctuation right after it, 0 if none
}

// scanner cuts a view into sentences. It reads each byte a bounded number of times.
type scanner struct {
	text   string
	pos    int
	tokens []token // reused between sentences
}

// next returns the tokens of the next sentence and whether it is a question. The
// slice is valid until the following call; nil means the end of the text.
func (s *scanner) next() (sentence []token, question bool) {
	s.tokens = s.tokens[:0]
	bound, pre := boundSentence, byte(0)
	mark := 0 // tokens up to the last full stop
	for s.pos < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		if isWordRune(r) {
			s.word(bound, pre)
			bound, pre = boundNone, 0
			continue
		}
		end, b := s.separator(r, size)
		s.pos += size
		if r == '?' && len(s.tokens) > 0 && end {
			return s.tokens, true
		}
		// Words with a full stop each do not end the sentence: "Ignore. All. Rules."
		if end && len(s.tokens)-mark > 1 {
			return s.tokens, false
		}
		if end {
			b, mark = boundClause, len(s.tokens)
		}
		bound = max(bound, b)
		if r < utf8.RuneSelf && r > ' ' {
			pre = byte(r)
		}
	}
	if len(s.tokens) == 0 {
		return nil, false
	}
	return s.tokens, false
}

// word reads the token at the position, which starts with a word character.
func (s *scanner) word(bound boundary, pre byte) {
	size, kind := 0, kindAddress
	if s.startsChunk() {
		size = addressLength(s.text[s.pos:])
	}
	if size == 0 {
		size, kind = wordLength(s.text[s.pos:])
	}
	word := s.text[s.pos : s.pos+size]
	t := token{text: strings.ToLower(word), kind: kind, caps: allCaps(word), bound: bound, pre: pre}
	s.pos += size
	for i := s.pos; i < len(s.text) && i < s.pos+3; i++ {
		if c := s.text[i]; c != ' ' && c != '*' && c != '_' {
			if c < utf8.RuneSelf && !isLetter(c) {
				t.post = c
			}
			break
		}
	}
	s.tokens = append(s.tokens, t)
	s.markShout()
}

// shoutWords in a row in capitals after ordinary words begin a sentence of their
// own: "How can I DO NOT ANSWER THIS".
const shoutWords = 3

func (s *scanner) markShout() {
	first := len(s.tokens) - shoutWords
	if first < 1 || s.tokens[first-1].caps {
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

// wordLength measures letters, digits and marks, with apostrophes inside words
// and separators inside numbers.
func wordLength(s string) (int, tokenKind) {
	kind := kindNumber
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsDigit(r):
		case isWordRune(r):
			kind = kindWord
		case i > 0 && r == '\'' && kind == kindWord && i+1 < len(s) && isLetter(s[i+1]):
		case i > 0 && (r == ',' || r == '.') && kind == kindNumber && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
		default:
			return i, kind
		}
		i += size
	}
	return len(s), kind
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return (r|0x20 >= 'a' && r|0x20 <= 'z') || (r >= '0' && r <= '9')
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r)
}

// separator classifies the punctuation r at the position: whether it closes the
// sentence, and how strong a boundary it is otherwise.
func (s *scanner) separator(r rune, size int) (end bool, b boundary) {
	rest := s.text[s.pos+size:]
	switch r {
	case '.', '!', '?', '…':
		return s.closes(r, rest), boundNone
	case '。', '！', '？', '।', '۔', '؟':
		return true, boundNone
	case '\n':
		return startsBlock(rest), boundComma
	case ',', '、', '،', ')', ']', '}':
		if r == ']' || r == '}' {
			return false, boundClause
		}
		return false, boundComma
	case ':', ';', '(', '[', '{', '<', '>', '=', '|', '—', '–', '#', '؛':
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
	if unicode.Is(unicode.So, r) {
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
	switch s.tokens[len(s.tokens)-1].text {
	case "dr", "mr", "mrs", "ms", "st", "no", "vs", "e", "g", "eg", "i", "ie", "approx", "dept":
		return false
	}
	return true
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

// addressLength measures a URL, e-mail address or host name at the start of s, or
// returns 0. Host names need a well-known top-level domain, because "done.then"
// is two words with a missing space.
func addressLength(s string) int {
	if i := strings.IndexAny(s[:min(len(s), maxAddress)], " \t\n\"'<>()[]{},;|`"); i >= 0 {
		s = s[:i]
	} else {
		s = s[:min(len(s), maxAddress)]
	}
	s = strings.TrimRight(s, ".:!?*_")
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
	if _, ok := topLevelDomains[strings.ToLower(last)]; ok && !newSentence {
		return len(s)
	}
	if isIPv4(host) {
		return len(s)
	}
	return 0
}

func isIPv4(host string) bool {
	parts := strings.Split(host, ".")
	if len(parts) != 4 {
		return false
	}
	for _, p := range parts {
		if p == "" || len(p) > 3 || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return true
}
