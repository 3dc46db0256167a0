// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// MaxScreenItems is the most texts one call of Screen takes.
const MaxScreenItems = 100

// ScreenItem is a text to be screened as if it were to be stored.
type ScreenItem struct {
	Content string
	Source  string // claimed source; may be empty
}

// Screened says what would become of a text.
type Screened struct {
	Directive bool             `json:"directive" doc:"Whether the text installs standing behavior"`
	Reasons   []string         `json:"reasons" nullable:"false" doc:"Why; on the agent's port only kinds of directives"`
	Class     provenance.Class `json:"class" doc:"Source class it would get"`
	Zone      memory.Zone      `json:"zone" enum:"Quarantine,Working,Trusted" doc:"Zone it would be stored in"`
	State     memory.State     `json:"state" doc:"State it would be stored in"`
}

// Screen says what would become of texts and stores nothing. Sessions and lineage play no part. Errors are those of
// Encode; a *memory.FieldError names the item.
func (g *Gate) Screen(ctx context.Context, c Caller, items []ScreenItem) ([]Screened, error) {
	defer g.metrics.time("screen")()
	s, err := g.ready()
	if err != nil {
		return nil, err
	}
	if len(items) == 0 || len(items) > MaxScreenItems {
		return nil, &memory.FieldError{Field: "items", Fix: fmt.Sprintf("give 1 to %d", MaxScreenItems)}
	}
	origins, texts := make([]origin, len(items)), make([]text, len(items))
	for i, item := range items {
		if len(item.Content) > s.Runtime.MaxContentBytes {
			return nil, &TooLargeError{Limit: s.Runtime.MaxContentBytes}
		}
		o, err := resolveOrigin(s.Runtime, c, item.Source)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		origins[i], texts[i] = o, text{words: words{content: item.Content, source: o.source}, trusted: o.trusted()}
	}
	verdicts := g.screening(s).verdicts(ctx, texts...)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([]Screened, len(items))
	for i, o := range origins {
		outcome, shown := outcomeOf(s.Runtime, o, verdicts[i], g.now()), verdictFor(c, verdicts[i])
		out[i] = Screened{Directive: shown.Directive, Reasons: shown.Reasons, Class: o.class, Zone: outcome.Zone, State: outcome.State}
	}
	return out, nil
}
