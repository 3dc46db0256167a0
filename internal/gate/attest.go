// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of attesting many memories at once.
const (
	// MaxAttestedIDs is how many memories one request can name.
	MaxAttestedIDs = 1000
	// maxAttested is how many memories one request attests; more take another, which goes on.
	maxAttested = 10000
	// maxAttestedListed is how many ids an answer lists.
	maxAttestedListed = 1000
	// attestBatch is how many memories share a transaction.
	attestBatch = 100
)

// SkipReason says in one word why a memory was not attested with others.
type SkipReason string

// The reasons.
const (
	SkipNotFound    SkipReason = "NotFound"    // there is no such memory any more
	SkipDirective   SkipReason = "Directive"   // it installs standing behavior: a person attests it alone, after reading it
	SkipNotActive   SkipReason = "NotActive"   // it waits, is disputed, stale, replaced or approved: there is another decision for that
	SkipQuarantined SkipReason = "Quarantined" // approving lets it out, attesting does not
	SkipExpired     SkipReason = "Expired"     // no recall delivers it any more
	SkipTrusted     SkipReason = "Trusted"     // it is trusted in either mode, and would lose authority
	SkipLowClass    SkipReason = "LowClass"    // it never claimed trust: a person who wants it to have some names it by its id
	SkipUnverified  SkipReason = "Unverified"  // it is not what was signed, or the key is not there
	SkipChanged     SkipReason = "Changed"     // someone else changed it meanwhile
)

var skipReasons = []SkipReason{
	SkipUnverified, SkipDirective, SkipNotActive, SkipQuarantined, SkipExpired, SkipLowClass, SkipTrusted, SkipChanged, SkipNotFound,
}

// Attestation asks to attest many memories. Exactly one of IDs, Source and Class says which.
type Attestation struct {
	IDs    []string         // at most MaxAttestedIDs
	Source string           // those of exactly this base source that claim trust
	Class  provenance.Class // those of this class, which must be a high one
	Reason string           // required
	DryRun bool             // say what would happen, change nothing
}

// Attested says what became of an Attestation.
type Attested struct {
	DryRun   bool      `json:"dryRun" doc:"Whether nothing was changed because only a preview was asked for"`
	Attested int       `json:"attested" doc:"Memories that are attested now, or would be"`
	IDs      []string  `json:"ids" nullable:"false" doc:"Their ids, at most 1000"`
	Skipped  []Skipped `json:"skipped" nullable:"false" doc:"Memories that were left as they are"`
	More     bool      `json:"more" doc:"Whether it stopped at its bound: the same request again goes on"`
	Message  string    `json:"message" doc:"What happened, and how to undo it"`
}

// Skipped counts memories that were not attested for one reason.
type Skipped struct {
	Reason   SkipReason `json:"reason" enum:"Unverified,Directive,NotActive,Quarantined,Expired,LowClass,Trusted,Changed,NotFound" doc:"Why"`
	Memories int        `json:"memories" doc:"How many"`
	IDs      []string   `json:"ids" nullable:"false" doc:"Some of them, at most 100"`
}

// maxSkippedListed is how many ids are listed for a reason.
const maxSkippedListed = 100

// attest puts a person's name to a memory as it is. One that may justify actions would only lose by it.
func (w *deciding) attest(target verified) error {
	next, err := w.attested(target.record)
	if err != nil {
		return err
	}
	w.set(target, next, memory.ChangeReview)
	return nil
}

func (w *deciding) attested(r memory.Record) (memory.Record, error) {
	to, err := memory.Next(memory.ActionAttest, r.Standing())
	if err != nil {
		return r, err
	}
	if memory.AuthorityOf(r, w.now) == memory.Act {
		return r, &ForbiddenError{What: "attesting",
			Fix: "it came through an authenticated channel and is trusted as it is; attesting it would take away that it may justify actions"}
	}
	r.Zone, r.State, r.ApprovedBy = to.Zone, to.State, w.principal
	return r, nil
}

// Attest puts a person's name to many memories, so that they are trusted where only authenticated origins are. Directives, what
// waits for a person, and what does not verify are left out. Batches are all or nothing, the whole is not: repeating a request
// goes on where it stopped. It returns ErrNotReady, a *memory.FieldError or an error of the store.
func (g *Gate) Attest(ctx context.Context, p Person, a Attestation) (Attested, error) {
	defer g.metrics.time("attest")()
	w, err := g.person(p, a.Reason)
	if err != nil {
		return Attested{}, err
	}
	if err := a.check(); err != nil {
		return Attested{}, err
	}
	run := &attesting{deciding: w, asked: a, skipped: map[SkipReason]*Skipped{}}
	run.out.DryRun, run.out.IDs = a.DryRun, []string{}
	if len(a.IDs) > 0 {
		err = run.named(ctx)
	} else {
		err = run.found(ctx)
	}
	if err == nil {
		err = run.flush(ctx)
	}
	if run.out.Attested > 0 && !a.DryRun {
		g.trust.outdated()
	}
	return run.answer(), err
}

// check returns a *memory.FieldError.
func (a Attestation) check() error {
	given := 0
	for _, set := range []bool{len(a.IDs) > 0, a.Source != "", a.Class != ""} {
		if set {
			given++
		}
	}
	switch {
	case given != 1:
		return &memory.FieldError{Field: "ids", Fix: "say which memories: give exactly one of ids, source and class"}
	case len(a.IDs) > MaxAttestedIDs:
		return &memory.FieldError{Field: "ids", Fix: fmt.Sprintf("name at most %d memories", MaxAttestedIDs)}
	case a.Class != "" && !a.Class.High():
		return &memory.FieldError{Field: "class", Fix: "use UserInput, Manual or SystemMemory: memories of other classes are attested by their ids"}
	case len(a.Source) > provenance.MaxSourceBytes:
		return &memory.FieldError{Field: "source", Fix: fmt.Sprintf("sources have at most %d bytes", provenance.MaxSourceBytes)}
	}
	return nil
}

// attesting is one run of Attest.
type attesting struct {
	*deciding
	asked   Attestation
	out     Attested
	skipped map[SkipReason]*Skipped
	batch   []memory.Change
	seen    map[string]bool
}

// named looks at the memories that the request names.
func (a *attesting) named(ctx context.Context) error {
	a.seen = map[string]bool{}
	for _, id := range a.asked.IDs {
		if a.seen[id] {
			continue
		}
		a.seen[id] = true
		v, err := a.gate.newest(ctx, a.state, a.namespace, id)
		if errors.Is(err, memory.ErrNotFound) {
			a.skip(id, SkipNotFound)
			continue
		}
		if err != nil {
			return err
		}
		if err := a.take(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// errEnough ends a walk at maxAttested.
var errEnough = errors.New("enough")

// found looks at the memories that the request describes.
func (a *attesting) found(ctx context.Context) error {
	f := memory.Filter{Source: a.asked.Source, Class: a.asked.Class}
	err := a.gate.each(ctx, a.deciding, f, func(v verified) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if a.out.Attested+len(a.batch) == maxAttested {
			return errEnough
		}
		return a.take(ctx, v)
	})
	if errors.Is(err, errEnough) {
		a.out.More, err = true, nil
	}
	return err
}

// take attests one memory, or skips it.
func (a *attesting) take(ctx context.Context, v verified) error {
	if reason := a.reason(v, a.now); reason != "" {
		a.skip(v.record.ID, reason)
		return nil
	}
	next, err := a.attested(v.record)
	if err != nil {
		a.skip(v.record.ID, SkipNotActive)
		return nil //nolint:nilerr // the table has no line for it: it stays as it is
	}
	a.batch = append(a.batch, a.change(v, next, memory.ChangeReview))
	if len(a.batch) < attestBatch {
		return nil
	}
	return a.flush(ctx)
}

// reason says why a memory is not attested with others, or "".
func (a *attesting) reason(v verified, now time.Time) SkipReason {
	r := v.record
	switch {
	case !remains(r) || !speaks(r):
		return SkipNotFound
	case v.fault != "":
		return SkipUnverified
	case r.Zone == memory.Quarantine:
		return SkipQuarantined
	case r.Expired(now):
		return SkipExpired
	case len(a.asked.IDs) == 0 && !r.Class.High():
		return SkipLowClass
	case r.State == memory.Approved && r.ApprovedBy != "":
		return SkipTrusted
	case r.State != memory.Active:
		return SkipNotActive
	case memory.AuthorityOf(r, now) == memory.Act:
		return SkipTrusted
	case r.Directive:
		return SkipDirective
	}
	// The lexicon may have learned since it was written, and what cannot be read is not vouched for unread.
	if verdict, _ := a.gate.screenText(a.state, wordsOf(r), false); verdict.Directive || verdict.Abstained {
		return SkipDirective
	}
	return ""
}

// flush commits the batch. If one of its memories changed meanwhile, each is tried alone.
func (a *attesting) flush(ctx context.Context) error {
	batch := a.batch
	if a.batch = nil; len(batch) == 0 {
		return nil
	}
	if a.asked.DryRun {
		a.done(batch...)
		return nil
	}
	_, err := a.gate.store.CommitAll(ctx, batch)
	if err == nil {
		a.done(batch...)
		return nil
	}
	if !errors.Is(err, memory.ErrConflict) {
		return err
	}
	for _, c := range batch {
		switch _, err := a.gate.store.Commit(ctx, c); {
		case errors.Is(err, memory.ErrConflict):
			a.skip(c.Record.ID, SkipChanged)
		case err != nil:
			return err
		default:
			a.done(c)
		}
	}
	return nil
}

func (a *attesting) done(changes ...memory.Change) {
	for _, c := range changes {
		a.out.Attested++
		if len(a.out.IDs) < maxAttestedListed {
			a.out.IDs = append(a.out.IDs, c.Record.ID)
		}
		if !a.asked.DryRun {
			a.gate.metrics.decided(memory.ActionAttest)
		}
	}
}

func (a *attesting) skip(id string, reason SkipReason) {
	if a.skipped[reason] == nil {
		a.skipped[reason] = &Skipped{Reason: reason, IDs: []string{}}
	}
	s := a.skipped[reason]
	if s.Memories++; len(s.IDs) < maxSkippedListed && memory.ValidID(id) {
		s.IDs = append(s.IDs, id)
	}
}

// answer completes the answer.
func (a *attesting) answer() Attested {
	a.out.Skipped = []Skipped{}
	for _, reason := range skipReasons {
		if a.skipped[reason] != nil {
			a.out.Skipped = append(a.out.Skipped, *a.skipped[reason])
		}
	}
	var m strings.Builder
	if a.out.DryRun {
		fmt.Fprintf(&m, "A preview: nothing was changed. %s would be attested.", count(a.out.Attested))
	} else {
		fmt.Fprintf(&m, "Attested %s under your name, as information. Undo it with Quarantine, one by one.", count(a.out.Attested))
	}
	for _, s := range a.out.Skipped {
		fmt.Fprintf(&m, " Left as it is, %s: %d.", s.Reason, s.Memories)
	}
	if a.out.More {
		m.WriteString(" There are more: repeat the request to go on.")
	}
	a.out.Message = m.String()
	return a.out
}
