// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package intent

import "unicode/utf8"

// A batch ends when fewer than batchSlack of its places are free: more than a word of
// maxLength runes can add.
const (
	batchSize  = 256
	batchSlack = maxLength + 32
)

// Reader turns a sentence into features, batch by batch, in one pass and without
// allocating. Features are 32-bit hashes in two groups, which the model normalizes
// apart. Reset readies a Reader; it is not safe for concurrent use.
type Reader struct {
	table *[tableRunes]runeInfo
	text  string
	pos   int
	plain int // no address begins before this offset
	done  bool

	letters int
	dense   bool      // in a run of letters without spaces
	back    [4]uint64 // its runes before, the nearest first; 0 is none
	prev    [2]token  // words before, the nearest first
	first   uint64    // hash of the first word
	count   int       // words so far
	final   rune      // the punctuation that was read last, if nothing else followed

	nChars, nWords, nCover int
	chars, words, cover    [batchSize]uint32
}

// token is a word among its neighbors.
type token struct {
	word uint64 // hash of the whole word
	stem uint64 // hash of its beginning, which is the same in most forms of the word
	tag  uint64 // hash of the word if it is short, else of its end: what form it is
}

const (
	stemRunes  = 4
	shortRunes = 4 // a word of no more runes is its own tag: most function words
	openWords  = 3 // words that count by their place as well
	// maxLength is how much of a word counts for coverage; real words are shorter.
	maxLength = 64
)

// The multiplier and the salts are digits of the golden ratio and of pi: any odd
// numbers with well-mixed bits do.
const (
	mul       = uint64(0x9E3779B97F4A7C15)
	saltWord  = uint64(0x243F6A8885A308D3)
	saltPair  = uint64(0x13198A2E03707345)
	saltSkip  = uint64(0xA4093822299F31D1)
	saltStem  = uint64(0x082EFA98EC4E6C89)
	saltLast  = uint64(0x452821E638D01377)
	saltPunct = uint64(0xBE5466CF34E90C6D)
	saltOpen  = uint64(0xC0AC29B7C97C50DD)
	saltAsk   = uint64(0x3F84D5B5B5470917)
	saltTag   = uint64(0x9216D5D98979FB1B)
)

// Runes that stand for what is not spelled out. No letter is that small.
const (
	runeBound  = 1 // begin or end of a word
	runeNumber = 2 // a number with more than longNumber digits in a row
	runeWeb    = 3 // URL, domain or file name
	runeMail   = 4 // e-mail address
	runeDigits = 5 // any other number
)

// longNumber is the number of digits above which a number is an account, a phone
// or a card rather than an amount or a date.
const longNumber = 5

// Reset makes the Reader read a sentence from its beginning.
func (r *Reader) Reset(sentence string) {
	r.table, r.text, r.pos, r.plain, r.done = runeTable(), sentence, 0, 0, false
	r.letters, r.dense, r.count, r.first, r.final = 0, false, 0, 0, 0
	r.prev = [2]token{{word: saltOpen, stem: saltOpen, tag: saltOpen}}
	r.nChars, r.nWords, r.nCover = 0, 0, 0
}

// Chars returns the character n-grams of the batch: of 2 to 5 runes at the bounds of
// words, bound included; of 1 and 2 runes in scripts without spaces.
func (r *Reader) Chars() []uint32 { return r.chars[:r.nChars] }

// Words returns the words of the batch, pairs of words, the first and last words of
// the sentence, punctuation, and the n-grams of 3 to 5 runes in scripts without
// spaces, which stand for words there.
func (r *Reader) Words() []uint32 { return r.words[:r.nWords] }

// Cover returns the n-grams of the batch that coverage is counted by.
func (r *Reader) Cover() []uint32 { return r.cover[:r.nCover] }

// Letters returns the number of letters and marks read so far.
func (r *Reader) Letters() int { return r.letters }

// The add functions keep the upper half of a product: those of its bits that depend
// on all bits of the factors. The remainder only tells the compiler that there is room.

func (r *Reader) addChars(h uint64) {
	r.chars[r.nChars%batchSize] = uint32(h >> 32)
	r.nChars++
}

func (r *Reader) addWords(h uint64) {
	r.words[r.nWords%batchSize] = uint32(h >> 32)
	r.nWords++
}

func (r *Reader) addCover(h uint64) {
	r.cover[r.nCover%batchSize] = uint32(h >> 32)
	r.nCover++
}

// Next reads the next batch; false says that there was none left.
func (r *Reader) Next() bool {
	if r.done {
		return false
	}
	r.nChars, r.nWords, r.nCover = 0, 0, 0
	for r.pos < len(r.text) {
		if max(r.nChars, r.nWords, r.nCover) > batchSize-batchSlack {
			return true
		}
		r.step()
	}
	r.endDense()
	r.endSentence()
	r.done = true
	return true
}

// rune returns the folded rune at an offset, its class and its size. Behind the end
// there is a space.
func (r *Reader) rune(pos int) (rune, runeClass, int) {
	if pos >= len(r.text) {
		return ' ', classSpace, 0
	}
	if c := r.text[pos]; c < utf8.RuneSelf {
		info := r.table[c]
		return rune(info.fold), info.class, 1
	}
	c, size := utf8.DecodeRuneInString(r.text[pos:])
	c, class := classify(r.table, c)
	return c, class, size
}

// step reads a word, a number, an address, or one rune of anything else.
func (r *Reader) step() {
	if r.pos >= r.plain && isAlnum(r.text[r.pos]) && r.readAddress() {
		return
	}
	switch c, class, size := r.rune(r.pos); class {
	case classLetter, classBlock:
		r.readWord(c, class, size)
	case classDense:
		r.readDense(c, size)
	case classDigit:
		r.readNumber(size)
	case classPunct:
		r.pos += size
		r.endDense()
		r.addWords((uint64(c) ^ saltPunct) * mul)                //nolint:gosec // runes are not negative
		r.addWords((r.prev[0].word ^ uint64(c)*saltPunct) * mul) //nolint:gosec // as above
		r.final = c
	case classSpace:
		r.pos += size
		r.endDense()
	case classSkip:
		r.pos += size
	}
}

// readAddress reads a URL, a domain or an e-mail address, if one begins here.
func (r *Reader) readAddress() bool {
	kind, end := address(r.text, r.pos)
	if kind == 0 {
		r.plain = end
		return false
	}
	r.class(kind)
	r.pos = end
	return true
}

// readWord reads a word of a script with spaces, from its first letter to its end. It
// emits the n-grams that touch a bound of the word: what is inside of long words tells
// topics, while mood, person and tense show at their ends.
func (r *Reader) readWord(c rune, class runeClass, size int) {
	r.endDense()
	t := token{word: saltWord}
	length := 0
	var b0, b1, b2, b3 uint64 = runeBound, 0, 0, 0 // the runes before, the nearest first
	for class >= classSkip && class < classDense || class == classPunct && r.apostrophe(c, size) {
		r.pos += size
		if class > classSkip {
			length++
			u := uint64(c) //nolint:gosec // runes are not negative
			t.word = (t.word + u) * mul
			if length <= stemRunes {
				t.stem = t.word
				r.addChars((t.word ^ saltStem) * mul)
			}
			if length <= maxLength {
				r.coverLetter(u, [4]uint64{b0, b1, b2, b3}, class)
			}
			b3, b2, b1, b0 = b2, b1, b0, u
		}
		c, class, size = r.rune(r.pos)
	}
	r.letters += length
	h := mul
	for _, b := range [stemRunes]uint64{b0, b1, b2, b3} {
		if b == 0 {
			break
		}
		h = (h + b) * mul
		r.addChars(h)
	}
	t.tag = t.word
	if length > shortRunes {
		t.tag = (b0 + (b1+saltTag)*mul) * mul
	}
	r.final = 0
	r.token(t)
}

// coverLetter emits what a letter adds to coverage: the n-gram that ends with it, bound
// included. It has five letters in Latin, Greek and Cyrillic, which so many languages are
// written in that nearly every four letters in a row are those of some language, four in the other
// scripts of several languages, and three in those of one; a syllable counts alone.
func (r *Reader) coverLetter(u uint64, before [4]uint64, class runeClass) {
	h := ((u*mul+before[0])*mul + before[1]) * mul
	switch {
	case class == classBlock:
		r.addChars(u * mul)
		r.addCover(u * mul)
	case u < endCyrillic:
		if before[3] != 0 {
			r.addCover(((h+before[2])*mul + before[3]) * mul)
		}
	case u >= beginArabic && u < endArabic || u >= beginDevanagari && u < endBengali:
		if before[2] != 0 {
			r.addCover((h + before[2]) * mul)
		}
	case before[1] != 0:
		r.addCover(h)
	}
}

// Bounds of scripts.
const (
	endCyrillic     = 0x0530
	beginArabic     = 0x0600
	endArabic       = 0x0700
	beginDevanagari = 0x0900
	endBengali      = 0x0A00
)

// apostrophe reports whether a rune is an apostrophe with a letter behind it.
func (r *Reader) apostrophe(c rune, size int) bool {
	if c != '\'' && c != '’' {
		return false
	}
	_, class, _ := r.rune(r.pos + size)
	return class == classLetter
}

// readDense reads one letter of a script without spaces, and emits all n-grams that
// end with it.
func (r *Reader) readDense(c rune, size int) {
	if !r.dense {
		r.dense, r.back = true, [4]uint64{runeBound}
	}
	r.pos += size
	r.letters++
	r.addChars(uint64(c) * mul) //nolint:gosec // runes are not negative
	r.addCover(uint64(c) * mul) //nolint:gosec // as above
	r.push(uint64(c))           //nolint:gosec // as above
	r.final = 0
}

func (r *Reader) push(c uint64) {
	b := &r.back
	h := (c*mul + b[0]) * mul
	r.addChars(h)
	for _, before := range b[1:] {
		if before == 0 {
			break
		}
		h = (h + before) * mul
		r.addWords(h)
	}
	b[3], b[2], b[1], b[0] = b[2], b[1], b[0], c
}

// endDense closes a run of letters without spaces, if one is being read.
func (r *Reader) endDense() {
	if r.dense {
		r.push(runeBound)
		r.dense = false
	}
}

// token emits the features of a word among its neighbors.
func (r *Reader) token(t token) {
	p := &r.prev[0]
	r.addWords(t.word * mul)
	r.addWords((t.word + p.word*saltPair) * mul)
	r.addWords((t.stem + p.stem*saltStem) * mul)
	r.addWords((t.tag + p.stem*saltOpen) * mul)
	r.addWords((t.stem + p.tag*saltTag) * mul)
	if r.prev[1].word != 0 {
		r.addWords((t.word + r.prev[1].word*saltSkip) * mul)
	}
	if r.count < openWords {
		place := uint64(r.count + 1) //nolint:gosec // not negative
		r.addWords((t.word + place*saltAsk) * mul)
		r.addWords((t.tag + place*saltLast) * mul)
	}
	if r.count == 0 {
		r.first = t.word
	}
	r.count++
	r.prev[1], r.prev[0] = r.prev[0], t
}

// class emits a thing that is known by its kind only.
func (r *Reader) class(kind uint64) {
	r.endDense()
	r.addChars(kind * mul)
	r.token(token{word: kind * saltWord, stem: kind * saltWord, tag: kind * saltWord})
	r.final = 0
}

// readNumber reads a number, separators between digits included.
func (r *Reader) readNumber(size int) {
	r.pos += size
	digits, longest := 1, 1
	for {
		c, class, size := r.rune(r.pos)
		if class == classDigit {
			digits++
			longest = max(longest, digits)
		} else if _, next, _ := r.rune(r.pos + size); joinsDigits(c) && next == classDigit {
			digits = 0
		} else {
			break
		}
		r.pos += size
	}
	if longest > longNumber {
		r.class(runeNumber)
		return
	}
	r.class(runeDigits)
}

func joinsDigits(c rune) bool {
	switch c {
	case ',', '.', ' ', '-', '/', ':':
		return true
	}
	return false
}

// endSentence emits what only the end tells: the last word, and whether it asks.
func (r *Reader) endSentence() {
	mood := uint64(1)
	switch r.final {
	case '?', '？', '؟', ';', '\u037e', '՞', '፧':
		mood = 2
		r.addWords(saltAsk)
		r.addWords((saltAsk + r.first) * mul)
	}
	if r.count > 0 {
		r.addWords((r.prev[0].word + mood) * saltLast)
		r.addWords((r.prev[0].stem ^ mood<<32) * saltLast)
	}
}
