// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// ErrTurnUsed says that a turn's id was used before. Nothing was kept of the second one.
var ErrTurnUsed = errors.New("turn ids are used once: give every turn an id of its own")

// TurnRequest is what a user said.
type TurnRequest struct {
	ID      string // of the client, used once; at most memory.MaxTurnIDBytes
	Session string // it was said in; required
	Content string // valid UTF-8, at most memory.MaxTurnBytes
}

// Turned says what became of a turn.
type Turned struct {
	ID            string    `json:"id" doc:"Id of the turn, as given"`
	Session       string    `json:"session" doc:"Session it was said in"`
	Authenticated bool      `json:"authenticated" doc:"Whether a channel of class UserInput vouches that the user said it"`
	Expires       time.Time `json:"expires" doc:"Until when it counts as said now, unless another turn of the session comes first"`
	Message       string    `json:"message" doc:"What it is good for"`
}

// Turn records what a user said last in a session. What such a turn contains in so many words is the user's, whoever writes it
// to memory, and an argument that stands in it was asked for. It neither clears a session's mark nor opens a session. Through
// a channel of class UserInput it is authenticated; reported on the agent's port it counts by prefix, in mode Prefix only. It
// returns ErrNotReady, ErrTurnUsed, a *memory.FieldError, a *ForbiddenError, a *LimitError, or an error of the store.
func (g *Gate) Turn(ctx context.Context, c Caller, t TurnRequest) (Turned, error) {
	defer g.metrics.time("turn")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return Turned{}, err
	}
	if err := mayTakeTurns(s.Runtime, c); err != nil {
		return Turned{}, err
	}
	now := g.now()
	turn := memory.Turn{Namespace: namespace, Session: t.Session, ID: t.ID, Writer: c.writer(), Content: t.Content, At: now}
	if turn.Tag, err = s.Keyset.Sign(turn.Message(s.Runtime.AgentID)); err != nil {
		return Turned{}, err
	}
	if err := turn.Validate(); err != nil {
		return Turned{}, err
	}
	if err := g.allowWrite(s.Runtime, c, now); err != nil {
		return Turned{}, err
	}
	if err := g.ownSession(ctx, s, c, namespace, t.Session); err != nil {
		return Turned{}, err
	}
	if err := g.store.PutTurn(ctx, turn); err != nil {
		if errors.Is(err, memory.ErrConflict) {
			return Turned{}, ErrTurnUsed
		}
		return Turned{}, err
	}
	g.metrics.turned(c.Authenticated())
	return turned(s.Runtime, turn), nil
}

// mayTakeTurns refuses turns from a caller whose word is not the user's.
func mayTakeTurns(r *policy.Runtime, c Caller) error {
	switch {
	case c.Authenticated() && !userChannel(r, c.writer()):
		return &ForbiddenError{What: "user turns", Fix: "a channel of class UserInput hands them in; spec.trust.channels says of which class this one is"}
	case !c.Authenticated() && r.TrustMode == v1alpha1.TrustModeSigned:
		return &ForbiddenError{What: "user turns on the agent's port",
			Fix: "spec.trust.mode is Signed, so that only a channel of class UserInput can say what a user said; send it to the channel port"}
	}
	return nil
}

// ownSession refuses a channel's turn in a session that another principal opened.
func (g *Gate) ownSession(ctx context.Context, s *policy.State, c Caller, namespace, session string) error {
	if !c.Authenticated() {
		return nil
	}
	writer, opened, err := g.openedBy(ctx, s, namespace, session)
	if err != nil || !opened || writer.Principal == c.Channel.Principal {
		return err
	}
	return errOthersSession
}

// errOthersSession does not say whose it is.
var errOthersSession = &ForbiddenError{What: "speaking in this session", Fix: "another principal opened it; use a session of your own"}

func turned(r *policy.Runtime, t memory.Turn) Turned {
	out := Turned{
		ID: t.ID, Session: t.Session, Authenticated: t.Writer.Authenticated(), Expires: t.At.Add(r.Actions.TurnLifetime()),
		Message: "What is written in this session in the user's own words counts as the user's, by report only: it stays in Working and " +
			"justifies no action. A channel of class UserInput can vouch for it.",
	}
	if out.Authenticated {
		out.Message = "What is written in this session in the user's own words counts as the user's. The mark of the session stays as it is."
	}
	return out
}

// currentTurn returns what the user of a session said last, if an authenticated channel said so and it still counts: the channel
// is one of users under the policy in force, its principal is the one that opened the session where a user did, a loaded key
// vouches for every word, and its time is not over.
func (g *Gate) currentTurn(ctx context.Context, s *policy.State, namespace, session string, now time.Time) (memory.Turn, bool, error) {
	turn, ok, err := g.newestTurn(ctx, s, namespace, session, true, now)
	if err != nil || !ok || !userChannel(s.Runtime, turn.Writer) {
		return memory.Turn{}, false, err
	}
	opener, opened, err := g.openedBy(ctx, s, namespace, session)
	if err != nil || opened && opener.Principal != turn.Writer.Principal {
		return memory.Turn{}, false, err
	}
	return turn, true, nil
}

// reportedTurn is currentTurn for what harness code reported on the agent's port; in mode Prefix only.
func (g *Gate) reportedTurn(ctx context.Context, s *policy.State, namespace, session string, now time.Time) (memory.Turn, bool, error) {
	if s.Runtime.TrustMode != v1alpha1.TrustModePrefix {
		return memory.Turn{}, false, nil
	}
	return g.newestTurn(ctx, s, namespace, session, false, now)
}

// newestTurn returns the newest turn of a session, authenticated or reported, if it verifies and its time is not over.
func (g *Gate) newestTurn(
	ctx context.Context, s *policy.State, namespace, session string, authenticated bool, now time.Time,
) (memory.Turn, bool, error) {
	if session == "" {
		return memory.Turn{}, false, nil
	}
	turn, err := g.store.CurrentTurn(ctx, namespace, session, authenticated)
	if errors.Is(err, memory.ErrNotFound) {
		return memory.Turn{}, false, nil
	}
	if err != nil {
		return memory.Turn{}, false, err
	}
	genuine := turn.Namespace == namespace && turn.Session == session && turn.Writer.Authenticated() == authenticated &&
		s.Keyset.Verify(turn.Tag, turn.Message(s.Runtime.AgentID)) == nil
	if !genuine || now.Sub(turn.At) >= s.Runtime.Actions.TurnLifetime() {
		return memory.Turn{}, false, nil
	}
	return turn, true, nil
}
