// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import "math/bits"

const (
	// maxFindings of one text are kept: enough for every reason, and a bound on the
	// memory and time that a text full of directives can claim. With so many the
	// verdict stands, and the rest of the text is not read.
	maxFindings = 64
	// windowCuts is the length of the longest sentence that the model judges as a
	// whole, in words; in scripts without spaces two characters count as one. Longer
	// ones are judged window by window: padding without full stops dilutes nothing.
	windowCuts = 40
	// windowStep is the distance of two windows.
	windowStep = 32
	// maxKept bounds the buffers that wait for the next text, in elements.
	maxKept = 1 << 12
)

// scratch is the working memory of one call of Screen.
type scratch struct {
	screener *Screener
	scanner  scanner
	matchers []matcher
	active   languageSet // with anchors in the sentence
	varied   bool        // the words of the sentence are not the same again and again
	alone    bool        // no full lexicon has more than a few words of the sentence
	read     bool        // a full lexicon has enough words of the sentence
	unspaced bool        // the sentence has letters of a script without spaces
	named    int         // length of the addresses in the sentence, in bytes
	findings []finding   // of the sentence
	excepted []step      // what exceptions look over in the sentence
	cuts     []int       // where words of the sentence begin
	acrostic acrosticReader
	foreign  foreignReader
	decoder  decoder
	buffer   []byte
	steps    int // bytes scanned and bytes put to the model, for the tests of linearity

	// The result so far.
	evidence   []finding
	tier       Tier
	score      int
	settled    int // the highest score of a sentence that is a directive by the lexicon alone
	view       string
	unreadable bool
}

func newScratch(s *Screener) *scratch {
	w := &scratch{screener: s, matchers: make([]matcher, len(s.lexicon.languages))}
	for i, l := range s.lexicon.languages {
		w.matchers[i] = newMatcher(l)
	}
	return w
}

// release forgets the text, and the buffers that a long one has grown.
func (w *scratch) release() {
	clear(w.evidence)
	clear(w.findings[:cap(w.findings)])
	w.scanner.open("", nil)
	w.decoder.reset()
	if cap(w.scanner.tokens) > maxKept {
		w.scanner.tokens, w.cuts = nil, nil
		for i := range w.matchers {
			m := &w.matchers[i]
			m.cells, m.spans, m.own, m.tokens = nil, nil, nil, nil
		}
	}
	for i := range w.matchers {
		w.matchers[i].text = ""
	}
}

// screen reads all views of a text.
func (w *scratch) screen(text string) {
	w.evidence, w.tier, w.score, w.settled, w.view, w.unreadable = w.evidence[:0], TierNone, 0, 0, "", false
	plain := plainText(text)
	w.decoder.reset()
	w.decoder.push(View{Name: ViewPlain, Text: plain}, 0)
	for {
		view, depth, ok := w.decoder.pop()
		if !ok || !w.screenWithFolded(view, depth) {
			break
		}
	}
	// What was not decoded was not judged.
	w.unreadable = w.unreadable || w.decoder.spent
}

// screenWithFolded reads a view and, where it differs, its folded form, and queues
// what they decode to. It returns false when enough was found.
func (w *scratch) screenWithFolded(view View, depth int) bool {
	first := depth == 0
	more := w.screenView(view, first)
	if !more {
		return false
	}
	word, after := w.acrostic.word, w.acrostic.after
	w.decoder.decode(view, depth, w.foreign)
	name := ViewFolded
	if !first {
		name = view.Name + "+" + ViewFolded
	}
	if !w.screenFolded(name, view.Text) {
		return false
	}
	if first && word != "" {
		return w.screenView(View{Name: ViewAcrostic, Text: word + " " + view.Text[after:]}, false)
	}
	return true
}

const (
	// foldPiece is the length of the pieces, in bytes, in which a text longer than the
	// budget of the decoders is folded, and foldOverlap how much of one is in the next.
	foldPiece   = 8 << 10
	foldOverlap = 256
)

// screenFolded reads the folded form of a text where it differs. It returns false when
// enough was found. Of a long text it reads the pieces that differ, as far as the budget
// of the decoders goes: a text with so much disguise is one the engine cannot judge.
func (w *scratch) screenFolded(name, text string) bool {
	x := w.screener.lexicon.index
	if len(text) <= decodeBudget {
		folded := foldText(text, x)
		return folded == text || w.screenView(View{Name: name, Text: folded}, false)
	}
	for at := 0; ; at = runeStart(text, at+foldPiece-foldOverlap) {
		piece := text[at:runeStart(text, at+foldPiece)]
		if folded := foldText(piece, x); folded != piece {
			if w.decoder.budget -= len(folded); w.decoder.budget < 0 {
				w.decoder.budget, w.decoder.spent = 0, true
				return true
			}
			if !w.screenView(View{Name: name, Text: folded}, false) {
				return false
			}
		}
		if at+foldPiece >= len(text) {
			return true
		}
	}
}

// screenView reads the sentences of a view. It returns false when enough was found.
// Only the plain view counts for coverage and acrostics.
func (w *scratch) screenView(view View, plain bool) bool {
	x := w.screener.lexicon.index
	w.steps += len(view.Text)
	w.scanner.open(view.Text, x)
	w.acrostic.reset()
	w.foreign.reset()
	for {
		tokens, question := w.scanner.next()
		if tokens == nil {
			return true
		}
		if plain {
			w.acrostic.feed(&w.scanner, tokens)
		}
		w.foreign.feed(view.Text, tokens, x)
		tier, score := w.judge(view.Text, tokens, question, plain)
		if score > w.score {
			w.score = score
			if tier != TierNone {
				w.view = view.Name
			}
		}
		if tier.strength() > w.tier.strength() {
			w.tier = tier
			if w.view == "" {
				w.view = view.Name
			}
		}
		if tier != TierNone {
			w.evidence = append(w.evidence, w.findings...)
			if len(w.evidence) >= maxFindings {
				w.evidence = w.evidence[:maxFindings]
				return false
			}
		}
	}
}

// judge weighs one sentence; what speaks for a directive is in w.findings. Behind a sentence
// that settles the verdict the model is no longer asked: it could add nothing to it.
func (w *scratch) judge(text string, tokens []token, question, plain bool) (Tier, int) {
	w.findings, w.excepted = w.findings[:0], w.excepted[:0]
	x := w.screener.lexicon.index
	letters := w.survey(text, tokens, x)
	for set := w.active; set != 0; set &= set - 1 {
		m := &w.matchers[bits.TrailingZeros64(uint64(set))]
		w.findings = m.match(text, tokens, question, x, w.findings)
		w.excepted = append(w.excepted, m.excepted...)
	}
	for i := range w.findings {
		w.findings[i].text = text
	}
	e := evidence{lexical: combine(w.findings)}
	t := w.screener.thresholds
	var from, to int
	if w.screener.model != nil && !t.settles(e.lexical) && !t.settles(w.settled) && (letters >= minJudgedLetters || w.unspaced && letters > 0) {
		e.judged = true
		e.intent, e.coverage, from, to = w.askModel(text, tokens)
		e.read, e.alone, e.long = w.read, w.alone, len(w.cuts) > windowCuts
		e.sentence = w.varied && isSentence(text[tokens[0].start:w.scanner.pos], letters, w.named, !w.unspaced)
		if plain && t.unreadable(e, letters) {
			w.unreadable = true
		}
	}
	tier, score := t.decide(e)
	if tier == TierLexical {
		w.settled = max(w.settled, score)
	}
	if tier == TierIntent || tier == TierCombined {
		f := finding{family: FamilyIntent, weight: e.intent, text: text}
		f.words.steps[0], f.words.n = step{from: from, to: to}, 1
		w.findings = append(w.findings, f)
	}
	return tier, score
}

// survey finds the languages to match against a sentence, notes how much of it the
// full lexicons know, whether it has different words and whether a script without
// spaces, and counts the letters in its plain words.
func (w *scratch) survey(text string, tokens []token, x *index) (letters int) {
	w.active, w.unspaced, w.named = 0, false, 0
	words, most, variety := 0, 0, uint64(0)
	var known [maxLanguages]int // words by full lexicon
	for i := range tokens {
		t := &tokens[i]
		if t.letters > 0 {
			words++
			variety |= 1 << ((int(text[t.start])*7 ^ int(text[t.end-1])*31 ^ t.letters) & 63)
			if t.word != nil {
				for set := t.word.known & x.readers; set != 0; set &= set - 1 {
					l := bits.TrailingZeros64(uint64(set))
					known[l]++
					most = max(most, known[l])
				}
			}
		}
		switch {
		case t.run != 0:
			w.active |= x.anchoredIn(text[t.start:t.end])
			w.unspaced = true
		case t.kind == kindAddress:
			w.active |= x.addresses
			w.named += t.end - t.start
		case t.kind == kindNumber:
			w.active |= x.numbers
		}
		letters += t.letters
		if t.word != nil {
			w.active |= t.word.anchored
		}
	}
	w.read = most*1000 >= words*readShare
	w.alone = most*1000 < words*aloneShare && (w.unspaced || words >= minAloneWords)
	w.varied = w.unspaced || bits.OnesCount64(variety) >= minVariety
	return letters
}

// askModel returns the model's opinion on a sentence: of its windows the one with the
// most intent, and the lowest coverage; and the part of the text that it concerns.
func (w *scratch) askModel(text string, tokens []token) (intent, coverage, from, to int) {
	start, end := tokens[0].start, w.scanner.pos
	w.cuts = w.cuts[:0]
	if len(w.excepted) > 0 && len(tokens) <= windowCuts {
		s := w.screener.model.Score(w.withoutExceptions(text, start, end))
		return s.PerMille, s.CoveragePerMille, start, end
	}
	for i := range tokens {
		t := &tokens[i]
		w.cuts = append(w.cuts, t.start)
		if t.run == 0 {
			continue
		}
		n := 0
		for at := range text[t.start:t.end] {
			if n > 0 && n%2 == 0 {
				w.cuts = append(w.cuts, t.start+at)
			}
			n++
		}
	}
	if len(w.cuts) <= windowCuts {
		w.steps += end - start
		s := w.screener.model.Score(text[start:end])
		return s.PerMille, s.CoveragePerMille, start, end
	}
	coverage, from, to = 1000, start, end
	for at := 0; ; at += windowStep {
		stop, last := end, at+windowCuts >= len(w.cuts)
		if !last {
			stop = w.cuts[at+windowCuts]
		}
		w.steps += stop - w.cuts[at]
		s := w.screener.model.Score(text[w.cuts[at]:stop])
		if coverage = min(coverage, s.CoveragePerMille); s.PerMille > intent {
			intent, from, to = s.PerMille, w.cuts[at], stop
		}
		if last {
			return intent, coverage, from, to
		}
	}
}

// withoutExceptions returns a sentence without the phrases that are to be looked over.
func (w *scratch) withoutExceptions(text string, start, end int) string {
	w.buffer = w.buffer[:0]
	for _, e := range w.excepted {
		if e.from >= start {
			w.buffer = append(w.buffer, text[start:e.from]...)
			start = e.to
		}
	}
	return string(append(w.buffer, text[min(start, end):end]...))
}
