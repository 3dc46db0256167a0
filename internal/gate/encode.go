// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/screen"
)

// Write is a memory to be stored.
type Write struct {
	Content string   // valid UTF-8, kept byte for byte
	Source  string   // claimed source; may be empty
	Kind    string   // free, for the agent's own use
	Tags    []string // free, for the agent's own use
	Session string   // session of the agent; may be empty
	Parents []string // ids of the memories this one was derived from

	Subject     string                // entity it is about; may be empty
	Metadata    map[string]string     // free, of the writer
	Confidence  int                   // per mille; 0: not stated
	Salience    int                   // per mille; 0: not stated
	Pin         bool                  // never fades; refused to whoever may not pin
	Supersedes  []string              // ids of the memories this one replaces
	Idempotency memory.IdempotencyKey // zero: the write is not made safe to repeat
}

// Written says what became of a write.
type Written struct {
	ID         string           `json:"id" doc:"Id of the memory"`
	Zone       memory.Zone      `json:"zone" enum:"Quarantine,Working,Trusted" doc:"How far it is let in"`
	State      memory.State     `json:"state" doc:"Where it stands in its life"`
	Class      provenance.Class `json:"class" doc:"Source class the screener assigned"`
	Authority  memory.Authority `json:"authority" enum:"Act,Inform,None" doc:"What it may justify"`
	Recallable bool             `json:"recallable" doc:"Whether a recall can deliver it"`
	CappedBy   []string         `json:"cappedBy" nullable:"false" doc:"What lowered it: claim, lineage, observation, session or supersedes"`
	Verdict    Verdict          `json:"verdict" doc:"What screening found"`
	ReviewID   string           `json:"reviewId,omitempty" doc:"Set while a person has to decide"`
	Message    string           `json:"message" doc:"What happened and what to do about it"`
	Commit     string           `json:"commit" doc:"Names this version of the memory"`
	Replayed   bool             `json:"-"` // answered from an earlier request with the same idempotency key
	FoldedInto string           `json:"foldedInto,omitempty" doc:"Waiting memory it is a near-duplicate of, whose fate it shares"`
	Proposal   bool             `json:"proposal,omitempty" doc:"Whether it only proposes a change that a person has to decide about"`
}

// Verdict is what screening found, as far as the caller may know.
type Verdict struct {
	Directive bool     `json:"directive" doc:"Whether the text installs standing behavior"`
	Reasons   []string `json:"reasons" nullable:"false" doc:"Why; on the agent's port only kinds of directives"`
}

// commitAttempts is how often a write is tried whose surroundings change while it is decided about.
const commitAttempts = 3

// Encode screens, signs and stores one memory. Quarantine is a normal answer. A write that is to replace memories replaces
// them at once or, where only a person may, once a person approves it. It returns ErrNotReady, a *TooLargeError, a
// *memory.FieldError, a *ForbiddenError, a *LimitError, or an error of the store.
func (g *Gate) Encode(ctx context.Context, c Caller, w Write) (Written, error) {
	defer g.metrics.time("encode")()
	s, err := g.ready()
	if err != nil {
		return Written{}, err
	}
	namespace, err := c.namespace(s.Runtime)
	if err != nil {
		return Written{}, err
	}
	if err := checkWrite(s.Runtime, w); err != nil {
		return Written{}, err
	}
	if out, done, err := g.replay(ctx, s, c, namespace, w.Idempotency); err != nil || done {
		return out, err
	}
	now := g.now()
	if err := g.allowWrite(s.Runtime, c, now); err != nil {
		return Written{}, err
	}
	for attempt := 1; ; attempt++ {
		out, err := g.encode(ctx, s, c, namespace, w, now)
		if !errors.Is(err, memory.ErrConflict) || attempt == commitAttempts {
			return out, err
		}
		// Someone was faster: with the same key, or with a memory that this one replaces.
		if out, done, err := g.replay(ctx, s, c, namespace, w.Idempotency); err != nil || done {
			return out, err
		}
	}
}

// encode is one attempt at a write that may be made.
func (g *Gate) encode(ctx context.Context, s *policy.State, c Caller, namespace string, w Write, now time.Time) (Written, error) {
	o, err := resolveOrigin(s.Runtime, c, w.Source)
	if err != nil {
		return Written{}, err
	}
	l := lineage{gate: g, state: s, caller: c, namespace: namespace, session: w.Session, now: now}
	if err := l.quotes(ctx, &o, w.words(o.source)); err != nil {
		return Written{}, err
	}
	if err := g.capByLineage(ctx, s, namespace, &o, w.Parents, now); err != nil {
		return Written{}, err
	}
	if err := l.overlaps(ctx, &o, w.words(o.source).said()); err != nil {
		return Written{}, err
	}
	verdict, outcome, err := l.judge(ctx, &o, w.words(o.source))
	if err != nil {
		return Written{}, err
	}
	drafted := newRecord(namespace, o, w, verdict, outcome, now)
	fragment, err := l.correlate(ctx, o, drafted, w.Parents, &verdict, &outcome)
	if err != nil {
		return Written{}, err
	}
	drafted.Zone, drafted.State, drafted.Expiry, drafted.Reasons = outcome.Zone, outcome.State, outcome.Expiry, verdict.Reasons
	record := drafted.Normalized().Capped()
	replaced, err := g.supersede(ctx, s, &record, o, now)
	if err != nil {
		return Written{}, err
	}
	if err := o.checkPin(record); err != nil {
		return Written{}, err
	}
	if err := g.enqueue(ctx, s, &record, foldable, now); err != nil {
		return Written{}, err
	}
	create := memory.Change{
		Type: memory.ChangeCreate, Record: record, Actor: o.writer.String(), Sign: signer(s), Key: w.Idempotency,
		Fragment: fragment,
	}
	stored, err := g.store.CommitAll(ctx, append([]memory.Change{create}, replaced...))
	if err != nil {
		return Written{}, err
	}
	g.metrics.wrote(stored[0])
	return written(s.Runtime, c, stored[0], verdict, now), nil
}

// allowWrite counts a write against the rate of its principal.
func (g *Gate) allowWrite(r *policy.Runtime, c Caller, now time.Time) error {
	err := g.rates.allow(r, c, now)
	if err != nil {
		g.metrics.limited.WithLabelValues(limitRate).Inc()
	}
	return err
}

// checkWrite checks what can be told without looking at anything else.
func checkWrite(r *policy.Runtime, w Write) error {
	if err := checkContent(r, w.Content); err != nil {
		return err
	}
	if err := checkKind(w.Kind); err != nil {
		return err
	}
	if len(w.Idempotency.Key) > memory.MaxIdempotencyKeyBytes {
		return &memory.FieldError{Field: "idempotencyKey", Fix: fmt.Sprintf("use at most %d bytes", memory.MaxIdempotencyKeyBytes)}
	}
	if len(w.Supersedes) > memory.MaxSupersedes {
		return &memory.FieldError{Field: "supersedes", Fix: fmt.Sprintf("give at most %d ids", memory.MaxSupersedes)}
	}
	return checkSession(w.Session)
}

func checkKind(kind string) error {
	if memory.Reserved(kind) {
		return &memory.FieldError{Field: "kind", Fix: "use another: kinds that begin with " + memory.ReservedKinds + " are the system's"}
	}
	return nil
}

// checkPin refuses a pin that the record, as it stands, may not have, and one that the user did not ask for though the words are
// theirs.
func (o origin) checkPin(r memory.Record) error {
	if r.Pinned && o.quoted {
		return &ForbiddenError{What: "pinning", Fix: "have a person pin it"}
	}
	return checkPin(r)
}

// checkPin refuses a pin that the record, as it stands, may not have. It is never dropped silently.
func checkPin(r memory.Record) error {
	var refused *memory.CapError
	if errors.As(r.CheckPin(), &refused) {
		return &ForbiddenError{What: "pinning", Fix: refused.Fix}
	}
	return nil
}

func checkContent(r *policy.Runtime, content string) error {
	if len(content) > r.MaxContentBytes {
		return &TooLargeError{Limit: r.MaxContentBytes}
	}
	if strings.TrimSpace(content) == "" {
		return &memory.FieldError{Field: "content", Fix: "say something: a memory cannot be empty"}
	}
	return nil
}

// words are what of a write can carry words.
func (w Write) words(source string) words {
	return words{content: w.Content, source: source, kind: w.Kind, subject: w.Subject, tags: w.Tags, metadata: w.Metadata}
}

// judge decides what a text becomes. The session's mark is taken after the zone was decided: having read something low makes
// what the agent says next count for less, but does not make it disappear. What repeats a text that is kept from the agent is
// kept from it as well.
func (l lineage) judge(ctx context.Context, o *origin, w words) (screen.Verdict, memory.Outcome, error) {
	return l.settle(ctx, o, l.gate.screening(l.state).verdict(ctx, w, o.trusted()))
}

// settle is judge for a text that was screened.
func (l lineage) settle(ctx context.Context, o *origin, verdict screen.Verdict) (screen.Verdict, memory.Outcome, error) {
	r := l.state.Runtime
	outcome := outcomeOf(r, *o, verdict, l.now)
	if o.withheld {
		outcome = memory.Withheld(r.PendingExpiry(), l.now)
		verdict.Reasons = union(verdict.Reasons, []string{repeatsWithheld})
	}
	if !l.marked(*o) {
		return verdict, outcome, nil
	}
	if err := l.heard(ctx, o); err != nil {
		return verdict, outcome, err
	}
	if outcome.Zone != memory.Quarantine { // the end of the class counts from when it is let out
		outcome.Expiry = sooner(outcome.Expiry, classExpiry(r, o.class, l.now))
	}
	return verdict, outcome, nil
}

// repeatsWithheld is the reason, for people, of what waits because it repeats something.
const repeatsWithheld = "repeats a memory that was rejected or waits in Quarantine"

// marked reports whether the mark of its session counts for a write: not for the words of users and of those who speak for
// themselves. A tool has read nothing but in a session that it names.
func (l lineage) marked(o origin) bool {
	switch {
	case o.quoted, l.caller.speaks(), o.prefix && o.class.High():
		return false
	}
	return !l.caller.Authenticated() || l.session != ""
}

// trusted reports whether a directive of this origin stands.
func (o origin) trusted() bool { return o.class.High() && (o.authenticated || o.prefix) }

// outcomeOf looks up what a text becomes.
func outcomeOf(r *policy.Runtime, o origin, verdict screen.Verdict, now time.Time) memory.Outcome {
	return memory.Decide(memory.Write{
		Class:         o.class,
		Authenticated: o.authenticated,
		TrustedPrefix: o.prefix,
		Directive:     verdict.Directive,
		Unjudged:      verdict.Abstained,
		Withhold:      r.Review == v1alpha1.ReviewModeWithhold,
		PendingExpiry: r.PendingExpiry(),
		ClassExpiry:   classSpan(r, o.class),
		Now:           now,
	})
}

func classSpan(r *policy.Runtime, class provenance.Class) time.Duration {
	return time.Duration(r.ClassRules(class).ExpirySeconds) * time.Second
}

// classExpiry is when a memory of a class that is let in now stops being delivered; zero: never.
func classExpiry(r *policy.Runtime, class provenance.Class, now time.Time) time.Time {
	span := classSpan(r, class)
	if span <= 0 {
		return time.Time{}
	}
	return memory.Timestamp(now.Add(span))
}

// sooner returns the earlier of two times of which a zero one is never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

func newRecord(namespace string, o origin, w Write, v screen.Verdict, out memory.Outcome, now time.Time) memory.Record {
	return memory.Record{
		ID:         memory.NewID(),
		Namespace:  namespace,
		Branch:     memory.MainBranch,
		Zone:       out.Zone,
		State:      out.State,
		Expiry:     out.Expiry,
		Class:      o.class,
		Source:     o.source,
		Writer:     o.writer,
		Parents:    o.parents,
		Kind:       w.Kind,
		Tags:       w.Tags,
		Subject:    w.Subject,
		Metadata:   w.Metadata,
		Session:    w.Session,
		Content:    w.Content,
		Directive:  v.Directive,
		Reasons:    v.Reasons,
		CappedBy:   o.cappedBy,
		Confidence: w.Confidence,
		Salience:   w.Salience,
		Pinned:     w.Pin,
		Supersedes: w.Supersedes,
		CreatedAt:  now,
		UpdatedAt:  now,
	}.Normalized()
}

func signer(s *policy.State) func(memory.Record) ([]byte, error) {
	return func(r memory.Record) ([]byte, error) { return s.Keyset.Sign(r.Tuple(s.Runtime.AgentID).Message()) }
}

func written(r *policy.Runtime, c Caller, record memory.Record, v screen.Verdict, now time.Time) Written {
	w := Written{
		ID:         record.ID,
		Zone:       record.Zone,
		State:      record.State,
		Class:      record.Class,
		Authority:  memory.AuthorityOf(record, now),
		Recallable: record.Boundary(now) != memory.Blocked || r.Enforcement == v1alpha1.EnforcementDryRun,
		CappedBy:   append([]string{}, record.CappedBy...),
		Verdict:    verdictFor(c, v),
		Message:    writtenMessage(r, record),
		Commit:     commitOf(record),
		FoldedInto: record.FoldedInto,
	}
	if record.State == memory.PendingReview {
		w.ReviewID = record.ID
	}
	return w
}

// verdictFor gives the agent the kinds of directives only: the words that matched would teach an attacker to reword.
func verdictFor(c Caller, v screen.Verdict) Verdict {
	reasons := v.Families
	if c.Authenticated() {
		reasons = v.Reasons
	}
	return Verdict{Directive: v.Directive, Reasons: append([]string{}, reasons...)}
}

// commitOf names one version of a record.
func commitOf(r memory.Record) string { return hex.EncodeToString(r.Commit.Hash) }

func writtenMessage(r *policy.Runtime, record memory.Record) string {
	var m string
	switch {
	case slices.Contains(record.CappedBy, cappedBySupersedes):
		m = fmt.Sprintf("Stored in %s, for review by a person: what it replaces counts for more, and stays as it is until one approves.",
			record.Zone)
	case record.Zone == memory.Trusted:
		m = "Stored in Trusted."
	case record.Zone == memory.Quarantine && record.Directive:
		m = "Stored in Quarantine, for review by a person: it gives a standing instruction, and its origin is not trusted to give one. " +
			"If it is the operator's or user's, hand it in through an authenticated channel; if only the fact matters, store the fact alone."
	case correlated(record.Reasons):
		m = fmt.Sprintf("Stored in %s, for review by a person: with other memories that nobody vouched for it adds up to acting without asking.",
			record.Zone)
	case slices.Contains(record.Reasons, repeatsWithheld):
		m = "Stored in Quarantine, for review by a person: it repeats a memory that was rejected or waits for a person itself."
	case record.Zone == memory.Quarantine && unjudged(record.Reasons):
		m = "Stored in Quarantine, for review by a person: nothing could tell whether it gives a standing instruction."
	case record.Zone == memory.Quarantine:
		m = fmt.Sprintf("Stored in Quarantine, for review by a person: under this policy memories of class %s wait for one.", record.Class)
	case record.State == memory.PendingReview:
		m = "Stored in Working, pending review: recalls deliver it marked"
		if !record.Expiry.IsZero() {
			m += " until " + record.Expiry.Format(time.RFC3339)
		}
		m += "."
	default:
		m = "Stored in Working: it may inform answers and justifies no action."
	}
	if record.FoldedInto != "" {
		m += " It says the same as a memory that waits already, and shares its fate."
	}
	if record.State == memory.PendingReview && len(record.Supersedes) > 0 && !slices.Contains(record.CappedBy, cappedBySupersedes) {
		m += " It replaces nothing until then."
	}
	if r.Enforcement == v1alpha1.EnforcementDryRun && record.Zone == memory.Quarantine {
		m += " The policy is in DryRun, so recalls deliver it all the same."
	}
	return m
}
