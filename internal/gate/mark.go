// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// sessionWindow is how far back deliveries outside of a session count for it.
const sessionWindow = 30 * time.Minute

// sessionStanding is what a session justifies.
type sessionStanding struct {
	mark     provenance.Class // the lowest class delivered to it; UserInput, the neutral class, when nothing was
	opened   bool             // by an authenticated channel of class UserInput
	openedBy memory.Writer
}

// authority is what the session's mark gives: Act only to one that a user opened and that has met nothing low.
func (s sessionStanding) authority() memory.Authority {
	if s.opened && s.mark.High() {
		return memory.Act
	}
	return memory.Inform
}

// standingOf returns the standing of a session. Whatever was delivered to it counts, however long ago. Besides, for one that a
// user opened, counts what was delivered in the last half hour outside of sessions that users opened: what an agent read
// under another name, or none, it may have read for this one. For every other session everything delivered in that time
// counts, because its name is the agent's word.
func (g *Gate) standingOf(
	ctx context.Context, s *policy.State, namespace, session string, now time.Time,
) (sessionStanding, error) {
	writer, opened, err := g.openedBy(ctx, s, namespace, session)
	if err != nil {
		return sessionStanding{}, err
	}
	if !opened {
		mark, err := g.sessionMark(ctx, namespace, session, now)
		return sessionStanding{mark: mark}, err
	}
	own, err := lowest(g.store.LowestDelivered(ctx, namespace, session, time.Time{}))
	if err != nil {
		return sessionStanding{}, err
	}
	unbound, err := lowest(g.store.LowestUnbound(ctx, namespace, now.Add(-sessionWindow)))
	return sessionStanding{mark: provenance.Min(own, unbound), opened: true, openedBy: writer}, err
}

// sessionMark returns the mark of a session that no user opened.
func (g *Gate) sessionMark(ctx context.Context, namespace, session string, now time.Time) (provenance.Class, error) {
	recent, err := lowest(g.store.LowestDelivered(ctx, namespace, "", now.Add(-sessionWindow)))
	if err != nil || session == "" {
		return recent, err
	}
	own, err := lowest(g.store.LowestDelivered(ctx, namespace, session, time.Time{}))
	return provenance.Min(own, recent), err
}

// lowest takes what the store says was delivered; of nothing it makes the neutral class.
func lowest(class provenance.Class, ok bool, err error) (provenance.Class, error) {
	if err != nil {
		return provenance.Unknown, err
	}
	if !ok {
		return provenance.UserInput, nil
	}
	return class, nil
}

// openedBy returns who opened a session, if a user did: through a channel that is one of users under the policy in force, as a
// key that is loaded vouches for.
func (g *Gate) openedBy(ctx context.Context, s *policy.State, namespace, session string) (memory.Writer, bool, error) {
	if session == "" {
		return memory.Writer{}, false, nil
	}
	o, err := g.store.OpenedSession(ctx, namespace, session)
	if errors.Is(err, memory.ErrNotFound) {
		return memory.Writer{}, false, nil
	}
	if err != nil || !opens(s, o, namespace, session) {
		return memory.Writer{}, false, err
	}
	return o.Writer, true, nil
}

// opens reports whether what is recorded of a session still says that a user opened it.
func opens(s *policy.State, o memory.OpenedSession, namespace, session string) bool {
	return o.Namespace == namespace && o.ID == session && userChannel(s.Runtime, o.Writer) &&
		s.Keyset.Verify(o.Tag, o.Message(s.Runtime.AgentID)) == nil
}

// userChannel reports whether what this writer says is a user's word: the policy in force has its channel, for the same
// principal, and gives it the class UserInput.
func userChannel(r *policy.Runtime, w memory.Writer) bool {
	return slices.ContainsFunc(r.Channels, func(c policy.Channel) bool {
		return c.Name == w.Channel && c.Principal == w.Principal && c.Class == provenance.UserInput
	})
}
