// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// ErrThresholds is wrapped by the error about thresholds out of range.
var ErrThresholds = errors.New("invalid thresholds")

// Thresholds say from where on evidence counts, per mille. A zero field has its
// default. They are policy: lower values find more and stop more harmless texts.
type Thresholds struct {
	// DirectivePerMille is the lexical score from which a sentence is a directive.
	// A rule that is proof by itself weighs more, a supporting signal less.
	DirectivePerMille int
	// IntentPerMille is the probability, as the intent model sees it, from which a
	// sentence is a directive without any lexical evidence.
	IntentPerMille int
	// CoveragePerMille is the share of a sentence's character n-grams that the model
	// must know to judge it. Below, the model has no say, and an untrusted text abstains.
	CoveragePerMille int
}

// The defaults of Thresholds.
const (
	// DefaultDirectivePerMille: two supporting signals of 300 stay below, a 300 and a
	// 350 pass.
	DefaultDirectivePerMille = 500
	// DefaultIntentPerMille keeps false positives on harmless memories, personas and
	// preferences, measured without any provenance, at or below one in a thousand.
	DefaultIntentPerMille = 650
	// DefaultCoveragePerMille is what nearly all sentences have that are in a language of the
	// training data, and few in one that is not.
	DefaultCoveragePerMille = 500
)

// How lexicon and model weigh against each other in one sentence, per mille.
const (
	// A lexical score below contestedLexical is overruled by a model that knows the
	// writing (sureCoverage) and sees next to no intent (sureBenign). Above, the rules
	// are specific enough to stand against any model.
	contestedLexical = 700
	sureBenign       = 5
	sureCoverage     = 800

	// A full lexicon that has read a sentence and found no directive is overruled only by a
	// model that is sure: in its languages the rules of mood tell orders from reports better
	// than statistics. What it did find lowers that bar, by supportShare of its score.
	sureAgainst  = 800
	supportShare = 500

	// From undecided on the model is not sure that a sentence is harmless, and must know
	// doubtCoverage more of the writing to be believed.
	undecided     = 100
	doubtCoverage = 300
	// A sentence that a full lexicon has read is in a language of the training data: readCoverage
	// less is enough, for names and for words of its own. A short one, of fewer letters than
	// fewLetters, may come to little by chance: shortCoverage less is enough, doubt or not.
	readCoverage  = 300
	fewLetters    = 40
	shortCoverage = 100

	// Where no full lexicon has aloneShare of the words, the model is the only one to tell an
	// order, and aloneIntent of its threshold is enough. Headings and lists of names, of fewer
	// than minAloneWords words in a script with spaces, may be in a language of a full lexicon
	// that has none of these words.
	aloneShare    = 150
	aloneIntent   = 700
	minAloneWords = 5

	// From supportLexical on the verdict names both.
	supportLexical = 200

	// Where no full lexicon has read a sentence, a lexical score of signalLexical or more
	// and a model that has reached signalShare of its threshold are taken as independent
	// evidence, and must reach the threshold together.
	signalLexical = 400
	signalShare   = 750
)

const (
	// minJudgedLetters is the length, in letters of words, of the shortest sentence that
	// the model is asked about. Names and abbreviations are shorter.
	minJudgedLetters = 12
	// minUnreadableLetters is the length of the shortest sentence that can make a text
	// abstain where some of it is known: a few odd words, markup or code are no foreign
	// language. Where next to nothing is (a fifth of the threshold) and no full lexicon has read it,
	// minForeignLetters do.
	minUnreadableLetters = 24
	minForeignLetters    = 18
	// minIntentLetters is the length of the shortest sentence that the model can call a
	// directive on its own, or in a script without spaces half of that. Headings and the
	// lines of tables give it too little to go by.
	minIntentLetters = 16
	// minVariety is the number of different words that it needs, in a script with spaces:
	// the model has never seen a word repeated again and again.
	minVariety = 3
	// minIntentShare is the share of letters among its bytes or characters that a sentence
	// needs for that, per mille: data and code are no sentences.
	minIntentShare = 600
)

// withDefaults fills the zero fields. The error wraps ErrThresholds.
func (t Thresholds) withDefaults() (Thresholds, error) {
	for _, f := range []struct {
		name   string
		field  *int
		preset int
	}{
		{"directive", &t.DirectivePerMille, DefaultDirectivePerMille},
		{"intent", &t.IntentPerMille, DefaultIntentPerMille},
		{"coverage", &t.CoveragePerMille, DefaultCoveragePerMille},
	} {
		if *f.field < 0 || *f.field > 1000 {
			return t, fmt.Errorf("%w: %s %d is not from 0 to 1000", ErrThresholds, f.name, *f.field)
		}
		if *f.field == 0 {
			*f.field = f.preset
		}
	}
	return t, nil
}

// evidence is what the tiers say about one sentence, per mille.
type evidence struct {
	lexical  int
	intent   int
	coverage int
	judged   bool // the model gave its opinion
	read     bool // a lexicon that reads moods has enough of its words
	alone    bool // no such lexicon has more than a few of them
	long     bool // it is judged window by window
	sentence bool // it is long and plain enough for the model to call it a directive
}

// decide weighs the evidence on one sentence. The score is at least DirectivePerMille
// for a directive and below it otherwise.
func (t Thresholds) decide(e evidence) (Tier, int) {
	intent := 0
	if e.alone {
		t.IntentPerMille = t.IntentPerMille * aloneIntent / 1000
	}
	if e.judged && e.sentence && e.coverage >= t.CoveragePerMille {
		intent = e.intent
	}
	// 1 - (1-lexical)(1-intent): what both together leave open.
	combined := 1000 - (1000-e.lexical)*(1000-intent)/1000
	switch {
	case e.lexical >= t.DirectivePerMille && !e.overruled():
		return TierLexical, e.lexical
	case intent >= t.IntentPerMille && (!e.read || intent >= t.intentAgainst(e.lexical)):
		if e.lexical >= supportLexical {
			return TierCombined, max(combined, t.DirectivePerMille)
		}
		return TierIntent, max(intent, t.DirectivePerMille)
	case !e.read && e.lexical >= signalLexical && intent*1000 >= t.IntentPerMille*signalShare && combined >= t.IntentPerMille:
		return TierCombined, max(combined, t.DirectivePerMille)
	}
	// What is left is scaled to stay below, in the order of strength.
	doubt := max(e.lexical, intent*t.DirectivePerMille/t.IntentPerMille)
	return TierNone, max(0, min(doubt, t.DirectivePerMille-1))
}

// intentAgainst is the probability from which the model is believed against a full
// lexicon that has read the sentence and was not convinced.
func (t Thresholds) intentAgainst(lexical int) int {
	return max(t.IntentPerMille, sureAgainst-lexical*supportShare/1000)
}

// settles reports whether a lexical score stands whatever the model says.
func (t Thresholds) settles(lexical int) bool {
	return lexical >= contestedLexical && lexical >= t.DirectivePerMille
}

// overruled reports whether the model is sure against weak lexical evidence.
func (e evidence) overruled() bool {
	return e.lexical < contestedLexical && e.judged && e.intent <= sureBenign && e.coverage >= sureCoverage
}

// unreadable reports whether a sentence, given the letters in its words, is in
// writing the model cannot judge: it knows too little of it, or it is undecided and
// knows less of it than of a language that it was trained on.
func (t Thresholds) unreadable(e evidence, letters int) bool {
	least, needed := minUnreadableLetters, t.CoveragePerMille
	if e.coverage*5 < t.CoveragePerMille && !e.read {
		least = minForeignLetters
	}
	switch {
	case e.read && !e.long:
		needed -= readCoverage
	case e.intent >= undecided && letters >= fewLetters:
		needed += doubtCoverage
	}
	if letters < fewLetters && least == minUnreadableLetters {
		needed -= shortCoverage
	}
	return e.judged && letters >= least && e.coverage < needed
}

// readShare is the share of the words of a sentence, per mille, that a lexicon must
// have to have read it.
const readShare = 400

// isSentence reports whether a text with so many letters in plain words can be a
// sentence with a directive. What is named by an address, of so many bytes, is a part of a
// sentence as good as any word.
func isSentence(text string, letters, named int, spaces bool) bool {
	least := minIntentLetters
	if !spaces {
		least /= 2
	}
	return letters >= least && letters*1000 >= minIntentShare*(utf8.RuneCountInString(text)-named)
}

// strength orders the tiers by how well they explain themselves.
func (t Tier) strength() int {
	switch t {
	case TierLexical:
		return 3
	case TierCombined:
		return 2
	case TierIntent:
		return 1
	}
	return 0
}

// combine joins the findings of one sentence to a score per mille. Rules of one
// family see the same thing, so the heaviest counts; families are taken as
// independent evidence: the score is 1 minus the product of what each leaves open.
func combine(found []finding) int {
	if len(found) == 0 {
		return 0
	}
	var heaviest [len(families)]int
	for i := range found {
		at := found[i].family.severity()
		heaviest[at] = max(heaviest[at], found[i].weight)
	}
	open := 1000
	for _, weight := range heaviest {
		open = open * (1000 - weight) / 1000
	}
	return 1000 - open
}
