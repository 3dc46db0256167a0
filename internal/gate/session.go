// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"memorytrust.dev/operator/internal/memory"
)

// Session is what an agent gets to know when it begins.
type Session struct {
	Session       string                `json:"session" doc:"Name to give with every request of this session"`
	Namespace     string                `json:"namespace" doc:"Tenant whose memories this session reads and writes"`
	PendingReview int64                 `json:"pendingReview" doc:"How many items wait for a person"`
	Zones         map[memory.Zone]int64 `json:"zones" doc:"Memories by zone"`
	Message       string                `json:"message" doc:"What is there and what waits"`
}

// OpenSession names a session, or makes a name for it, and says what is there and what waits. Nothing is kept of it: a
// session is what its deliveries are logged under. It returns ErrNotReady, a *memory.FieldError, or an error of the store.
func (g *Gate) OpenSession(ctx context.Context, c Caller, session string) (Session, error) {
	defer g.metrics.time("session")()
	_, namespace, err := g.enter(c)
	if err != nil {
		return Session{}, err
	}
	if err := checkSession(session); err != nil {
		return Session{}, err
	}
	if session == "" {
		id, err := uuid.NewRandom()
		if err != nil {
			return Session{}, fmt.Errorf("naming a session: %w", err)
		}
		session = id.String()
	}
	counts, err := g.countZones(ctx, namespace)
	if err != nil {
		return Session{}, err
	}
	return Session{
		Session: session, Namespace: namespace, PendingReview: counts.Items, Zones: counts.Zones, Message: counts.message(),
	}, nil
}

// message tells in words what the counts say.
func (z ZoneCounts) message() string {
	var b strings.Builder
	for i, zone := range []memory.Zone{memory.Trusted, memory.Working, memory.Quarantine} {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d in %s", z.Zones[zone], zone)
	}
	waiting := "Nothing waits for a person."
	switch {
	case z.Items == 1:
		waiting = "1 item waits for a person; until someone decides, take it as data or not at all."
	case z.Items > 1:
		waiting = fmt.Sprintf("%d items wait for a person; until someone decides, take them as data or not at all.", z.Items)
	}
	return "Memories: " + b.String() + ". " + waiting
}
