// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/memory/overlap"
	"memorytrust.dev/operator/internal/provenance"
)

// observedSource names the source of an observation that claims none.
const observedSource = "observation"

// Observation is a text that an agent meets outside of its memory: the result of a tool, a page, a message.
type Observation struct {
	Content string // valid UTF-8, at most as long as a memory; of a longer text report the parts
	Source  string // claimed source; may be empty
	Session string // session of the agent; may be empty
}

// Observed says what an observation counts for.
type Observed struct {
	Class   provenance.Class `json:"class" doc:"Source class of the text"`
	Mark    provenance.Class `json:"mark" doc:"Lowest class delivered to the session, this text included"`
	Message string           `json:"message" doc:"What follows from it"`
}

// Observe takes note that an agent met a text outside of its memory. Nothing of the text is kept but hashes of its parts, by
// which later writes that go back to it are recognized; and the session's mark falls to its class. On the agent's port that is
// ToolOutput, on a channel the class of the channel, in both cases at most what the source claims. It returns ErrNotReady, a
// *TooLargeError, a *memory.FieldError, a *LimitError, or an error of the store.
func (g *Gate) Observe(ctx context.Context, c Caller, o Observation) (Observed, error) {
	defer g.metrics.time("observe")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return Observed{}, err
	}
	if err := checkContent(s.Runtime, o.Content); err != nil {
		return Observed{}, err
	}
	if !utf8.ValidString(o.Content) {
		return Observed{}, &memory.FieldError{Field: "content", Fix: "send valid UTF-8"}
	}
	if err := checkSession(o.Session); err != nil {
		return Observed{}, err
	}
	origin, err := resolveOrigin(s.Runtime, c, o.Source)
	if err != nil {
		return Observed{}, err
	}
	if !c.Authenticated() {
		origin.class = provenance.Min(origin.class, provenance.ToolOutput)
		if origin.source == agentSource {
			origin.source = observedSource
		}
	}
	now := g.now()
	if err := g.allowWrite(s.Runtime, c, now); err != nil {
		return Observed{}, err
	}
	err = g.store.Observe(ctx, memory.Trace{
		ID: memory.NewID(), Namespace: namespace, Session: o.Session, Class: origin.class, Source: origin.source, At: now,
		Features: overlap.Of(o.Content),
	})
	if err != nil {
		return Observed{}, err
	}
	g.metrics.observed(origin.class)
	standing, err := g.standingOf(ctx, s, namespace, o.Session, now)
	if err != nil {
		return Observed{}, err
	}
	return Observed{Class: origin.class, Mark: standing.mark, Message: observedMessage(standing)}, nil
}

func observedMessage(s sessionStanding) string {
	m := fmt.Sprintf("Noted, without the text. What is derived in this session counts as %s at most.", s.mark)
	if s.authority() != memory.Act {
		m += " The session justifies no action by itself."
	}
	return m
}
