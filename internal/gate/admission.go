// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/judge"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/screen"
)

// AdmissionOperation is what a store that is not ours asks about.
type AdmissionOperation string

// The operations.
const (
	// AdmitEncode asks before a memory is stored.
	AdmitEncode AdmissionOperation = "Encode"
	// AdmitRecall asks before a stored memory reaches a model.
	AdmitRecall AdmissionOperation = "Recall"
	// AdmitPromote asks to raise a stored memory by one zone.
	AdmitPromote AdmissionOperation = "Promote"
)

// Reasons that only an admission gives, beside those for which a recall withholds.
const (
	// ReasonUnverified: it cannot be promoted, because its signed source does not prove where it came from.
	ReasonUnverified Reason = "Unverified"
	// ReasonNotPossible: it cannot be promoted as it stands, or without a reason.
	ReasonNotPossible Reason = "NotPossible"
)

// outsideChannel is the way in of whoever hands in words for an agent and is neither the agent nor a channel of its policy. Nothing
// is known about where those words come from.
const outsideChannel = "admission"

// maxAdmissionBytes is the longest content that any policy allows.
const maxAdmissionBytes = 1 << 20

// answerTime is what is left for answering when the time of a judge ends.
const answerTime = 100 * time.Millisecond

// errUnreadable says that a request could not be processed. It holds nothing of it.
var errUnreadable = errors.New("the request cannot be processed")

// Outsider is the caller of an admission who is neither the agent nor a channel of its policy. Its claims can say nothing in its
// favor: the class is Unknown.
func Outsider(principal string) Caller {
	return Caller{Channel: policy.Channel{Name: outsideChannel, Class: provenance.Unknown, Principal: principal}}
}

// AdmissionRequest is one question of a store that is not ours. Nothing of it is kept.
type AdmissionRequest struct {
	Operation AdmissionOperation
	// Caller of an Encode. Who asks about a Recall makes no difference.
	Caller Caller
	// Approver of a Promote, as the cluster knows them. That they may is for the transport to check.
	Approver string
	// Reason of a Promote, one line.
	Reason string

	Content string
	// Claimed source of an Encode, or of a Recall of a memory that was never signed.
	Claimed string
	// Signed is what an earlier decision signed; for Recall and Promote.
	Signed string

	// What stands beside the content and reaches readers. No signature covers it, so that it is screened each time as if it came
	// from nowhere.
	Kind     string
	Subject  string
	Tags     []string
	Metadata map[string]string
	// Session is checked and plays no part: whatever was delivered in it, this gate has not seen it.
	Session string
}

// AdmissionDecision says what may be done with a memory of a store that is not ours.
type AdmissionDecision struct {
	Allowed bool
	// Reason for which it is not allowed, or would not be in Enforce; empty for none.
	Reason Reason
	// Err is why the question could not be answered: a *TooLargeError, a *memory.FieldError, or that of the context. Nothing is
	// allowed then, and all fields beside it are empty.
	Err error

	Zone      memory.Zone
	State     memory.State
	Class     provenance.Class
	Authority memory.Authority
	Boundary  memory.Boundary
	Expiry    time.Time // zero: never
	// Signed is the source to keep beside the content, "<base>#mac=<tag>". A Recall keeps the one it has.
	Signed   string
	Families []string // kinds of directives found, and that it could not be judged
	CappedBy []string // what lowered the class
	Rules    []string // conditions of a Promote that are not met; they hold nothing of the content
}

// Would reports whether only DryRun allows it.
func (d AdmissionDecision) Would() bool { return d.Allowed && d.Reason != "" }

// Admission decides for stores that are not ours. It screens, resolves origins, looks up the table and signs as the gate does, and
// keeps nothing: lineage, correlation, sessions and rate limits, which take a store, play no part. It is safe for concurrent use.
type Admission struct{ gate *Gate }

// AdmissionConfig is what an Admission works with; the zero value is good.
type AdmissionConfig struct {
	// Judge is asked where the policy has one; one that asks its endpoint when nil.
	Judge Judge
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// NewAdmission returns an Admission. One belongs to one agent, whose budget and cache of the judge it holds.
func NewAdmission(c AdmissionConfig) *Admission {
	g := &Gate{judge: c.Judge, clock: c.Now, metrics: NewMetrics(nil)}
	if g.clock == nil {
		g.clock = time.Now
	}
	if g.judge == nil {
		g.judge = judge.New(judge.Options{})
	}
	return &Admission{gate: g}
}

// Review decides about requests under one state, in their order. What the context leaves no time for is answered with its error.
func (a *Admission) Review(ctx context.Context, s *policy.State, requests []AdmissionRequest) []AdmissionDecision {
	out := make([]AdmissionDecision, len(requests))
	if s == nil || s.Runtime == nil || s.Keyset == nil || s.Screener == nil {
		for i := range out {
			out[i] = AdmissionDecision{Err: ErrNotReady}
		}
		return out
	}
	r := admissionReview{screening: a.gate.screening(s), now: a.gate.now().Truncate(time.Second), drafts: make([]admissionDraft, len(requests))}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, request := range requests {
		group.Go(func() error {
			d := &r.drafts[i]
			defer func() {
				if recover() != nil { // one text must not take the process, or the other requests, with it
					d.err = errUnreadable
				}
			}()
			if d.request, d.err = request, ctx.Err(); d.err == nil {
				r.prepare(d)
			}
			return nil
		})
	}
	_ = group.Wait() // what failed is in the drafts
	r.judge(ctx)
	for i := range r.drafts {
		out[i] = r.decide(ctx, &r.drafts[i])
	}
	return out
}

// admissionReview is one Review on its way.
type admissionReview struct {
	*screening
	now    time.Time
	drafts []admissionDraft
}

// admissionDraft is what is known about one request before the judge is asked.
type admissionDraft struct {
	request AdmissionRequest
	err     error
	// origin and content are of a memory that nothing proves yet; stored and look of one that its signed source speaks for.
	signed  bool
	origin  origin
	content screen.Verdict
	stored  verified
	look    look
	beside  screen.Verdict // always as of untrusted origin
}

// prepare does for one request whatever takes no judge.
func (r *admissionReview) prepare(d *admissionDraft) {
	q := d.request
	if d.err = r.check(q); d.err != nil {
		return
	}
	d.signed = q.Operation == AdmitPromote || q.Operation == AdmitRecall && q.Signed != ""
	if d.signed {
		d.stored = verifyStanding(r.state, q.Signed, q.Content)
	} else if d.origin, d.err = r.originOf(q); d.err != nil {
		return
	}
	if q.Operation == AdmitPromote {
		return // a person has read it, and what they say lifts the screen
	}
	if d.signed {
		d.look = r.screening.look(d.stored, r.now)
	} else {
		w := words{content: q.Content, source: d.origin.source}
		d.content, _ = r.gate.screenText(r.state, w, d.origin.trusted())
	}
	if w := q.besides(); w.beside() != "" {
		d.beside, _ = r.gate.screenText(r.state, w, false)
	}
}

// check checks what can be told without looking at anything else.
func (r *admissionReview) check(q AdmissionRequest) error {
	switch q.Operation {
	case AdmitEncode:
		if q.Signed != "" {
			return &memory.FieldError{Field: "signedSource", Fix: "leave it out for Encode: a new memory has none yet"}
		}
		if err := checkContent(r.state.Runtime, q.Content); err != nil {
			return err
		}
	case AdmitRecall: // the policy may have allowed more when it was stored
	case AdmitPromote:
		if q.Signed == "" {
			return &memory.FieldError{Field: "signedSource", Fix: "give the one that was kept with the memory"}
		}
		if q.Approver == "" {
			return &memory.FieldError{Field: "approver", Fix: "promotions are by somebody the cluster knows"}
		}
	default:
		return &memory.FieldError{Field: "operation", Fix: "use Encode, Recall or Promote"}
	}
	if len(q.Content) > maxAdmissionBytes {
		return &memory.FieldError{Field: "content", Fix: fmt.Sprintf("give at most %d bytes", maxAdmissionBytes)}
	}
	if err := checkKind(q.Kind); err != nil {
		return err
	}
	if err := checkSession(q.Session); err != nil {
		return err
	}
	shape := memory.Record{
		ID: memory.NewID(), Namespace: r.state.Runtime.Namespace, Zone: memory.Quarantine, State: memory.PendingReview,
		Class: provenance.Unknown, Kind: q.Kind, Subject: q.Subject, Tags: q.Tags, Metadata: q.Metadata, Content: q.Content,
		CreatedAt: r.now, UpdatedAt: r.now,
	}
	return shape.Normalized().Validate()
}

// originOf is where a memory came from that no signature speaks for. One that is recalled is nobody's, whoever asks.
func (r *admissionReview) originOf(q AdmissionRequest) (origin, error) {
	caller := q.Caller
	if q.Operation == AdmitRecall {
		caller = Outsider("")
	}
	o, err := resolveOrigin(r.state.Runtime, caller, q.Claimed)
	var field *memory.FieldError
	if errors.As(err, &field) && field.Field == "source" {
		return o, &memory.FieldError{Field: "claimedSource", Fix: field.Fix}
	}
	return o, err
}

// besides are the words that no signature covers.
func (q AdmissionRequest) besides() words {
	return words{kind: q.Kind, subject: q.Subject, tags: q.Tags, metadata: q.Metadata}
}

// judge asks about all texts of untrusted origin in which nothing was found, together.
func (r *admissionReview) judge(ctx context.Context) {
	if !r.judged() || ctx.Err() != nil {
		return
	}
	var about []words
	var verdicts []*screen.Verdict
	add := func(w words, v *screen.Verdict) {
		if !v.Directive {
			about, verdicts = append(about, w), append(verdicts, v)
		}
	}
	for i := range r.drafts {
		d := &r.drafts[i]
		q := d.request
		if d.err != nil || q.Operation == AdmitPromote {
			continue
		}
		if w := q.besides(); w.beside() != "" {
			add(w, &d.beside)
		}
		switch {
		case !d.signed && !d.origin.trusted():
			add(words{content: q.Content, source: d.origin.source}, &d.content)
		case d.look.survivor:
			d.content.Abstained = d.look.doubt
			add(wordsOf(d.stored.record), &d.content)
		}
	}
	if end, ok := ctx.Deadline(); ok { // a judge that gives no answer must leave time for ours
		r.deadline = sooner(time.Now().Add(r.state.Runtime.Screening.Judge.Timeout()), end.Add(-answerTime))
	}
	r.ask(ctx, about, verdicts)
	for i := range r.drafts {
		if d := &r.drafts[i]; d.look.survivor {
			if d.look.doubt = d.content.Abstained; d.content.Directive {
				d.look.reason = ReasonDirective
			}
		}
	}
}

// decide turns a draft into the answer.
func (r *admissionReview) decide(ctx context.Context, d *admissionDraft) AdmissionDecision {
	if d.err == nil {
		d.err = ctx.Err() // found out too late
	}
	if d.err != nil {
		return AdmissionDecision{Err: d.err}
	}
	var out AdmissionDecision
	switch {
	case d.request.Operation == AdmitPromote:
		out = r.promoted(d)
	case d.signed:
		out = r.recalled(d)
	default:
		out = r.encoded(d)
	}
	if out.Err != nil {
		return AdmissionDecision{Err: out.Err}
	}
	out.Allowed = out.Reason == ""
	if d.request.Operation != AdmitPromote && r.state.Runtime.Enforcement == v1alpha1.EnforcementDryRun {
		out.Allowed = true
	}
	return out
}

// encoded is the answer about a memory that no signature speaks for: one that is new, and is signed, or one that is recalled.
func (r *admissionReview) encoded(d *admissionDraft) AdmissionDecision {
	verdict := d.content
	if b := d.beside; !verdict.Directive && (b.Directive || b.Abstained && !verdict.Abstained) {
		verdict = b
	}
	outcome := outcomeOf(r.state.Runtime, d.origin, verdict, r.now)
	if d.beside.Directive && outcome.Zone != memory.Quarantine { // a trusted origin vouches for the content alone
		outcome = memory.Withheld(r.state.Runtime.PendingExpiry(), r.now)
	}
	record := memory.Record{
		Zone: outcome.Zone, State: outcome.State, Expiry: outcome.Expiry, Class: d.origin.class, Source: d.origin.source,
		Writer: d.origin.writer, Content: d.request.Content, CreatedAt: r.now, UpdatedAt: r.now,
	}
	out := r.standing(verified{record: record})
	out.Families, out.CappedBy = verdict.Families, d.origin.cappedBy
	switch {
	case outcome.Zone != memory.Quarantine:
	case verdict.Directive:
		out.Reason = ReasonDirective
	default:
		out.Reason = ReasonQuarantined
	}
	if d.request.Operation == AdmitEncode {
		out.Signed, out.Err = signStanding(r.state, record)
	}
	return out
}

// recalled is the answer about a memory that is handed out with its signed source.
func (r *admissionReview) recalled(d *admissionDraft) AdmissionDecision {
	d.stored.doubt = d.look.doubt || d.beside.Abstained
	out := r.standing(d.stored)
	out.Signed, out.Reason = d.request.Signed, d.look.reason
	out.Families = union(d.content.Families, d.beside.Families)
	if out.Reason == "" && d.beside.Directive {
		out.Reason = ReasonDirective
	}
	if out.Reason != "" {
		out.Boundary, out.Authority = memory.Blocked, memory.None
	}
	return out
}

// promoted is the answer to whoever wants a memory raised by one zone. The class stays what it was, and their name is signed with it.
func (r *admissionReview) promoted(d *admissionDraft) AdmissionDecision {
	out := r.standing(d.stored)
	if d.stored.fault != "" {
		out.Reason = ReasonUnverified
		if d.stored.fault == ReasonKeyUnavailable {
			out.Reason = ReasonKeyUnavailable
		}
		return out
	}
	to, rules := memory.Promotion{Record: d.stored.record, Reason: d.request.Reason, Now: r.now}.Check()
	for _, rule := range memory.Unmet(rules) {
		switch rule.Name {
		case memory.RuleTransition, memory.RuleReason:
			out.Rules = append(out.Rules, fmt.Sprintf("%s: %s", rule.Name, rule.Explain))
		default: // what takes a store; the right to promote, which is given by name, stands in its place
		}
	}
	if len(out.Rules) > 0 {
		out.Reason = ReasonNotPossible
		return out
	}
	next := d.stored.record
	next.Zone, next.State, next.ApprovedBy = to.Zone, to.State, approverName(d.request.Approver)
	next.Expiry, next.CreatedAt, next.UpdatedAt = classExpiry(r.state.Runtime, next.Class, r.now), r.now, r.now
	out = r.standing(verified{record: next})
	out.Signed, out.Err = signStanding(r.state, next)
	return out
}

// standing is how a memory stands, as far as an answer tells.
func (r *admissionReview) standing(v verified) AdmissionDecision {
	boundary, authority := standing(r.state.Runtime, v, r.now)
	return AdmissionDecision{
		Zone: v.record.Zone, State: v.record.State, Class: v.record.Class, Expiry: v.record.Expiry,
		Boundary: boundary, Authority: authority,
	}
}
