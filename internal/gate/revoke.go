// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of a revocation.
const (
	DefaultRevoked = 100  // memories of a page of the answer
	MaxRevoked     = 1000 // most of them
	// maxRevokedChanges is how many memories one request changes; more take another, which goes on.
	maxRevokedChanges = 10000
	// revokeBatch is how many memories share a transaction.
	revokeBatch = 200
	// maxRevokeReason leaves room in the reason of a change for what the memory goes back to.
	maxRevokeReason = memory.MaxReasonBytes - 100
)

// Revocation says what was never to be trusted. Exactly one of Record, Source, Principal and KeyID says which memories; what goes
// back to them goes with them.
type Revocation struct {
	Record    string // id of a memory
	Source    string // memories of exactly this base source
	Principal string // memories written by this principal, through any channel
	KeyID     string // memories whose newest version this key signed, decimal
	Reason    string // required; at most 924 bytes
	DryRun    bool   // say what would happen, change nothing
	Cursor    string // Next of the page before; with DryRun
	Limit     int    // memories to list; 0: DefaultRevoked, at most MaxRevoked
}

// Revoked says what became of a Revocation.
type Revoked struct {
	DryRun      bool            `json:"dryRun" doc:"Whether nothing was changed because only a preview was asked for"`
	Named       int             `json:"named" doc:"Memories that are revoked themselves"`
	Descendants int             `json:"descendants" doc:"Memories that go back to one of those, or wait folded into one"`
	Changed     int             `json:"changed" doc:"Memories that were changed, or would be"`
	Left        int             `json:"left" doc:"Memories left as they are: rejected, forgotten, purged or waiting in Quarantine already"`
	Items       []RevokedMemory `json:"items" nullable:"false" doc:"The memories, without content: a page of all in a preview, the first of those changed otherwise"`
	Next        string          `json:"next,omitempty" doc:"Pass as cursor to get the next page of a preview; absent on the last"`
	More        bool            `json:"more" doc:"Whether it stopped at its bound of changes: the same request again goes on"`
	Message     string          `json:"message" doc:"What happened, and how to undo it"`
}

// RevokedMemory is a memory that a revocation concerns, as it stands before.
type RevokedMemory struct {
	ID      string           `json:"id" doc:"Id of the memory"`
	Class   provenance.Class `json:"class" doc:"Source class"`
	Zone    memory.Zone      `json:"zone" enum:"Quarantine,Working,Trusted" doc:"Its zone before"`
	State   memory.State     `json:"state" doc:"Its state before"`
	Via     string           `json:"via,omitempty" doc:"Memory that it goes back to, or waits folded into; absent for those that are named"`
	Depth   int              `json:"depth" doc:"How far it is from one that is named; 0 for those"`
	Becomes memory.State     `json:"becomes,omitempty" enum:"Rejected,PendingReview,Forgotten" doc:"Its state after, in Quarantine; absent where it is left as it is"`
}

// Revoke takes memories out that were never to be trusted: those that are named become Rejected, and all that go back to them wait
// in Quarantine for a person. What is rejected, forgotten or purged already is left. Batches are all or nothing, the whole is not:
// repeating a request goes on where it stopped, and changes nothing twice. It returns ErrNotReady, memory.ErrNotFound for a memory
// that is not there, a *memory.FieldError, or an error of the store.
func (g *Gate) Revoke(ctx context.Context, p Person, r Revocation) (Revoked, error) {
	defer g.metrics.time("revoke")()
	return g.revoke(ctx, p, r, maxRevokedChanges)
}

// revoke is Revoke with a bound of changes.
func (g *Gate) revoke(ctx context.Context, p Person, r Revocation, most int) (Revoked, error) {
	w, err := g.person(p, r.Reason)
	if err != nil {
		return Revoked{}, err
	}
	if err := r.check(); err != nil {
		return Revoked{}, err
	}
	run := &revoking{deciding: w, asked: r, planned: map[string]bool{}, most: most}
	run.out.DryRun, run.out.Items = r.DryRun, []RevokedMemory{}
	if run.limit, err = pageLimit(r.Limit, DefaultRevoked, MaxRevoked); err != nil {
		return Revoked{}, err
	}
	asked := r.pages(w.namespace)
	from, err := readSeqCursor(r.Cursor, asked...)
	if err != nil {
		return Revoked{}, err
	}
	run.from = int(from) // #nosec G115 -- of 63 bits, and beyond the end it lists nothing
	if err := run.find(ctx); err != nil {
		return Revoked{}, err
	}
	if r.DryRun {
		err = run.preview(ctx)
		if end := run.from + len(run.out.Items); end < run.met {
			run.out.Next = nextCursor(strconv.Itoa(end), asked...)
		}
	} else {
		err = run.carryOut(ctx)
		g.trust.outdated()
	}
	return run.answer(), err
}

// check returns a *memory.FieldError.
func (r Revocation) check() error {
	given := 0
	for _, set := range []string{r.Record, r.Source, r.Principal, r.KeyID} {
		if set != "" {
			given++
		}
	}
	_, key := provenance.TagPrefix(r.KeyID)
	switch {
	case given != 1:
		return &memory.FieldError{Field: "record", Fix: "say what to revoke: give exactly one of record, source, principal and keyID"}
	case len(r.Source) > memory.MaxSourceBytes:
		return &memory.FieldError{Field: "source", Fix: fmt.Sprintf("sources have at most %d bytes", memory.MaxSourceBytes)}
	case len(r.Principal) > memory.MaxActorBytes:
		return &memory.FieldError{Field: "principal", Fix: fmt.Sprintf("principals have at most %d bytes", memory.MaxActorBytes)}
	case r.KeyID != "" && !key:
		return &memory.FieldError{Field: "keyID", Fix: "give the id of a key as status shows it, a decimal number"}
	case len(r.Reason) > maxRevokeReason:
		return &memory.FieldError{Field: "reason", Fix: fmt.Sprintf("say it in at most %d bytes", maxRevokeReason)}
	case r.Cursor != "" && !r.DryRun:
		return &memory.FieldError{Field: "cursor", Fix: "page through a preview (dryRun); what is carried out has no pages"}
	}
	return nil
}

// pages is what a cursor of r is bound to.
func (r Revocation) pages(namespace string) []any {
	return []any{"revoke", namespace, r.Record, r.Source, r.Principal, r.KeyID}
}

// filter finds the memories that r names, in any state.
func (r Revocation) filter() memory.Filter {
	f := memory.Filter{Source: r.Source, Principal: r.Principal, KeyID: r.KeyID, IncludeForgotten: true}
	if r.Record != "" {
		f.IDs = []string{r.Record}
	}
	return f
}

// answer completes the answer.
func (r *revoking) answer() Revoked {
	for _, c := range slices.Concat(r.named, r.descendants) {
		if c.role() == revokedNamed {
			r.out.Named++
		} else {
			r.out.Descendants++
		}
	}
	var m strings.Builder
	if r.out.DryRun {
		fmt.Fprintf(&m, "A preview: nothing was changed. %s would be rejected or go into Quarantine", count(r.out.Changed))
	} else {
		fmt.Fprintf(&m, "Revoked: %s rejected or in Quarantine", count(r.out.Changed))
	}
	fmt.Fprintf(&m, ", of %d named and %d that go back to them; %d are left as they are.", r.out.Named, r.out.Descendants, r.out.Left)
	if r.out.Changed > 0 && !r.out.DryRun {
		m.WriteString(" Undo it one by one: Reopen what was rejected, then Approve what waits.")
	}
	if r.out.More {
		m.WriteString(" There are more: repeat the request to go on.")
	}
	r.out.Message = m.String()
	return r.out
}
