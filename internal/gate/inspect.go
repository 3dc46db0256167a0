// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// personActor begins the actor of commits that a person made.
const personActor = "person/"

// MaxBrowse is the most memories of one page of Browse.
const MaxBrowse = 1000

// Browsing asks for a page of memories as a person sees them, of at most MaxBrowse.
type Browsing struct {
	Listing
	States []memory.State // empty: live ones
}

// attend checks who a person is and which namespace they look at. It returns ErrNotReady or a *memory.FieldError.
func (g *Gate) attend(p Person) (*policy.State, string, error) {
	s, err := g.ready()
	if err != nil {
		return nil, "", err
	}
	if strings.TrimSpace(p.Principal) == "" || len(p.Principal) > memory.MaxActorBytes-len(personActor) {
		return nil, "", &memory.FieldError{Field: "principal",
			Fix: fmt.Sprintf("say who decides, in at most %d bytes", memory.MaxActorBytes-len(personActor))}
	}
	namespace, err := Caller{Namespace: p.Namespace}.namespace(s.Runtime)
	return s, namespace, err
}

// Inspect returns one memory, or an older version of it, with its content: in any zone and state, whether it verifies or
// not. It is for people: nothing of it is logged as delivered. It returns memory.ErrNotFound or a *memory.FieldError.
func (g *Gate) Inspect(ctx context.Context, p Person, id string, q Reading) (Inspected, error) {
	defer g.metrics.time("inspect")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return Inspected{}, err
	}
	return g.inspection(s, namespace).one(ctx, id, q)
}

// InspectLog returns a page of the versions of a memory, newest first, with their contents, and the cursor of the next page.
// It returns memory.ErrNotFound or a *memory.FieldError.
func (g *Gate) InspectLog(ctx context.Context, p Person, id string, q LogQuery) ([]Inspected, string, error) {
	defer g.metrics.time("inspectLog")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return nil, "", err
	}
	return g.inspection(s, namespace).log(ctx, id, q)
}

// Browse returns a page of memories in any zone and state, in order of creation and without their content. A page ends early where
// its contents are long. It returns a *memory.FieldError.
func (g *Gate) Browse(ctx context.Context, p Person, b Browsing) (Page, error) {
	defer g.metrics.time("browse")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return Page{}, err
	}
	return g.inspection(s, namespace).page(ctx, b)
}

// filter is that of the listing, whose cursor is not the one of Browse, nor its limit.
func (b Browsing) filter(namespace string) (memory.Filter, error) {
	limit, err := pageLimit(b.Limit, DefaultPage, MaxBrowse)
	if err != nil {
		return memory.Filter{}, err
	}
	l := b.Listing
	l.Cursor, l.Limit = "", 0
	f, err := l.filter(namespace)
	f.Limit = limit
	return f, err
}

func checkStates(states []memory.State) error {
	for _, state := range states {
		if !slices.Contains(memory.States, state) {
			return &memory.FieldError{Field: "state", Fix: "use states of a memory"}
		}
	}
	return nil
}

// inspected is a memory as a person sees it. Of a purged one nothing is shown of what it said, or was said about it.
func inspected(v verified, now time.Time) Inspected {
	r := v.record
	if len(r.Erased) > 0 {
		r = erase(r)
	}
	seen := Inspected{
		ID: r.ID, Namespace: r.Namespace, Content: r.Content, Purged: len(r.Erased) > 0, Source: r.Source, Class: r.Class,
		Writer: r.Writer.String(), Zone: r.Zone, State: r.State, Boundary: r.Boundary(now), Authority: memory.AuthorityOf(r, now),
		Fault: v.fault, ApprovedBy: r.ApprovedBy, Directive: r.Directive,
		Reasons: shown(r.Reasons), CappedBy: shown(r.CappedBy), Parents: shown(r.Parents), Supersedes: shown(r.Supersedes),
		FoldedInto: r.FoldedInto, Kind: r.Kind, Tags: shown(r.Tags), Subject: r.Subject, Metadata: r.Metadata, Session: r.Session,
		Confidence: r.Confidence, Salience: r.Salience, Pinned: r.Pinned, Commit: commitOf(r), Change: r.Commit.Change,
		Actor: r.Commit.Actor, Reason: r.Commit.Reason, Expiry: r.Expiry, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	seen.KeyID, _ = provenance.TagKeyID(r.Tag)
	seen.Call = actionCall(r)
	switch {
	case v.fault != "" && v.fault != ReasonNotVerified: // of what nobody verified everything is as the store says
		seen.Boundary, seen.Authority = memory.Blocked, memory.None
	case v.old && seen.Authority == memory.Act:
		seen.Authority = memory.Inform // what was in force then justifies nothing now
	}
	return seen
}

// shown is a list as answers have it: never null.
func shown(list []string) []string { return append([]string{}, list...) }
