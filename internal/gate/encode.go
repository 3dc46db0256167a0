// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
}

// Written says what became of a write.
type Written struct {
	ID         string           `json:"id" doc:"Id of the memory"`
	Zone       memory.Zone      `json:"zone" enum:"Quarantine,Working,Trusted" doc:"How far it is let in"`
	State      memory.State     `json:"state" doc:"Where it stands in its life"`
	Class      provenance.Class `json:"class" doc:"Source class the screener assigned"`
	Authority  memory.Authority `json:"authority" enum:"Act,Inform,None" doc:"What it may justify"`
	Recallable bool             `json:"recallable" doc:"Whether a recall can deliver it"`
	CappedBy   []string         `json:"cappedBy" nullable:"false" doc:"What lowered the class: claim, lineage or session"`
	Verdict    Verdict          `json:"verdict" doc:"What screening found"`
	ReviewID   string           `json:"reviewId,omitempty" doc:"Set while a person has to decide"`
	Message    string           `json:"message" doc:"What happened and what to do about it"`
	Commit     string           `json:"commit" doc:"Names this version of the memory"`
}

// Verdict is what screening found, as far as the caller may know.
type Verdict struct {
	Directive bool     `json:"directive" doc:"Whether the text installs standing behavior"`
	Reasons   []string `json:"reasons" nullable:"false" doc:"Why; on the agent's port only kinds of directives"`
}

// Encode screens, signs and stores one memory. Quarantine is a normal answer. It returns ErrNotReady, a *TooLargeError, a
// *memory.FieldError, or an error of the store.
func (g *Gate) Encode(ctx context.Context, c Caller, w Write) (Written, error) {
	defer g.metrics.time("encode")()
	s, err := g.ready()
	if err != nil {
		return Written{}, err
	}
	if err := checkContent(s.Runtime, w.Content); err != nil {
		return Written{}, err
	}
	now := g.now()
	o, err := resolveOrigin(s.Runtime, c, w.Source)
	if err != nil {
		return Written{}, err
	}
	if err := g.capByLineage(ctx, s, &o, w.Parents, now); err != nil {
		return Written{}, err
	}
	verdict, outcome := g.decide(s.Runtime, o, w.Content, now)
	// The mark is taken after the zone was decided: having read something low makes what the agent says next count for
	// less, but does not make it disappear.
	if !c.Authenticated() && !(o.prefix && o.class.High()) {
		mark, err := g.sessionMark(ctx, w.Session, now)
		if err != nil {
			return Written{}, err
		}
		o.lower(mark, cappedBySession)
	}
	record, err := g.store.Commit(ctx, memory.Change{
		Type:   memory.ChangeCreate,
		Record: newRecord(s.Runtime, o, w, verdict, outcome, now),
		Actor:  o.writer.String(),
		Sign:   signer(s),
	})
	if err != nil {
		return Written{}, err
	}
	g.metrics.wrote(record)
	return written(s.Runtime, c, record, verdict, now), nil
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

// decide screens a text and looks up what it becomes.
func (g *Gate) decide(r *policy.Runtime, o origin, content string, now time.Time) (screen.Verdict, memory.Outcome) {
	verdict, _ := g.screenText(content, o.source, o.class.High() && (o.authenticated || o.prefix))
	return verdict, memory.Decide(memory.Write{
		Class:         o.class,
		Authenticated: o.authenticated,
		TrustedPrefix: o.prefix,
		Directive:     verdict.Directive,
		Withhold:      r.Review == v1alpha1.ReviewModeWithhold,
		PendingExpiry: r.PendingExpiry(),
		Now:           now,
	})
}

func newRecord(r *policy.Runtime, o origin, w Write, v screen.Verdict, out memory.Outcome, now time.Time) memory.Record {
	return memory.Record{
		ID:        memory.NewID(),
		Namespace: r.Namespace,
		Branch:    memory.MainBranch,
		Zone:      out.Zone,
		State:     out.State,
		Expiry:    out.Expiry,
		Class:     o.class,
		Source:    o.source,
		Writer:    o.writer,
		Parents:   o.parents,
		Kind:      w.Kind,
		Tags:      w.Tags,
		Session:   w.Session,
		Content:   w.Content,
		Directive: v.Directive,
		Reasons:   v.Reasons,
		CappedBy:  o.cappedBy,
		CreatedAt: now,
		UpdatedAt: now,
	}
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

// commitOf names one version of a record: its place in the audit log and a digest of what is signed.
func commitOf(r memory.Record) string {
	sum := sha256.Sum256(r.Tag)
	return fmt.Sprintf("%d-%s", r.Seq, hex.EncodeToString(sum[:8]))
}

func writtenMessage(r *policy.Runtime, record memory.Record) string {
	var m string
	switch {
	case record.Zone == memory.Trusted:
		m = "Stored in Trusted."
	case record.Zone == memory.Quarantine && record.Directive:
		m = "Stored in Quarantine, for review by a person: it gives a standing instruction, and its origin is not trusted to give one. " +
			"If it is the operator's or user's, hand it in through an authenticated channel; if only the fact matters, store the fact alone."
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
	if r.Enforcement == v1alpha1.EnforcementDryRun && record.Zone == memory.Quarantine {
		m += " The policy is in DryRun, so recalls deliver it all the same."
	}
	return m
}
