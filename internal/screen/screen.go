// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"fmt"
	"sync"
)

// Input is one text with the context it is screened in.
type Input struct {
	// Text is screened in full, whatever its length.
	Text string
	// Trusted says that the origin of the text is trusted. A directive from a
	// trusted origin is still reported as a directive: what to do with it is
	// decided by whoever knows the policy.
	Trusted bool
}

// Screener finds directives in texts. It is immutable and safe for concurrent use.
type Screener struct {
	languages []*language
	known     vocabulary
	scratch   sync.Pool // of *scratch
}

// Option adds to a Screener.
type Option func(*options)

type options struct{ files []lexiconFile }

// WithLexicon adds the text of a lexicon file, in the format that
// lexicon/README.md describes. A lexicon for a language that is embedded extends
// it: it may add phrases, rules and exceptions and use the classes already there.
// The name appears in error messages.
func WithLexicon(name string, text []byte) Option {
	return func(o *options) { o.files = append(o.files, lexiconFile{name: name, text: string(text)}) }
}

// New returns a Screener with the embedded lexicons and what the options add. The
// error wraps ErrLexicon and names file and line when an added lexicon is invalid.
func New(opts ...Option) (*Screener, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	languages, err := defaultLanguages()
	if err == nil && len(o.files) > 0 {
		languages, err = extendedLanguages(o.files)
	}
	if err != nil {
		return nil, fmt.Errorf("screen: %w", err)
	}
	known := defaultVocabulary()
	if len(o.files) > 0 {
		known = vocabularyOf(languages)
	}
	return &Screener{languages: languages, known: known}, nil
}

func extendedLanguages(added []lexiconFile) ([]*language, error) {
	files, err := embeddedFiles()
	if err != nil {
		return nil, err
	}
	return compileLexicons(append(files, added...))
}

// scratch is the working memory of one call of Screen.
type scratch struct {
	scanner  scanner
	matchers []matcher
	findings []finding
	acrostic acrosticReader
}

// Screen returns the verdict on one text. Its time is linear in the length of
// the text, and it never fails: invalid UTF-8 is read with replacement characters.
func (s *Screener) Screen(in Input) Verdict {
	work, ok := s.scratch.Get().(*scratch)
	if !ok {
		work = &scratch{matchers: make([]matcher, len(s.languages))}
		for i, l := range s.languages {
			work.matchers[i].language = l
		}
	}
	defer s.scratch.Put(work)

	verdict := Verdict{Tier: TierNone}
	var evidence []finding
	views := normalizeWith(in.Text, s.known)
	plain := views[0].Text
	views = append(views, decodedViews(plain, s.known)...)
	for i := 0; i < len(views); i++ {
		view := views[i]
		score, found := work.screenView(view, s.known)
		evidence = append(evidence, found...)
		if score > verdict.ScorePerMille {
			verdict.ScorePerMille, verdict.View = score, view.Name
		}
		if view.Name == ViewPlain && work.acrostic.word != "" {
			views = append(views, work.acrostic.view(plain))
		}
	}
	if verdict.ScorePerMille < DirectivePerMille {
		verdict.View = ""
		return verdict
	}
	verdict.Directive, verdict.Tier = true, TierLexical
	verdict.describe(evidence)
	return verdict
}

// Findings kept of one view: enough for every reason, and a bound on the memory
// that a text full of directives can claim.
const maxFindings = 64

// screenView returns the highest score of a sentence and the findings of all
// sentences that are directives.
func (w *scratch) screenView(view View, known vocabulary) (best int, evidence []finding) {
	w.scanner.text, w.scanner.pos = view.Text, 0
	w.acrostic.reset()
	defer func() { w.scanner.text = "" }()
	for {
		tokens, question := w.scanner.next()
		if tokens == nil {
			return best, evidence
		}
		if view.Name == ViewPlain {
			w.acrostic.feed(tokens, w.scanner.pos, known)
		}
		w.findings = w.findings[:0]
		for i := range w.matchers {
			w.findings = w.matchers[i].match(tokens, question, w.findings)
		}
		score := combine(w.findings)
		best = max(best, score)
		if score >= DirectivePerMille && len(evidence) < maxFindings {
			evidence = append(evidence, w.findings...)
		}
	}
}

// combine joins the findings of one sentence to a score per mille. Rules of one
// family see the same thing, so the heaviest counts; families are taken as
// independent evidence: the score is 1 minus the product of what each leaves open.
func combine(found []finding) int {
	if len(found) == 0 {
		return 0
	}
	heaviest := make([]int, len(families))
	for _, f := range found {
		i := f.family.severity()
		heaviest[i] = max(heaviest[i], f.weight)
	}
	open := 1000
	for _, weight := range heaviest {
		open = open * (1000 - weight) / 1000
	}
	return 1000 - open
}
