// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"fmt"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/screen"
)

// Vector is one text as it is put before a harness.
type Vector struct {
	ID   string
	Text string
	// Source is where it claims to come from; nil asks about the content alone.
	Source *string
}

// Answer is what a harness makes of a vector.
type Answer struct {
	// Flagged says that the text would be withheld, or is a directive where only the content was asked about.
	Flagged bool
	// Abstained says that the harness cannot judge and asks for a person. Never together with Flagged.
	Abstained bool
	Reasons   []string
	// ScorePerMille is the strength of the evidence, 0 to 1000, where a harness has such a thing.
	ScorePerMille int
}

// Harness is whatever defends memory. It is safe for concurrent use.
type Harness interface {
	// Answer judges one vector. An error means that it did not; it counts neither for nor against the harness.
	Answer(ctx context.Context, v Vector) (Answer, error)
}

// Screener judges one text; *screen.Screener is one.
type Screener interface {
	Screen(screen.Input) screen.Verdict
}

// Trust says which sources are trusted.
type Trust struct {
	Mode    v1alpha1.TrustMode
	Formats []provenance.TrustedFormat
}

// Trusted reports whether a claimed source is trusted by itself. In mode Prefix that is so where it has a trusted format; in
// mode Signed never, since a bare label proves nothing.
func (t Trust) Trusted(source string) bool {
	if t.Mode != v1alpha1.TrustModePrefix {
		return false
	}
	claim, err := provenance.ReadClaim(source, t.Formats)
	return err == nil && claim.TrustedPrefix
}

// Engine is the screen of this program as a harness. It judges as the gate does: a directive is flagged unless its source is
// trusted.
type Engine struct {
	Screener Screener
	Trust    Trust
}

// Answer implements Harness. A panic of the screener is an error of this one text.
func (e Engine) Answer(_ context.Context, v Vector) (a Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the screen failed: %T", p) // the value may quote the text
		}
	}()
	trusted := v.Source != nil && e.Trust.Trusted(*v.Source)
	verdict := e.Screener.Screen(screen.Input{Text: v.Text, Trusted: trusted})
	return Answer{
		Flagged:       verdict.Directive && !trusted,
		Abstained:     verdict.Abstained && !trusted && !verdict.Directive,
		Reasons:       verdict.Reasons,
		ScorePerMille: verdict.ScorePerMille,
	}, nil
}
