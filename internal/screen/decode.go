// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names of the views that decode a text. A view decoded from another one joins the
// names with "+", outermost encoding first: "base64+hex".
const (
	// ViewBase64 has base64 decoded, in either alphabet, also in wrapped lines.
	ViewBase64 = "base64"
	// ViewHex has bytes or characters given as hexadecimal numbers decoded.
	ViewHex = "hex"
	// ViewEscape has backslash escapes decoded: "\x41", "\u0041", "\101".
	ViewEscape = "escape"
	// ViewURL has percent-encoding decoded.
	ViewURL = "url"
	// ViewHTML has character references of HTML decoded.
	ViewHTML = "html"
	// ViewQuotedPrintable has quoted-printable decoded.
	ViewQuotedPrintable = "quoted-printable"
	// ViewROT13 has the letters rotated by 13.
	ViewROT13 = "rot13"
	// ViewReversed is read from its end.
	ViewReversed = "reversed"
	// ViewReversedWords has every word read from its end.
	ViewReversedWords = "reversed-words"
	// ViewAcrostic has the word that the initials of short sentences spell in front.
	ViewAcrostic = "acrostic"
)

const (
	// maxDepth is how many encodings inside each other are undone.
	maxDepth = 3
	// decodeBudget bounds what all decoders together write for one text, in bytes. A
	// text that would need more is one the engine cannot judge.
	decodeBudget = 64 << 10
	// decodeContext is how much of the text before and after a decoded part goes with
	// it, in bytes: an order may be half encoded.
	decodeContext = 160
)

// pending is a view that waits to be read.
type pending struct {
	view  View
	depth int // encodings undone
}

// decoder holds the views of one text that wait to be read, and the budget.
type decoder struct {
	queue  []pending
	next   int
	budget int
	spent  bool // something was left out for want of budget

	splicer splicer
}

// signs are what the characters of a text say about its encoding, as a bit set.
type signs uint8

const (
	signRun       signs = 1 << iota // a long run of letters and digits
	signDigits                      // as many digits as hexadecimal text has
	signBackslash                   // and the characters that begin an escape
	signPercent
	signAmpersand
	signEquals
)

// codecs are the encodings that can be told by their characters.
var codecs = [...]struct {
	name string
	sign signs
	find func(*splicer)
}{
	{ViewBase64, signRun, findBase64},
	{ViewHex, signDigits, findHex},
	{ViewEscape, signBackslash, findEscapes},
	{ViewURL, signPercent, findPercent},
	{ViewHTML, signAmpersand, findReferences},
	{ViewQuotedPrintable, signEquals, findQuotedPrintable},
}

// signBytes tells the characters that signs are read from: the sign itself, or how
// they count.
var signBytes = func() (set [256]uint8) {
	for c := range utf8.RuneSelf {
		if isBase64(byte(c)) {
			set[c] = signLetter
		}
		if c >= '0' && c <= '9' {
			set[c] = signDigit
		}
	}
	set['+'] = signPlus
	set['\\'], set['%'], set['&'], set['='] = uint8(signBackslash), uint8(signPercent), uint8(signAmpersand), uint8(signEquals)
	return set
}()

const (
	signLetter uint8 = 0x80
	signDigit  uint8 = 0x81
	signPlus   uint8 = 0x82 // of the alphabet of base64, and a space in URLs
)

// signsOf reads a text for signs of an encoding.
func signsOf(text string) (found signs) {
	digits := 0
	for i := 0; i < len(text); {
		from := i
		for ; i < len(text) && signBytes[text[i]] >= signLetter; i++ {
			if c := signBytes[text[i]]; c > signLetter {
				digits += int(c & 1)
				if c == signPlus {
					found |= signPercent
				}
			}
		}
		if i-from >= minBase64 {
			found |= signRun
		}
		for ; i < len(text) && signBytes[text[i]] < signLetter; i++ {
			found |= signs(signBytes[text[i]])
		}
	}
	if digits >= minHexUnits {
		found |= signDigits
	}
	return found
}

func (d *decoder) reset() {
	clear(d.queue)
	d.queue, d.next, d.budget, d.spent = d.queue[:0], 0, decodeBudget, false
}

func (d *decoder) push(v View, depth int) { d.queue = append(d.queue, pending{view: v, depth: depth}) }

func (d *decoder) pop() (View, int, bool) {
	if d.next == len(d.queue) {
		return View{}, 0, false
	}
	d.next++
	return d.queue[d.next-1].view, d.queue[d.next-1].depth, true
}

// decode queues what a view decodes to. foreign is what reading its words has shown.
// Most texts decode to nothing, which a few searches for single bytes find out.
func (d *decoder) decode(v View, depth int, foreign foreignReader) {
	if depth == maxDepth {
		return
	}
	found := signsOf(v.Text)
	for i := range codecs {
		if found&codecs[i].sign == 0 {
			continue
		}
		d.splicer = splicer{src: v.Text, decoder: d}
		codecs[i].find(&d.splicer)
		if text, ok := d.splicer.finish(); ok {
			d.pushDecoded(v, codecs[i].name, text, depth)
		}
	}
	d.splicer = splicer{}
	if foreign.rotated >= 0 {
		d.pushDecoded(v, ViewROT13, strings.Map(rot13, d.part(v.Text, foreign.rotated)), depth)
	}
	if foreign.reversed >= 0 {
		part := d.part(v.Text, foreign.reversed)
		d.pushDecoded(v, ViewReversed, reverse(part), depth)
		d.pushDecoded(v, ViewReversedWords, reverseWords(part), depth)
	}
}

func (d *decoder) pushDecoded(parent View, name, text string, depth int) {
	if parent.Name != ViewPlain {
		name = parent.Name + "+" + name
	}
	d.push(View{Name: name, Text: plainText(text)}, depth+1)
}

// part takes the text from a little before a place on out of the budget: all of an
// ordinary text.
func (d *decoder) part(text string, at int) string {
	if len(text) > d.budget {
		text = text[runeStart(text, at-decodeContext):]
	}
	if len(text) > d.budget {
		text, d.spent = text[:runeStart(text, d.budget)], true
	}
	d.budget -= len(text)
	return text
}

// runeStart moves a place back to the start of a character, within the text.
func runeStart(text string, at int) int {
	at = max(0, min(at, len(text)))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// splicer writes a text in which parts are decoded. Of long stretches without such
// a part only what stands next to one is kept.
type splicer struct {
	src     string
	out     []byte
	done    int // what is written of src
	decoder *decoder
}

// replace puts decoded in the place of src[from:to]. It returns false when the budget
// does not allow it; there is no use in looking for more then.
func (s *splicer) replace(from, to int, decoded string) bool {
	gap := s.src[s.done:from]
	before := ""
	if len(gap) > 2*decodeContext {
		if s.done > 0 {
			before = gap[:runeStart(gap, decodeContext)] + "\n\n"
		}
		gap = gap[runeStart(gap, len(gap)-decodeContext):]
	}
	size := len(before) + len(gap) + len(decoded)
	if size > s.decoder.budget {
		s.decoder.spent = true
		return false
	}
	s.decoder.budget -= size
	s.out = append(s.out, before...)
	s.out = append(s.out, gap...)
	s.out = append(s.out, decoded...)
	s.done = to
	return true
}

// finish returns the text, and whether anything was decoded.
func (s *splicer) finish() (string, bool) {
	if s.done == 0 {
		return "", false
	}
	rest := s.src[s.done:]
	if len(rest) > 2*decodeContext {
		rest = rest[:runeStart(rest, decodeContext)]
	}
	rest = rest[:runeStart(rest, s.decoder.budget)]
	s.decoder.budget -= len(rest)
	s.out = append(s.out, rest...)
	return string(s.out), true
}

// paragraph sets decoded text off from what stands around it.
func paragraph(text string) string { return "\n\n" + text + "\n\n" }

// minReadable is the fewest letters that decoded bytes must have to count as text.
const minReadable = 4

// readable reports whether decoded bytes are text: valid UTF-8, printable, and for
// the larger part letters and spaces, or one more run of letters and digits, which may
// be encoded once more. Images, hashes and keys are not.
func readable(data []byte) bool {
	if len(data) >= minBase64 && !slices.ContainsFunc(data, func(c byte) bool { return !isAlphanumeric(c) }) {
		return true
	}
	letters, others := 0, 0
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		data = data[size:]
		switch {
		case r == utf8.RuneError:
			return false
		case r == '\n' || r == '\t' || r == '\r' || r == ' ':
		case isWordRune(r) && classOf(r)&runeDigit == 0 && (r >= utf8.RuneSelf || r > '9'):
			letters++
		case classOf(r)&runeInvisible != 0 && !unicode.IsControl(r):
			// Whatever hides in there is looked for in the decoded text.
			letters++
		case unicode.IsPrint(r):
			others++
		default:
			return false
		}
	}
	return letters >= minReadable && letters >= others
}
