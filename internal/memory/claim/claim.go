// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package claim reads what short texts claim, in 14 languages and without a model, and tells which two of them cannot both
// hold. It knows texts and nothing of who wrote them. Its rules are the words of lexicon/contradiction.txt, which says where
// they are from, and how numbers, dates, times, amounts and addresses are written; what it does not understand are words.
package claim

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory/fold"
)

// maxClaimWords bounds the different words of a claim, and with them the cost of comparing two.
const maxClaimWords = 96

// Claim is what a text says, as far as it is understood.
type Claim struct {
	words   []string // that say what it is about, folded, each once
	names   map[string]bool
	topics  []string // as words, but signs that stand together in one piece
	values  map[valueKey]map[string]bool
	before  map[valueKey]map[string]bool // for values without a unit: the word before
	negated bool
	event   bool // tells of something that can happen again
}

// valueKey is a slot that takes one value: what it measures, and for numbers the word behind it, or the word an identifier
// stands behind.
type valueKey struct {
	kind valueKind
	unit string
}

// Read reads a text by itself, its first 4096 bytes. It never fails: what it does not understand are words.
func Read(text string) Claim { return readIn(text, languageOf(cutText(text))) }

// Topics are the words that say what the text is about, folded, in their order and each once, without numbers.
func (c Claim) Topics() []string { return slices.Clone(c.topics) }

// Names are those of Topics that the text has with a capital letter.
func (c Claim) Names() []string {
	var out []string
	for _, w := range c.topics {
		if c.names[w] {
			out = append(out, w)
		}
	}
	return out
}

func readIn(content string, lang *language) Claim {
	content = cutText(content)
	r := claimReader{lang: lang, tokens: scan(content, lang), Claim: Claim{
		names: map[string]bool{}, values: map[valueKey]map[string]bool{}, before: map[valueKey]map[string]bool{}}}
	for i := 0; i < len(r.tokens); {
		i = r.read(i)
	}
	r.endRun()
	return r.Claim
}

type claimReader struct {
	Claim
	lang   *language
	tokens []token
	last   string // content word read last
	run    string // signs that stand together
}

// read reads the token at i and those that belong to it, and returns where the next begins.
func (r *claimReader) read(i int) int {
	t := r.tokens[i]
	if t.kind != tokenWord || utf8.RuneCountInString(t.text) > 1 {
		r.endRun()
	}
	switch t.kind {
	case tokenWord:
		return r.word(i)
	case tokenNumber:
		return r.number(i)
	case tokenValue:
		return r.complete(i)
	case tokenSign:
		if t.text == "#" && r.kind(i+1) == tokenNumber {
			r.put(valueKey{valueCode, "#"}, r.tokens[i+1].text)
			return i + 2
		}
	case tokenBreak:
	}
	return i + 1
}

func (r *claimReader) kind(i int) tokenKind {
	if i < 0 || i >= len(r.tokens) {
		return tokenBreak
	}
	return r.tokens[i].kind
}

// as returns what the word at i stands for in a role.
func (r *claimReader) as(i int, what role) (string, bool) {
	if i < 0 || i >= len(r.tokens) || r.tokens[i].kind != tokenWord && r.tokens[i].kind != tokenSign {
		return "", false
	}
	return r.lang.is(what, r.tokens[i].text)
}

func (r *claimReader) has(i int, what role) bool {
	_, ok := r.as(i, what)
	return ok
}

func (r *claimReader) put(key valueKey, value string) {
	if r.values[key] == nil {
		r.values[key] = map[string]bool{}
	}
	r.values[key][value] = true
}

func (r *claimReader) word(i int) int {
	if n, ok := r.month(i); ok {
		return n
	}
	if day, ok := r.as(i, roleWeekday); ok {
		r.put(valueKey{valueWeekday, ""}, day)
		return i + 1
	}
	if r.has(i, roleIdentifier) {
		to := i + 1
		for to < i+3 && to < len(r.tokens) && (r.has(to, roleStop) || r.has(to, roleNegation) || r.tokens[to].text == "#" || r.tokens[to].text == "nr") {
			to++ // "no.", "nr.", "#"
		}
		if r.kind(to) == tokenNumber && !r.quantity(to) {
			r.addWord(r.tokens[i])
			r.put(valueKey{valueCode, r.tokens[i].text}, r.tokens[to].text)
			return to + 1
		}
	}
	r.event = r.event || r.has(i, roleEvent)
	switch {
	case r.has(i, roleNegation) || r.lang.negates(r.tokens[i].text):
		r.negated = true
	case r.has(i, roleOpposite):
		r.addWord(r.tokens[i])
	case r.has(i, roleStop), r.has(i, roleChange), r.has(i, roleAM), r.has(i, rolePM), slices.Contains(r.lang.endings, r.tokens[i].text):
	default:
		r.addWord(r.tokens[i])
	}
	return i + 1
}

// quantity reports whether the number at i counts or measures, so that it cannot name the thing before it.
func (r *claimReader) quantity(i int) bool {
	return r.has(i+1, roleCurrency) || r.has(i+1, roleClock) || r.has(i+1, roleAM) || r.has(i+1, rolePM)
}

// month reads a month and the day beside it.
func (r *claimReader) month(i int) (next int, ok bool) {
	month, ok := r.as(i, roleMonth)
	if !ok {
		return i, false
	}
	if day := r.dayAt(i + 1); day != "" && !r.quantity(i+1) {
		r.put(valueKey{valueDate, ""}, month+"/"+day)
		return i + 2, true
	}
	// Names of months are other words as well, such as may: without a day only a capital letter tells.
	if r.tokens[i].name || r.has(i-1, roleStop) {
		r.put(valueKey{valueDate, ""}, month)
		return i + 1, true
	}
	return i, false
}

// dayAt returns the number at i if it can be a day of a month.
func (r *claimReader) dayAt(i int) string {
	if r.kind(i) != tokenNumber {
		return ""
	}
	if day, err := strconv.Atoi(r.tokens[i].text); err != nil || day < 1 || day > 31 {
		return ""
	}
	return r.tokens[i].text
}

// number reads a number with what stands before and behind it.
func (r *claimReader) number(i int) int {
	for _, read := range []func(int) (int, bool){r.writtenDate, r.amount, r.hour, r.dayOfMonth} {
		if next, ok := read(i); ok {
			return next
		}
	}
	text, unit := r.tokens[i].text, ""
	if r.kind(i+1) == tokenWord && !r.has(i+1, roleStop) && !r.has(i+1, roleChange) && !r.has(i+1, roleNegation) {
		unit = stem(r.tokens[i+1].text)
	}
	key := valueKey{valueNumber, unit}
	if year, err := strconv.Atoi(text); err == nil && unit == "" && year >= 1900 && year <= 2100 {
		key = valueKey{valueDate, ""}
	}
	r.put(key, text)
	if r.before[key] == nil {
		r.before[key] = map[string]bool{}
	}
	r.before[key][r.last] = true
	return i + 1
}

// amount reads a number with a currency or a percent sign.
func (r *claimReader) amount(i int) (next int, ok bool) {
	text := r.tokens[i].text
	if code, ok := r.as(i-1, roleCurrency); ok && r.kind(i-1) == tokenSign {
		r.put(valueKey{valueAmount, ""}, text+" "+code)
		return i + 1, true
	}
	if code, ok := r.as(i+1, roleCurrency); ok {
		r.put(valueKey{valueAmount, ""}, text+" "+code)
		return i + 2, true
	}
	if r.kind(i+1) == tokenSign && r.tokens[i+1].text == "%" {
		r.put(valueKey{valuePercent, ""}, text)
		return i + 2, true
	}
	return i, false
}

// dayOfMonth reads a day with the month behind it: 3 March, 3rd of March.
func (r *claimReader) dayOfMonth(i int) (next int, ok bool) {
	day := r.dayAt(i)
	if day == "" {
		return i, false
	}
	to := i + 1
	for to < i+3 && r.has(to, roleStop) {
		to++
	}
	month, ok := r.as(to, roleMonth)
	if !ok {
		return i, false
	}
	r.put(valueKey{valueDate, ""}, month+"/"+day)
	return to + 1, true
}

// dateSigns stand behind the parts of a date, and what of the date they are.
var dateSigns = map[string]string{
	"年": "y", fold.Word("년"): "y", "月": "m", fold.Word("월"): "m", "日": "d", "号": "d", "號": "d", fold.Word("일"): "d",
}

// writtenDate reads numbers with the signs for year, month and day behind them.
func (r *claimReader) writtenDate(i int) (next int, ok bool) {
	date := ""
	for next = i; r.kind(next) == tokenNumber && r.kind(next+1) == tokenWord; next += 2 {
		sign, ok := dateSigns[r.uninflected(r.tokens[next+1].text)]
		if !ok {
			break
		}
		date += r.tokens[next].text + sign
	}
	if date == "" {
		return i, false
	}
	r.put(valueKey{valueDate, ""}, date)
	return next, true
}

// hour reads a time of day that is written as an hour: 5 pm, 17 Uhr, 下午5点.
func (r *claimReader) hour(i int) (next int, ok bool) {
	text := clock(r.tokens[i].text, "0")
	next = i + 1
	if r.has(next, roleClock) {
		next, ok = next+1, true
		if r.kind(next) == tokenNumber && r.tokens[next-1].text == "h" {
			text, next = clock(r.tokens[i].text, r.tokens[next].text), next+1
		}
	}
	switch {
	case r.has(next, rolePM):
		return r.time(halfDay(text, true), next+1), true
	case r.has(next, roleAM):
		return r.time(halfDay(text, false), next+1), true
	case r.has(i-1, rolePM):
		return r.time(halfDay(text, true), next), true
	case r.has(i-1, roleAM):
		return r.time(halfDay(text, false), next), true
	case ok:
		return r.time(text, next), true
	}
	return i, false
}

func (r *claimReader) time(text string, next int) int {
	r.put(valueKey{valueTime, ""}, text)
	return next
}

// complete reads a value the scanner knew, and the half of the day of a time.
func (r *claimReader) complete(i int) int {
	t := r.tokens[i]
	if t.value != valueTime {
		r.put(valueKey{t.value, ""}, t.text)
		return i + 1
	}
	next := i + 1
	if r.has(next, roleClock) {
		next++
	}
	switch {
	case r.has(next, rolePM):
		return r.time(halfDay(t.text, true), next+1)
	case r.has(next, roleAM):
		return r.time(halfDay(t.text, false), next+1)
	case r.has(i-1, rolePM):
		return r.time(halfDay(t.text, true), next)
	}
	return r.time(t.text, next)
}

// negates finds the negation that begins a Korean auxiliary verb.
func (l *language) negates(word string) bool {
	if l.name != "ko" {
		return false
	}
	return strings.HasPrefix(word, fold.Word("않")) || strings.HasPrefix(word, fold.Word("없")) || strings.HasPrefix(word, fold.Word("못"))
}

// addWord adds a content word, without its inflection where the language glues it on.
func (r *claimReader) addWord(t token) {
	first, _ := utf8.DecodeRuneInString(t.text)
	text := r.uninflected(t.text)
	if text == "" {
		return
	}
	switch {
	case unicode.Is(unicode.Han, first) && utf8.RuneCountInString(text) == 1:
		r.run += text
		r.addTo(text)
		return
	case unicode.Is(unicode.Thai, first) && !r.lang.knows(text):
		r.addTopic(text)
		runes := []rune(text)
		for i := 0; i+3 <= len(runes); i++ {
			r.addTo(string(runes[i : i+3]))
		}
		return
	}
	if t.name {
		r.names[text] = true
	}
	r.addTopic(text)
	r.addTo(text)
	r.last = stem(text)
}

func (r *claimReader) uninflected(text string) string {
	switch r.lang.name {
	case "ko":
		for changed := true; changed; {
			changed = false
			for _, ending := range r.lang.endings {
				if cut := strings.TrimSuffix(text, ending); cut != text && utf8.RuneCountInString(cut) >= 3 {
					text, changed = cut, true
					break
				}
			}
		}
	case "ja":
		if strings.ContainsFunc(text, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) && !unicode.IsMark(r) }) {
			return text
		}
		text = strings.Trim(text, "はがをにでともへのや")
		if utf8.RuneCountInString(text) <= 2 && !r.lang.knows(text) {
			return "" // the end of a verb
		}
	case "ar":
		return strings.TrimPrefix(text, "ال")
	}
	return text
}

func (r *claimReader) addTo(word string) {
	if len(r.words) < maxClaimWords && !slices.Contains(r.words, word) {
		r.words = append(r.words, word)
	}
}

func (r *claimReader) addTopic(word string) {
	if !slices.Contains(r.topics, word) {
		r.topics = append(r.topics, word)
	}
}

// endRun makes a topic of the signs that stood together.
func (r *claimReader) endRun() {
	if r.run != "" {
		r.addTopic(r.run)
		r.last = r.run
	}
	r.run = ""
}

// stem cuts what English and its neighbors add to a noun, so that one day and two days have the same unit.
func stem(word string) string {
	if utf8.RuneCountInString(word) < 4 {
		return word
	}
	return strings.TrimRight(word, "sen")
}

// sameWord reports whether two words are the same but for their inflection: they begin alike, four letters at least, and
// at most three letters follow, of which one at most on one side.
func sameWord(a, b string) bool {
	if a == b {
		return true
	}
	ra, rb := []rune(a), []rune(b)
	same := 0
	for same < len(ra) && same < len(rb) && ra[same] == rb[same] {
		same++
	}
	tailA, tailB := len(ra)-same, len(rb)-same
	return same >= 4 && tailA+tailB <= 3 && min(tailA, tailB) <= 1
}

// compared is what two claims have in common and what only one of them has.
type compared struct {
	shared       int
	sharedNames  bool
	onlyA, onlyB []string
}

func (c Claim) compare(other Claim) compared {
	var out compared
	taken := make([]bool, len(other.words))
	for _, word := range c.words {
		match := slices.Index(other.words, word)
		if match < 0 || taken[match] {
			match = slices.IndexFunc(other.words, func(w string) bool { return sameWord(word, w) })
		}
		if match < 0 || taken[match] {
			out.onlyA = append(out.onlyA, word)
			continue
		}
		taken[match] = true
		out.shared++
		out.sharedNames = out.sharedNames || c.names[word] && other.names[other.words[match]]
	}
	for i, word := range other.words {
		if !taken[i] {
			out.onlyB = append(out.onlyB, word)
		}
	}
	return out
}

// share is the part of all words that both have, 0 to 1.
func (c compared) share() float64 {
	if c.shared == 0 {
		return 0
	}
	return float64(c.shared) / float64(c.shared+len(c.onlyA)+len(c.onlyB))
}
