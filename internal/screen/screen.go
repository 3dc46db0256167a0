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
	// decided by whoever knows the policy. A trusted text never abstains.
	Trusted bool
}

// Screener finds directives in texts. It is immutable and safe for concurrent use.
type Screener struct {
	lexicon    *lexicon
	model      intentModel
	thresholds Thresholds
	scratch    sync.Pool // of *scratch
}

// Option adds to a Screener.
type Option func(*options)

type options struct {
	files      []lexiconFile
	thresholds Thresholds
}

// WithLexicon adds the text of a lexicon file, in the format that
// lexicon/README.md describes. A lexicon for a language that is embedded extends
// it: it may add phrases, rules and exceptions and use the classes already there.
// The name appears in error messages.
func WithLexicon(name string, text []byte) Option {
	return func(o *options) { o.files = append(o.files, lexiconFile{name: name, text: string(text)}) }
}

// WithThresholds sets from where on evidence counts.
func WithThresholds(t Thresholds) Option { return func(o *options) { o.thresholds = t } }

// New returns a Screener with the embedded lexicons and intent model and what the
// options add. The error wraps ErrLexicon and names file and line when an added
// lexicon is invalid, and ErrThresholds when a threshold is out of range.
func New(opts ...Option) (*Screener, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	thresholds, err := o.thresholds.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("screen: %w", err)
	}
	words, err := defaultLexicon()
	if err == nil && len(o.files) > 0 {
		words, err = extendedLexicon(o.files)
	}
	if err != nil {
		return nil, fmt.Errorf("screen: %w", err)
	}
	return &Screener{lexicon: words, model: defaultModel(), thresholds: thresholds}, nil
}

func extendedLexicon(added []lexiconFile) (*lexicon, error) {
	files, err := embeddedFiles()
	if err != nil {
		return nil, err
	}
	return newLexicon(append(files, added...))
}

// Screen returns the verdict on one text. Its time is linear in the length of
// the text, and it never fails: invalid UTF-8 is read with replacement characters.
func (s *Screener) Screen(in Input) Verdict {
	work, ok := s.scratch.Get().(*scratch)
	if !ok {
		work = newScratch(s)
	}
	defer s.scratch.Put(work)
	defer work.release()

	work.screen(in.Text)
	verdict := Verdict{Tier: work.tier, ScorePerMille: work.score}
	if work.tier == TierNone {
		verdict.Abstained = work.unreadable && !in.Trusted
		return verdict
	}
	verdict.Directive, verdict.View = true, work.view
	work.buffer = verdict.describe(work.evidence, work.buffer)
	return verdict
}
